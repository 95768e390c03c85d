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
"""

from __future__ import annotations

import numpy as np

from workbench.trees.exact_columns import RANK_SHIFT, first_missing, rank_of
from workbench.trees.instructions import bits_of, number_of
from workbench.trees.kernel import kernel

NO_KEY = -1
TAG_BITS = 255
BLOCK_CUTS = 256
VECTOR_CUTS = 32  # entries and sums that may be read behind a node's end

# Fields of what was found for a node and column: the score (−1: none) and where the yes rows stand.
SCORE, CUT_BEGIN, CUT_END, MISSING_LEFT = range(4)
N_FOUND = 4


@kernel
def key_of(left, total_gradient, total_hessian, shift, reg_lambda, min_child_weight):
    """Return the bits of ΣG²/(H+λ) of a split, the last eight cut, or NO_KEY where a child weighs too little.

    Parameters
    ----------
    left : int
        Packed sum that goes left.
    reg_lambda, min_child_weight : float
        In units of packed hessians; not both 0.
    """
    g = np.float64(left >> shift)
    h = np.float64(left & ((np.int64(1) << shift) - 1))
    other_g = total_gradient - g
    other_h = total_hessian - h
    allowed = (h >= min_child_weight) & (other_h >= min_child_weight)
    h += reg_lambda
    other_h += reg_lambda
    # Both fractions over one denominator: dividing is what takes time.
    score = (g * g * other_h + other_g * other_g * h) / (h * other_h)
    return bits_of(score) & ~TAG_BITS if allowed else np.int64(NO_KEY)


@kernel
def best_of_block(entries, lefts, n_cuts, missing, totals, shift, reg_lambda, min_child_weight):
    """Return the best key of at most 256 cuts, or NO_KEY; cut b lies behind entry b."""
    best = np.int64(NO_KEY)
    next_entries = entries[1:]
    # Whole vectors: what is left over would be taken one by one, which costs more than all the rest.
    for b in range((n_cuts + VECTOR_CUTS - 1) // VECTOR_CUTS * VECTOR_CUTS):
        key = key_of(lefts[b] + missing, totals[0], totals[1], shift, reg_lambda, min_child_weight)
        differ = (entries[b] ^ next_entries[b]) >> np.uint64(RANK_SHIFT) != np.uint64(0)
        key = key | (TAG_BITS - b) if (b < n_cuts) & differ else np.int64(NO_KEY)
        best = key if key > best else best
    return best


@kernel
def best_cut(entries, lefts, begin, n_cuts, missing, totals, shift, reg_lambda, min_child_weight):
    """Return the key of the best of some cuts, and behind how many entries of the list it lies.

    Parameters
    ----------
    entries, lefts
        Of one column; the cuts lie behind the entries from `begin` on.
    missing : int
        Packed sum of the missing values where they go left, otherwise 0.
    totals : tuple of float
        G and H of the node.
    """
    best = np.int64(NO_KEY)
    cut = begin
    for block in range(begin, begin + n_cuts, BLOCK_CUTS):
        n_left = begin + n_cuts - block
        n_block = n_left if n_left < BLOCK_CUTS else BLOCK_CUTS
        key = best_of_block(
            entries[block:], lefts[block:], n_block, missing, totals, shift, reg_lambda, min_child_weight
        )
        if key | TAG_BITS > best | TAG_BITS:
            best = key
            cut = block + TAG_BITS - (key & TAG_BITS) + 1
    return best, cut


@kernel
def search_numbers(
    entries, lefts, begin, present_end, end, totals, shift, reg_lambda, min_child_weight, found
):
    """Write the best cut between numbers; see `search_node`."""
    total = lefts[end - 1]
    missing = total - lefts[present_end - 1] if present_end > begin else total
    n_between = present_end - begin - 1
    has_missing = present_end < end
    n_cuts = n_between + 1 if has_missing and present_end > begin else n_between
    best, cut = best_cut(
        entries, lefts, begin, n_cuts, np.int64(0), totals, shift, reg_lambda, min_child_weight
    )
    missing_left = False
    if has_missing:
        other, other_cut = best_cut(
            entries, lefts, begin, n_between, missing, totals, shift, reg_lambda, min_child_weight
        )
        if other | TAG_BITS > best | TAG_BITS:
            best, cut, missing_left = other, other_cut, True
    if best == NO_KEY:
        found[SCORE] = -1.0
        return
    if not has_missing:
        field = (np.int64(1) << shift) - 1
        missing_left = 2 * (lefts[cut - 1] & field) >= (total & field)
    found[SCORE] = number_of(best & ~TAG_BITS)
    found[CUT_BEGIN] = begin
    found[CUT_END] = cut
    found[MISSING_LEFT] = missing_left


@kernel
def note_category(key, begin, end, missing_left, found):
    """Write a category's split where it is better than what was found."""
    if key != NO_KEY and number_of(key) > found[SCORE]:
        found[SCORE] = number_of(key)
        found[CUT_BEGIN] = begin
        found[CUT_END] = end
        found[MISSING_LEFT] = missing_left


@kernel
def search_categories(
    entries, lefts, begin, present_end, end, missing_rank, totals, shift, reg_lambda, min_child_weight, found
):
    """Write the best split of one category from the rest; see `search_node`."""
    zero = np.int64(0)
    total = lefts[end - 1]
    missing = total - lefts[present_end - 1] if present_end > begin else total
    has_missing = present_end < end
    field = (np.int64(1) << shift) - 1
    found[SCORE] = -1.0
    first = begin
    before = zero
    n_categories = zero
    for i in range(begin, present_end):
        if i + 1 < present_end and rank_of(entries[i]) == rank_of(entries[i + 1]):
            continue
        here = lefts[i] - before
        key = key_of(here, totals[0], totals[1], shift, reg_lambda, min_child_weight)
        more = 2 * (here & field) >= (total & field)
        note_category(key, first, i + 1, more and not has_missing, found)
        if has_missing:
            key = key_of(here + missing, totals[0], totals[1], shift, reg_lambda, min_child_weight)
            is_all = i + 1 - first == present_end - begin
            note_category(np.int64(NO_KEY) if is_all else key, first, i + 1, True, found)
        before = lefts[i]
        first = i + 1
        n_categories += 1
    if has_missing and n_categories > 0 and n_categories < missing_rank:
        key = key_of(missing, totals[0], totals[1], shift, reg_lambda, min_child_weight)
        note_category(key, begin, begin, True, found)


@kernel
def search_node(
    entries, lefts, begin, end, missing_rank, is_category, shift, reg_lambda, min_child_weight, found
):
    """Write the best split of one node and column: score (−1: none), the yes rows, missing left.

    Parameters
    ----------
    entries : ndarray of uint64
        One column's list; the node's stretch is `begin` … `end − 1`.
    lefts : ndarray of int64
        Packed sum of the node's entries up to and with each.
    missing_rank : int
        Number of distinct values of the column.
    shift : int
        Bits of the hessian in a packed sum.
    reg_lambda, min_child_weight : float
        In units of packed hessians; not both 0.
    found : ndarray of float64, shape (N_FOUND,)
        Filled.
    """
    total = lefts[end - 1]
    totals = (np.float64(total >> shift), np.float64(total & ((np.int64(1) << shift) - 1)))
    present_end = first_missing(entries, begin, end, missing_rank)
    if is_category:
        search_categories(
            entries, lefts, begin, present_end, end, missing_rank, totals, shift, reg_lambda,
            min_child_weight, found,
        )
    else:
        search_numbers(
            entries, lefts, begin, present_end, end, totals, shift, reg_lambda, min_child_weight, found
        )
