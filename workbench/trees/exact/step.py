"""The kernel of one boosting step by exact search: gradients in, a finished tree and new raw predictions out.

Every thread does its part of each phase, and waits for the others where it needs what they did:

    sum gradients | pack | grow | label rows, sum leaves | finish the tree (the first) | add leaves

A tree that cannot be finished is grown once more; see `keep_nodes`.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import take
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.threads.team import barrier, join_team, rejoin_team
from workbench.trees.exact.finished_nodes import add_walked, fill_table
from workbench.trees.exact.growing import grow_nodes
from workbench.trees.exact.nodes import IS_STOPPED, N_KEPT, N_NODES, fill_rows, fill_sides, owns_rows
from workbench.trees.grown_nodes import BEGIN, END, LEFT
from workbench.trees.hist.routing import add_labelled
from workbench.trees.leaf_sums import add_blocks, sum_leaves_part
from workbench.trees.packing import (
    choose_scales,
    pack_part,
    sum_gradients_part,
)
from workbench.trees.post_pruning import keep_nodes, sum_up


@kernel(apart=True)
def label_rows(nodes, n_grown, entries, column, labels):
    """Write to every drawn row the leaf that it ended in.

    Parameters
    ----------
    entries : ndarray of uint64, shape (d, > m)
    column : int
        A column that was drawn.
    labels : ndarray of int32, shape (n,)
    """
    for node in range(n_grown):
        left = nodes[node, LEFT]
        if not owns_rows(nodes, node):
            continue
        if left < 0:
            fill_rows(entries[column], nodes[node, BEGIN], nodes[node, END], np.int32(node), labels)
        else:
            fill_sides(entries, nodes, node, np.int32(left), np.int32(left + 1), labels)


@kernel(apart=True)
def finish_tree(matrix, memory, params, restraints, finished):
    """Turn the grown nodes into the tree that is kept; its number of nodes goes to `progress`."""
    n_grown = memory.progress[N_NODES]
    n_kept = keep_nodes(memory, n_grown, params, restraints, finished.table)
    memory.progress[N_KEPT] = n_kept
    if n_kept == 0:
        return
    fill_table(memory, n_kept, matrix.is_category, params, restraints, finished.table, finished.sets)
    sum_up(memory, n_grown, n_kept, params, restraints, finished)


@kernel
def step_part(part, parts, counters, matrix, memory, finished, task, restraints, values):
    """Grow one tree and add it to the raw predictions; one part of it.

    Parameters
    ----------
    matrix : SortedColumns
    memory : ExactMemory
    finished : FinishedTree
        Filled.
    task : TreeTask
        The tree is added to the raw predictions, unless it was stopped.
    restraints : Restraints or None
    values : RawValues
    """
    gradients, hessians, drawn = task.gradients, task.hessians, task.rows.drawn
    sum_gradients_part(part, parts, gradients, hessians, memory.gradient_sums)
    barrier(counters, parts)
    if part == 0:
        choose_scales(memory.gradient_sums, len(gradients), memory.scales)
    barrier(counters, parts)
    pack_part(part, parts, gradients, hessians, memory.scales, memory.packed)
    barrier(counters, parts)
    labels, n_kept = memory.labels[part], np.int64(0)
    # A column that this part has parted, and so has at hand.
    own_column = task.columns[part_begin(part, parts, len(task.columns))]
    while n_kept == 0:
        grow_nodes(part, parts, counters, matrix, memory, task, restraints)
        if memory.progress[IS_STOPPED]:
            return
        n_grown = memory.progress[N_NODES]
        label_rows(memory.nodes, n_grown, memory.entries, own_column, labels)
        sum_leaves_part(part, parts, drawn, labels, gradients, hessians, n_grown, memory.leaf_sums)
        barrier(counters, parts)
        if part == 0:
            add_blocks(memory.leaf_sums, len(drawn), n_grown, memory.sums)
            finish_tree(matrix, memory, task.params, restraints, finished)
        barrier(counters, parts)
        n_kept = memory.progress[N_KEPT]
    add_labelled(part, parts, drawn, labels, finished.value_of_label, task.raw)
    add_walked(
        part, parts, values.by_column, values.lines, task.rows.left_out, finished, memory.codes, task.raw
    )
    add_walked(
        part, parts, values.by_column, values.valid_lines, values.valid_rows, finished, memory.codes,
        task.valid_raw,
    )


@kernel
def exact_step(member, counters, shared_arguments, *arguments):
    """Grow one tree and add it to the raw predictions, as a member of a team; see `step_part`."""
    part, parts = join_team(member, counters, shared_arguments, arguments)
    while parts > 0:
        step_part(part, parts, counters, *take(shared_arguments, arguments))
        part, parts = rejoin_team(member, parts, counters)
