"""Weights of leaves, and constants, by the loss's own line search, where G/H says little of it.

For leaves see Friedman, Greedy function approximation (2001), eq. 18.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

MOST_STEPS = 60
NEAR = 1e-9
LONGEST_STEP = 1e38  # what single precision holds
LEAST_CURVATURE = 1e-150  # that is divided by


class SearchedRows(NamedTuple):
    """The training rows before a tree whose leaves search their weights.

    Attributes
    ----------
    residuals, gradients, weights : ndarray of float64, shape (n,)
        y − ŷ; g, times the weight; and the weight, with how often the row was drawn.
    drawn : ndarray of integers, shape (m,)
        The rows that grew the tree.
    leaf : ndarray of int32, shape (m,)
        Where each of them falls.
    n_nodes : int
    n_outputs : int
        Raw predictions a row.
    """

    residuals: NDArray[np.float64]
    gradients: NDArray[np.float64]
    weights: NDArray[np.float64]
    drawn: NDArray[np.integer[Any]]
    leaf: NDArray[np.int32]
    n_nodes: int
    n_outputs: int = 1

    @property
    def largest_gradient(self) -> float:
        """The largest |g| of a row, its weight aside."""
        heavy = self.weights > 0
        return float((np.abs(self.gradients[heavy]) / self.weights[heavy]).max(initial=0.0))


def weighted_quantile(
    values: NDArray[np.float64], weight: NDArray[np.float64], share: float, *, midway: bool = True
) -> float:
    """Return where the weight of the values below comes to `share` of all.

    Where it does exactly: midway to the next value, or at the lower of the two. Without weight 0.
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
    exact = midway and abs(below[place] - aim) <= 1e-12 * below[-1] and place + 1 < len(ordered)
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


def least_constant(
    sums: Callable[[float], tuple[float, float, float]], starts: Iterable[float]
) -> float:
    """Return the constant of the least loss: Newton's steps −G/H, halved until the loss does not rise.

    Parameters
    ----------
    sums : callable
        The summed loss, G and H where every row has this constant; a WorkbenchError where it has none there.
    starts : iterable of float
        Where to begin: the first, which must have them, or a later one where the loss is less.
    """
    first, *others = starts
    here, best = first, sums(first)
    for start in others:
        there = _sums_or_none(sums, start)
        if there is not None and not there[0] >= best[0]:
            here, best = start, there
    for _ in range(MOST_STEPS):
        loss, g, h = best
        step = float(np.clip(-g / h, -LONGEST_STEP, LONGEST_STEP)) if h > 0 else 0.0
        bound = loss + 1e-12 * (1.0 + abs(loss))
        while abs(step) > NEAR * (1.0 + abs(here)):
            there = _sums_or_none(sums, here + step)
            if there is not None and there[0] <= bound:
                here, best = here + step, there
                break
            step *= 0.5
        else:
            break
    return here


def _sums_or_none(
    sums: Callable[[float], tuple[float, float, float]], constant: float
) -> tuple[float, float, float] | None:
    try:
        found = sums(constant)
    except WorkbenchError:
        return None
    return found if all(np.isfinite(found)) else None


def one_huber_step(values: NDArray[np.float64], weight: NDArray[np.float64], slope: float) -> float:
    """Return the median and the mean of what is left of it, clipped (Friedman 2001, algorithm 4)."""
    if not weight.any():
        return 0.0
    middle = weighted_quantile(values, weight, 0.5, midway=False)
    return middle + float(np.average(np.clip(values - middle, -slope, slope), weights=weight))


def quotients_by_leaf(
    above: NDArray[np.float64], below: NDArray[np.float64], rows: SearchedRows
) -> NDArray[np.float64]:
    """Return Σ above / Σ below over the drawn rows of each leaf, shape (n_nodes,); 0 where there are none."""
    sums = (np.bincount(rows.leaf, values, rows.n_nodes) for values in (above, below))
    numerator, denominator = sums
    return np.divide(
        numerator, denominator, out=np.zeros(rows.n_nodes), where=denominator > LEAST_CURVATURE
    )


def by_leaf(
    search: Callable[[NDArray[np.float64], NDArray[np.float64]], float], rows: SearchedRows
) -> NDArray[np.float64]:
    """Return `search(residual, weight)` of the drawn rows of each leaf, shape (n_nodes,); 0 without rows."""
    found = np.zeros(rows.n_nodes)
    order = np.argsort(rows.leaf, kind="stable")
    ends = np.searchsorted(rows.leaf[order], np.arange(rows.n_nodes + 1))
    drawn = rows.drawn[order]
    residual, weight = rows.residuals[drawn], rows.weights[drawn]
    for node in np.flatnonzero(np.diff(ends)):
        here = slice(ends[node], ends[node + 1])
        found[node] = search(residual[here], weight[here])
    return found
