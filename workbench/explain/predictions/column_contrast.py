"""In which columns some rows differ most from the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if
from workbench.explain.predictions.column_values import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import Feature
    from workbench.explain.predictions.column_values import Matrix

BINS, COMPARED_BINS, MOST_CATEGORIES = 14, 10, 8
MOST_ROWS = 4000  # on each side; of more, some are drawn
MOST_TOLD = 8
EDGES = (0.01, 0.99)  # of the rows, between which bins are drawn


@dataclass(frozen=True, eq=False)
class ColumnContrast:
    """A column of some rows beside the rest.

    Attributes
    ----------
    name : str
    distance : float
        Half the sum of the differences of shares: 0 where both are alike, 1 where they have nothing in
        common.
    names : tuple of str
        Of categories; empty for numbers.
    edges : ndarray of float64, shape (b + 1,)
        Of the bins of numbers.
    own, rest : ndarray of float64, shape (b,)
        Shares by bin or category; numbers without a value are in none.
    middle, rest_middle : float
        The medians of numbers.
    """

    name: str
    distance: float
    names: tuple[str, ...]
    edges: NDArray[np.float64]
    own: NDArray[np.float64]
    rest: NDArray[np.float64]
    middle: float = np.nan
    rest_middle: float = np.nan


def column_contrasts(
    columns: Sequence[Feature], features: Matrix, chosen: NDArray[np.int64],
    rest: NDArray[np.int64], cancelled: Callable[[], bool] | None = None,
) -> tuple[ColumnContrast, ...]:  # fmt: skip
    """Return the columns in which the chosen rows differ most from the rest, the farthest first.

    Parameters
    ----------
    columns : sequence of Feature
        What the columns of the features are.
    features : ndarray of float32, shape (n, d), or what is read as one
    chosen, rest : ndarray of int64
        Rows of the features.
    """
    chosen, rest = _drawn(chosen), _drawn(rest)
    if not len(chosen) or not len(rest):
        return ()
    distances = np.zeros(len(columns))
    for place, column in enumerate(columns):
        leave_if(cancelled)
        own, others = features[chosen, place], features[rest, place]
        edges = _code_edges(column) if column.is_categorical else _compared_edges(own, others)
        shares = [_shares(values, edges, with_missing=True) for values in (own, others)]
        distances[place] = np.abs(shares[0] - shares[1]).sum() / 2
    order = np.argsort(-distances, kind="stable")[:MOST_TOLD]
    return tuple(
        _contrast(columns[place], float(distances[place]), features[chosen, place], features[rest, place])
        for place in order.tolist()
    )


def _contrast(
    column: Feature, distance: float, own: NDArray[np.float32], rest: NDArray[np.float32]
) -> ColumnContrast:
    if column.is_categorical:
        edges = _code_edges(column)
        mine, others = (_shares(values, edges, with_missing=True) for values in (own, rest))
        names = np.array([*column.categories, MISSING], object)
        order = np.argsort(-(mine + others), kind="stable")
        order = order[(mine + others)[order] > 0][:MOST_CATEGORIES]
        return ColumnContrast(
            column.name, distance, tuple(names[order]), np.empty(0), mine[order], others[order]
        )
    both = np.concatenate([own, rest]).astype(np.float64)
    both = both[np.isfinite(both)]
    low, high = np.quantile(both, EDGES).tolist() if len(both) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1.0, BINS + 1)
    inner = np.concatenate([[-np.inf], edges[1:-1], [np.inf]])
    mine, others = (_shares(values, inner, with_missing=False) for values in (own, rest))
    return ColumnContrast(column.name, distance, (), edges, mine, others, _median(own), _median(rest))


def _compared_edges(own: NDArray[np.float32], rest: NDArray[np.float32]) -> NDArray[np.float64]:
    """Edges between equally many of the rest, who say where differences count."""
    known = rest[np.isfinite(rest)]
    known = known if len(known) else own[np.isfinite(own)]
    if not len(known):
        return np.array([-np.inf, np.inf])
    inner = np.unique(np.quantile(known.astype(np.float64), np.linspace(0, 1, COMPARED_BINS + 1)[1:-1]))
    return np.concatenate([[-np.inf], inner, [np.inf]])


def _code_edges(column: Feature) -> NDArray[np.float64]:
    return np.arange(len(column.categories) + 1, dtype=np.float64) - 0.5


def _shares(
    values: NDArray[np.float32], edges: NDArray[np.float64], *, with_missing: bool
) -> NDArray[np.float64]:
    """Return the share of the rows in each bin, what is in none of them last."""
    bins = len(edges) - 1
    place = np.searchsorted(edges, values, side="right") - 1
    place = np.where(np.isfinite(values) & (place >= 0) & (place < bins), place, bins)
    counts = np.bincount(place, minlength=bins + 1)
    shares: NDArray[np.float64] = (counts if with_missing else counts[:-1]).astype(np.float64) / len(values)
    return shares


def _median(values: NDArray[np.float32]) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else float("nan")


def _drawn(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(rows) <= MOST_ROWS:
        return rows
    return np.sort(np.random.default_rng(0).choice(rows, MOST_ROWS, replace=False))
