"""Accumulated local effects of categories: what a step from a level to its neighbour changes, added up.

Only the rows of two neighbouring levels are moved, each to the other one, so that no row is put where none
like it is; `level_order` tells which levels are neighbours. The mean changes are added up, and lowered so
that their mean over the rows is 0 (Apley & Zhu 2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if
from workbench.explain.effects.accumulated import ROWS_AT_ONCE
from workbench.explain.effects.level_order import level_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.explain.effects.grid import ColumnGrid
    from workbench.explain.effects.partial import EffectRows
    from workbench.explain.effects.response import Response

MOST_OTHERS = 200  # columns by which levels are found alike


@dataclass(frozen=True, eq=False)
class AccumulatedLevels:
    """The accumulated local effects of a column of categories.

    Attributes
    ----------
    column : int
    codes : ndarray of int64, shape (m,)
        Of the levels, in the order in which changes are added up.
    effects : ndarray of float64, shape (K, m)
    counts : ndarray of int64, shape (m,)
        Rows of each level.
    missing, rarer : int
        Rows without a value or of rarer levels, which take no part.
    rows, of_rows : int
        Rows that were moved, of so many.
    """

    column: int
    codes: NDArray[np.int64]
    effects: NDArray[np.float64]
    counts: NDArray[np.int64]
    missing: int
    rarer: int
    rows: int
    of_rows: int


def accumulated_levels(
    response: Response, rows: EffectRows, grid: ColumnGrid, categorical: Sequence[bool],
    cancelled: Callable[[], bool] | None = None,
) -> AccumulatedLevels:  # fmt: skip
    """Return the accumulated local effects of a column of categories; serial, from any thread.

    Parameters
    ----------
    grid : ColumnGrid
        Of the column: which levels there are.
    categorical : sequence of bool
        Which columns hold categories. Levels are alike by the first `MOST_OTHERS` of the others.

    Raises
    ------
    Cancelled
    """
    column = grid.column
    values = rows.features[rows.rows, column]
    place = grid.cell_of(values)
    place[np.isnan(values)] = -1
    own = np.flatnonzero(place >= 0)
    present, level = np.unique(place[own], return_inverse=True)
    beside = [j for j in range(len(categorical)) if j != column][:MOST_OTHERS]
    others = ((rows.features[rows.rows[own], j], categorical[j]) for j in beside)
    order = level_order(level, others, cancelled)
    codes = grid.places[present[order]].astype(np.int64)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    at, m = rank[level], len(order)
    weight = np.ones(len(own)) if rows.weight is None else rows.weight[own]
    sums, mass = np.zeros((1, max(m - 1, 0))), np.zeros(max(m - 1, 0))
    for begin in range(0, len(own) if m > 1 else 0, ROWS_AT_ONCE):
        leave_if(cancelled)
        some = slice(begin, begin + ROWS_AT_ONCE)
        offset = None if rows.offset is None else rows.offset[own[some]]
        moved = np.asfortranarray(rows.features[rows.rows[own[some]]])
        said = {}
        for aside in (-1, 0, 1):
            moved[:, column] = codes[np.clip(at[some] + aside, 0, m - 1)]
            said[aside] = response.predict(moved, offset)
        for change, step in ((said[1] - said[0], at[some]), (said[0] - said[-1], at[some] - 1)):
            inside = (step >= 0) & (step < m - 1)
            heavy = weight[some][inside]
            mass += np.bincount(step[inside], heavy, m - 1)
            sums = sums + np.stack([
                np.bincount(step[inside], line * heavy, m - 1) for line in change[:, inside]
            ])  # fmt: skip
    local = np.divide(sums, mass, out=np.zeros_like(sums), where=mass > 0)
    effects = np.concatenate([np.zeros((len(local), 1)), np.cumsum(local, axis=1)], axis=1)[:, :m]
    of_level = np.bincount(at, weight, m)
    if of_level.sum() > 0:
        effects -= (effects * of_level).sum(axis=1, keepdims=True) / of_level.sum()
    missing = int(np.isnan(values).sum())
    return AccumulatedLevels(
        column, codes, effects, np.bincount(at, minlength=m), missing, len(rows) - len(own) - missing,
        len(own), max(rows.of_rows, len(rows)),
    )
