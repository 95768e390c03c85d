"""Losses that are trained: gradients and hessians, one loss a module (floor 2)."""

import workbench.kernels  # noqa: F401 (sets numba's cache folder before numba is imported)
