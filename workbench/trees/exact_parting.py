"""Sorted columns parted by node, and the running sums that go with their entries.

Every node owns the same stretch of every column's list. A split parts it, in order, so that the children's
stretches are sorted too; then the gradients are added up along them:

    entries  | … | node: begin ………………………………… end | … |
    after    | … | left: begin … | right: middle … end | … |
    lefts    | … | Σ of the left …   and of the right … | … |

Left entries move up in place, right ones wait in a list of the part's own and are copied behind. Adding up
is a pass of its own: four stores an entry would take longer than reading it again.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.sorting import row_of


@kernel
def plant_column(in_order, is_drawn, packed, entries, lefts):
    """Copy the entries of the drawn rows to the list that is parted, with their running sums.

    Parameters
    ----------
    in_order : ndarray of uint64, shape (n,)
        One column of `SortedColumns`.
    is_drawn : ndarray of uint8, shape (n,)
        1 where a row was drawn.
    packed : ndarray of int64, shape (n,)
        Gradients; see `packing`.
    entries : ndarray of uint64, shape (> m,)
    lefts : ndarray of int64, shape (> m,)
    """
    place = np.uint64(0)
    total = np.int64(0)
    for i in range(len(in_order)):
        entry = in_order[i]
        row = row_of(entry)
        drawn = np.uint64(is_drawn[row])
        total += packed[row] & -np.int64(drawn)
        entries[place] = entry
        lefts[place] = total
        place += drawn


@kernel
def part_node(entries, begin, middle, end, goes_left, packed, right_entries, lefts):
    """Part one node's stretch of one column's list into those of its children, and add up both.

    The running sums go on from the left child's to the right one's.

    Parameters
    ----------
    middle : int
        Where the right child begins.
    goes_left : ndarray of uint8, shape (n,)
        1 where a row goes left.
    packed : ndarray of int64, shape (n,)
        Gradients; see `packing`.
    right_entries : ndarray of uint64
        Room for what goes right.
    lefts : ndarray of int64
        Filled from `begin` to `end`.
    """
    left = np.uint64(begin)
    for i in range(np.uint64(begin), np.uint64(end)):
        entry = entries[i]
        entries[left] = entry
        right_entries[i - left] = entry
        left += np.uint64(goes_left[row_of(entry)])
    total = np.int64(0)
    for i in range(np.uint64(begin), np.uint64(middle)):
        total += packed[row_of(entries[i])]
        lefts[i] = total
    for i in range(np.uint64(end - middle)):
        entry = right_entries[i]
        total += packed[row_of(entry)]
        entries[np.uint64(middle) + i] = entry
        lefts[np.uint64(middle) + i] = total
