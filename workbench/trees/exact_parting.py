"""Sorted columns parted by node, and the running sums that go with their entries.

Every node owns the same stretch of every column's list. A split parts it, in order, so that the children's
stretches are sorted too; the running sums of each child's gradients are written in the same pass:

    entries  | … | node: begin ………………………………… end | … |
    after    | … | left: begin … | right: middle … end | … |
    lefts    | … | Σ of the left … | Σ of the right … … | … |

Left entries move up in place, right ones wait in a list of the part's own and are copied behind.
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
def part_node(entries, begin, middle, end, goes_left, packed, lefts, right_entries, right_lefts):
    """Part one node's stretch of one column into those of its children, with their running sums.

    Parameters
    ----------
    entries : ndarray of uint64
        One column's list.
    middle : int
        Where the right child begins.
    goes_left : ndarray of uint8, shape (n,)
        1 where a row goes left.
    lefts : ndarray of int64
        Filled from `begin` to `end`.
    right_entries, right_lefts
        Room for what goes right.
    """
    left = np.uint64(begin)
    right = np.uint64(0)
    left_sum = np.int64(0)
    right_sum = np.int64(0)
    for i in range(np.uint64(begin), np.uint64(end)):
        entry = entries[i]
        row = row_of(entry)
        yes = np.uint64(goes_left[row])
        gradient = packed[row]
        of_left = gradient & -np.int64(yes)
        left_sum += of_left
        right_sum += gradient - of_left
        entries[left] = entry
        lefts[left] = left_sum
        right_entries[right] = entry
        right_lefts[right] = right_sum
        left += yes
        right += np.uint64(1) - yes
    for i in range(end - middle):
        entries[middle + i] = right_entries[i]
        lefts[middle + i] = right_lefts[i]
