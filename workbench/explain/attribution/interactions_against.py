"""Interaction values against given rows, by what a column does to the Shapley values of the others.

Half of what column i is worth with j known, less what it is worth with j unknown (Lundberg et al. 2020).
Against a row of the background, j is known to both where the background has the row's value there, and
unknown to both where the row has the background's. So values against changed rows are all that it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Shares = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float64]]


def interactions_against(
    shares: Shares, features: NDArray[np.float32], background: NDArray[np.float32], columns: Iterable[int],
    pairs: NDArray[np.float64], cancelled: Callable[[], bool] | None = None,
) -> None:  # fmt: skip
    """Write the interaction of every two columns; what has an equal column twice is left alone.

    Parameters
    ----------
    shares : callable
        Rows and a background to SHAP values of the rows, shape (n, K, d).
    features, background : ndarray of float32, shape (n, d) and (m, d)
    columns : iterable of int
        Those that are asked; the others have no part.
    pairs : ndarray of float64, shape (n, K, d + 1, d + 1)

    Raises
    ------
    Cancelled
    """
    d = pairs.shape[2] - 1
    for j in columns:
        worth = np.zeros((len(features), pairs.shape[1], d))
        known, row = background.copy(order="F"), features.copy(order="F")
        for r in range(len(features)):
            leave_if(cancelled)
            known[:, j] = features[r, j]
            worth[r] = shares(features[r : r + 1], known)[0]
        for one in range(len(background)):
            leave_if(cancelled)
            row[:, j] = background[one, j]
            worth -= shares(row, background[one : one + 1]) / len(background)
        worth[:, :, j] = 0.0  # a column that both have alike
        pairs[:, :, :d, j] = worth / 2
