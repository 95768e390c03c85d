"""The λ at which splits die where a largest step δ or monotone columns hold the weights.

Gains are no fractions of λ then, so the last λ at which a split gains γ is bracketed on a grid and halved
down to. Bounds from monotone columns are followed down the way to each split, at a λ of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.what_if.rescoring import soft_threshold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.what_if.rescoring import Rescored
    from workbench.explain.what_if.tree_sums import TreeSums

GRID = np.concatenate([[0.0], np.geomspace(1e-14, 1.0, 100)])  # a third from one to the next
LARGE = 1e6  # in units of H: beyond, nothing but γ matters
HALVINGS = 46


def largest_held_lambda(rescored: Rescored) -> NDArray[np.float64]:
    """Return the largest λ ≥ 0 at which each split gains γ, shape (s,).

    ∞ where it gains γ at every large λ, −∞ where at none.
    """
    sums, gamma = rescored.sums, rescored.gamma[rescored.sums.tree_of_split]
    gains = _Gains(rescored)
    size = np.abs(sums.g[sums.left]) + np.abs(sums.g[sums.left + 1])
    far = np.divide(size**2, gamma, out=np.zeros(sums.n_splits), where=gamma > 0)
    far = np.maximum(far, LARGE * np.maximum(sums.h[sums.split], 1e-12))
    last = np.full(sums.n_splits, -1)
    for place, share in enumerate(GRID):
        last[gains.at(share * far) >= gamma] = place
    low, high = (GRID[np.clip(place, 0, len(GRID) - 1)] * far for place in (last, last + 1))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        holds = gains.at(middle) >= gamma
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    return np.where(last < 0, -np.inf, np.where(last == len(GRID) - 1, np.inf, low))


class _Nodes(NamedTuple):
    """A node for every split: soft(G, α) and H, shape (s,)."""

    soft: NDArray[np.float64]
    h: NDArray[np.float64]


class _Above(NamedTuple):
    """A split above every split: its sides, its direction, and whether the way goes to "yes"."""

    yes: _Nodes
    no: _Nodes
    direction: NDArray[np.int8]
    goes_left: NDArray[np.bool_]


class _Gains:
    """What every split takes off before γ, each at a λ of its own."""

    def __init__(self, rescored: Rescored) -> None:
        sums, self._direction = rescored.sums, rescored.sums.direction
        soft = soft_threshold(sums.g, rescored.reg_alpha[sums.tree_of_node])
        self._limit = np.where(sums.max_delta_step > 0, sums.max_delta_step, np.inf)[sums.tree_of_split]
        own, self._yes, self._no = (
            _Nodes(soft[node], sums.h[node]) for node in (sums.split, sums.left, sums.left + 1)
        )
        self._own, self._above = own, [
            _Above(_Nodes(soft[yes], sums.h[yes]), _Nodes(soft[yes + 1], sums.h[yes + 1]), direction, left)
            for yes, direction, left in _ways(sums)
        ]
        self._alpha = rescored.reg_alpha[sums.tree_of_split]
        self._g = tuple(sums.g[node] for node in (sums.split, sums.left, sums.left + 1))

    def at(self, reg_lambda: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the gains at these λ, both of shape (s,)."""
        low, high = np.full(len(reg_lambda), -np.inf), np.full(len(reg_lambda), np.inf)
        for above in self._above:
            yes, no = (self._weigh(node, reg_lambda, low, high) for node in above[:2])
            middle, is_lower = 0.5 * (yes + no), above.goes_left == (above.direction > 0)
            low = np.where((above.direction != 0) & ~is_lower, middle, low)
            high = np.where((above.direction != 0) & is_lower, middle, high)
        own, yes, no = (
            self._weigh(node, reg_lambda, low, high) for node in (self._own, self._yes, self._no)
        )
        middle, turned = 0.5 * (yes + no), self._direction * (no - yes) < 0
        weights = own, np.where(turned, middle, yes), np.where(turned, middle, no)
        nodes = (self._own, self._yes, self._no)
        whole, left, right = (
            g * w + 0.5 * (node.h + reg_lambda) * w * w + self._alpha * np.abs(w)
            for g, node, w in zip(self._g, nodes, weights, strict=True)
        )
        gain: NDArray[np.float64] = whole - left - right
        return gain

    def _weigh(
        self, node: _Nodes, reg_lambda: NDArray[np.float64], low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        below = node.h + reg_lambda
        weight = np.divide(-node.soft, below, out=np.zeros(len(below)), where=below > 0)
        return np.clip(np.clip(weight, -self._limit, self._limit), low, high)


def _ways(
    sums: TreeSums,
) -> list[tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.bool_]]]:
    """Return of the splits above every split, those next to the root first, what `_Above` is made of.

    Where there is none any more, one without direction. Nothing where no column is monotone.
    """
    yes, direction, split = np.append(sums.left, 0), np.append(sums.direction, 0), np.append(sums.split, 0)
    node, ways = sums.split, []
    above = sums.parent_split[node]
    while sums.direction.any() and (above < sums.n_splits).any():
        ways.append((yes[above], direction[above], node == yes[above]))
        node = split[above]
        above = np.where(above < sums.n_splits, sums.parent_split[node], above)
    return ways[::-1]
