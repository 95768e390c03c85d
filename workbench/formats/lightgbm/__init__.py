"""LightGBM's text and JSON."""
