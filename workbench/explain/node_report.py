"""How the gain of a split comes about, recomputed from the sums that the tree keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.trees.tree import Tree


@dataclass(frozen=True)
class NodeSums:
    """A node as the formulas see it: G, H, w* = −G/(H+λ) and its score −½G²/(H+λ)."""

    node: int
    count: int
    sum_gradient: float
    sum_hessian: float
    weight: float
    structure_score: float


@dataclass(frozen=True)
class NodeReport:
    """A node, and if it is a split, its children and its gain.

    Attributes
    ----------
    own : NodeSums
    children : tuple of NodeSums
        Left and right, or empty in a leaf.
    gain : float
        score − (score_L + score_R) − γ = ½[G_L²/(H_L+λ) + G_R²/(H_R+λ) − G²/(H+λ)] − γ; 0 in a leaf.
    """

    own: NodeSums
    children: tuple[NodeSums, ...]
    gain: float


def node_report(tree: Tree, node: int) -> NodeReport:
    """Return the sums of a node and the gain that follows from those of its children."""
    own = _sums(tree, node)
    left = int(tree.nodes["left"][node])
    if left < 0:
        return NodeReport(own, (), 0.0)
    children = (_sums(tree, left), _sums(tree, left + 1))
    after = sum(child.structure_score for child in children)
    return NodeReport(own, children, own.structure_score - after - tree.gamma)


def _sums(tree: Tree, node: int) -> NodeSums:
    record = tree.nodes[node]
    g, h = float(record["sum_gradient"]), float(record["sum_hessian"])
    weight = -g / (h + tree.reg_lambda) if h + tree.reg_lambda > 0.0 else 0.0
    return NodeSums(node, int(record["count"]), g, h, weight, 0.5 * g * weight)
