"""What the targets of many rows add up to, so that figures of the rows need not come home."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

STRETCHES = 1024  # of the targets of a part
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
    stretches : ndarray of float64, shape (m, 4)
        Of numbers, stretches of the ordered targets: least and largest target, Σw, Σwy.
    """

    rows: int = 0
    weight: float = 0.0
    target: float = 0.0
    square: float = 0.0
    shifted: float = 0.0
    at_zero: float = 0.0
    classes: tuple[float, ...] = ()
    stretches: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 4)), compare=False)

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
        stretches = np.empty((0, 4)) if n_classes else _stretches(y, w)
        return TargetTally(len(y), *sums, shifted, at_zero, tuple(classes.tolist()), stretches)

    @staticmethod
    def together(tallies: Iterable[TargetTally]) -> TargetTally:
        """Add up tallies."""
        parts = [part for part in tallies if part.rows]
        sums = {name: sum(getattr(part, name) for part in parts) for name in SUMS}
        classes = tuple(map(sum, zip(*(part.classes for part in parts), strict=True)))
        stretches = [part.stretches for part in parts]
        return TargetTally(
            **sums, classes=classes, stretches=np.concatenate(stretches) if parts else np.empty((0, 4))
        )

    def absolute_error(self, at: float) -> float:
        """Return the mean of |y − at|; in the stretch that holds it, targets count as spread evenly."""
        low, high, weight, target = self.stretches.T
        with np.errstate(divide="ignore", invalid="ignore"):
            below = np.where(high > low, (at - low) / (high - low), low <= at).clip(0.0, 1.0)
        around = weight * (below * (at - low) / 2 + (1 - below) * (high - at) / 2)
        apart = np.abs(target - weight * at)
        total = np.where((low < at) & (at < high), around, apart).sum()
        return float(total / self.weight) if self.weight else 0.0

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


def _stretches(y: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(y, kind="stable")
    begins = np.unique(np.linspace(0, len(y), STRETCHES, endpoint=False).astype(np.int64))[: len(y)]
    if not len(y):
        return np.empty((0, 4))
    y, w = y[order], w[order]
    ends = np.append(begins[1:], len(y)) - 1
    return np.stack([y[begins], y[ends], np.add.reduceat(w, begins), np.add.reduceat(w * y, begins)], axis=1)
