"""The slow, obvious twin of re-scoring: one tree, node by node, as the formulas read."""

from __future__ import annotations

from typing import NamedTuple


class Scored(NamedTuple):
    weight: dict  # by node that is left
    splits: set  # nodes that still ask
    structure_score: float
    gain: float


def leaf_weight(g, h, lam, alpha, step):
    soft = g - alpha if g > alpha else g + alpha if g < -alpha else 0.0
    weight = -soft / (h + lam) if h + lam > 0 else 0.0
    return max(-step, min(step, weight)) if step else weight


def leaf_score(g, h, lam, alpha, step):
    w = leaf_weight(g, h, lam, alpha, step)
    return g * w + 0.5 * (h + lam) * w * w + alpha * abs(w)


def split_gain(tree, node, lam, alpha):
    n, step = tree.nodes, tree.max_delta_step
    at = (node, n["left"][node], n["right"][node])
    whole, left, right = (leaf_score(n["sum_gradient"][i], n["sum_hessian"][i], lam, alpha, step) for i in at)
    return whole - left - right


def surviving(tree, node, lam, gamma, alpha):
    """Return the splits at and below `node` that are left when pairs of leaves are taken back."""
    if tree.is_leaf[node]:
        return set()
    below = set()
    for side in ("left", "right"):
        below |= surviving(tree, int(tree.nodes[side][node]), lam, gamma, alpha)
    return below | {node} if below or split_gain(tree, node, lam, alpha) >= gamma else set()


def rescored(tree, lam, gamma, alpha):
    n, step = tree.nodes, tree.max_delta_step
    splits = surviving(tree, 0, lam, gamma, alpha)
    present = [i for i in range(tree.n_nodes) if i == 0 or n["parent"][i] in splits]
    sums = {i: (n["sum_gradient"][i], n["sum_hessian"][i]) for i in present}
    weight = {i: leaf_weight(*sums[i], lam, alpha, step) for i in present}
    leaves = [i for i in present if i not in splits]
    score = sum(leaf_score(*sums[i], lam, alpha, step) for i in leaves) + gamma * len(leaves)
    return Scored(weight, splits, score, sum(split_gain(tree, i, lam, alpha) - gamma for i in splits))
