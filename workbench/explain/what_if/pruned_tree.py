"""A tree of which some splits have become leaves, and of which all figures may be other ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree


class NewFigures(NamedTuple):
    """Figures of the nodes of a tree, shape (n_nodes,), and what they were made with."""

    weight: NDArray[np.float64]
    structure_score: NDArray[np.float64]
    gain: NDArray[np.float64]
    reg_lambda: float
    gamma: float
    reg_alpha: float


def pruned_tree(tree: Tree, is_split: NDArray[np.bool_], figures: NewFigures) -> Tree:
    """Return the tree in which only the nodes of `is_split` ask on; what is below the others goes.

    Parameters
    ----------
    is_split : ndarray of bool, shape (n_nodes,)
        A split only where the node above is one.
    figures : NewFigures
        By the nodes as they are; gains are read of splits alone.
    """
    kept = np.flatnonzero(_is_present(tree, is_split))
    place = np.full(tree.n_nodes, -1, np.int32)
    place[kept] = np.arange(len(kept))
    asks = is_split[kept]
    nodes = tree.nodes[kept]
    for name in ("left", "right"):
        nodes[name] = np.where(asks, place[nodes[name]], -1)
    nodes["parent"] = np.where(nodes["parent"] < 0, -1, place[nodes["parent"]])
    for name, nothing in (("feature", -1), ("threshold", np.nan), ("category", -1), ("default_left", False)):
        nodes[name] = np.where(asks, nodes[name], nothing)
    nodes["weight"], nodes["structure_score"] = figures.weight[kept], figures.structure_score[kept]
    nodes["gain"] = np.where(asks, figures.gain[kept], 0.0)
    nodes["leaf_value"] = np.where(asks, 0.0, tree.learning_rate * nodes["weight"])
    nodes.flags.writeable = False
    begins, codes = _categories(tree, kept, asks)
    return replace(
        tree, nodes=nodes, category_begin=begins, category_codes=codes, grown_figures=None,
        reg_lambda=figures.reg_lambda, gamma=figures.gamma, reg_alpha=figures.reg_alpha,
    )


def _is_present(tree: Tree, is_split: NDArray[np.bool_]) -> NDArray[np.bool_]:
    parent = tree.nodes["parent"]
    present: NDArray[np.bool_] = np.where(parent < 0, True, is_split[parent])
    return present


def _categories(
    tree: Tree, kept: NDArray[np.intp], asks: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the codes of the splits that stay, one node after another."""
    sizes = np.where(asks, np.diff(tree.category_begin)[kept], 0)
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.category_begin))
    stays = np.zeros(tree.n_nodes, bool)
    stays[kept[asks]] = True
    return begins, tree.category_codes[stays[owner]]
