"""Columns cut into bins."""
