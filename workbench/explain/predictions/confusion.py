"""Who was taken for whom, and what precision and recall that gives each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Confusion:
    """A matrix of weights.

    Attributes
    ----------
    labels : tuple of str
    cells : ndarray of float64, shape (K, K)
        Rows of each class (line) that were taken for each (column).
    """

    labels: tuple[str, ...]
    cells: NDArray[np.float64]

    @property
    def support(self) -> NDArray[np.float64]:
        """Weight of each class."""
        return self.cells.sum(axis=1)

    @property
    def taken(self) -> NDArray[np.float64]:
        """Weight that was taken for each class."""
        return self.cells.sum(axis=0)

    @property
    def right(self) -> float:
        """Weight that was taken for what it is."""
        return float(np.trace(self.cells))

    @property
    def wrong(self) -> float:
        """Weight that was taken for something else."""
        return float(self.cells.sum()) - self.right

    @property
    def accuracy(self) -> float:
        """NaN without rows."""
        total = float(self.cells.sum())
        return self.right / total if total else float("nan")

    @property
    def precision(self) -> NDArray[np.float64]:
        """Of each class; NaN where nothing was taken for it."""
        return _ratios(np.diagonal(self.cells), self.taken)

    @property
    def recall(self) -> NDArray[np.float64]:
        """Of each class; NaN where there is none of it."""
        return _ratios(np.diagonal(self.cells), self.support)

    @property
    def f1(self) -> NDArray[np.float64]:
        """Of each class; NaN where there is none of it and nothing was taken for it."""
        return _ratios(2 * np.diagonal(self.cells), self.support + self.taken)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Of the rows of each class (line), those taken for each; 0 where there is none."""
        return np.nan_to_num(_ratios(self.cells, np.broadcast_to(self.support[:, None], self.cells.shape)))


def confusion(
    target: NDArray[np.float64], taken: NDArray[np.int64], labels: tuple[str, ...],
    weight: NDArray[np.float64] | None = None,
) -> Confusion:  # fmt: skip
    """Return the matrix of codes of classes, shape (n,), and of those that were predicted."""
    k = len(labels)
    cells = np.bincount(target.astype(np.int64) * k + taken, weight, minlength=k * k)
    return Confusion(labels, cells.astype(np.float64).reshape(k, k))


def _ratios(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
