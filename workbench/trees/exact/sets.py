"""Which categories answer "yes" at the nodes of a tree grown by exact search.

The codes of each node's set stand in one list, ascending. Where a set has several, the node's rows in the
column's list are put in order once more, so that the yes rows stand at its begin, as where numbers are cut:

    BEGIN, CUT_BEGIN ……… | CUT_END ……… | PRESENT_END ……… END
      yes, by category   |  no, by category  |  missing
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.exact.columns import rank_of
from workbench.trees.exact.nodes import CUT_BEGIN, CUT_END, PRESENT_END, SET_BEGIN, SET_END
from workbench.trees.forced_splits import is_member
from workbench.trees.grown_nodes import BEGIN

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
def single_rank(nodes, node, entries):
    """Return the rank of a single category that answers yes: the first absent one where it has no rows."""
    begin = nodes[node, CUT_BEGIN]
    if begin < nodes[node, CUT_END]:
        return rank_of(entries[begin])
    absent = np.int64(0)
    for i in range(nodes[node, BEGIN], nodes[node, PRESENT_END]):
        if rank_of(entries[i]) > absent:
            break
        absent = rank_of(entries[i]) + 1
    return absent


@kernel
def write_code(nodes, node, code, codes, n_codes):
    """Write a set of one category behind the others; return how many codes there are."""
    codes[n_codes] = np.int32(code)
    nodes[node, SET_BEGIN] = n_codes
    nodes[node, SET_END] = n_codes + 1
    return n_codes + 1


@kernel
def write_codes(nodes, node, first, last, wanted, codes, n_codes):
    """Write the set `wanted[first:last]` behind the others; return how many codes there are."""
    nodes[node, SET_BEGIN] = n_codes
    for i in range(first, last):
        codes[n_codes] = np.int32(wanted[i])
        n_codes += 1
    nodes[node, SET_END] = n_codes
    return n_codes


@kernel
def mark_forced(is_yes, n_values, yes):
    """Mark the ranks whose bit is set."""
    for rank in range(n_values):
        is_yes[rank] = is_member(yes, rank)


@kernel
def gather_yes(nodes, node, entries, is_yes, spare):
    """Put the yes rows of a node before the others, both in their order.

    Parameters
    ----------
    is_yes : ndarray of uint8
        By rank.
    spare : ndarray of uint64
        Room for the rows of the node.
    """
    begin, end = nodes[node, BEGIN], nodes[node, PRESENT_END]
    n_yes, n_no = np.int64(0), np.int64(0)
    for i in range(begin, end):
        entry = entries[i]
        if is_yes[rank_of(entry)]:
            entries[begin + n_yes] = entry
            n_yes += 1
        else:
            spare[n_no] = entry
            n_no += 1
    for i in range(n_no):
        entries[begin + n_yes + i] = spare[i]
    nodes[node, CUT_BEGIN] = begin
    nodes[node, CUT_END] = begin + n_yes


@kernel
def is_in_set(codes, begin, end, value):
    """Whether a value is among `codes[begin:end]`."""
    last = end
    while begin < end:
        middle = (begin + end) // 2
        if codes[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin < last and codes[begin] == value


def listed_sets(
    table: NDArray[np.void], sets: NDArray[np.int64], codes: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return `category_begin` and `category_codes` of a tree.

    Parameters
    ----------
    table : structured ndarray of NODE_DTYPE, shape (n_nodes,)
    sets : ndarray of int64, shape (n_nodes, 2)
        Where the codes of each node begin and end.
    """
    sizes = np.where(table["category"] >= 0, sets[:, 1] - sets[:, 0], 0)
    begins = np.concatenate([[0], np.cumsum(sizes)])
    places = np.repeat(sets[:, 0] - begins[:-1], sizes) + np.arange(begins[-1])
    return begins.astype(np.int32), codes[places]
