"""What the targets of many rows add up to, so that figures of the rows need not come home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

SUMS = ("rows", "weight", "target", "square", "shifted", "at_zero")


@dataclass(frozen=True)
class TargetTally:
    """Sums over rows.

    Attributes
    ----------
    rows : int
    weight, target, square : float
        Σw, Σwy, Σwy².
    shifted : float
        Σw of what our loss has more than XGBoost's likelihood.
    at_zero : float
        Σw of our loss at a raw prediction of 0.
    classes : tuple of float
        Σw of each class; empty for regression.
    """

    rows: int = 0
    weight: float = 0.0
    target: float = 0.0
    square: float = 0.0
    shifted: float = 0.0
    at_zero: float = 0.0
    classes: tuple[float, ...] = ()

    @staticmethod
    def of(
        target: NDArray[np.floating], weight: NDArray[np.floating] | None, n_classes: int = 0,
        shifts: NDArray[np.float64] | None = None, losses: NDArray[np.float64] | None = None,
    ) -> TargetTally:  # fmt: skip
        """Add up some rows."""
        y = target.astype(np.float64)
        w = np.ones(len(y)) if weight is None else weight.astype(np.float64)
        classes = np.bincount(y.astype(np.int64), w, n_classes) if n_classes else np.empty(0)
        shifted, at_zero = (0.0 if more is None else float(w @ more) for more in (shifts, losses))
        sums = float(w.sum()), float(w @ y), float(w @ (y * y))
        return TargetTally(len(y), *sums, shifted, at_zero, tuple(classes.tolist()))

    @staticmethod
    def together(tallies: Iterable[TargetTally]) -> TargetTally:
        """Add up tallies."""
        parts = [part for part in tallies if part.rows]
        sums = {name: sum(getattr(part, name) for part in parts) for name in SUMS}
        classes = tuple(map(sum, zip(*(part.classes for part in parts), strict=True)))
        return TargetTally(**sums, classes=classes)

    @property
    def variance(self) -> float:
        """Of the targets."""
        if not self.weight:
            return 0.0
        return max(self.square / self.weight - self.mean**2, 0.0)

    @property
    def shift(self) -> float:
        """Mean of what our loss has more."""
        return self.shifted / self.weight if self.weight else 0.0

    @property
    def mean(self) -> float:
        """Of the targets."""
        return self.target / self.weight if self.weight else 0.0
