"""Accumulated local effects (Apley & Zhu 2020): what small steps of a column change, added up along it.

Between neighbouring edges only the rows that lie there are moved, from one edge to the other, so that no row
is put where none like it is. The mean changes are added up from left to right, and lowered so that their
mean over the rows is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.explain.effects.partial import EffectRows
    from workbench.explain.effects.response import Response

MOST_STEPS = 40
ROWS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class AccumulatedEffects:
    """The accumulated local effects of a column of numbers.

    Attributes
    ----------
    column : int
    edges : ndarray of float64, shape (m + 1,)
        Quantiles of the data, each once.
    effects : ndarray of float64, shape (K, m + 1)
        At each edge.
    counts : ndarray of int64, shape (m,)
        Rows between the edges.
    missing : int
        Rows without a value, which take no part.
    rows, of_rows : int
        Rows that were moved, of so many.
    """

    column: int
    edges: NDArray[np.float64]
    effects: NDArray[np.float64]
    counts: NDArray[np.int64]
    missing: int
    rows: int
    of_rows: int


def edges_at_quantiles(known: NDArray[np.float32], steps: int = MOST_STEPS) -> NDArray[np.float64]:
    """Return values of the data that part it into steps of about as many rows."""
    if not len(known):
        return np.empty(0)
    shares = np.linspace(0, 1, steps + 1)
    return np.unique(np.quantile(known, shares, method="inverted_cdf")).astype(np.float64)


def accumulated_effects(
    response: Response,
    rows: EffectRows,
    column: int,
    edges: NDArray[np.float64] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> AccumulatedEffects:
    """Return the accumulated local effects of a column of numbers; serial, from any thread.

    Raises
    ------
    Cancelled
    """
    values = rows.features[rows.rows, column]
    known = np.flatnonzero(~np.isnan(values))
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    if edges is None:
        edges = edges_at_quantiles(values[known])
    missing, of_rows = len(rows) - len(known), max(rows.of_rows, len(rows))
    steps = len(edges) - 1
    if steps < 1:
        return AccumulatedEffects(
            column, edges, np.zeros((1, len(edges))), np.empty(0, np.int64), missing, len(known), of_rows
        )
    inside = known[(values[known] >= edges[0]) & (values[known] <= edges[-1])]
    step = np.maximum(np.searchsorted(edges, values[inside], side="left") - 1, 0)
    sums, mass = np.zeros((1, steps)), np.bincount(step, weight[inside], steps)
    for begin in range(0, len(inside), ROWS_AT_ONCE):
        leave_if(cancelled)
        some, at = inside[begin : begin + ROWS_AT_ONCE], step[begin : begin + ROWS_AT_ONCE]
        offset = None if rows.offset is None else rows.offset[some]
        moved = np.asfortranarray(rows.features[rows.rows[some]])
        said = []
        for edge in (at, at + 1):
            moved[:, column] = edges[edge]
            said.append(response.predict(moved, offset))
        change = (said[1] - said[0]) * weight[some]
        sums = sums + np.stack([np.bincount(at, line, steps) for line in change])
    local = np.divide(sums, mass, out=np.zeros_like(sums), where=mass > 0)
    effects = np.concatenate([np.zeros((len(local), 1)), np.cumsum(local, axis=1)], axis=1)
    if mass.sum() > 0:
        middles = (effects[:, :-1] + effects[:, 1:]) / 2
        effects -= (middles * mass).sum(axis=1, keepdims=True) / mass.sum()
    return AccumulatedEffects(
        column, edges, effects, np.bincount(step, minlength=steps), missing, len(inside), of_rows
    )
