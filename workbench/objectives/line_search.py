"""Leaf weights by the loss's own line search, where G/H says little of it (Friedman 2001, eq. 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MOST_STEPS = 60


def weighted_quantile(values: NDArray[np.float64], weight: NDArray[np.float64], share: float) -> float:
    """Return where the weight of the values below comes to `share` of all; midway where it does exactly.

    Without weight 0.
    """
    order = np.argsort(values, kind="stable")
    order = order[weight[order] > 0]
    if not len(order):
        return 0.0
    ordered = values[order]
    below = np.cumsum(weight[order])
    aim = share * below[-1]
    place = int(np.searchsorted(below, aim * (1 - 1e-12)))
    place = min(place, len(ordered) - 1)
    exact = abs(below[place] - aim) <= 1e-12 * below[-1] and place + 1 < len(ordered)
    return float(0.5 * (ordered[place] + ordered[place + 1]) if exact else ordered[place])


def clipped_mean(values: NDArray[np.float64], weight: NDArray[np.float64], slope: float) -> float:
    """Return v with Σ w·clip(r − v, ±slope) = 0, by Newton's steps held within a shrinking bracket."""
    if not weight.any():
        return 0.0
    present = values[weight > 0]
    low, high = float(present.min()), float(present.max())
    v = weighted_quantile(values, weight, 0.5)
    for _ in range(MOST_STEPS):
        distance = values - v
        pull = float((weight * np.clip(distance, -slope, slope)).sum())
        low, high = (v, high) if pull > 0 else (low, v)
        inside = float(weight[np.abs(distance) < slope].sum())
        step = v + pull / inside if inside > 0 else 0.5 * (low + high)
        step = step if low <= step <= high else 0.5 * (low + high)
        if abs(step - v) <= 1e-12 * (1.0 + abs(v)):
            return step
        v = step
    return v


def by_leaf(
    search: Callable[[NDArray[np.float64], NDArray[np.float64]], float],
    residual: NDArray[np.float64],
    weight: NDArray[np.float64],
    leaf: NDArray[np.int32],
    n_nodes: int,
) -> NDArray[np.float64]:
    """Return `search(residual, weight)` of the rows of each leaf, shape (n_nodes,); 0 without rows."""
    found = np.zeros(n_nodes)
    order = np.argsort(leaf, kind="stable")
    ends = np.searchsorted(leaf[order], np.arange(n_nodes + 1))
    for node in np.flatnonzero(np.diff(ends)):
        rows = order[ends[node] : ends[node + 1]]
        found[node] = search(residual[rows], weight[rows])
    return found
