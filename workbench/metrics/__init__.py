"""Figures that are reported, one metric a module (floor 2)."""
