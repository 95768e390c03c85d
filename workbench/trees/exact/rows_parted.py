"""Sorted columns parted by node, and the running sums that go with their entries.

Every node owns the same stretch of every column's list. A split parts it, in order, so that the children's
stretches are sorted too; then the gradients are added up along them:

    entries  | … | node: begin ………………………………… end | … |
    after    | … | left: begin … | right: middle … end | … |
    lefts    | … | Σ of the left …   and of the right … | … |

Left entries move up in place, right ones wait in a list of the part's own and are copied behind; eight at a
time both. Adding up is a pass of its own: four stores an entry would take longer than reading it again.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import keep_chosen
from workbench.kernels.kernel import kernel
from workbench.kernels.sorting import row_of


@kernel
def add_rows_up(entries, begin, end, packed, lefts):
    """Fill the running packed sums of a stretch of a list, from its begin on."""
    total = np.int64(0)
    for i in range(np.uint64(begin), np.uint64(end)):
        total += packed[row_of(entries[i])]
        lefts[i] = total


@kernel(apart=True)
def fill_root_column(in_order, is_drawn, n_drawn, entries):
    """Copy the entries of the drawn rows to the list that is parted.

    Parameters
    ----------
    in_order : ndarray of uint64, shape (n,)
        One column of `SortedColumns`.
    is_drawn : ndarray of uint8, shape (n,)
        1 where a row was drawn.
    entries : ndarray of uint64, shape (> m,)
    """
    if n_drawn == len(in_order):
        for i in range(len(in_order)):
            entries[i] = in_order[i]
        return
    place = np.uint64(0)
    for i in range(len(in_order)):
        entry = in_order[i]
        entries[place] = entry
        place += np.uint64(is_drawn[row_of(entry)])


@kernel(apart=True)
def part_node(entries, begin, end, goes_left, packed, right_entries, lefts):
    """Part one node's stretch of one column's list into those of its children, and add up both.

    The running sums go on from the left child's to the right one's.

    Parameters
    ----------
    goes_left : ndarray of uint8, shape (n,)
        1 where a row goes left.
    packed : ndarray of int64, shape (n,)
        Gradients; see `packing`.
    right_entries : ndarray of uint64
        Room for what goes right.
    lefts : ndarray of int64
        Filled from `begin` to `end`.
    """
    first, last, eight = np.uint64(begin), np.uint64(end), np.uint64(8)
    whole = last - (last - first) % eight
    left, right = first, np.uint64(0)
    for i in range(first, whole, eight):
        yes = np.uint64(0)
        for k in range(eight):
            yes |= np.uint64(goes_left[row_of(entries[i + k])]) << k
        right += keep_chosen(entries, i, ~yes, right_entries, right)
        left += keep_chosen(entries, i, yes, entries, left)
    for i in range(whole, last):
        entry = entries[i]
        entries[left] = entry
        right_entries[right] = entry
        yes = np.uint64(goes_left[row_of(entry)])
        left += yes
        right += np.uint64(1) - yes
    for i in range(right):
        entries[left + i] = right_entries[i]
    add_rows_up(entries, begin, end, packed, lefts)
