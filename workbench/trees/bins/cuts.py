"""Where columns are cut into bins: at quantiles of the training rows, or between categories."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if
from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import flat_values, passing_array
from workbench.threads.parallel import each
from workbench.trees.bins.bin_search import BINNED_AT_ONCE, CACHED_ROWS, MISSING_BIN
from workbench.trees.bins.fine_columns import MOST_FINE_BINS
from workbench.trees.bins.rare_categories import NONE_RARE, RareCategories
from workbench.trees.cut_thresholds import last_edge, thresholds_between

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

MOST_BINS = 254
COLUMNS_AT_ONCE = 8  # half a line of memory where rows stand one after another
ROWS_IN_LINE = 64
NOTHING_KEPT = np.empty(0, np.float32)
SAMPLE_ROWS = 200_000  # quantiles of more rows than this are taken from about as many
SAMPLE_ROWS_A_BIN = 32  # and at least from so many


@dataclass(frozen=True)
class BinCuts:
    """How each column is cut, learned on the training rows.

    Attributes
    ----------
    n_bins : ndarray of int32, shape (d,)
        Bins that hold values, or categories that can be split off; 0 where all is missing.
    cuts : ndarray of float32, shape (d, 254)
        `cuts[f, b]` is the upper edge of bin b: the threshold of the split after it. NaN beyond
        `n_bins[f]`, in columns of categories, and in fine columns.
    codes : ndarray of int32, shape (d, 254)
        Code of the category in bin b; -1 beyond, and in columns of numbers.
    is_category : ndarray of bool, shape (d,)
    fine : mapping of int to ndarray of float32
        Cuts of the fine columns, ascending by column.
    """

    n_bins: NDArray[np.int32]
    cuts: NDArray[np.float32]
    codes: NDArray[np.int32]
    is_category: NDArray[np.bool_]
    fine: Mapping[int, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def byte_columns(self) -> NDArray[np.int64]:
        """Columns whose bins are bytes, ascending: all but the fine ones."""
        return np.array([f for f in range(len(self.n_bins)) if f not in self.fine], np.int64)

    def of_column(self, column: int) -> NDArray[np.float32]:
        """Return the cuts of a column of numbers."""
        own = self.fine.get(column)
        return self.cuts[column, : self.n_bins[column]] if own is None else own


def find_cuts(
    features: NDArray[np.float32],
    rows: NDArray[np.int64],
    n_categories: Sequence[int],
    max_bin: int,
    threads: int = 1,
    cancelled: Callable[[], bool] | None = None,
    seed: int = 0,
    rare: RareCategories = NONE_RARE,
    weight: NDArray[np.float64] | None = None,
    kept: Mapping[int, NDArray[np.float32]] = MappingProxyType({}),
) -> BinCuts:
    """Cut every column at the quantiles of the given rows, each row counted once unless `weight` tells else.

    Of more than SAMPLE_ROWS rows as many are drawn, by `seed`; more where there shall be very many bins.

    Columns of categories (`n_categories[f] > 0`) get one bin a category; of more than 254, the most
    frequent keep their bin and the rest share bin 254, which no split can take apart, as do the rare ones.
    Of the columns in `kept` the thresholds are cuts too, and the codes have bins. `cancelled` is asked
    between columns.
    """
    d = features.shape[1]
    found = BinCuts(
        n_bins=np.zeros(d, np.int32),
        cuts=np.full((d, MOST_BINS), np.nan, np.float32),
        codes=np.full((d, MOST_BINS), -1, np.int32),
        is_category=np.array([n > 0 for n in n_categories], np.bool_),
    )

    most = MOST_BINS if max_bin <= MISSING_BIN else min(max_bin, MOST_FINE_BINS)
    fine: dict[int, NDArray[np.float32]] = {}
    largest = _largest(features, rows)
    sampled = _sampled(rows, seed, max(SAMPLE_ROWS, SAMPLE_ROWS_A_BIN * most))
    flat = flat_values(features)

    def cut_group(first: int) -> None:
        last = min(first + COLUMNS_AT_ONCE, d)
        values = passing_array((last - first, len(sampled)), np.float32)
        gather_columns(flat, first, sampled, values)
        for f in range(first, last):
            leave_if(cancelled)
            cut(f, values[f - first])

    def cut(f: int, column: NDArray[np.float32]) -> None:
        asked = kept.get(f, NOTHING_KEPT)
        if found.is_category[f]:
            every = features[:, f][rows]
            least = rare.below if n_categories[f] > rare.beyond else 1
            known = every[~np.isnan(every)].astype(np.int64)
            codes = _frequent_codes(known, n_categories[f], least, asked.astype(np.int64))
            found.codes[f, : len(codes)] = codes
            found.n_bins[f] = len(codes)
        else:
            own = None if weight is None else weight[sampled]
            cuts = quantile_cuts(column, min(max_bin, most - len(asked)), largest[f], own)
            cuts = np.union1d(cuts, asked) if len(asked) else cuts
            found.n_bins[f] = len(cuts)
            if len(cuts) > MOST_BINS:
                fine[f] = cuts
            else:
                found.cuts[f, : len(cuts)] = cuts

    each(cut_group, range(0, d, COLUMNS_AT_ONCE), threads, cancelled)
    return replace(found, fine=dict(sorted(fine.items()))) if fine else found


def counted(places: NDArray[np.uint32], counts: NDArray[np.bool_] | None) -> NDArray[np.uint32]:
    """Return the places of the rows that count, so that their values are cut at; all where none does.

    Parameters
    ----------
    counts : ndarray of bool, shape (n,), or None
        None: every row.
    """
    if counts is None or not counts[places].any():
        return places
    return places[counts[places]]


def _sampled(rows: NDArray[np.int64], seed: int, most: int) -> NDArray[np.int64]:
    """Draw one of every so many rows, at random, so that nothing that repeats itself is missed."""
    step = -(-len(rows) // most)
    if step == 1:
        return rows
    begins = np.arange(0, len(rows), step)
    offsets = np.random.default_rng(seed).integers(0, np.minimum(step, len(rows) - begins))
    return rows[begins + offsets]


def _largest(features: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the largest value of each column at the given rows; NaN where all is missing."""
    if len(rows) == len(features):
        return _largest_of_all(features)
    largest = np.full(features.shape[1], np.nan, np.float32)
    for begin in range(0, len(rows), BINNED_AT_ONCE):
        np.fmax(largest, _largest_of_all(features[rows[begin : begin + BINNED_AT_ONCE]]), out=largest)
    return largest


def _largest_of_all(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Many rows at a time, as one long row: numpy takes each step of a reduction on its own."""
    n, d = features.shape
    whole = n // ROWS_IN_LINE * ROWS_IN_LINE
    if not features.flags.c_contiguous or not whole:
        return np.fmax.reduce(features, axis=0, initial=np.nan)
    lines = np.fmax.reduce(features[:whole].reshape(-1, ROWS_IN_LINE * d), axis=0)
    rest = np.fmax.reduce(features[whole:], axis=0, initial=np.nan)
    return np.fmax(np.fmax.reduce(lines.reshape(ROWS_IN_LINE, d), axis=0), rest)


def quantile_cuts(
    values: NDArray[np.float32],
    max_bin: int,
    largest: np.float32 | None = None,
    weight: NDArray[np.float64] | None = None,
) -> NDArray[np.float32]:
    """Return the upper edges of at most `max_bin` bins that hold about equally many values, or weight.

    Each edge but the last lies between two adjacent distinct values; the last is above the largest
    (`largest`, where the values are a sample). NaN is left out; there are no edges where nothing else is
    there.
    """
    if weight is None:
        ordered = np.sort(values)
    else:
        order = np.argsort(values, kind="stable")
        ordered, weight = values[order], weight[order]
    ordered = ordered[: np.searchsorted(ordered, np.nan)]
    top = ordered[-1:].max(initial=-np.inf) if largest is None else largest
    if not len(ordered):
        return np.array([last_edge(top)] if np.isfinite(top) else [], np.float32)
    first = np.empty(len(ordered) + 1, np.int64)
    first = before = first[: find_runs(ordered, first) + 1]
    if weight is not None:
        counts = _as_counts(np.add.reduceat(weight[: len(ordered)], first[:-1]), len(ordered))
        before = np.append(0, np.cumsum(counts))
    last_of_bin = np.empty(max_bin, np.int64)
    closed = last_of_bin[: close_bins(before, max_bin, last_of_bin)]
    inner = thresholds_between(ordered[first[closed]], ordered[first[closed + 1]])
    return np.append(inner, last_edge(top))


def _as_counts(weights: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Return weights as whole numbers that add up to about 1,000 a row, none below 1."""
    total = weights.sum()
    scale = 1000.0 * n / total if total > 0 else 0.0
    return np.maximum(np.rint(weights * scale), 1).astype(np.int64)


def _frequent_codes(
    codes: NDArray[np.int64], n_categories: int, least: int, kept: NDArray[np.int64]
) -> NDArray[np.int32]:
    if n_categories <= MOST_BINS and least <= 1:
        return np.arange(n_categories, dtype=np.int32)
    counts = np.bincount(codes, minlength=n_categories)
    counts[kept] += len(codes) + least
    often = np.argsort(-counts, kind="stable")[:MOST_BINS]
    return np.sort(often[counts[often] >= least]).astype(np.int32)


@kernel
def gather_columns(flat, first_column, rows, values):
    """Copy neighbouring columns at the given rows, row by row: a line of memory holds several of them.

    Parameters
    ----------
    flat : FlatValues
    rows : ndarray of int64, shape (m,)
    values : ndarray of float32, shape (k, m)
        Filled with the columns from `first_column` on.
    """
    row_step = np.uint64(flat.row_step)
    for begin in range(0, len(rows), CACHED_ROWS):
        end = begin + CACHED_ROWS if begin + CACHED_ROWS < len(rows) else len(rows)
        for k in range(len(values)):
            place = np.uint64((first_column + k) * flat.column_step)
            for i in range(begin, end):
                values[k, i] = flat.numbers[place + np.uint64(rows[i]) * row_step]


@kernel
def find_runs(ordered, first):
    """Fill in where each run of equal numbers begins, and where the last ends; return how many there are."""
    first[0] = 0
    n_runs = 1
    for i in range(1, len(ordered)):
        first[n_runs] = i  # overwritten unless a run begins here
        n_runs += ordered[i] != ordered[i - 1]
    first[n_runs] = len(ordered)
    return n_runs


@kernel
def close_bins(before, max_bin, last_of_bin):
    """Close bins greedily at equal shares of the rows that are left; heavy values get their own.

    Parameters
    ----------
    before : ndarray of int64, shape (m + 1,)
        Rows below each distinct value, and all rows.
    last_of_bin : ndarray of int64, shape (max_bin,)
        Filled with the index of the last value of each bin but the last.

    Returns
    -------
    int
        Number of bins closed.
    """
    n_distinct = len(before) - 1
    if n_distinct <= max_bin:
        for i in range(n_distinct - 1):
            last_of_bin[i] = i
        return n_distinct - 1
    closed = 0
    begin = before[0]
    share = (before[n_distinct] - begin) / max_bin
    for i in range(n_distinct - 1):
        in_bin = before[i + 1] - begin
        heavy_next = before[i + 2] - before[i + 1] >= share and 2 * in_bin >= share
        if in_bin >= share or heavy_next:
            last_of_bin[closed] = i
            closed += 1
            begin = before[i + 1]
            if closed == max_bin - 1:
                break
            share = (before[n_distinct] - begin) / (max_bin - closed)
    return closed
