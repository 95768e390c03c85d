"""What a trainer is given: a float32 matrix, a target, weights, and which rows train or validate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema


@dataclass(frozen=True)
class Dataset:
    """Encoded rows.

    Attributes
    ----------
    schema : DataSchema
    features : ndarray of float32, shape (n, d), Fortran order
        Codes for categorical columns; NaN is missing; no infinities.
    target : ndarray of float64, shape (n,)
        Class index for the classification tasks.
    weight : ndarray of float64, shape (n,), or None
    train_rows, valid_rows : ndarray of int64
        Indices into the above, ascending, disjoint; `valid_rows` may be empty.
    table_rows : ndarray of int64, shape (n,)
        Row of the table from which each row was made (rows without a target are left out).
    """

    schema: DataSchema
    features: NDArray[np.float32]
    target: NDArray[np.float64]
    weight: NDArray[np.float64] | None
    train_rows: NDArray[np.int64]
    valid_rows: NDArray[np.int64]
    table_rows: NDArray[np.int64]
