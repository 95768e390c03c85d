"""The figures of nodes from their G and H: weights, scores and gains, as growers take them.

The same operations in the same order, so that a node with the sums of a grown one has its bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.edits.layout import with_nodes
from workbench.explain.node_limits import FREE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.node_limits import Bounds
    from workbench.trees.growing_params import GrowingParams
    from workbench.trees.tree import Nodes, Tree


class Weighing(NamedTuple):
    """What the nodes of a part of a tree are weighed with.

    Attributes
    ----------
    growing : GrowingParams
    direction : ndarray of int8, shape (d,)
        1 or −1 where a column is monotone.
    bounds : Bounds
        Of the part's first node.
    is_restrained : bool
        Whether anything but λ and γ makes weights.
    """

    growing: GrowingParams
    direction: NDArray[np.int8]
    bounds: Bounds = FREE
    is_restrained: bool = False


def weighed(part: Tree, how: Weighing) -> Tree:
    """Return a part of a tree with weights, scores, gains and leaf values from the G and H of its nodes."""
    nodes = part.nodes.copy()
    if how.is_restrained:
        _weigh_restrained(part, nodes, how)
    else:
        _weigh_plainly(nodes, how.growing)
    return with_nodes(part, valued(part, nodes))


def valued(tree: Tree, nodes: Nodes) -> Nodes:
    """Write what each leaf adds, η·w in single precision; return the nodes."""
    is_leaf = nodes["left"] < 0
    nodes["leaf_value"] = np.where(is_leaf, tree.learning_rate * nodes["weight"], 0.0).astype(np.float32)
    return nodes


def _weigh_plainly(nodes: Nodes, growing: GrowingParams) -> None:
    g, h = nodes["sum_gradient"], nodes["sum_hessian"]
    weight = _plain_weight(g, h, growing.reg_lambda)
    nodes["weight"], nodes["structure_score"] = weight, 0.5 * g * weight
    splits = np.flatnonzero(nodes["left"] >= 0)
    left, right = nodes["left"][splits], nodes["right"][splits]
    whole = _similarity(g[left] + g[right], h[left] + h[right], growing.reg_lambda)
    sides = _similarity(g[left], h[left], growing.reg_lambda)
    sides = sides + _similarity(g[right], h[right], growing.reg_lambda)
    nodes["gain"] = 0.0
    nodes["gain"][splits] = 0.5 * (sides - whole) - growing.gamma


def _weigh_restrained(part: Tree, nodes: Nodes, how: Weighing) -> None:
    g, h = nodes["sum_gradient"], nodes["sum_hessian"]
    reg_lambda, alpha = how.growing.reg_lambda, part.reg_alpha
    low, high = np.full(len(nodes), how.bounds.low), np.full(len(nodes), how.bounds.high)

    def weight(
        g: NDArray[np.float64], h: NDArray[np.float64], ends: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        soft = np.where(g > alpha, g - alpha, np.where(g < -alpha, g + alpha, 0.0))
        found = _plain_weight(soft, h, reg_lambda)
        limit = part.max_delta_step or np.inf
        bounded: NDArray[np.float64] = np.clip(np.clip(found, -limit, limit), low[ends], high[ends])
        return bounded

    def score(g: NDArray[np.float64], h: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = g * w + 0.5 * (h + reg_lambda) * w * w + alpha * np.abs(w)
        return found

    nodes["gain"] = 0.0
    splits = np.flatnonzero(nodes["left"] >= 0)
    for depth in np.unique(nodes["depth"][splits]):
        here = splits[nodes["depth"][splits] == depth]
        left, right = nodes["left"][here], nodes["right"][here]
        direction = how.direction[nodes["feature"][here]]
        w_left, w_right = weight(g[left], h[left], here), weight(g[right], h[right], here)
        middle = 0.5 * (w_left + w_right)
        against = direction * (w_right - w_left) < 0.0
        w_left, w_right = np.where(against, middle, w_left), np.where(against, middle, w_right)
        both = g[left] + g[right], h[left] + h[right]
        whole = score(*both, weight(*both, here))
        sides = score(g[left], h[left], w_left) + score(g[right], h[right], w_right)
        nodes["gain"][here] = whole - sides - how.growing.gamma
        for child, rises in ((left, direction < 0), (right, direction > 0)):
            falls = (direction != 0) & ~rises
            low[child] = np.where(rises, middle, low[here])
            high[child] = np.where(falls, middle, high[here])
    nodes["weight"] = weight(g, h, np.arange(len(nodes)))
    nodes["structure_score"] = score(g, h, nodes["weight"])


def _plain_weight(
    g: NDArray[np.float64], h: NDArray[np.float64], reg_lambda: float
) -> NDArray[np.float64]:
    below = h + reg_lambda
    return np.divide(-g, below, out=np.zeros(len(g)), where=below > 0.0)


def _similarity(
    g: NDArray[np.float64], h: NDArray[np.float64], reg_lambda: float
) -> NDArray[np.float64]:
    below = h + reg_lambda
    return np.divide(g * g, below, out=np.zeros(len(g)), where=below > 0.0)
