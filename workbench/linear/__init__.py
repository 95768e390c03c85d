"""Weighted sums of columns with L2 and L1 penalties: the columns, the sums over rows, the solvers."""
