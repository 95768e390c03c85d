"""Weights of rows: numbers from 0, of which one at least is above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def usable_weight(
    weight: NDArray[np.float64], rows: NDArray[np.int64] | None = None, column: str = ""
) -> NDArray[np.float64]:
    """Return weights of which each is a number from 0.

    Parameters
    ----------
    rows : ndarray of int64, optional
        Which row of its table each is of; the rows as they are where it is not given.
    column : str
        Whose values they are, "" where they were given themselves.

    Raises
    ------
    WorkbenchError
        One is missing, negative or infinite; which is said.
    """
    if not len(weight) or (weight.min() >= 0 and weight.max() < np.inf):
        return weight
    place = int(np.argmin((weight >= 0) & (weight < np.inf)))
    row = place if rows is None else int(rows[place])
    bad = weight[place]
    what = "no weight" if np.isnan(bad) else "a negative weight" if bad < 0 else "an infinite weight"
    raise WorkbenchError(f"There is {what} in row {row + 1}{_of(column)}. Weights are numbers from 0.")


def training_weight(
    weight: NDArray[np.float64], rows: NDArray[np.int64] | None = None, column: str = ""
) -> NDArray[np.float64]:
    """Return usable weights of which one at least is above 0; refuse others as `usable_weight` does."""
    if len(weight) and not usable_weight(weight, rows, column).any():
        raise WorkbenchError(f"The weight is zero in every row{_of(column)} with a target. One needs more.")
    return weight


def _of(column: str) -> str:
    return f" of column '{column}'" if column else ""
