"""What one tree is grown from, and what it is added to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.growing_params import DrawnRows, GrowingParams

NO_RAW = np.empty(0, np.float32)  # raw predictions of nobody


class TreeTask(NamedTuple):
    """One tree to grow.

    Attributes
    ----------
    gradients, hessians : ndarray of float64, shape (n,)
        Of all training rows.
    rows : DrawnRows
        Rows that grow the tree, and the others.
    columns : ndarray of int64, shape (k,)
        Columns that may be asked about, ascending, at least one.
    params : GrowingParams
    stop_flag : ndarray of uint8, shape (1,)
        1 where the tree is to be given up; read between waves of nodes.
    raw, valid_raw : ndarray of float32
        Raw predictions of all training rows, and of the held-out ones: the tree is added to them.
    """

    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]
    rows: DrawnRows
    columns: NDArray[np.int64]
    params: GrowingParams
    stop_flag: NDArray[np.uint8]
    raw: NDArray[np.float32]
    valid_raw: NDArray[np.float32] = NO_RAW
