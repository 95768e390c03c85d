"""The kernel that grows a tree: waves of nodes, each parted, counted and searched together.

A wave is taken from the end of the pending nodes, as wide as free histograms allow: whole levels while
they fit, single nodes depth-first where they do not. So memory is bounded however deep the tree grows,
and what a node becomes depends on its rows alone, not on the wave it came in.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from workbench.trees.histogram import count_nodes
from workbench.trees.parallel import parts_for
from workbench.trees.partition import N_BIN_VALUES, count_left, fill_answers, label_rows, partition_nodes
from workbench.trees.settling import (
    BEGIN,
    BIN,
    COLUMN,
    DEPTH,
    END,
    LEFT,
    MISSING_LEFT,
    N_FIELDS,
    PARENT,
    SLOT,
)
from workbench.trees.splitting import best_column, packed_similarity, search_splits
from workbench.trees.structure_score import is_worth_splitting

STOPPED = -1
NOTHING = -1


@njit(cache=True, nogil=True, error_model="numpy")
def new_node(nodes, node, parent, begin, end, depth):
    """Write a node that is a leaf until it is split."""
    for field in range(N_FIELDS):
        nodes[node, field] = NOTHING
    nodes[node, BEGIN] = begin
    nodes[node, END] = end
    nodes[node, DEPTH] = depth
    nodes[node, PARENT] = parent


@njit(cache=True, nogil=True, error_model="numpy")
def ranges_of(nodes, chosen):
    """Return where the rows of the chosen nodes begin, and how many rows the nodes before each have."""
    begins = np.empty(len(chosen), np.int64)
    offsets = np.zeros(len(chosen) + 1, np.int64)
    for k in range(len(chosen)):
        begins[k] = nodes[chosen[k], BEGIN]
        offsets[k + 1] = offsets[k] + nodes[chosen[k], END] - nodes[chosen[k], BEGIN]
    return begins, offsets


@njit(cache=True, nogil=True, error_model="numpy")
def questions_of(nodes, chosen, is_category):
    """Return column and bin-by-bin answers of the chosen nodes' splits (unset for leaves)."""
    columns = np.zeros(len(chosen), np.int64)
    answers = np.zeros((len(chosen), N_BIN_VALUES), np.uint8)
    for k in range(len(chosen)):
        node = chosen[k]
        if nodes[node, COLUMN] >= 0:
            columns[k] = nodes[node, COLUMN]
            category = is_category[columns[k]]
            fill_answers(category, nodes[node, BIN], nodes[node, MISSING_LEFT] == 1, answers[k])
    return columns, answers


@njit(cache=True, nogil=True, error_model="numpy")
def split_wave(wave, nodes, n_nodes, by_column, is_category, rows, stage, threads):
    """Part the rows of the wave's nodes and write their children, which get the next numbers."""
    begins, offsets = ranges_of(nodes, wave)
    columns, answers = questions_of(nodes, wave, is_category)
    parts = parts_for(threads, offsets[len(begins)])
    n_left = np.empty((parts, len(wave)), np.int64)
    partition_nodes(parts, by_column, rows, begins, offsets, columns, answers, stage, n_left)
    for k in range(len(wave)):
        node = wave[k]
        middle = begins[k] + count_left(n_left, parts, k)
        depth = nodes[node, DEPTH] + 1
        nodes[node, LEFT] = n_nodes
        new_node(nodes, n_nodes, node, begins[k], middle, depth)
        new_node(nodes, n_nodes + 1, node, middle, nodes[node, END], depth)
        n_nodes += 2
    return n_nodes


@njit(cache=True, nogil=True, error_model="numpy")
def order_pairs(wave, nodes, free_slots, n_free):
    """Choose the smaller child of each split node, give it a free histogram, the other its parent's.

    Returns
    -------
    smaller, larger : ndarray of int64, shape (m,)
    """
    smaller = np.empty(len(wave), np.int64)
    larger = np.empty(len(wave), np.int64)
    for k in range(len(wave)):
        left = nodes[wave[k], LEFT]
        n_left = nodes[left, END] - nodes[left, BEGIN]
        n_right = nodes[left + 1, END] - nodes[left + 1, BEGIN]
        smaller[k] = left if n_left <= n_right else left + 1
        larger[k] = 2 * left + 1 - smaller[k]
        nodes[smaller[k], SLOT] = free_slots[n_free - 1 - k]
        nodes[larger[k], SLOT] = nodes[wave[k], SLOT]
    return smaller, larger


@njit(cache=True, nogil=True, error_model="numpy")
def count_and_search(
    smaller, larger, nodes, words, packed, rows, pool, columns, n_bins, is_category, scales,
    reg_lambda, min_child_weight, threads, found, found_sums,
):
    """Count the smaller children, and search both children of each pair; see `search_splits`."""
    n_features = len(n_bins)
    begins, offsets = ranges_of(nodes, smaller)
    counted = np.empty(len(smaller), np.int64)
    others = np.empty(len(smaller), np.int64)
    for k in range(len(smaller)):
        counted[k] = nodes[smaller[k], SLOT]
        others[k] = nodes[larger[k], SLOT] if larger[k] >= 0 else NOTHING
    parts = parts_for(threads, offsets[len(begins)])
    heads = np.empty((parts if parts > 1 else 0, pool.shape[1]), np.int64)
    head_of_part = np.empty(parts, np.int64)
    count_nodes(
        parts, words, packed, rows, begins, offsets, counted, n_features, pool, heads, head_of_part
    )
    searchers = 1 + len(smaller) * len(columns) // 64
    searchers = searchers if searchers < threads else threads
    search_splits(
        searchers, counted, others, columns, pool, heads, head_of_part, parts, n_bins, is_category, scales,
        reg_lambda, min_child_weight, found, found_sums,
    )


@njit(cache=True, nogil=True, error_model="numpy")
def decide(node, nodes, found, found_sums, columns, scales, reg_lambda, gamma):
    """Write the best split found for a node, if it is worth it; return whether it is."""
    item = best_column(found)
    before = packed_similarity(found_sums[0], scales, reg_lambda)
    gain = 0.5 * (found[item, 0] - before) - gamma
    if found[item, 0] < 0.0 or not is_worth_splitting(gain, gamma):
        return False
    nodes[node, COLUMN] = columns[item]
    nodes[node, BIN] = np.int64(found[item, 1])
    nodes[node, MISSING_LEFT] = np.int64(found[item, 2])
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def grow_nodes(
    words, by_column, n_bins, is_category, packed, scales, rows, stage, columns, reg_lambda, gamma,
    min_child_weight, max_depth, threads, pool, nodes, stop_flag,
):
    """Grow a tree on `rows`, which end up in the order of the nodes.

    Parameters
    ----------
    words, by_column, n_bins, is_category
        From `BinnedMatrix`.
    packed, scales
        From `pack_gradients`.
    rows, stage : ndarray of uint32, shape (m,)
        Rows drawn for this tree, and room for as many.
    columns : ndarray of int64, shape (k,)
        Columns drawn for this tree.
    pool : ndarray of int64, shape (n_slots, histogram)
        At least `max_depth + 4` histograms.
    nodes : ndarray of int64, shape (capacity, N_FIELDS)
        Filled; parents before children.
    stop_flag : ndarray of uint8, shape (1,)
        Read before each wave.

    Returns
    -------
    int
        Number of nodes, or STOPPED.
    """
    n_slots = len(pool)
    free_slots = np.empty(n_slots, np.int64)
    for slot in range(n_slots):
        free_slots[slot] = n_slots - 1 - slot
    n_free = n_slots - 1
    pending = np.empty(n_slots, np.int64)
    n_pending = 0
    zero = np.int64(0)
    new_node(nodes, zero, np.int64(NOTHING), zero, len(rows), zero)
    nodes[0, SLOT] = free_slots[n_free]
    n_nodes = np.int64(1)
    smaller = np.zeros(1, np.int64)
    larger = np.empty(1, np.int64)
    larger[0] = NOTHING
    while True:
        if stop_flag[0] != 0:
            return STOPPED
        found = np.empty((2 * len(smaller), len(columns), 3))
        found_sums = np.empty((2 * len(smaller), len(columns)), np.int64)
        count_and_search(
            smaller, larger, nodes, words, packed, rows, pool, columns, n_bins, is_category, scales,
            reg_lambda, min_child_weight, threads, found, found_sums,
        )
        for k in range(2 * len(smaller)):
            node = smaller[k // 2] if k % 2 == 0 else larger[k // 2]
            if node < 0:
                continue
            is_split = decide(node, nodes, found[k], found_sums[k], columns, scales, reg_lambda, gamma)
            depth = nodes[node, DEPTH]
            if is_split and depth + 1 < max_depth:
                pending[n_pending] = node
                n_pending += 1
                continue
            free_slots[n_free] = nodes[node, SLOT]
            n_free += 1
            if is_split:
                nodes[node, LEFT] = n_nodes
                new_node(nodes, n_nodes, node, zero, zero, depth + 1)
                new_node(nodes, n_nodes + 1, node, zero, zero, depth + 1)
                n_nodes += 2
        if n_pending == 0:
            return n_nodes
        width = n_free - max_depth - 2 if n_free - max_depth > 3 else 1
        width = width if width < n_pending else n_pending
        wave = pending[n_pending - width : n_pending]
        n_pending -= width
        n_nodes = split_wave(wave, nodes, n_nodes, by_column, is_category, rows, stage, threads)
        smaller, larger = order_pairs(wave, nodes, free_slots, n_free)
        n_free -= width


@njit(cache=True, nogil=True, error_model="numpy")
def label_leaves(nodes, n_nodes, rows, by_column, is_category, threads, labels):
    """Write to every row of the tree the number of the leaf it ended in.

    Rows belong to leaves, and to splits whose children own none (those of the last level).
    """
    owners = np.empty(n_nodes, np.int64)
    n_owners = 0
    for node in range(n_nodes):
        left = nodes[node, LEFT]
        last_split = left >= 0 and nodes[left, END] == 0
        if (left < 0 or last_split) and nodes[node, END] > 0:
            owners[n_owners] = node
            n_owners += 1
    owners = owners[:n_owners]
    begins, offsets = ranges_of(nodes, owners)
    columns, answers = questions_of(nodes, owners, is_category)
    lefts = np.empty(n_owners, np.int64)
    for k in range(n_owners):
        lefts[k] = nodes[owners[k], LEFT]
    parts = parts_for(threads, offsets[len(begins)])
    label_rows(
        parts, rows, begins, offsets, lefts, columns, answers, by_column, owners, labels
    )
