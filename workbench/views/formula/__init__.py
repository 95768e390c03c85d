"""Formulas that are painted, and written as LaTeX, Python and text."""
