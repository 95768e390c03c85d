"""Columns cut into bins: what the histograms count.

A number `x` falls into bin `#{cuts <= x}`, so that `x < cuts[b]` exactly where `bin(x) <= b`; a test on
bins and a test on numbers send every row the same way. The last cut lies above every training value.

    bin      0 ........ n_bins-1 | .... | 254                         | 255
    holds    values or categories       | beyond the last cut, other  | missing

Columns of numbers with more than 254 cuts have bins of 16 bits: see `fine_columns`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import flat_values, line_aligned
from workbench.mapped import empty_beside
from workbench.threads.parallel import each
from workbench.trees.bins.bin_search import BINNED_AT_ONCE, MISSING_BIN, cut_cells, find_bins
from workbench.trees.bins.cuts import MOST_BINS
from workbench.trees.bins.fine_columns import find_fine_bins, padded
from workbench.trees.bins.shared_bytes import ALONE, bytes_alone, share_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.trees.bins.bin_search import CutCells
    from workbench.trees.bins.cuts import BinCuts
    from workbench.trees.bins.shared_bytes import ByteLayout

OTHER_BIN = 254
BINS_A_WORD = 8
ROWS_FOR_CELLS = 5_000  # for fewer, laying cells over the cuts takes longer than it saves


@dataclass(frozen=True)
class BinnedMatrix:
    """Rows as bins, twice: by row for histograms and walks, by column for partitioning.

    A record is a row as counting reads it, from one place in memory:

        word     0                         | 1                  | 2                   | …
        holds    gradients, once packed    | bins of column 0–7 | bins of column 8–15 | …

    Columns of few bins may share a byte: see `shared_bytes`.

    Attributes
    ----------
    layout : ByteLayout
        Which of the m bytes holds which columns.
    records : ndarray of uint64, shape (n, 1 + ceil(m / 8))
        The first of each eight bytes in the lowest one.
    by_column : ndarray of uint8, shape (m, n)
    fine : ndarray of uint16, shape (k, n)
        Bins of the fine columns.
    """

    cuts: BinCuts
    layout: ByteLayout
    records: NDArray[np.uint64]
    by_column: NDArray[np.uint8]
    fine: NDArray[np.uint16]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.by_column.shape[1]


def bin_rows(
    features: NDArray[np.float32],
    rows: NDArray[np.int64],
    cuts: BinCuts,
    threads: int = 1,
    cancelled: Callable[[], bool] | None = None,
    layout: ByteLayout | None = None,
) -> BinnedMatrix:
    """Put the given rows into bins, mapped where the features are; `cancelled` is asked between chunks.

    Without a layout every column has a byte of its own.
    """
    layout = bytes_alone(cuts) if layout is None else layout
    alone = cuts.byte_columns[layout.lines[cuts.byte_columns] == ALONE]
    categories = [(place, f) for place, f in enumerate(alone) if cuts.is_category[f]]
    by_column = empty_beside(features, (layout.n_bytes, len(rows)), np.uint8)
    records = line_aligned(features, len(rows), 1 + -(-layout.n_bytes // BINS_A_WORD))
    alone_edges, sharing_edges = (_edges(cuts, columns, len(rows)) for columns in (alone, layout.columns))
    fine_columns, fine_cuts = np.array(list(cuts.fine), np.int64), padded(cuts.fine)
    fine = empty_beside(features, (len(cuts.fine), len(rows)), np.uint16)
    flat = flat_values(features)

    def bin_chunk(begin: int) -> None:
        end = min(begin + BINNED_AT_ONCE, len(rows))
        chunk = rows[begin:end]
        for place, f in categories:
            column = features[:, f][chunk]
            by_column[place, begin:end] = _category_bins(column, cuts.codes[f, : cuts.n_bins[f]])
        find_bins(flat, alone, rows, begin, end, *alone_edges, cuts.is_category, by_column)
        if len(layout.columns):
            bins = np.empty((len(layout.columns), len(chunk)), np.uint8)
            find_bins(
                flat, layout.columns, chunk, 0, len(chunk), *sharing_edges, cuts.is_category, bins
            )
            share_bytes(bins, layout.columns, cuts.n_bins, layout.steps, layout.places, begin, by_column)
        fill_records(by_column, begin, end, records)
        if cuts.fine:
            find_fine_bins(flat, fine_columns, rows, begin, end, *fine_cuts, cuts.n_bins, fine)

    each(bin_chunk, range(0, len(rows), BINNED_AT_ONCE), threads, cancelled)
    return BinnedMatrix(cuts, layout, records, by_column, fine)


def _edges(
    cuts: BinCuts, columns: NDArray[np.int64], n_rows: int
) -> tuple[NDArray[np.float32], CutCells]:
    """Return the cuts of some columns, NaN behind them, and cells over them where so many rows pay for it."""
    edges = np.full((len(columns), MOST_BINS + 1), np.nan, np.float32)
    edges[:, :MOST_BINS] = cuts.cuts[columns]
    n_bins = cuts.n_bins[columns] if n_rows >= ROWS_FOR_CELLS else np.zeros(len(columns), np.int32)
    return edges, cut_cells(edges, n_bins)


def bins_in_column(
    features: NDArray[np.float32], column: int, rows: NDArray[np.int64], cuts: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """Return the bins of some rows in a column of numbers that is not fine, by its cuts alone."""
    edges = np.full((1, MOST_BINS + 1), np.nan, np.float32)
    edges[0, : len(cuts)] = cuts
    n_cuts = np.array([len(cuts) if len(rows) >= ROWS_FOR_CELLS else 0], np.int32)
    bins, is_category = np.empty((1, len(rows)), np.uint8), np.zeros(features.shape[1], np.bool_)
    find_bins(
        flat_values(features), np.array([column]), rows, 0, len(rows), edges, cut_cells(edges, n_cuts),
        is_category, bins,
    )
    return bins[0]


def _category_bins(column: NDArray[np.float32], codes: NDArray[np.int32]) -> NDArray[np.uint8]:
    largest = int(codes.max(initial=0))
    bin_of_code = np.full(largest + 3, OTHER_BIN, np.uint8)
    bin_of_code[codes] = np.arange(len(codes))
    bin_of_code[-1] = MISSING_BIN
    known = np.where(np.isnan(column), largest + 2, np.clip(column, -1, largest + 1))
    code = known.astype(np.int64)
    return bin_of_code[np.where(code < 0, largest + 1, code)]


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
