"""What a column holds, in a few figures and a small distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.table import Column, Kind

STRETCH = 1 << 16


@dataclass(frozen=True)
class ColumnSummary:
    """Figures of one column.

    Attributes
    ----------
    name : str
    kind : Kind
    n_rows, missing, distinct : int
        Distinct values do not count missing.
    counts : ndarray of int64
        Rows per bin (numbers, dates) or per label in `labels` (categories).
    edges : ndarray of float64, shape (len(counts) + 1,), or None
        Bin edges of numbers and dates.
    labels : tuple of str
        The most frequent categories, most frequent first.
    other : int
        Rows in categories that are not in `labels`.
    minimum, maximum, mean, std, median : float or None
        Of the values that are not missing; None for categories and where all are missing.
    """

    name: str
    kind: Kind
    n_rows: int
    missing: int
    distinct: int
    counts: NDArray[np.int64]
    edges: NDArray[np.float64] | None = None
    labels: tuple[str, ...] = ()
    other: int = 0
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    std: float | None = None
    median: float | None = None

    @property
    def missing_share(self) -> float:
        """Share of the rows in which the value is missing."""
        return self.missing / self.n_rows if self.n_rows else 0.0

    @property
    def is_categorical(self) -> bool:
        """Whether `counts` belong to labels rather than to bins."""
        return self.kind in ("category", "boolean")


def column_summary(column: Column, bins: int = 24) -> ColumnSummary:
    """Summarise a column; `bins` is the most bins or labels that `counts` has."""
    return _of_categories(column, bins) if column.is_categorical else _of_numbers(column, bins)


def _of_categories(column: Column, most: int) -> ColumnSummary:
    codes = column.values[~np.isnan(column.values)].astype(np.int64)
    counts = np.bincount(codes, minlength=len(column.categories))
    order = np.argsort(-counts, kind="stable")[:most]
    shown = order[counts[order] > 0]
    return ColumnSummary(
        name=column.name,
        kind=column.kind,
        n_rows=len(column.values),
        missing=len(column.values) - len(codes),
        distinct=int(np.count_nonzero(counts)),
        counts=counts[shown],
        labels=tuple(column.categories[code] for code in shown),
        other=int(counts.sum() - counts[shown].sum()),
    )


def _of_numbers(column: Column, bins: int) -> ColumnSummary:
    ordered = np.sort(column.values)  # NaN comes last
    n = len(ordered)
    ordered = ordered[: np.searchsorted(ordered, np.nan)]
    if not len(ordered):
        return ColumnSummary(column.name, column.kind, n, n, 0, np.zeros(0, np.int64), np.zeros(1))
    edges = _edges(ordered, bins)
    ends = np.searchsorted(ordered, edges[1:-1].astype(np.float32), side="left")
    middle, mean = len(ordered) // 2, float(ordered.mean(dtype=np.float64))
    return ColumnSummary(
        name=column.name,
        kind=column.kind,
        n_rows=n,
        missing=n - len(ordered),
        distinct=int(np.count_nonzero(ordered[1:] != ordered[:-1])) + 1,
        counts=np.diff(np.concatenate([[0], ends, [len(ordered)]])),
        edges=edges,
        minimum=float(ordered[0]),
        maximum=float(ordered[-1]),
        mean=mean,
        std=_deviation(ordered, mean),
        median=float((ordered[middle].astype(np.float64) + ordered[(len(ordered) - 1) // 2]) / 2),
    )


def _deviation(values: NDArray[np.float32], mean: float) -> float:
    """Return the standard deviation; only a stretch at a time is held in double precision."""
    stretches = np.split(values, range(STRETCH, len(values), STRETCH))
    squares = sum(float(np.square(part.astype(np.float64) - mean).sum()) for part in stretches)
    return math.sqrt(squares / len(values))


def _edges(ordered: NDArray[np.float32], bins: int) -> NDArray[np.float64]:
    """Edges of equal bins; whole numbers of a small range have a bin each."""
    low, high = float(ordered[0]), float(ordered[-1])
    if high - low < bins and np.array_equal(ordered, np.floor(ordered)):
        return np.arange(low, high + 2) - 0.5
    if low == high:
        return np.array([low - 0.5, high + 0.5])
    return np.linspace(low, high, bins + 1)
