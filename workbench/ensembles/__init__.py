"""Many trees: trainers that yield round events, the ensemble, sampling (floor 3)."""

import workbench.kernels  # noqa: F401 (sets numba's cache folder before numba is imported)
