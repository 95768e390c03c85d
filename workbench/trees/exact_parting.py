"""Sorted columns parted by node, and the running sums that go with their entries.

Every node owns the same stretch of every column's list. A split parts it, in order, so that the children's
stretches are sorted too; then the gradients of each child are added up along its stretch:

    entries  | … | node: begin ………………………………… end | … |
    after    | … | left: begin … | right: middle … end | … |
    lefts    | … | Σ of the left … | Σ of the right … … | … |

Left entries move up in place, right ones wait in a list of the part's own and are copied behind. Adding up
is a pass of its own: four stores an entry would take longer than reading it again.
"""

from __future__ import annotations

import numpy as np

from workbench.trees.exact_columns import row_of
from workbench.trees.kernel import kernel


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
def part_entries(entries, begin, middle, end, goes_left, right_entries):
    """Part one node's stretch of one column's list into those of its children.

    Parameters
    ----------
    middle : int
        Where the right child begins.
    goes_left : ndarray of uint8, shape (n,)
        1 where a row goes left.
    right_entries : ndarray of uint64
        Room for what goes right.
    """
    left = np.uint64(begin)
    right = np.uint64(0)
    for i in range(np.uint64(begin), np.uint64(end)):
        entry = entries[i]
        yes = np.uint64(goes_left[row_of(entry)])
        entries[left] = entry
        right_entries[right] = entry
        left += yes
        right += np.uint64(1) - yes
    for i in range(end - middle):
        entries[middle + i] = right_entries[i]


@kernel
def add_up(entries, begin, end, packed, lefts):
    """Fill the running sums of one node's stretch of one column's list."""
    total = np.int64(0)
    for i in range(np.uint64(begin), np.uint64(end)):
        total += packed[row_of(entries[i])]
        lefts[i] = total
