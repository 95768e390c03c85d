"""The slow, obvious twin of re-scoring: one tree, node by node, as the formulas read.

`signs` gives 1 or −1 for each feature in which the prediction may only rise or fall.
"""

from __future__ import annotations

from typing import NamedTuple

FREE = (float("-inf"), float("inf"))


class Scored(NamedTuple):
    weight: dict  # by node that is left
    splits: set  # nodes that still ask
    structure_score: float
    gain: float


def leaf_weight(g, h, lam, alpha, step, bounds=FREE):
    soft = g - alpha if g > alpha else g + alpha if g < -alpha else 0.0
    weight = -soft / (h + lam) if h + lam > 0 else 0.0
    weight = max(-step, min(step, weight)) if step else weight
    return min(max(weight, bounds[0]), bounds[1])


def score_of(w, g, h, lam, alpha):
    return g * w + 0.5 * (h + lam) * w * w + alpha * abs(w)


def leaf_score(g, h, lam, alpha, step):
    return score_of(leaf_weight(g, h, lam, alpha, step), g, h, lam, alpha)


def weights(tree, lam, alpha, signs):
    """Return the weight of every node: a monotone split bounds its sides midway between them."""
    n, bounds, found = tree.nodes, [FREE] * tree.n_nodes, []
    for node in range(tree.n_nodes):
        def weigh(i, within=bounds[node]):
            return leaf_weight(
                n["sum_gradient"][i], n["sum_hessian"][i], lam, alpha, tree.max_delta_step, within)

        found.append(weigh(node))
        if tree.is_leaf[node]:
            continue
        left, (low, high) = int(n["left"][node]), bounds[node]
        middle = (weigh(left) + weigh(left + 1)) / 2
        lower, upper = ((low, middle), (middle, high))
        sign = signs.get(int(n["feature"][node]), 0)
        bounds[left] = {0: bounds[node], 1: lower, -1: upper}[sign]
        bounds[left + 1] = {0: bounds[node], 1: upper, -1: lower}[sign]
    return found


def split_gain(tree, node, lam, alpha, found=None):
    n, found = tree.nodes, found or weights(tree, lam, alpha, {})
    at = (node, n["left"][node], n["right"][node])
    whole, left, right = (
        score_of(found[i], n["sum_gradient"][i], n["sum_hessian"][i], lam, alpha) for i in at
    )
    return whole - left - right


def surviving(tree, node, lam, gamma, alpha, signs=None):
    """Return the splits at and below `node` that are left when pairs of leaves are taken back."""
    n, found = tree.nodes, weights(tree, lam, alpha, signs or {})

    def alive(node):
        if tree.is_leaf[node]:
            return set()
        below = alive(int(n["left"][node])) | alive(int(n["right"][node]))
        stays = below or n["forced"][node] or split_gain(tree, node, lam, alpha, found) >= gamma
        return below | {node} if stays else set()

    return alive(node)


def rescored(tree, lam, gamma, alpha, signs=None):
    n, found = tree.nodes, weights(tree, lam, alpha, signs or {})
    splits = surviving(tree, 0, lam, gamma, alpha, signs)
    present = [i for i in range(tree.n_nodes) if i == 0 or n["parent"][i] in splits]
    leaves = [i for i in present if i not in splits]
    score = gamma * len(leaves) + sum(
        score_of(found[i], n["sum_gradient"][i], n["sum_hessian"][i], lam, alpha) for i in leaves
    )
    gain = sum(split_gain(tree, i, lam, alpha, found) - gamma for i in splits)
    return Scored({i: found[i] for i in present}, splits, score, gain)
