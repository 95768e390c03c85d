"""From the arrays that a kernel filled to the tree that is kept."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.bins.binning import MISSING_BIN
from workbench.trees.tree import Tree, TreeFigures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from workbench.trees.growing_params import GrowingParams
    from workbench.trees.restraints import Rules

MOST_DEPTH = 40  # beyond, a full tree has more nodes than there can be rows


def node_capacity(n_rows: int, params: GrowingParams) -> int:
    """Return how many nodes a tree on so many rows can have at most."""
    capacity = 2 * n_rows + 1
    if params.max_depth:
        capacity = min(capacity, 2 ** min(params.max_depth + 1, MOST_DEPTH))
    if params.max_leaves:
        capacity = min(capacity, 2 * params.max_leaves)
    return capacity


def category_sets(
    table: NDArray[np.void],
    yes: NDArray[np.int64],
    codes: NDArray[np.int32],
    bins_of_levels: Mapping[int, NDArray[np.uint8]] = MappingProxyType({}),
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return `category_begin` and `category_codes` of a tree whose questions are bits of bins.

    Parameters
    ----------
    table : structured ndarray of NODE_DTYPE, shape (n_nodes,)
    yes : ndarray of int64, shape (n_nodes, 4)
        A bit for each bin that answers "yes".
    codes : ndarray of int32, shape (d, 254)
        Code of the category in each bin.
    bins_of_levels : mapping of int to ndarray of uint8
        Bin of each code, in columns where bins hold several; see `category_groups`.
    """
    begins = np.zeros(len(table) + 1, np.int32)
    asking = np.flatnonzero(table["category"] >= 0)
    words = np.ascontiguousarray(yes[asking]).view(np.uint8)
    bits = np.unpackbits(words, axis=1, bitorder="little")[:, : codes.shape[1]]
    if not bins_of_levels:
        begins[asking + 1] = bits.sum(axis=1)
        places, bins = np.nonzero(bits)
        return np.cumsum(begins, dtype=np.int32), codes[table["feature"][asking[places]], bins]
    sets = [
        _members(own, codes[table["feature"][node]], bins_of_levels.get(int(table["feature"][node])))
        for node, own in zip(asking, bits, strict=True)
    ]
    table["category"][asking] = [members[0] for members in sets]
    begins[asking + 1] = [len(members) for members in sets]
    return np.cumsum(begins, dtype=np.int32), np.concatenate([np.empty(0, np.int32), *sets])


def _members(
    bits: NDArray[np.uint8], codes: NDArray[np.int32], bins: NDArray[np.uint8] | None
) -> NDArray[np.int32]:
    """Return the codes, ascending, whose bins have their bit set."""
    if bins is None:
        return codes[np.flatnonzero(bits)]
    wanted = np.zeros(MISSING_BIN + 1, np.bool_)
    wanted[: len(bits)] = bits == 1
    return np.flatnonzero(wanted[bins[:-2]]).astype(np.int32)


def kept_tree(
    table: NDArray[np.void],
    figures: NDArray[np.float64],
    params: GrowingParams,
    class_index: int,
    sets: tuple[NDArray[np.int32], NDArray[np.int32]] | None,
    rules: Rules | None = None,
) -> Tree:
    """Return a tree with copies of these arrays.

    Parameters
    ----------
    table : structured ndarray of NODE_DTYPE, shape (n_nodes,)
    figures : ndarray of float64, shape (6,)
        `TreeFigures`.
    sets : tuple of ndarray of int32, optional
        `category_begin` and `category_codes`, where any column holds categories.
    """
    nodes = np.frombuffer(table.tobytes(), table.dtype)  # `copy` takes records field by field
    begins, codes = sets or (np.zeros(len(nodes) + 1, np.int32), np.empty(0, np.int32))
    leaves, depth, *sums = figures.tolist()
    return Tree(
        nodes, begins, codes, class_index, params.learning_rate, params.reg_lambda, params.gamma,
        TreeFigures(int(leaves), int(depth), *sums),
        reg_alpha=0.0 if rules is None else rules.reg_alpha,
        max_delta_step=0.0 if rules is None else rules.max_delta_step,
    )


def with_leaf_weights(tree: Tree, weights: NDArray[np.float64]) -> Tree:
    """Return a tree with other leaf weights, shape (n_nodes,), held to its δ; splits keep theirs."""
    nodes = tree.nodes.copy()
    leaf = tree.is_leaf
    limit = tree.max_delta_step or np.inf
    nodes["weight"][leaf] = np.clip(weights[leaf], -limit, limit)
    nodes["leaf_value"][leaf] = tree.learning_rate * nodes["weight"][leaf]
    g, h, w = (nodes[name] for name in ("sum_gradient", "sum_hessian", "weight"))
    scores = g * w + 0.5 * (h + tree.reg_lambda) * w * w + tree.reg_alpha * np.abs(w)
    nodes["structure_score"] = np.where(leaf, scores, nodes["structure_score"])
    nodes.flags.writeable = False
    return replace(tree, nodes=nodes, grown_figures=None)
