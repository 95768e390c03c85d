"""The points of one variable: distinct values, ascending, with the sums of the rows at each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Points(NamedTuple):
    """Distinct values, and running sums over them: entry i is of the first i values.

    Attributes
    ----------
    values : ndarray of float32, shape (m,)
        Ascending.
    gradients, hessians : ndarray of float64, shape (m + 1,)
        Running sums of G and H.
    counts : ndarray of int64, shape (m + 1,)
        Running number of rows.
    """

    values: NDArray[np.float32]
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.values)

    def scores(
        self, begins: NDArray[np.int64] | int, ends: NDArray[np.int64] | int, reg_lambda: float
    ) -> NDArray[np.float64]:
        """Return −½G²/(H+λ) of stretches of values, without γ."""
        g = np.asarray(self.gradients[ends] - self.gradients[begins])
        h = np.asarray(self.hessians[ends] - self.hessians[begins]) + reg_lambda
        return -0.5 * g * g / np.where(h > 0.0, h, np.inf)


def points_of(
    x: NDArray[np.float32], gradients: NDArray[np.float64], hessians: NDArray[np.float64]
) -> Points:
    """Return the points of rows, shape (n,); rows whose x is missing are left out."""
    known = ~np.isnan(x)
    values, place = np.unique(x[known], return_inverse=True)
    sums = (np.bincount(place, of[known], minlength=len(values)) for of in (gradients, hessians))
    counts = np.bincount(place, minlength=len(values))
    g, h, n = (np.concatenate([[0], np.cumsum(of)]) for of in (*sums, counts))
    return Points(values, g, h, n.astype(np.int64))
