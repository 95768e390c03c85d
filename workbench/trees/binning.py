"""Columns cut into bins: what the histograms count.

A number `x` falls into bin `#{cuts <= x}`, so that `x < cuts[b]` exactly where `bin(x) <= b`; a test on
bins and a test on numbers send every row the same way. The last cut lies above every training value.

    bin      0 ........ n_bins-1 | .... | 254                         | 255
    holds    values or categories       | beyond the last cut, other  | missing

Columns of numbers with more than 254 cuts have bins of 16 bits: see `fine_columns`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.fine_columns import MOST_FINE_BINS, find_fine_bins, padded
from workbench.trees.kernel_arrays import line_aligned
from workbench.trees.parallel import each

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

OTHER_BIN = 254
MISSING_BIN = 255
MOST_BINS = 254
BINS_A_WORD = 8
CHUNK_ROWS = 16_384
CACHED_ROWS = 1024
ROWS_IN_LINE = 64
HIGHEST = 3.4025e38  # above every value that is read, and its shortest text is a float32 again
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


@dataclass(frozen=True)
class BinnedMatrix:
    """Rows as bins, twice: by row for histograms and walks, by column for partitioning.

    A record is a row as counting reads it, from one place in memory:

        word     0                         | 1                  | 2                   | …
        holds    gradients, once packed    | bins of column 0–7 | bins of column 8–15 | …

    Attributes
    ----------
    records : ndarray of uint64, shape (n, 1 + ceil(m / 8))
        Of the m columns that are not fine. The first of each eight in the lowest byte.
    by_column : ndarray of uint8, shape (m, n)
    fine : ndarray of uint16, shape (d - m, n)
        Bins of the fine columns.
    """

    cuts: BinCuts
    records: NDArray[np.uint64]
    by_column: NDArray[np.uint8]
    fine: NDArray[np.uint16]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.by_column.shape[1]

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.cuts.n_bins)


def find_cuts(
    features: NDArray[np.float32],
    rows: NDArray[np.int64],
    n_categories: Sequence[int],
    max_bin: int,
    threads: int = 1,
    cancelled: Callable[[], bool] | None = None,
    seed: int = 0,
    rare_below: int = 1,
    rare_beyond: int = MOST_BINS,
    weight: NDArray[np.float64] | None = None,
    kept: Mapping[int, NDArray[np.float32]] = MappingProxyType({}),
) -> BinCuts:
    """Cut every column at the quantiles of the given rows, each row counted once unless `weight` tells else.

    Of more than SAMPLE_ROWS rows as many are drawn, by `seed`; more where there shall be very many bins.

    Columns of categories (`n_categories[f] > 0`) get one bin a category; of more than 254, the most
    frequent keep their bin and the rest share bin 254, which no split can take apart. In columns of more
    than `rare_beyond` categories so do those with fewer than `rare_below` rows. Of the columns in `kept` the
    thresholds are cuts too, and the codes have bins. `cancelled` is asked between columns.
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
    sample = np.asfortranarray(features[sampled]) if features.flags.c_contiguous else None

    def cut(f: int) -> None:
        asked = kept.get(f, NOTHING_KEPT)
        if found.is_category[f]:
            column = features[:, f][rows]
            least = rare_below if n_categories[f] > rare_beyond else 1
            known = column[~np.isnan(column)].astype(np.int64)
            codes = _frequent_codes(known, n_categories[f], least, asked.astype(np.int64))
            found.codes[f, : len(codes)] = codes
            found.n_bins[f] = len(codes)
        else:
            column = features[:, f][sampled] if sample is None else sample[:, f]
            own = None if weight is None else weight[sampled]
            cuts = quantile_cuts(column, min(max_bin, most - len(asked)), largest[f], own)
            cuts = np.union1d(cuts, asked) if len(asked) else cuts
            found.n_bins[f] = len(cuts)
            if len(cuts) > MOST_BINS:
                fine[f] = cuts
            else:
                found.cuts[f, : len(cuts)] = cuts

    each(cut, range(d), threads, cancelled)
    return replace(found, fine=dict(sorted(fine.items()))) if fine else found


def bin_rows(
    features: NDArray[np.float32],
    rows: NDArray[np.int64],
    cuts: BinCuts,
    threads: int = 1,
    cancelled: Callable[[], bool] | None = None,
) -> BinnedMatrix:
    """Put the given rows into bins; `cancelled` is asked between chunks of rows."""
    columns = cuts.byte_columns
    categories = [(place, f) for place, f in enumerate(columns) if cuts.is_category[f]]
    by_column = np.empty((len(columns), len(rows)), np.uint8)
    records = line_aligned(len(rows), 1 + -(-len(columns) // BINS_A_WORD))
    edges = np.full((len(columns), MOST_BINS + 1), np.nan, np.float32)
    edges[:, :MOST_BINS] = cuts.cuts[columns]
    fine_columns, fine_cuts = np.array(list(cuts.fine), np.int64), padded(cuts.fine)
    fine = np.empty((len(cuts.fine), len(rows)), np.uint16)
    flat = features.reshape(-1, order="A")
    column_step, row_step = (np.array(features.strides[::-1]) // features.itemsize).tolist()

    def bin_chunk(begin: int) -> None:
        end = min(begin + CHUNK_ROWS, len(rows))
        chunk = rows[begin:end]
        for place, f in categories:
            column = features[:, f][chunk]
            by_column[place, begin:end] = _category_bins(column, cuts.codes[f, : cuts.n_bins[f]])
        find_bins(flat, columns, column_step, row_step, rows, begin, end, edges, cuts.is_category, by_column)
        fill_records(by_column, begin, end, records)
        if cuts.fine:
            find_fine_bins(
                flat, fine_columns, column_step, row_step, rows, begin, end, *fine_cuts, cuts.n_bins, fine
            )

    each(bin_chunk, range(0, len(rows), CHUNK_ROWS), threads, cancelled)
    return BinnedMatrix(cuts, records, by_column, fine)


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
    for begin in range(0, len(rows), CHUNK_ROWS):
        np.fmax(largest, _largest_of_all(features[rows[begin : begin + CHUNK_ROWS]]), out=largest)
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
        return np.array([_above(top)] if np.isfinite(top) else [], np.float32)
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    distinct = ordered[first]
    counts = np.diff(np.append(first, len(ordered)))
    if weight is not None:
        counts = _as_counts(np.add.reduceat(weight[: len(ordered)], first), len(ordered))
    last_of_bin = np.empty(max_bin, np.int64)
    n_cuts = close_bins(counts, max_bin, last_of_bin)
    inner = thresholds_between(distinct[last_of_bin[:n_cuts]], distinct[last_of_bin[:n_cuts] + 1])
    return np.append(inner, _above(top))


def _as_counts(weights: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Return weights as whole numbers that add up to about 1,000 a row, none below 1."""
    total = weights.sum()
    scale = 1000.0 * n / total if total > 0 else 0.0
    return np.maximum(np.rint(weights * scale), 1).astype(np.int64)


def thresholds_between(below: NDArray[np.float32], above: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32 thresholds t with below < t <= above, midway where float32 has such a number."""
    middle = ((below.astype(np.float64) + above.astype(np.float64)) / 2).astype(np.float32)
    return np.where(middle <= below, above, middle).astype(np.float32)


def _above(largest: np.float32) -> np.float32:
    """Return a threshold well above the largest value, as XGBoost's last cut."""
    edge = float(largest) + abs(float(largest)) + 1e-5
    return np.float32(min(edge, HIGHEST))


def _frequent_codes(
    codes: NDArray[np.int64], n_categories: int, least: int, kept: NDArray[np.int64]
) -> NDArray[np.int32]:
    if n_categories <= MOST_BINS and least <= 1:
        return np.arange(n_categories, dtype=np.int32)
    counts = np.bincount(codes, minlength=n_categories)
    counts[kept] += len(codes) + least
    often = np.argsort(-counts, kind="stable")[:MOST_BINS]
    return np.sort(often[counts[often] >= least]).astype(np.int32)


def _category_bins(column: NDArray[np.float32], codes: NDArray[np.int32]) -> NDArray[np.uint8]:
    largest = int(codes.max(initial=0))
    bin_of_code = np.full(largest + 3, OTHER_BIN, np.uint8)
    bin_of_code[codes] = np.arange(len(codes))
    bin_of_code[-1] = MISSING_BIN
    known = np.where(np.isnan(column), largest + 2, np.clip(column, -1, largest + 1))
    code = known.astype(np.int64)
    return bin_of_code[np.where(code < 0, largest + 1, code)]


@kernel
def close_bins(counts, max_bin, last_of_bin):
    """Close bins greedily at equal shares of the rows that are left; heavy values get their own.

    Parameters
    ----------
    counts : ndarray of int64, shape (m,)
        Rows at each distinct value.
    last_of_bin : ndarray of int64, shape (max_bin,)
        Filled with the index of the last value of each bin but the last.

    Returns
    -------
    int
        Number of bins closed.
    """
    n_distinct = len(counts)
    if n_distinct <= max_bin:
        for i in range(n_distinct - 1):
            last_of_bin[i] = i
        return n_distinct - 1
    rows_left = 0
    for i in range(n_distinct):
        rows_left += counts[i]
    closed = 0
    in_bin = 0
    for i in range(n_distinct - 1):
        in_bin += counts[i]
        share = rows_left / (max_bin - closed)
        heavy_next = counts[i + 1] >= share and 2 * in_bin >= share
        if in_bin >= share or heavy_next:
            last_of_bin[closed] = i
            closed += 1
            rows_left -= in_bin
            in_bin = 0
            if closed == max_bin - 1:
                break
    return closed


@kernel
def find_bins_of_column(flat, first, step, rows, cuts, bins):
    """Find the bins of the given rows of a column of numbers: #{cuts <= x}, by halving.

    Eight halvings of a fixed length and no branch, so that many values are looked up at once.

    Parameters
    ----------
    flat : ndarray of float32
        All values; row r of the column is `flat[first + r * step]`.
    rows : ndarray of int64, shape (n,)
    cuts : ndarray of float32, shape (255,)
        Ascending; NaN beyond the last.
    bins : ndarray of uint8, shape (n,)
        Filled: 0 to the number of cuts, which means "above the last cut"; MISSING_BIN for NaN.
    """
    first = np.uint64(first)
    step = np.uint64(step)
    for i in range(len(rows)):
        x = flat[first + np.uint64(rows[i]) * step]
        low = np.uint64(0)
        low += np.uint64(128) if cuts[low + np.uint64(127)] <= x else np.uint64(0)
        low += np.uint64(64) if cuts[low + np.uint64(63)] <= x else np.uint64(0)
        low += np.uint64(32) if cuts[low + np.uint64(31)] <= x else np.uint64(0)
        low += np.uint64(16) if cuts[low + np.uint64(15)] <= x else np.uint64(0)
        low += np.uint64(8) if cuts[low + np.uint64(7)] <= x else np.uint64(0)
        low += np.uint64(4) if cuts[low + np.uint64(3)] <= x else np.uint64(0)
        low += np.uint64(2) if cuts[low + np.uint64(1)] <= x else np.uint64(0)
        low += np.uint64(1) if cuts[low] <= x else np.uint64(0)
        bins[i] = MISSING_BIN if np.isnan(x) else low


@kernel
def find_bins(flat, columns, column_step, row_step, rows, begin, end, cuts, is_category, by_column):
    """Find the bins of rows begin … end−1 in every column of numbers of these m.

    A few rows at a time, so that rows that lie in memory one after another are read from it once.

    Parameters
    ----------
    flat : ndarray of float32
        Value of row r and column f: `flat[f * column_step + r * row_step]`.
    columns : ndarray of int64, shape (m,)
    cuts : ndarray of float32, shape (m, 255)
    is_category : ndarray of bool, shape (d,)
    by_column : ndarray of uint8, shape (m, n)
    """
    for b in range(begin, end, CACHED_ROWS):
        e = b + CACHED_ROWS if b + CACHED_ROWS < end else end
        for place in range(len(columns)):
            f = columns[place]
            if not is_category[f]:
                find_bins_of_column(
                    flat, f * column_step, row_step, rows[b:e], cuts[place], by_column[place, b:e]
                )


@kernel
def fill_records(by_column, begin, end, records):
    """Write the bins of records begin … end−1 from the columns; their word 0 is set to 0."""
    for i in range(begin, end):
        records[i, 0] = 0
    d = by_column.shape[0]
    for w in range(d // BINS_A_WORD):
        first = w * BINS_A_WORD
        a, b, c, e = by_column[first], by_column[first + 1], by_column[first + 2], by_column[first + 3]
        f, g, h, k = by_column[first + 4], by_column[first + 5], by_column[first + 6], by_column[first + 7]
        for i in range(begin, end):
            low = np.uint32(a[i]) | np.uint32(b[i]) << 8 | np.uint32(c[i]) << 16 | np.uint32(e[i]) << 24
            high = np.uint32(f[i]) | np.uint32(g[i]) << 8 | np.uint32(h[i]) << 16 | np.uint32(k[i]) << 24
            records[i, 1 + w] = np.uint64(low) | np.uint64(high) << np.uint64(32)
    w = d // BINS_A_WORD
    if d % BINS_A_WORD:
        for i in range(begin, end):
            records[i, 1 + w] = 0
        for k in range(d % BINS_A_WORD):
            column = by_column[w * BINS_A_WORD + k]
            shift = np.uint64(8 * k)
            for i in range(begin, end):
                records[i, 1 + w] |= np.uint64(column[i]) << shift
