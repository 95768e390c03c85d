"""The best split of one node and column, by one scan of its sorted entries.

Numbers: a cut between any two entries whose values differ, with the missing values on either side; also the
cut that parts the missing values from all others. Categories: one against the rest, with the missing values
on either side, and the missing values against all others where some category is absent, which then stands
for none. Where a node has no missing value in the column, the default is the side with more hessian (left on
ties). Equal scores go to the first cut, and missing to the right.

Cuts are tried in blocks of 256, in which a score and its cut travel as one integer, so that the best is a
maximum of integers, found by vectors:

    bit 63 | 62 .................... 8 | 7 ........... 0
        0  | score, its last 8 bits cut | 255 − cut in the block

Lists are passed whole, with the places to read: numba counts the references of every slice, which for a node
of a hundred entries takes longer than the scan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.instructions import bits_of, number_of
from workbench.kernels.kernel import kernel
from workbench.trees.exact.columns import RANK_SHIFT, rank_of
from workbench.trees.found_split import TAG_BITS
from workbench.trees.packing import gradient_of, hessian_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_KEY = -1
BLOCK_CUTS = 256
VECTOR_CUTS = 32  # entries and sums that may be read behind a node's end

# Fields of what was found for a node and column: the score (−1: none) and where the yes rows stand.
SCORE, CUT_BEGIN, CUT_END, MISSING_LEFT, MIDDLE = range(5)  # the last where a tree is restrained
N_FOUND = 5


class SortedStretch(NamedTuple):
    """A node's stretch of a sorted column.

    Attributes
    ----------
    node : int
    entries : ndarray of uint64
        The column's list: present values stand from `begin` to `present_end − 1`, missing ones from there to
        `end − 1`.
    lefts : ndarray of int64
        Packed sum of the entries up to and with each, from anywhere on: `before` is what stands before the
        node.
    begin, present_end, end : int
    before, missing, total : int
        Packed sums: before the node, of its missing values, and of all.
    """

    node: int
    entries: NDArray[np.uint64]
    lefts: NDArray[np.int64]
    begin: int
    present_end: int
    end: int
    before: int
    missing: int
    total: int


@kernel
def key_of(left, totals, limits):
    """Return the bits of ΣG²/(H+λ) of a split, the last eight cut, or NO_KEY where a child weighs too little.

    Parameters
    ----------
    left : int
        Packed sum that goes left.
    totals : tuple of float
        G and H of the node, packed ones taken apart.
    limits : PackedLimits
    """
    g, h = gradient_of(left, limits.shift), hessian_of(left, limits.shift)
    other_g = totals[0] - g
    other_h = totals[1] - h
    allowed = (h >= limits.least_hessian) & (other_h >= limits.least_hessian)
    h += limits.reg_lambda
    other_h += limits.reg_lambda
    # Both fractions over one denominator: dividing is what takes time.
    score = (g * g * other_h + other_g * other_g * h) / (h * other_h)
    return bits_of(score) & ~TAG_BITS if allowed else np.int64(NO_KEY)


@kernel
def best_of_block(entries, lefts, begin, n_cuts, more, totals, limits):
    """Return the best key of at most 256 cuts, or NO_KEY; cut b lies behind entry `begin + b`.

    Parameters
    ----------
    more : int
        What goes left beside `lefts`.
    """
    best = np.int64(NO_KEY)
    # Whole vectors: what is left over would be taken one by one, which costs more than all the rest.
    for b in range((n_cuts + VECTOR_CUTS - 1) // VECTOR_CUTS * VECTOR_CUTS):
        i = np.uint64(begin) + np.uint64(b)
        key = key_of(lefts[i] + more, totals, limits)
        differ = (entries[i] ^ entries[i + np.uint64(1)]) >> np.uint64(RANK_SHIFT) != np.uint64(0)
        key = key | (TAG_BITS - b) if (b < n_cuts) & differ else np.int64(NO_KEY)
        best = key if key > best else best
    return best


@kernel
def best_cut(stretch, n_cuts, more, totals, limits):
    """Return the key of the best of some cuts, and the first entry behind it.

    The cuts lie behind the first entries of the stretch; for `more` see `best_of_block`.
    """
    begin, best = stretch.begin, np.int64(NO_KEY)
    cut = begin
    for block in range(begin, begin + n_cuts, BLOCK_CUTS):
        n_left = begin + n_cuts - block
        n_block = n_left if n_left < BLOCK_CUTS else BLOCK_CUTS
        key = best_of_block(stretch.entries, stretch.lefts, block, n_block, more, totals, limits)
        if key | TAG_BITS > best | TAG_BITS:
            best = key
            cut = block + TAG_BITS - (key & TAG_BITS) + 1
    return best, cut


@kernel
def scan_numbers(stretch, totals, limits):
    """Return the best cut between numbers as `scan_node` does."""
    begin, present_end = stretch.begin, stretch.present_end
    n_between = present_end - begin - 1
    has_missing = present_end < stretch.end
    n_cuts = n_between + 1 if has_missing and present_end > begin else n_between
    best, cut = best_cut(stretch, n_cuts, -stretch.before, totals, limits)
    missing_left = False
    if has_missing:
        more = stretch.missing - stretch.before
        other, other_cut = best_cut(stretch, n_between, more, totals, limits)
        if other | TAG_BITS > best | TAG_BITS:
            best, cut, missing_left = other, other_cut, True
    elif best != NO_KEY:
        missing_left = has_more(stretch.lefts[cut - 1] - stretch.before, stretch.total, limits.shift)
    return best, begin, cut, missing_left


@kernel
def has_more(left, total, shift):
    """Whether at least half of the hessian goes left."""
    field = (np.int64(1) << shift) - 1
    return 2 * (left & field) >= (total & field)


@kernel
def scan_categories(stretch, n_values, totals, limits):
    """Return the best split of one category from the rest as `scan_node` does."""
    entries, lefts, missing = stretch.entries, stretch.lefts, stretch.missing
    begin, present_end, before = stretch.begin, stretch.present_end, stretch.before
    has_missing = present_end < stretch.end
    best, cut_begin, cut_end, missing_left = np.int64(NO_KEY), begin, begin, False
    first = begin
    n_categories = 0
    for i in range(begin, present_end):
        if i + 1 < present_end and rank_of(entries[i]) == rank_of(entries[i + 1]):
            continue
        here = lefts[i] - before
        key = key_of(here, totals, limits)
        if key > best:
            best, cut_begin, cut_end = key, first, i + 1
            missing_left = not has_missing and has_more(here, stretch.total, limits.shift)
        if has_missing:
            key = key_of(here + missing, totals, limits)
            if key > best and i + 1 - first < present_end - begin:
                best, cut_begin, cut_end, missing_left = key, first, i + 1, True
        before = lefts[i]
        first = i + 1
        n_categories += 1
    if has_missing and 0 < n_categories < n_values:
        key = key_of(missing, totals, limits)
        if key > best:
            best, cut_begin, cut_end, missing_left = key, begin, begin, True
    return best, cut_begin, cut_end, missing_left


@kernel
def scan_node(stretch, n_values, is_category, limits):
    """Return the best split of one node and column: its key (NO_KEY: none), the yes rows, missing left.

    Parameters
    ----------
    stretch : SortedStretch
    n_values : int
        Distinct numbers of the column, or its categories.
    limits : PackedLimits
    """
    totals = (gradient_of(stretch.total, limits.shift), hessian_of(stretch.total, limits.shift))
    if is_category:
        return scan_categories(stretch, n_values, totals, limits)
    return scan_numbers(stretch, totals, limits)


@kernel
def score_of_key(key):
    """Return the score of a key, −1 of none."""
    return -1.0 if key == NO_KEY else number_of(key & ~TAG_BITS)
