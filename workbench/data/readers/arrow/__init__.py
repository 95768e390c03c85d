"""Parquet, Feather and Arrow streams, a column at a time."""
