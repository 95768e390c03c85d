"""Round numbers for the axes of the what-if plots."""

from __future__ import annotations

import math

import numpy as np

ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def nice_ceiling(value: float) -> float:
    """Return the smallest of some round numbers times a power of ten that is not below `value`."""
    if not value > 0 or not math.isfinite(value):
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    factor = next(nice for nice in ROUND if nice * power >= value * (1 - 1e-9))
    return float(f"{factor * power:.12g}")


def nice_ticks(high: float, most: int) -> list[float]:
    """Return round numbers from 0 to `high`, at most about so many."""
    rough = high / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(nice * power for nice in (1, 2, 2.5, 5, 10) if nice * power >= rough * (1 - 1e-9))
    return [float(f"{tick:.12g}") for tick in np.arange(0, high * (1 + 1e-9), step)]
