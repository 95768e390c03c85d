"""What held a node back while it grew: bounds of its weight, and the columns that it might ask about."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.tree_rules import columns_on_path
from workbench.explain.node_figures import path_to
from workbench.explain.reasons import Why

if TYPE_CHECKING:
    from collections.abc import Container

    from numpy.typing import NDArray

    from workbench.ensembles.tree_plan import TreePlan
    from workbench.trees.tree import Tree


class Bounds(NamedTuple):
    """Lowest and highest weight of a node."""

    low: float = -np.inf
    high: float = np.inf


FREE = Bounds()


class NodeLimits(NamedTuple):
    """What restrains a node.

    Attributes
    ----------
    bounds : Bounds
    is_drawn : ndarray of bool, shape (d,)
        Columns that were drawn for its tree.
    may_ask : ndarray of bool, shape (d,)
        Columns that it might ask about: drawn for tree, level and node, and allowed on this path.
    may_stand : ndarray of bool, shape (d,)
        Columns that may stand on one path with those asked about above.
    """

    bounds: Bounds
    is_drawn: NDArray[np.bool_]
    may_ask: NDArray[np.bool_]
    may_stand: NDArray[np.bool_]


def node_limits(tree: Tree, plan: TreePlan, node: int, n_columns: int) -> NodeLimits:
    """Return what restrained a node of a tree."""
    drawn = np.zeros(n_columns, np.bool_)
    drawn[plan.columns if plan.rules is None else plan.rules.drawn_columns] = True
    if plan.rules is None:
        return NodeLimits(FREE, drawn, drawn, np.ones(n_columns, np.bool_))
    path = path_to(tree, node)
    asked = [
        (int(tree.nodes["feature"][parent]), int(child == tree.nodes["right"][parent]))
        for parent, child in pairwise(path)
    ]
    own = columns_on_path(plan.rules, asked)
    return NodeLimits(_bounds(tree, path, plan.rules.monotone), drawn, own.may_ask, own.may_stand)


def why_not_asked(limits: NodeLimits, column: int, allowed: Container[int]) -> Why | None:
    """Return why a node might not ask about a column; None where it might.

    `allowed` are the columns that splits of the run may ask about.
    """
    if limits.may_ask[column]:
        return None
    if column not in allowed:
        return Why.FORBIDDEN
    if not limits.is_drawn[column]:
        return Why.NOT_DRAWN
    return Why.NOT_DRAWN_HERE if limits.may_stand[column] else Why.APART


def _bounds(tree: Tree, path: tuple[int, ...], monotone: NDArray[np.int8]) -> Bounds:
    """Return the bounds of the last node of a path: midway between the sides of each monotone split."""
    bounds = FREE
    for parent, child in pairwise(path):
        record = tree.nodes[parent]
        side = int(child == record["right"])
        bounds = bounds_after(tree, parent, side, int(monotone[record["feature"]]), bounds)
    return bounds


def bounds_after(tree: Tree, node: int, side: int, direction: int, bounds: Bounds) -> Bounds:
    """Return the bounds on one side of a split that has these itself, 0 for "yes" or 1 for "no".

    Parameters
    ----------
    direction : int
        1 or −1 where its column is monotone, 0 otherwise.
    """
    if not direction:
        return bounds
    record = tree.nodes[node]
    sides = [held_weight(tree, int(record[name]), bounds) for name in ("left", "right")]
    middle = 0.5 * (sides[0] + sides[1])
    is_lower = (side == 0) == (direction > 0)
    return Bounds(bounds.low, middle) if is_lower else Bounds(middle, bounds.high)


def held_weight(tree: Tree, node: int, bounds: Bounds) -> float:
    """Return −soft(G, α)/(H+λ) of a node, at most δ in size, within bounds."""
    g, h = float(tree.nodes["sum_gradient"][node]), float(tree.nodes["sum_hessian"][node])
    soft = np.sign(g) * max(abs(g) - tree.reg_alpha, 0.0)
    weight = -soft / (h + tree.reg_lambda) if h + tree.reg_lambda > 0 else 0.0
    limit = tree.max_delta_step or np.inf
    return float(min(max(min(max(weight, -limit), limit), bounds.low), bounds.high))
