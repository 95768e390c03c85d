"""The losses of linear models in double precision: ½(y − ŷ)², and the deviances of two and more classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class LinearLoss(Protocol):
    """A loss of raw predictions, shape (K, n), of rows with targets and weights.

    Attributes
    ----------
    is_quadratic : bool
        Whether its curvature is the same everywhere.
    scale : float
        Size of what is predicted.
    """

    is_quadratic: bool
    scale: float

    def total(self, raw: NDArray[np.float64]) -> float:
        """Return Σ w·l."""

    def means(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what is predicted, shape (K, n)."""

    def slopes(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives by the raw predictions, w(p − y), shape (K, n)."""

    def curvature(self, means: NDArray[np.float64], k: int, other: int) -> NDArray[np.float64]:
        """Return the second derivative by two raw predictions, shape (n,)."""


class SquaredLoss:
    """½(y − ŷ)²."""

    is_quadratic = True

    def __init__(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> None:
        self._target, self._weight = target, weight
        counted = target[weight > 0]
        self.scale = float(np.ptp(counted)) if len(counted) else 0.0

    def total(self, raw: NDArray[np.float64]) -> float:
        """Return Σ w·l."""
        return 0.5 * float((self._weight * (raw[0] - self._target) ** 2).sum())

    def means(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ŷ."""
        return raw

    def slopes(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return w(ŷ − y)."""
        return self._weight * (means - self._target)

    def curvature(self, means: NDArray[np.float64], k: int, other: int) -> NDArray[np.float64]:
        """Return w."""
        return self._weight


class LogisticLoss:
    """ln(1 + exp ŷ) − yŷ."""

    is_quadratic = False
    scale = 1.0

    def __init__(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> None:
        self._target, self._weight = target, weight

    def total(self, raw: NDArray[np.float64]) -> float:
        """Return Σ w·l."""
        return float((self._weight * (np.logaddexp(0.0, raw[0]) - self._target * raw[0])).sum())

    def means(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of class 1."""
        small = np.exp(-np.abs(raw))
        return np.asarray(np.where(raw >= 0, 1.0, small) / (1.0 + small))

    def slopes(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return w(p − y)."""
        return self._weight * (means - self._target)

    def curvature(self, means: NDArray[np.float64], k: int, other: int) -> NDArray[np.float64]:
        """Return w·p(1 − p)."""
        return np.asarray(self._weight * means[0] * (1.0 - means[0]))


class SoftmaxLoss:
    """ln Σ exp ŷ − ŷ of the row's class."""

    is_quadratic = False
    scale = 1.0

    def __init__(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> None:
        self._classes, self._weight = target.astype(np.int64), weight

    def total(self, raw: NDArray[np.float64]) -> float:
        """Return Σ w·l."""
        highest = raw.max(axis=0)
        sums = np.log(np.exp(raw - highest).sum(axis=0)) + highest
        own = raw[self._classes, np.arange(raw.shape[1])]
        return float((self._weight * (sums - own)).sum())

    def means(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each class."""
        powers = np.exp(raw - raw.max(axis=0))
        return np.asarray(powers / powers.sum(axis=0))

    def slopes(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return w(p − [y = k])."""
        apart = means.copy()
        apart[self._classes, np.arange(apart.shape[1])] -= 1.0
        return apart * self._weight

    def curvature(self, means: NDArray[np.float64], k: int, other: int) -> NDArray[np.float64]:
        """Return w·p(1 − p) of a class, −w·p·q of two."""
        return np.asarray(self._weight * means[k] * (float(k == other) - means[other]))


LOSSES_OF_LINEAR: dict[str, type[SquaredLoss] | type[LogisticLoss] | type[SoftmaxLoss]] = {
    "squared": SquaredLoss, "logistic": LogisticLoss, "softmax": SoftmaxLoss,
}  # fmt: skip
