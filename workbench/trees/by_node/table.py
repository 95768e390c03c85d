"""From the nodes that were grown to trees: the records of every node, a tree for each class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.by_node.impurity import IMPURITIES
from workbench.trees.by_node.memory import (
    BEGIN,
    COLUMN,
    DEPTH,
    END,
    LEFT,
    MISSING_LEFT,
    NOTHING,
    PARENT,
    SET_BEGIN,
    SET_END,
)
from workbench.trees.class_impurity import class_counts, impurity_decrease
from workbench.trees.tree import NODE_DTYPE, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.by_node.coded_columns import CodedColumns
    from workbench.trees.by_node.memory import NodeMemory
    from workbench.trees.by_node.target import NodeTarget


CRITERIA = {number: name for name, number in IMPURITIES.items()}


def filled_trees(
    columns: CodedColumns, memory: NodeMemory, n_nodes: int, target: NodeTarget, criterion: int, votes: bool
) -> tuple[Tree, ...]:
    """Return a tree for each class, but one for two classes and for numbers.

    The gain of a split of classes is what it lowers the impurity of all of them by, the same in every tree.
    """
    nodes, sums = memory.nodes[:n_nodes], memory.sums[:n_nodes]
    several = target.n_classes > 2
    weight = sums.sum(axis=1) if several else sums[:, 0]
    shape = _structure(columns, memory, nodes, weight)
    begins, codes = _sets(memory, nodes)
    parts = list(sums.T) if several else [sums[:, 1] + target.middle * weight]
    trees = []
    gain = _decreases(shape, np.array(parts), weight, criterion) if target.n_classes else None
    for k, part in enumerate(parts):
        table = shape.copy()
        _fill_sums(table, part, weight)
        if gain is not None:
            table["gain"] = gain
        if votes and target.n_classes:
            _let_vote(table, sums.argmax(axis=1) == k if several else 2.0 * part > weight)
        table.flags.writeable = False
        trees.append(Tree(table, begins, codes, k, learning_rate=1.0, reg_lambda=0.0, gamma=0.0))
    return tuple(trees)


def _structure(
    columns: CodedColumns, memory: NodeMemory, nodes: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.void]:
    """Return the nodes with their questions, without their sums."""
    table = np.zeros(len(nodes), NODE_DTYPE)
    split = nodes[:, LEFT] != NOTHING
    left = nodes[split, LEFT]
    for name, field in (("left", LEFT), ("parent", PARENT), ("depth", DEPTH)):
        table[name] = nodes[:, field]
    table["right"] = np.where(split, nodes[:, LEFT] + 1, NOTHING)
    table["feature"] = np.where(split, nodes[:, COLUMN], NOTHING)
    table["count"] = nodes[:, END] - nodes[:, BEGIN]
    table["threshold"] = np.where(split, memory.thresholds[: len(nodes)], np.nan)
    heavier_left = weight[left] >= weight[left + 1]
    missing = nodes[split, MISSING_LEFT]
    table["default_left"][split] = np.where(missing == NOTHING, heavier_left, missing == 1)
    asks = nodes[:, SET_END] > nodes[:, SET_BEGIN]
    table["category"] = NOTHING
    for node in np.flatnonzero(asks):
        own = memory.members[nodes[node, SET_BEGIN] : nodes[node, SET_END]]
        own.sort()
        table["category"][node] = own[0]
    return table


def _sets(memory: NodeMemory, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return `category_begin` and `category_codes`."""
    sizes = nodes[:, SET_END] - nodes[:, SET_BEGIN]
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    return begins, memory.members[: begins[-1]].copy()  # written in the order of the nodes


def _fill_sums(table: NDArray[np.void], part: NDArray[np.float64], weight: NDArray[np.float64]) -> None:
    """Fill what follows from a sum and a weight: G = −part, H = weight, and the mean of the leaf."""
    mean = np.divide(part, weight, out=np.zeros(len(part)), where=weight > 0.0)
    score = part * mean
    split = np.flatnonzero(table["left"] >= 0)
    left = table["left"][split]
    table["sum_gradient"], table["sum_hessian"], table["weight"] = -part, weight, mean
    table["structure_score"] = -0.5 * score
    table["gain"][split] = 0.5 * (score[left] + score[left + 1] - score[split])
    table["leaf_value"] = np.where(table["left"] < 0, mean, 0.0)


def _decreases(
    shape: NDArray[np.void], parts: NDArray[np.float64], weight: NDArray[np.float64], criterion: int
) -> NDArray[np.float64]:
    """Return what each split lowers the impurity of the classes by; 0 in leaves."""
    counts = class_counts(-parts, weight)
    gain, split = np.zeros(len(shape)), np.flatnonzero(shape["left"] >= 0)
    left = shape["left"][split]
    gain[split] = impurity_decrease(counts[left], counts[left + 1], CRITERIA.get(criterion, "gini"))
    return gain


def _let_vote(table: NDArray[np.void], is_likeliest: NDArray[np.bool_]) -> None:
    """Let each leaf hold 1 where the class is its likeliest, else 0."""
    leaf = table["left"] < 0
    vote = is_likeliest[leaf].astype(np.float64)
    g, h = table["sum_gradient"][leaf], table["sum_hessian"][leaf]
    table["weight"][leaf], table["leaf_value"][leaf] = vote, vote
    table["structure_score"][leaf] = g * vote + 0.5 * h * vote * vote
