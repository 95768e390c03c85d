"""The optimal step functions, of all cuts, by dynamic programming.

The best of the first j values in s steps ends with one step from some i on:
best(j, s) = min over i of best(i, s − 1) + score(i, j). Bellman 1961; Jackson et al. 2005.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.steps.step_path import StepPath

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.steps.points import Points

BLOCK = 16  # ends that one pass over the beginnings serves: their rows stay in the fastest cache
TOGETHER = 4  # beginnings of which an end takes the best at once, so that its row is read and written once


@kernel
def step_score(gradients, hessians, begin, end, reg_lambda):
    """Return −½G²/(H+λ) of a stretch of values."""
    g = gradients[end] - gradients[begin]
    h = hessians[end] - hessians[begin] + reg_lambda
    return -0.5 * g * g / h if h > 0.0 else 0.0


@kernel
def _extend(best, begin, end, score):
    """Let one step more, from `begin` to `end`, better the functions of the first `end` values."""
    before, own = best[begin], best[end]
    for s in range(1, len(own)):
        way = before[s - 1] + score
        own[s] = way if way < own[s] else own[s]


@kernel
def _extend_four(best, begin, end, gradients, hessians, reg_lambda):
    """Do what `_extend` does from four beginnings, the first of which is `begin`."""
    first = step_score(gradients, hessians, begin, end, reg_lambda)
    second = step_score(gradients, hessians, begin + 1, end, reg_lambda)
    third = step_score(gradients, hessians, begin + 2, end, reg_lambda)
    fourth = step_score(gradients, hessians, begin + 3, end, reg_lambda)
    one, two, three, four, own = best[begin], best[begin + 1], best[begin + 2], best[begin + 3], best[end]
    for s in range(len(own) - 1):
        way, second_way = one[s] + first, two[s] + second
        third_way, fourth_way = three[s] + third, four[s] + fourth
        way = second_way if second_way < way else way
        third_way = fourth_way if fourth_way < third_way else third_way
        way = third_way if third_way < way else way
        known = own[s + 1]
        own[s + 1] = way if way < known else known


@kernel
def fill_best(gradients, hessians, reg_lambda, best, stop_flag):
    """Fill the least score of the first j values in s steps, for all j and s.

    Parameters
    ----------
    best : ndarray of float64, shape (m + 1, s + 1)
        Filled; entry 0 is of no step.
    stop_flag : ndarray of uint8, shape (1,)
        1 where the rest is not wanted.
    """
    m = len(best) - 1
    for j in range(m + 1):
        for s in range(best.shape[1]):
            best[j, s] = np.inf
    best[0, 0] = 0.0
    for first in range(1, m + 1, BLOCK):
        if stop_flag[0]:
            return
        last = first + BLOCK if first + BLOCK < m + 1 else m + 1
        whole = first // TOGETHER * TOGETHER
        for begin in range(0, whole, TOGETHER):
            for end in range(first, last):
                _extend_four(best, begin, end, gradients, hessians, reg_lambda)
        for begin in range(whole, last - 1):
            for end in range(begin + 1 if begin + 1 > first else first, last):
                _extend(best, begin, end, step_score(gradients, hessians, begin, end, reg_lambda))


def optimal_steps(
    points: Points, reg_lambda: float, most: int, stop_flag: NDArray[np.uint8] | None = None
) -> StepPath:
    """Return the best step functions of up to `most` steps, O(m² · most)."""
    most = min(most, len(points))
    best = np.empty((len(points) + 1, most + 1))
    never = np.zeros(1, np.uint8) if stop_flag is None else stop_flag
    fill_best(points.gradients, points.hessians, float(reg_lambda), best, never)
    return StepPath(best[-1, 1:].copy(), partial(_cuts, points, reg_lambda, best), "all")


def _cuts(points: Points, reg_lambda: float, best: NDArray[np.float64], steps: int) -> NDArray[np.int64]:
    """Go back from the end: the beginning of each last step is where the least score came from."""
    cuts, end = [], len(points)
    for s in range(steps, 1, -1):
        begins = np.arange(s - 1, end)
        end = int(begins[np.argmin(best[begins, s - 1] + points.scores(begins, end, reg_lambda))])
        cuts.append(end)
    return np.array(cuts[::-1], np.int64)
