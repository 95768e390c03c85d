"""The numbers of one node as formulas."""
