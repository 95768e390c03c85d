"""Columns of few bins that share a byte, so that one addition to a histogram counts all of them.

They are the digits of the byte:

    byte     state of a + states of a · (state of b + states of b · (state of c + …))

    state    0 … n_bins − 1 | n_bins                | n_bins + 1
    bin      the same       | beyond the last cut   | 255, missing

So four flags share one, and so do two columns of ten values. Histograms count bytes; a column's own is
unfolded from them when it is searched, and a question about its bins is asked about bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.bins.bin_search import MISSING_BIN, N_BIN_VALUES
from workbench.trees.bins.fine_columns import column_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.bins.cuts import BinCuts

LEAST_ROWS = 100_000  # for nodes of fewer, unfolding takes longer than counting the columns one by one
ALONE = -1


class ByteLayout(NamedTuple):
    """Which byte of a record holds the bins of which columns.

    Attributes
    ----------
    n_bytes, n_alone : int
        Bytes that hold bins, and the first of them, each of which holds a column alone.
    places : ndarray of int64, shape (d,)
        The byte of each column; of a fine column, its place among these.
    columns : ndarray of int64, shape (k,)
        The columns that share bytes.
    lines : ndarray of int64, shape (d,)
        The place in `columns` of those that are there, ALONE of the others.
    bins : ndarray of uint8, shape (k, 256)
        Their bins in every byte.
    steps : ndarray of int64, shape (k,)
        What their next state adds to the byte.
    """

    n_bytes: int
    n_alone: int
    places: NDArray[np.int64]
    columns: NDArray[np.int64]
    lines: NDArray[np.int64]
    bins: NDArray[np.uint8]
    steps: NDArray[np.int64]


def bytes_alone(cuts: BinCuts) -> ByteLayout:
    """Return the layout in which every column that is not fine has a byte of its own."""
    return _layout(cuts, [])


def bytes_shared(cuts: BinCuts, n_rows: int) -> ByteLayout:
    """Return the layout in which columns of few bins share bytes, where so many rows make it worth it.

    The columns of most bins come first, each to the fullest byte that has room for it.
    """
    if n_rows < LEAST_ROWS or cuts.fine:
        return bytes_alone(cuts)
    states = cuts.n_bins.astype(np.int64) + 2
    numbers = np.flatnonzero(~cuts.is_category)
    with_capacity: dict[int, list[list[int]]] = {}
    groups = []
    for f in sorted(numbers.tolist(), key=lambda f: (-states[f], f)):
        own = int(states[f])
        free = min((left for left, some in with_capacity.items() if left >= own and some), default=0)
        if free:
            group = with_capacity[free].pop()
        else:
            group, free = [], N_BIN_VALUES
            groups.append(group)
        group.append(f)
        with_capacity.setdefault(free // own, []).append(group)
    return _layout(cuts, sorted(sorted(group) for group in groups if len(group) > 1))


def _layout(cuts: BinCuts, groups: list[list[int]]) -> ByteLayout:
    d = len(cuts.n_bins)
    columns = np.array([f for group in groups for f in group], np.int64)
    lines = np.full(d, ALONE, np.int64)
    lines[columns] = np.arange(len(columns))
    places = np.cumsum(lines == ALONE) - 1 if groups else column_places(d, cuts.fine)
    n_alone = d - len(cuts.fine) - len(columns)
    bins, steps = np.empty((len(columns), N_BIN_VALUES), np.uint8), np.empty(len(columns), np.int64)
    for place, group in enumerate(groups, n_alone):
        step = 1
        for f in group:
            n_bins = int(cuts.n_bins[f])
            state = np.arange(N_BIN_VALUES) // step % (n_bins + 2)
            bins[lines[f]] = np.where(state > n_bins, MISSING_BIN, state)
            places[f], steps[lines[f]] = place, step
            step *= n_bins + 2
    return ByteLayout(n_alone + len(groups), n_alone, places, columns, lines, bins, steps)


@kernel
def share_bytes(bins, columns, n_bins, steps, places, begin, by_column):
    """Put together the bytes of some rows, from the bins of the columns that share them.

    Parameters
    ----------
    bins : ndarray of uint8, shape (k, m)
    columns, steps : ndarray of int64, shape (k,)
    n_bins, places : ndarray of int32 and int64, shape (d,)
    by_column : ndarray of uint8, shape (bytes, n)
        Filled at rows begin … begin + m − 1.
    """
    for line in range(len(columns)):
        f = columns[line]
        last, step = np.uint32(n_bins[f]), np.uint32(steps[line])
        own, shared = bins[line], by_column[places[f], begin : begin + bins.shape[1]]
        if step == 1:
            for i in range(len(own)):
                shared[i] = own[i] if own[i] <= last else last + np.uint32(1)
        else:
            for i in range(len(own)):
                state = own[i] if own[i] <= last else last + np.uint32(1)
                shared[i] += np.uint8(state * step)
