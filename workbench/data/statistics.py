"""What a column holds, in a few figures and a small distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.stretches import STRETCH, present
from workbench.data.tallies import tallies
from workbench.data.values.columns import LARGEST_WHOLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.table import Column, Kind


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
    n_labels = len(column.categories)
    counts = np.zeros(n_labels, np.int64)
    for codes in present(column.values, max(STRETCH, n_labels)):
        counts += np.bincount(codes.astype(np.int64), minlength=n_labels)
    order = np.argsort(-counts, kind="stable")[:most]
    shown = order[counts[order] > 0]
    return ColumnSummary(
        name=column.name,
        kind=column.kind,
        n_rows=len(column.values),
        missing=len(column.values) - int(counts.sum()),
        distinct=int(np.count_nonzero(counts)),
        counts=counts[shown],
        labels=tuple(column.categories[code] for code in shown),
        other=int(counts.sum() - counts[shown].sum()),
    )


def _of_numbers(column: Column, bins: int) -> ColumnSummary:
    values, n = column.values, len(column.values)
    held = n - column.missing
    if not held:
        return ColumnSummary(column.name, column.kind, n, n, 0, np.zeros(0, np.int64), np.zeros(1))
    mean = sum(float(some.sum(dtype=np.float64)) for some in present(values)) / held
    squares = sum(float(np.square(some.astype(np.float64) - mean).sum()) for some in present(values))
    low, high = float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
    edges = _edges(values, low, high, bins)
    inner = edges[1:-1].astype(np.float32)
    counts, distinct, done = np.zeros(len(edges) - 1, np.int64), 0, 0
    middle: list[np.float32] = []
    for found, ends in tallies(values):
        below = np.append(done, ends)[np.searchsorted(found, inner, side="left")]
        counts += np.diff(below, prepend=done, append=ends[-1])
        ranks = [rank for rank in ((held - 1) // 2, held // 2) if done <= rank < ends[-1]]
        middle += [found[np.searchsorted(ends, rank, side="right")] for rank in ranks]
        distinct += len(found)
        done = int(ends[-1])
    return ColumnSummary(
        name=column.name,
        kind=column.kind,
        n_rows=n,
        missing=n - held,
        distinct=distinct,
        counts=counts,
        edges=edges,
        minimum=low,
        maximum=high,
        mean=mean,
        std=math.sqrt(squares / held),
        median=float(np.mean(middle, dtype=np.float64)),
    )


def _edges(values: NDArray[np.float32], low: float, high: float, bins: int) -> NDArray[np.float64]:
    """Edges of equal bins; whole numbers of a small range have a bin each, where halves lie between them."""
    is_near = high - low < bins and max(-low, high) <= LARGEST_WHOLE
    if is_near and all(bool((some == np.floor(some)).all()) for some in present(values)):
        return np.arange(low, high + 2) - 0.5
    if low == high:
        half = max(0.5, float(np.spacing(abs(low))))
        return np.array([low - half, high + half])
    return np.linspace(low, high, bins + 1)
