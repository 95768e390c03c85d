"""What a node of a tree grown by exact search asks: a threshold, or a set of categories, written for good."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.sorting import row_of
from workbench.trees.cut_thresholds import threshold_above, threshold_below, threshold_between
from workbench.trees.exact import scan as exact_scan
from workbench.trees.exact.category_partition import PARTED, write_partition
from workbench.trees.exact.columns import first_missing, rank_of
from workbench.trees.exact.nodes import CUT_BEGIN, CUT_END, N_CODES, PRESENT_END
from workbench.trees.exact.search import is_parted
from workbench.trees.exact.sets import gather_yes, mark_forced, single_rank, write_code, write_codes
from workbench.trees.forced_splits import FORCED, MOST_CODES
from workbench.trees.grown_nodes import BEGIN, COLUMN, END, MISSING_LEFT
from workbench.trees.restraints import is_sought


@kernel
def threshold_of(nodes, node, entries, values):
    """Return the threshold of a cut between numbers: the values before and behind it are the node's own."""
    end = nodes[node, CUT_END]
    if end == nodes[node, BEGIN]:
        return threshold_below(values[rank_of(entries[end])])
    below = values[rank_of(entries[end - 1])]
    if end == nodes[node, PRESENT_END]:
        return threshold_above(below)
    return threshold_between(below, values[rank_of(entries[end])])


@kernel
def cut_between_counted(nodes, node, entries, values, counts):
    """Return the threshold of a cut between the values of rows that count; let the others lie where they do.

    Parameters
    ----------
    counts : ndarray of uint8, shape (n,)
        0 for rows of weight 0.
    """
    begin, end, present_end = nodes[node, BEGIN], nodes[node, CUT_END], nodes[node, PRESENT_END]
    before, behind = end - 1, end
    while before >= begin and not counts[row_of(entries[before])]:
        before -= 1
    while behind < present_end and not counts[row_of(entries[behind])]:
        behind += 1
    if before < begin and behind == present_end:
        return threshold_of(nodes, node, entries, values)
    if before < begin:
        threshold = threshold_below(values[rank_of(entries[behind])])
    elif behind == present_end:
        threshold = threshold_above(values[rank_of(entries[before])])
    else:
        threshold = threshold_between(values[rank_of(entries[before])], values[rank_of(entries[behind])])
    end = before + 1
    while end < behind and values[rank_of(entries[end])] < threshold:
        end += 1
    nodes[node, CUT_END] = end
    return threshold


@kernel(takes_none=True)
def write_split(node, found, column, matrix, memory, params, restraints):
    """Write to a node the split that was found in a column."""
    nodes, entries = memory.nodes, memory.entries[column]
    values = matrix.values[matrix.begins[column] : matrix.begins[column + 1]]
    nodes[node, COLUMN] = column
    nodes[node, CUT_BEGIN] = np.int64(found[exact_scan.CUT_BEGIN])
    nodes[node, CUT_END] = np.int64(found[exact_scan.CUT_END])
    nodes[node, MISSING_LEFT] = np.int64(found[exact_scan.MISSING_LEFT])
    nodes[node, PRESENT_END] = first_missing(entries, nodes[node, BEGIN], nodes[node, END], len(values))
    is_forced = restraints is not None and found[exact_scan.SCORE] == FORCED
    if restraints is not None and is_forced and not is_sought(restraints, restraints.split_of[node]):
        write_forced(node, column, len(values), matrix, memory, restraints)
    elif is_parted(matrix, column, params):
        memory.progress[N_CODES] = write_partition(
            node, np.int64(found[exact_scan.CUT_END]), entries, values,
            matrix.is_rare[matrix.begins[column] : matrix.begins[column + 1]], memory, params,
            memory.progress[N_CODES],
        )
    elif matrix.is_category[column]:
        code = values[single_rank(nodes, node, entries)]
        memory.progress[N_CODES] = write_code(nodes, node, code, memory.codes, memory.progress[N_CODES])
    elif len(matrix.counts) > 0:
        memory.thresholds[node] = cut_between_counted(nodes, node, entries, values, matrix.counts)
    else:
        memory.thresholds[node] = threshold_of(nodes, node, entries, values)


@kernel
def write_forced(node, column, n_values, matrix, memory, restraints):
    """Write to a node the question that is forced on it."""
    nodes, split, forced = memory.nodes, restraints.split_of[node], restraints.rules.forced
    if not matrix.is_category[column]:
        memory.thresholds[node] = forced.thresholds[split]
        return
    memory.progress[N_CODES] = write_codes(
        nodes, node, forced.begins[split], forced.begins[split + 1], forced.codes, memory.codes,
        memory.progress[N_CODES],
    )
    mark_forced(memory.is_yes, n_values, restraints.places.yes[split])
    gather_yes(nodes, node, memory.entries[column], memory.is_yes, memory.right_entries[0])


@kernel
def has_capacity(found, memory):
    """Whether the set of categories that was found can be written down; always but for the oddest trees."""
    n_codes = np.int64(found[exact_scan.CUT_END]) if found[exact_scan.CUT_BEGIN] == PARTED else np.int64(0)
    return memory.progress[N_CODES] + n_codes <= len(memory.codes) - len(memory.nodes) - MOST_CODES
