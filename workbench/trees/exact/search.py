"""What is found in one column of one node by exact search: its best split, or the one that is forced."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.exact import scan as exact_scan
from workbench.trees.exact.category_partition import PARTED, scan_partition, scan_partition_restrained
from workbench.trees.exact.columns import first_missing
from workbench.trees.exact.restrained import scan_forced, scan_restrained
from workbench.trees.exact.scan import scan_node, score_of_key
from workbench.trees.forced_splits import FORCED, NOT_FORCED
from workbench.trees.restrained_weight import NOT_FOUND
from workbench.trees.restraints import forced_at


@kernel
def is_parted(matrix, column, params):
    """Whether a column's categories are parted in two, and not one set against the rest.

    So are those of which some are rare, however few the others: rare ones answer "no" there, and any may be
    set against the rest.
    """
    n_own, n_values = matrix.n_own[column], matrix.begins[column + 1] - matrix.begins[column]
    return matrix.is_category[column] and (n_own > params.max_cat_to_onehot or n_own < n_values)


@kernel(takes_none=True)
def note_cut(
    node, column, begin, end, before, entries, lefts, matrix, memory, limits, params, restraints, found
):
    """Note the best cut between numbers, or the best category against the rest."""
    n_values, is_category = matrix.begins[column + 1] - matrix.begins[column], matrix.is_category[column]
    if restraints is None:
        key, cut_begin, cut_end, missing_left = scan_node(
            entries, lefts, begin, end, before, n_values, is_category, limits[0], limits[1], limits[2]
        )
        score = score_of_key(key)
    else:
        score, cut_begin, cut_end, missing_left, middle = scan_restrained(
            entries, lefts, begin, end, before, n_values, is_category, params, memory.scales, restraints,
            np.int64(restraints.rules.monotone[column]), node,
        )
        found[exact_scan.MIDDLE] = middle
    found[exact_scan.SCORE] = score
    found[exact_scan.CUT_BEGIN] = cut_begin
    found[exact_scan.CUT_END] = cut_end
    found[exact_scan.MISSING_LEFT] = missing_left


@kernel(takes_none=True)
def note_partition(
    part, node, column, begin, end, before, entries, lefts, matrix, memory, limits, params, restraints, found
):
    """Note the best partition of the categories."""
    first, last = matrix.begins[column], matrix.begins[column + 1]
    present_end = first_missing(entries, begin, end, last - first)
    total = lefts[end - 1] - before
    missing = lefts[end - 1] - lefts[present_end - 1] if present_end > begin else total
    stretch, sums = (begin, present_end, end), (before, missing, total)
    is_rare, n_own = matrix.is_rare[first:last], matrix.n_own[column]
    if restraints is None:
        score, n_yes, missing_left = scan_partition(
            stretch, sums, entries, lefts, is_rare, n_own, limits, params, memory.scales, part,
            memory.categories,
        )
    else:
        score, n_yes, missing_left, middle = scan_partition_restrained(
            stretch, sums, entries, lefts, is_rare, n_own, params, memory.scales, restraints, node, part,
            memory.categories,
        )
        found[exact_scan.MIDDLE] = middle
    found[exact_scan.SCORE] = score
    found[exact_scan.CUT_BEGIN] = PARTED
    found[exact_scan.CUT_END] = n_yes
    found[exact_scan.MISSING_LEFT] = missing_left


@kernel(takes_none=True)
def note_restraints(
    k, node, column, begin, end, before, entries, lefts, matrix, memory, params, restraints, found
):
    """Take back what was found in a column that may not be asked about, and note the split that is forced."""
    if restraints is None:
        return
    if not restraints.allowed[k, column]:
        found[exact_scan.SCORE] = NOT_FOUND
    split = forced_at(restraints, node, column)
    if split == NOT_FORCED:
        return
    parts_them, cut_end, missing_left, middle = scan_forced(
        entries, lefts, begin, end, before, matrix.begins[column + 1] - matrix.begins[column],
        matrix.is_category[column], params, memory.scales, restraints,
        np.int64(restraints.rules.monotone[column]), node, split,
    )
    if parts_them:
        found[exact_scan.SCORE] = FORCED
        found[exact_scan.CUT_BEGIN] = begin
        found[exact_scan.CUT_END] = cut_end
        found[exact_scan.MISSING_LEFT] = missing_left
        found[exact_scan.MIDDLE] = middle


@kernel
def note_found(
    part, k, item, node, column, begin, end, before, lefts, matrix, memory, limits, params, restraints
):
    """Scan one column of a node, the k-th that is scanned in this wave, and note what was found."""
    entries, found = memory.entries[column], memory.found[k, item]
    if item == 0:
        memory.found_sums[k] = lefts[end - 1] - before
    if is_parted(matrix, column, params):
        note_partition(
            part, node, column, begin, end, before, entries, lefts, matrix, memory, limits, params,
            restraints, found,
        )
    else:
        note_cut(
            node, column, begin, end, before, entries, lefts, matrix, memory, limits, params, restraints,
            found,
        )
    note_restraints(
        k, node, column, begin, end, before, entries, lefts, matrix, memory, params, restraints, found
    )
