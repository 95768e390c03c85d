"""The kernel of one boosting step: gradients in, a finished tree and new raw predictions out.

Every thread does its part of each phase, and waits for the others:

    sum gradients | pack, count the root | grow | label rows with leaves | sum leaves |
    finish the tree (the first) | add leaves

A tree that cannot be finished is grown once more; see `keep_nodes`.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import take
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.threads.team import barrier, join_team, rejoin_team
from workbench.trees.bins.binning import BINS_A_WORD
from workbench.trees.hist.fine_rows import add_walked_finely
from workbench.trees.hist.finished_nodes import fill_table
from workbench.trees.hist.growing import begin_tree, grow_nodes
from workbench.trees.hist.labelling import label_part, list_owners
from workbench.trees.hist.root import pack_and_count_part
from workbench.trees.hist.routing import add_labelled, add_walked
from workbench.trees.leaf_sums import add_blocks, sum_leaves_part
from workbench.trees.node_lists import IS_STOPPED, N_KEPT, N_NODES, N_OWNERS, ListedNodes
from workbench.trees.packing import choose_scales, sum_gradients_part
from workbench.trees.post_pruning import keep_nodes, sum_up
from workbench.trees.tree import TreeFigures

DEPTH_FIGURE = TreeFigures._fields.index("depth")


@kernel(apart=True)
def finish_tree(matrix, fine, memory, params, restraints, finished):
    """Turn the grown nodes into the tree that is kept; its number of nodes goes to `progress`."""
    n_grown = memory.progress[N_NODES]
    n_kept = keep_nodes(memory, n_grown, params, restraints, finished.table)
    memory.progress[N_KEPT] = n_kept
    if n_kept == 0:
        return
    fill_table(memory, n_kept, matrix, fine, params, restraints, finished.table, finished.packed)
    sum_up(memory, n_grown, n_kept, params, restraints, finished)


@kernel
def put_in_order(part, parts, rows):
    """Put one part of a list of every row back into ascending order."""
    first, last = part_begin(part, parts, len(rows)), part_begin(part + 1, parts, len(rows))
    for i in range(np.uint64(first), np.uint64(last)):
        rows[i] = i


@kernel
def copy_rows(part, parts, source, target):
    """Copy one part of a list of rows."""
    first, last = part_begin(part, parts, len(source)), part_begin(part + 1, parts, len(source))
    for i in range(np.uint64(first), np.uint64(last)):
        target[i] = source[i]


@kernel(takes_none=True, apart=True)
def label_and_sum_part(part, parts, counters, matrix, fine, memory, task):
    """Label one part of the rows with the leaves they ended in, and add up what the leaves hold."""
    gradients, hessians = task.gradients, task.hessians
    drawn, labels, owners = task.rows.drawn, memory.labels, memory.owners
    if part == 0:
        list_owners(owners, memory.progress, memory.nodes)
    barrier(counters, parts)
    owning = ListedNodes(owners[0], owners[1], owners[2], memory.progress[N_OWNERS])
    label_part(
        part, parts, matrix, fine, memory.rows[: len(drawn)], owning, memory.nodes, memory.answers[part],
        labels,
    )
    barrier(counters, parts)
    n_grown = memory.progress[N_NODES]
    if len(drawn) == len(gradients):
        put_in_order(part, parts, drawn)
        sum_leaves_part(part, parts, None, labels, gradients, hessians, n_grown, memory.leaf_sums)
    else:
        sum_leaves_part(part, parts, drawn, labels, gradients, hessians, n_grown, memory.leaf_sums)
    barrier(counters, parts)
    if part == 0:
        add_blocks(memory.leaf_sums, len(drawn), n_grown, memory.sums)


@kernel(takes_none=True, apart=True)
def add_tree_part(part, parts, matrix, fine, memory, finished, task, held_out):
    """Add the finished tree to one part of the raw predictions."""
    drawn, left_out = task.rows
    labels, raw = memory.labels, task.raw
    if len(drawn) == len(task.gradients):
        add_labelled(part, parts, None, labels, finished.value_of_label, raw)
    else:
        add_labelled(part, parts, drawn, labels, finished.value_of_label, raw)
    if fine is not None:
        add_walked_finely(
            part, parts, left_out, matrix.bins, fine.bins, matrix, fine, memory, finished.table, raw
        )
        add_walked_finely(
            part, parts, held_out.rows, held_out.bins, held_out.fine, matrix, fine, memory, finished.table,
            task.valid_raw,
        )
        return
    record_bytes, depth = BINS_A_WORD * matrix.records.shape[1], np.int64(finished.figures[DEPTH_FIGURE])
    add_walked(
        part, parts, left_out, matrix.bins, record_bytes, finished.packed, depth, finished.value_of_leaf,
        memory.walked[part], raw,
    )
    add_walked(
        part, parts, held_out.rows, held_out.bins, record_bytes, finished.packed, depth,
        finished.value_of_leaf, memory.walked[part], task.valid_raw,
    )


@kernel
def finish_part(part, parts, counters, matrix, fine, memory, finished, task, restraints):
    """Turn a grown tree into the kept one; one part, as `step_part`. Returns whether it could be finished.

    What restrains the tree is asked by `finish_tree` alone: so the rest is compiled once for all.
    """
    label_and_sum_part(part, parts, counters, matrix, fine, memory, task)
    if part == 0:
        finish_tree(matrix, fine, memory, task.params, restraints, finished)
    barrier(counters, parts)
    return memory.progress[N_KEPT] > 0


@kernel(takes_none=True)
def step_part(part, parts, counters, matrix, fine, memory, finished, task, restraints, held_out):
    """Grow one tree and add it to the raw predictions; one part of it.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    memory : GrowingMemory
    finished : FinishedArrays
        Filled.
    task : TreeTask
        Where every row grows the tree, `rows.drawn` is the memory of `memory.rows`. The tree is added to the
        raw predictions, unless it was stopped.
    restraints : Restraints or None
    held_out : HeldOutBins
    """
    gradients, hessians, drawn = task.gradients, task.hessians, task.rows.drawn
    rows = memory.rows[: len(drawn)]
    sum_gradients_part(part, parts, gradients, hessians, memory.gradient_sums)
    is_every_row, is_finished = len(drawn) == len(gradients), False
    barrier(counters, parts)
    if part == 0:
        choose_scales(memory.gradient_sums, len(gradients), memory.scales)
    while not is_finished:
        if not is_every_row:
            copy_rows(part, parts, drawn, rows)
        if part == 0:
            begin_tree(memory, len(drawn), restraints)
        barrier(counters, parts)
        pack_and_count_part(part, parts, gradients, hessians, matrix, fine, memory, rows)
        grow_nodes(part, parts, counters, matrix, fine, memory, rows, task, restraints)
        if memory.progress[IS_STOPPED]:
            if is_every_row:
                put_in_order(part, parts, drawn)
            return
        is_finished = finish_part(part, parts, counters, matrix, fine, memory, finished, task, restraints)
    add_tree_part(part, parts, matrix, fine, memory, finished, task, held_out)


@kernel(takes_none=True)
def boosting_step(member, counters, shared_arguments, *arguments):
    """Grow one tree and add it to the raw predictions, as a member of a team; see `step_part`."""
    part, parts = join_team(member, counters, shared_arguments, arguments)
    while parts > 0:
        step_part(part, parts, counters, *take(shared_arguments, arguments))
        part, parts = rejoin_team(member, parts, counters)
