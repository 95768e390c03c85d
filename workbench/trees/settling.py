"""From the nodes as they were grown to the tree as it is kept: true sums, true gains, final numbers.

The search reads sums of rounded gradients. Once the leaves are summed in full precision, a split whose
true gain does not pay, or whose child has too little hessian after all, is undone with all below it:
what pre-stopping would have done had it known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from workbench.trees.structure_score import is_worth_splitting, split_gain

# Fields of a grown node.
BEGIN, END, DEPTH, PARENT, LEFT, COLUMN, BIN, MISSING_LEFT, SLOT = range(9)
N_FIELDS = 9


class SettledNodes(NamedTuple):
    """The nodes that stay, breadth-first, siblings adjacent.

    Attributes
    ----------
    source : ndarray of int64, shape (n_nodes,)
        Number of the grown node.
    left, parent : ndarray of int64, shape (n_nodes,)
        −1 in a leaf, −1 at the root.
    gain : ndarray of float64, shape (n_nodes,)
    sums : ndarray of float64, shape (n_grown, 3)
        G, H and count of every grown node.
    final : ndarray of int64, shape (n_grown,)
        Number of the kept node that each grown node is, or has been undone into.
    """

    source: np.ndarray
    left: np.ndarray
    parent: np.ndarray
    gain: np.ndarray
    sums: np.ndarray
    final: np.ndarray


@njit(cache=True, nogil=True, error_model="numpy")
def add_up(nodes, sums):
    """Give every inner node the sums of its children; children have higher numbers than parents."""
    for node in range(len(sums) - 1, -1, -1):
        left = nodes[node, LEFT]
        if left >= 0:
            for field in range(3):
                sums[node, field] = sums[left, field] + sums[left + 1, field]


@njit(cache=True, nogil=True, error_model="numpy")
def true_gain(sums, left, reg_lambda, gamma):
    """Return the gain of a split from the full-precision sums of its children."""
    right = left + 1
    return split_gain(sums[left, 0], sums[left, 1], sums[right, 0], sums[right, 1], reg_lambda, gamma)


@njit(cache=True, nogil=True, error_model="numpy")
def settle(nodes, sums, reg_lambda, gamma, min_child_weight):
    """Decide which grown nodes stay, and number them breadth-first.

    Parameters
    ----------
    nodes : ndarray of int64, shape (n_grown, N_FIELDS)
    sums : ndarray of float64, shape (n_grown, 3)
        G, H and count of the leaves; filled for the inner nodes.

    Returns
    -------
    tuple
        `SettledNodes`, in the order of its fields.
    """
    n_grown = len(sums)
    add_up(nodes, sums)
    source = np.zeros(n_grown, np.int64)
    left = np.full(n_grown, -1, np.int64)
    parent = np.full(n_grown, -1, np.int64)
    gain = np.zeros(n_grown)
    final = np.full(n_grown, -1, np.int64)
    n_kept = 1
    node = 0
    while node < n_kept:
        grown = source[node]
        final[grown] = node
        child = nodes[grown, LEFT]
        if child >= 0:
            value = true_gain(sums, child, reg_lambda, gamma)
            heavy = sums[child, 1] >= min_child_weight and sums[child + 1, 1] >= min_child_weight
            if heavy and is_worth_splitting(value, gamma):
                gain[node] = value
                left[node] = n_kept
                for side in range(2):
                    source[n_kept + side] = child + side
                    parent[n_kept + side] = node
                n_kept += 2
        node += 1
    for grown in range(1, n_grown):
        if final[grown] < 0:
            final[grown] = final[nodes[grown, PARENT]]
    return source[:n_kept], left[:n_kept], parent[:n_kept], gain[:n_kept], sums, final
