"""Runs beside each other: which are looked at, and what differs in them."""
