"""Many trees: training methods that yield round events, the parts of a run, the ensemble (floor 3)."""

import workbench.kernels  # noqa: F401 (sets numba's cache folder before numba is imported)
