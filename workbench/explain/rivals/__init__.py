"""Columns that stand in for one another."""
