"""Stored trees under other values: the panel that asks, and the plots that answer."""
