"""The axis of γ or λ: linear, or logarithmic from a decade on where most critical values crowd near 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.round_numbers import axis_end, powers_of_ten, ticks_from_zero

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SHOWN = 0.96  # of the critical values, that the axis reaches
CROWDED = 20.0  # times the median that the axis would reach
DETENT = 0.06  # share of a logarithmic axis between 0 and its first decade
DIGITS = 3


@dataclass(frozen=True)
class PenaltyAxis:
    """From 0 to `end`; logarithmic from `first` on where that is above 0."""

    end: float = 1.0
    first: float = 0.0

    @classmethod
    def over(cls, critical: NDArray[np.float64], value: float) -> PenaltyAxis:
        """Return the axis on which most of the critical values are seen, and the value of now."""
        alive = critical[(critical > 0) & np.isfinite(critical)]
        if not len(alive):
            return cls(axis_end(max(1.15 * value, 1.0)))
        low, middle, reach = np.quantile(alive, (1 - MOST_SHOWN, 0.5, MOST_SHOWN)).tolist()
        end = axis_end(max(reach, 1.15 * value, 1e-9))
        if reach < CROWDED * middle:
            return cls(end)
        return cls(end, 10.0 ** math.floor(math.log10(max(low, 1e-6 * end))))

    def shares(self, values: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Return where each value stands, 0 to 1."""
        values = np.clip(np.asarray(values, np.float64), 0.0, self.end)
        share: NDArray[np.float64] = np.asarray(values / self.end)
        if not self.first:
            return share
        along = np.log(np.maximum(values, self.first) / self.first) / math.log(self.end / self.first)
        near = DETENT * values / self.first
        return np.where(values < self.first, near, DETENT + (1 - DETENT) * along)

    def values(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value at each share of the axis."""
        share = np.clip(share, 0.0, 1.0)
        if not self.first:
            return share * self.end
        along = np.maximum(share - DETENT, 0.0) / (1 - DETENT)
        return np.where(
            share < DETENT, share / DETENT * self.first, self.first * (self.end / self.first) ** along
        )

    def at(self, share: float) -> float:
        """The value at one share, in three digits; 0 near the left end of a logarithmic axis."""
        if self.first and share < DETENT / 2:
            return 0.0
        return float(f"{float(self.values(np.array(share))):.{DIGITS}g}")

    def ticks(self, most: int) -> list[float]:
        """Round numbers: powers of ten where it is logarithmic."""
        if not self.first:
            return ticks_from_zero(self.end, most)
        return [0.0, *powers_of_ten(self.first, self.end)]
