"""What is found in one column of one node by exact search: its best split, or the one that is forced."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.exact import scan as exact_scan
from workbench.trees.exact.category_partition import PARTED, scan_partition, scan_partition_restrained
from workbench.trees.exact.columns import first_missing
from workbench.trees.exact.restrained import scan_forced, scan_restrained
from workbench.trees.exact.scan import SortedStretch, scan_node, score_of_key
from workbench.trees.forced_splits import FORCED, NOT_FORCED
from workbench.trees.restrained_weight import NOT_FOUND
from workbench.trees.restraints import forced_at, is_sought


class ScannedNode(NamedTuple):
    """A node that is scanned.

    Attributes
    ----------
    k : int
        How many nodes of its wave are scanned before it.
    node : int
    begin, end : int
        Where it stands in every sorted column.
    before : int
        Packed sum that running sums have before it.
    """

    k: np.int64
    node: np.int64
    begin: np.int64
    end: np.int64
    before: np.int64


@kernel
def is_parted(matrix, column, params):
    """Whether a column's categories are parted in two, and not one set against the rest.

    So are those of which some are rare, however few the others: rare ones answer "no" there, and any may be
    set against the rest.
    """
    n_own, n_values = matrix.n_own[column], matrix.begins[column + 1] - matrix.begins[column]
    return matrix.is_category[column] and (n_own > params.max_cat_to_onehot or n_own < n_values)


@kernel(takes_none=True)
def note_cut(column, stretch, matrix, scales, limits, params, restraints, is_forced, found):
    """Note the best cut between numbers, or the best category against the rest."""
    n_values, is_category = matrix.begins[column + 1] - matrix.begins[column], matrix.is_category[column]
    if restraints is None:
        key, cut_begin, cut_end, missing_left = scan_node(stretch, n_values, is_category, limits)
        score = score_of_key(key)
    else:
        score, cut_begin, cut_end, missing_left, middle = scan_restrained(
            stretch, n_values, is_category, params, scales, restraints,
            np.int64(restraints.rules.monotone[column]), is_forced,
        )
        found[exact_scan.MIDDLE] = middle
    found[exact_scan.SCORE] = score
    found[exact_scan.CUT_BEGIN] = cut_begin
    found[exact_scan.CUT_END] = cut_end
    found[exact_scan.MISSING_LEFT] = missing_left


@kernel(takes_none=True)
def note_partition(part, column, stretch, matrix, memory, limits, params, restraints, is_forced, found):
    """Note the best partition of the categories."""
    is_rare = matrix.is_rare[matrix.begins[column] : matrix.begins[column + 1]]
    n_own, scales, scratch = matrix.n_own[column], memory.scales, memory.categories
    if restraints is None:
        score, n_yes, missing_left = scan_partition(
            stretch, is_rare, n_own, limits, params, scales, part, scratch
        )
    else:
        score, n_yes, missing_left, middle = scan_partition_restrained(
            stretch, is_rare, n_own, params, scales, restraints, is_forced, part, scratch
        )
        found[exact_scan.MIDDLE] = middle
    found[exact_scan.SCORE] = score
    found[exact_scan.CUT_BEGIN] = PARTED
    found[exact_scan.CUT_END] = n_yes
    found[exact_scan.MISSING_LEFT] = missing_left


@kernel(takes_none=True)
def note_best(part, column, stretch, matrix, memory, limits, params, restraints, is_forced, found):
    """Note the best split in a column; where it is forced, of all that part rows."""
    if is_parted(matrix, column, params):
        note_partition(part, column, stretch, matrix, memory, limits, params, restraints, is_forced, found)
    else:
        note_cut(column, stretch, matrix, memory.scales, limits, params, restraints, is_forced, found)


@kernel
def note_restrained(part, k, column, stretch, matrix, memory, limits, params, restraints, found):
    """Note the best split in a column that may be asked about, or the one that is forced.

    Of a column that is forced alone it is the best cut that may be made; where none may, the best of all.
    """
    split = forced_at(restraints, stretch.node, column)
    seeks = is_sought(restraints, split)
    found[exact_scan.SCORE] = NOT_FOUND
    for is_forced in range(2 if seeks else 1):
        if found[exact_scan.SCORE] == NOT_FOUND:
            note_best(
                part, column, stretch, matrix, memory, limits, params, restraints, is_forced == 1, found
            )
    if seeks:
        found[exact_scan.SCORE] = FORCED if found[exact_scan.SCORE] > NOT_FOUND else NOT_FOUND
        return
    if not restraints.allowed[k, column]:
        found[exact_scan.SCORE] = NOT_FOUND
    if split != NOT_FORCED:
        note_forced(column, stretch, matrix, memory.scales, params, restraints, split, found)


@kernel
def note_forced(column, stretch, matrix, scales, params, restraints, split, found):
    """Note the question that is forced, if it parts rows."""
    parts_them, cut_end, missing_left, middle = scan_forced(
        stretch, matrix.is_category[column], params, scales, restraints,
        np.int64(restraints.rules.monotone[column]), split,
    )
    if parts_them:
        found[exact_scan.SCORE] = FORCED
        found[exact_scan.CUT_BEGIN] = stretch.begin
        found[exact_scan.CUT_END] = cut_end
        found[exact_scan.MISSING_LEFT] = missing_left
        found[exact_scan.MIDDLE] = middle


@kernel(takes_none=True, apart=True)
def note_found(part, item, column, scanned, matrix, memory, limits, params, restraints):
    """Scan one column of a node, and note what was found.

    Parameters
    ----------
    item : int
        Place of the column among those that were drawn.
    scanned : ScannedNode
    matrix : SortedColumns
    memory : ExactMemory
        With the running sums of the column in `lefts`. Filled: `found`, and `found_sums` once a node.
    limits : PackedLimits
    params : GrowingParams
    restraints : Restraints or None
    """
    entries, lefts, found = memory.entries[column], memory.lefts[part], memory.found[scanned.k, item]
    begin, end, before = scanned.begin, scanned.end, scanned.before
    total = lefts[end - 1] - before
    present_end = first_missing(entries, begin, end, matrix.begins[column + 1] - matrix.begins[column])
    missing = lefts[end - 1] - lefts[present_end - 1] if present_end > begin else total
    stretch = SortedStretch(scanned.node, entries, lefts, begin, present_end, end, before, missing, total)
    if item == 0:
        memory.found_sums[scanned.k] = total
    if restraints is None:
        note_best(part, column, stretch, matrix, memory, limits, params, restraints, False, found)
    else:
        note_restrained(
            part, scanned.k, column, stretch, matrix, memory, limits, params, restraints, found
        )
