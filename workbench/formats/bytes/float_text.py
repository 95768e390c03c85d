"""Shortest decimal text of numbers, mostly float32, as JSON writers need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels.thresholds import LARGEST_FLOAT32

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def shortest(values: NDArray[np.floating[Any]]) -> list[float]:
    """Return Python floats whose `repr` is the shortest text that gives the same number back.

    That is the same double where doubles are given, else the same float32. The text of a float32 has at
    most nine digits, so the double nearest to it prints as the same digits: `0.1`, not
    `0.10000000149011612`. It always holds a "." or an exponent.
    """
    if values.dtype == np.float64:
        return [float(value) for value in values]
    return [float(str(value)) for value in np.asarray(values, np.float32)]


def scalar_text(value: np.float32 | float) -> str:
    """Return the shortest text of one number as XGBoost writes its scalars, "2.5E-1"."""
    text = np.format_float_scientific(np.float32(value), unique=True, trim="-", exp_digits=1)
    return text.upper().replace("E+", "E")


def parse_scalars(text: str) -> list[float]:
    """Read "5E-1" or, as XGBoost 3.1 and later write it, "[5E-1,2E-1]"."""
    inner = text.strip().removeprefix("[").removesuffix("]")
    return [float(part) for part in inner.split(",")]


def finite_float32(values: Iterable[float] | NDArray[np.float64]) -> NDArray[np.float32]:
    """Round figures that only inform to float32: unknown becomes 0, the too large the largest."""
    numbers = np.asarray(values, np.float64)
    with np.errstate(over="ignore"):
        singles = numbers.astype(np.float32)
    if np.isfinite(singles).all():
        return singles
    known = np.where(np.isnan(numbers), 0.0, numbers)
    return np.minimum(np.maximum(known, -LARGEST_FLOAT32), LARGEST_FLOAT32).astype(np.float32)
