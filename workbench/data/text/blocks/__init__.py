"""Blocks of records made into columns."""
