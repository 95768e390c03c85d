"""Columns sorted once: what exact greedy search scans.

Every column is a list of entries, one a row, in ascending order of its values; missing values stand last:

    bit 63 .............. 32 | 31 ........ 0
        rank of the value    | row

The rank counts the distinct values of the column, or is the code of a category, so that equal values have
equal ranks and the missing ones the highest. A cut lies between two entries whose ranks differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.sorting import MISSING_BITS, ROW_MASK, VALUE_SHIFT, sorted_entries, value_bits
from workbench.mapped import empty_beside
from workbench.threads.parallel import each
from workbench.trees.bins.rare_categories import NONE_RARE, RareCategories

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

RANK_SHIFT = 32


class SortedColumns(NamedTuple):
    """The training rows, column by column in the order of their values.

    Attributes
    ----------
    entries : ndarray of uint64, shape (d, n)
        Rank and row; see above.
    values : ndarray of float32, shape (total,)
        The distinct numbers, or all codes, of every column, ascending in each: what the ranks stand for.
    begins : ndarray of int64, shape (d + 1,)
        Where each column's values begin; so many as it has is also the rank of its missing values.
    is_category : ndarray of bool, shape (d,)
    n_own : ndarray of int64, shape (d,)
        How many categories of each column may answer "yes" where it is parted in two.
    is_rare : ndarray of uint8, shape (total,)
        Which values are categories of too few rows for that.
    counts : ndarray of uint8, shape (n,) or (0,)
        1 for rows whose values are places to cut; none where all are.
    """

    entries: NDArray[np.uint64]
    values: NDArray[np.float32]
    begins: NDArray[np.int64]
    is_category: NDArray[np.bool_]
    n_own: NDArray[np.int64]
    is_rare: NDArray[np.uint8]
    counts: NDArray[np.uint8]


def sort_columns(
    by_column: NDArray[np.float32],
    rows: NDArray[np.int64],
    n_categories: NDArray[np.int64],
    threads: int = 1,
    cancelled: Callable[[], bool] | None = None,
    rare: RareCategories = NONE_RARE,
    counts: NDArray[np.bool_] | None = None,
) -> SortedColumns:
    """Sort every column at the given rows, which are numbered anew from 0.

    Parameters
    ----------
    by_column : ndarray of float32, shape (d, N)
        NaN is missing.
    rows : ndarray of int64, shape (n,)
    n_categories : ndarray of int64, shape (d,)
        Categories of each column; 0 where it holds numbers.
    rare : RareCategories
        They answer "no" where their column is parted in two.
    cancelled : callable, optional
        Asked before each column.
    counts : ndarray of bool, shape (n,), optional
        Rows whose values are places to cut, and which make a category less rare; without it, all.
    """
    d, n_lines = by_column.shape
    entries = empty_beside(by_column, (d, len(rows)), np.uint64)
    distinct: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * d

    def sort(f: int) -> None:
        column = by_column[f] if len(rows) == n_lines else by_column[f, rows]
        sorted_entries(column, entries[f])
        values = np.empty(len(rows), np.float32)
        distinct[f] = values[: rank_entries(entries[f], values.view(np.uint32))].copy()
        if n_categories[f]:
            entries[f] = rank_by_code(entries[f], distinct[f], n_categories[f])
            distinct[f] = np.arange(n_categories[f], dtype=np.float32)

    each(sort, range(d), threads, cancelled)
    begins = np.cumsum([0, *(len(values) for values in distinct)])
    sorted_columns = SortedColumns(
        entries, np.concatenate(distinct), begins, n_categories > 0, np.array(n_categories, np.int64),
        np.zeros(begins[-1], np.uint8), np.empty(0, np.uint8) if counts is None else counts.astype(np.uint8),
    )
    for f in np.flatnonzero((n_categories > rare.beyond) & (rare.below > 1)).tolist():
        mark_rare(sorted_columns, f, rare.below, counts)
    return sorted_columns


def mark_rare(
    columns: SortedColumns, column: int, least: int, counts: NDArray[np.bool_] | None = None
) -> None:
    """Mark the categories of a column that have fewer rows that count, and count the others."""
    begin, end = columns.begins[column : column + 2]
    entries = columns.entries[column]
    if counts is not None:
        entries = entries[counts[(entries & np.uint64(ROW_MASK)).astype(np.int64)]]
    ranks = (entries >> np.uint64(RANK_SHIFT)).astype(np.int64)
    sizes = np.bincount(ranks, minlength=end - begin)[: end - begin]
    columns.is_rare[begin:end] = sizes < least
    columns.n_own[column] = np.count_nonzero(sizes >= least)


@kernel
def rank_entries(entries, bits):
    """Replace the ordered bits of sorted entries by ranks; return how many distinct values there are.

    Parameters
    ----------
    bits : ndarray of uint32, shape (n,)
        Filled with the distinct values, as the bits of float32.
    """
    n_values = 0
    last = np.uint64(0)
    for i in range(len(entries)):
        ordered = entries[i] >> np.uint64(VALUE_SHIFT)
        row = entries[i] & np.uint64(ROW_MASK)
        if ordered == np.uint64(MISSING_BITS):
            entries[i] = np.uint64(n_values) << np.uint64(RANK_SHIFT) | row
            continue
        if n_values == 0 or ordered != last:
            bits[n_values] = value_bits(ordered)
            n_values += 1
            last = ordered
        entries[i] = np.uint64(n_values - 1) << np.uint64(RANK_SHIFT) | row
    return n_values


def rank_by_code(
    entries: NDArray[np.uint64], values: NDArray[np.float32], n_categories: int
) -> NDArray[np.uint64]:
    """Return the entries of a column of categories with codes for ranks.

    Parameters
    ----------
    entries : ndarray of uint64, shape (n,)
        Ranked among the codes that occur.
    values : ndarray of float32
        The codes that occur, ascending.
    """
    codes = np.append(values.astype(np.uint64), np.uint64(n_categories))
    ranks = codes[entries >> np.uint64(RANK_SHIFT)]
    return ranks << np.uint64(RANK_SHIFT) | entries & np.uint64(ROW_MASK)


@kernel
def rank_of(entry):
    """Return the rank of an entry."""
    return np.int64(entry >> np.uint64(RANK_SHIFT))


@kernel
def first_missing(entries, begin, end, missing_rank):
    """Return where the missing values of a sorted stretch begin; its end where there are none."""
    if begin == end or rank_of(entries[end - 1]) < missing_rank:
        return end
    while begin < end:
        middle = (begin + end) // 2
        if rank_of(entries[middle]) < missing_rank:
            begin = middle + 1
        else:
            end = middle
    return begin
