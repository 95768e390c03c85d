"""The ends of float32, and of what a threshold may be. Knows nothing of numba, so that a form can ask."""

from __future__ import annotations

import numpy as np

LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
HIGHEST_THRESHOLD = 3.4025e38  # above every value that is read, and its shortest text is a float32 again
LOWEST_THRESHOLD = np.float32(-HIGHEST_THRESHOLD)  # no value is below
EXACT_EDGE = np.float32(1e-6)  # what XGBoost's exact search adds to a threshold beyond all values
