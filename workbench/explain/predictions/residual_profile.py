"""What is left of the answers along a column: mean, median and spread by bin or category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.predictions.column_values import MISSING

if TYPE_CHECKING:
    from numpy.typing import NDArray

BINS, LEAST_BINS, ROWS_A_BIN, MOST_CATEGORIES = 20, 4, 12, 24
SHARES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, eq=False)
class ResidualProfile:
    """Bins along a column that have rows; every array has shape (b,).

    Attributes
    ----------
    names : tuple of str
        Of categories, the heaviest first; empty for numbers. Missing values come last.
    left, right : ndarray of float64
        Where each bin begins and ends; places of categories.
    mean : ndarray of float64
    quantiles : ndarray of float64, shape (3, b)
        Up to a tenth, a half and nine tenths of the weight.
    error : ndarray of float64
        Standard error of the mean: √(Σw²(r − mean)²) / Σw.
    weight : ndarray of float64
    of : int
        So many categories have rows; of many the heaviest are here.
    unknown : float
        Share of the weight that has no value in a column of numbers.
    """

    names: tuple[str, ...]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    mean: NDArray[np.float64]
    quantiles: NDArray[np.float64]
    error: NDArray[np.float64]
    weight: NDArray[np.float64]
    of: int = 0
    unknown: float = 0.0


def residual_profile(
    column: NDArray[np.floating], residual: NDArray[np.float64], weight: NDArray[np.float64] | None = None,
    categories: tuple[str, ...] = (), bins: int = 0,
) -> ResidualProfile:  # fmt: skip
    """Return the profile of residuals along a column, shape (n,).

    Numbers are cut into bins of about equally many rows, fewer of few rows; `categories` are the labels of
    codes.
    """
    known = np.isfinite(column)
    if categories:
        code = np.where(known & (column < len(categories)), column, len(categories)).astype(np.int64)
        names = (*categories, MISSING if np.isnan(column[code == len(categories)]).all() else "other")
        weights = np.bincount(code, weight, len(names))
        order = np.argsort(-weights, kind="stable")
        order = order[weights[order] > 0]
        of, order = len(order), order[:MOST_CATEGORIES]
        place = np.full(len(names), -1)
        place[order] = np.arange(len(order))
        left = np.arange(len(order), dtype=np.float64)
        kept = tuple(names[index] for index in order.tolist())
        mean, quantiles, error, total = _figures(place[code], len(order), residual, weight)
        return ResidualProfile(kept, left, left, mean, quantiles, error, total, of=of)
    values = column[known].astype(np.float64)
    own = None if weight is None else weight[known]
    if not len(values):
        return ResidualProfile((), *(np.empty(0),) * 3, np.empty((3, 0)), *(np.empty(0),) * 2)
    bins = bins or min(BINS, max(LEAST_BINS, len(values) // ROWS_A_BIN))
    edges = np.unique(np.quantile(values, np.linspace(0.0, 1.0, bins + 1)))
    if len(edges) == 1:
        edges = np.repeat(edges, 2)
    which = np.searchsorted(edges[1:-1], values, side="right")
    figures = _figures(which, len(edges) - 1, residual[known], own)
    has = figures[-1] > 0
    total_weight = float(len(column)) if weight is None else float(weight.sum())
    known_weight = float(len(values)) if own is None else float(own.sum())
    unknown = max(0.0, 1.0 - known_weight / total_weight) if total_weight else 0.0
    mean, quantiles, error, total = figures
    return ResidualProfile(
        (), edges[:-1][has], edges[1:][has], mean[has], quantiles[:, has], error[has], total[has],
        unknown=unknown,
    )


def _figures(
    place: NDArray[np.int64], n: int, residual: NDArray[np.float64], weight: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], ...]:
    """Return mean, quantiles, error and weight of the residuals in each of n places; −1 is none."""
    inside = place >= 0
    if not inside.all():
        place, residual = place[inside], residual[inside]
        weight = None if weight is None else weight[inside]
    own = np.ones(len(residual)) if weight is None else weight
    total = np.bincount(place, own, n).astype(np.float64)
    mean = np.divide(np.bincount(place, own * residual, n), total, out=np.full(n, np.nan), where=total > 0)
    off = np.bincount(place, (own * (residual - mean[place])) ** 2, n)
    error = np.divide(np.sqrt(off), total, out=np.full(n, np.nan), where=total > 0)
    order = np.lexsort((residual, place))
    sums = np.append(0.0, np.cumsum(own[order]))
    ends = np.cumsum(np.bincount(place, minlength=n))
    begins = ends - np.bincount(place, minlength=n)
    quantiles = np.full((len(SHARES), n), np.nan)
    for line, share in enumerate(SHARES):
        wanted = sums[begins] + share * (sums[ends] - sums[begins])
        at = np.searchsorted(sums, wanted * (1 - 1e-12), side="left") - 1
        at = at.clip(begins, np.maximum(ends - 1, begins)).clip(0, max(len(order) - 1, 0))
        if len(order):
            quantiles[line] = np.where(ends > begins, residual[order[at]], np.nan)
    return mean, quantiles, error, total
