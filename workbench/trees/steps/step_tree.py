"""A step function as a tree: at each node the cut of those in it that gains most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.tree import NODE_DTYPE, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.steps.points import Points


def step_tree(
    points: Points, cuts: NDArray[np.int64], feature: int, reg_lambda: float, gamma: float
) -> Tree:
    """Return the tree that is constant between cuts (ascending) of the points of a column."""
    stretches = [(0, len(points), -1, 0)]
    rows: list[tuple[int, float, int]] = []  # of each node: its cut, the gain of it, and its left child
    for begin, end, _, depth in stretches:  # which grows as it is walked
        inside = cuts[(cuts > begin) & (cuts < end)]
        if not len(inside):
            rows.append((-1, 0.0, -1))
            continue
        parts = points.scores(begin, inside, reg_lambda) + points.scores(inside, end, reg_lambda)
        place = int(np.argmin(parts))
        gain = float(points.scores(begin, end, reg_lambda) - parts[place]) - gamma
        cut, node = int(inside[place]), len(rows)
        rows.append((cut, gain, len(stretches)))
        stretches += [(begin, cut, node, depth + 1), (cut, end, node, depth + 1)]
    nodes = np.zeros(len(rows), NODE_DTYPE)
    begins, ends, parents, depths = (np.array(field) for field in zip(*stretches, strict=True))
    where, gains, left = (np.array(field) for field in zip(*rows, strict=True))
    is_split = where >= 0
    nodes["feature"] = np.where(is_split, feature, -1)
    nodes["threshold"] = np.where(is_split, _thresholds(points.values, where), np.nan)
    nodes["category"] = -1
    nodes["left"], nodes["right"] = left, np.where(is_split, left + 1, -1)
    nodes["parent"], nodes["depth"] = parents, depths
    nodes["count"] = points.counts[ends] - points.counts[begins]
    g, h = points.gradients[ends] - points.gradients[begins], points.hessians[ends] - points.hessians[begins]
    nodes["sum_gradient"], nodes["sum_hessian"] = g, h
    nodes["weight"] = -g / np.where(h + reg_lambda > 0.0, h + reg_lambda, np.inf)
    nodes["structure_score"], nodes["gain"] = points.scores(begins, ends, reg_lambda), gains
    nodes["leaf_value"] = np.where(is_split, 0.0, nodes["weight"])
    nodes["default_left"] = is_split & (h[left] > h[np.minimum(left + 1, len(h) - 1)])
    nodes.flags.writeable = False
    return Tree(
        nodes, np.zeros(len(nodes) + 1, np.int32), np.empty(0, np.int32), 0, 1.0, reg_lambda, gamma
    )


def _thresholds(values: NDArray[np.float32], cuts: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return what lies midway between the values beside each cut, where float32 has such a number."""
    above = values[np.maximum(cuts, 0)]
    below = values[np.maximum(cuts - 1, 0)].astype(np.float64)
    middle = ((below + above) * 0.5).astype(np.float32)
    return np.where(middle <= below, above, middle)
