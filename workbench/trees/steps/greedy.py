"""Top-down: the stretch whose best cut gains most is cut, again and again."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.steps.step_path import StepPath

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.steps.points import Points


def best_cut(points: Points, begin: int, end: int, reg_lambda: float) -> tuple[float, int]:
    """Return what the best cut of a stretch of values gains, without γ, and where it is, the first of equals.

    A stretch of one value has none: it gains −∞.
    """
    if end - begin < 2:
        return -np.inf, begin
    cuts = np.arange(begin + 1, end)
    parts = points.scores(begin, cuts, reg_lambda) + points.scores(cuts, end, reg_lambda)
    place = int(np.argmin(parts))
    return float(points.scores(begin, end, reg_lambda) - parts[place]), int(cuts[place])


def greedy_steps(points: Points, reg_lambda: float, most: int) -> StepPath:
    """Return the step functions of up to `most` steps that greedy cuts make."""
    waiting: list[tuple[float, int, int, int]] = []

    def wait(begin: int, end: int) -> None:
        gain, cut = best_cut(points, begin, end, reg_lambda)
        if np.isfinite(gain):
            heappush(waiting, (-gain, begin, cut, end))

    scores, cuts = [float(points.scores(0, len(points), reg_lambda))], []
    wait(0, len(points))
    while waiting and len(scores) < most:
        loss, begin, cut, end = heappop(waiting)
        scores.append(scores[-1] + loss)
        cuts.append(cut)
        wait(begin, cut)
        wait(cut, end)
    order = np.array(cuts, np.int64)

    def cuts_of(steps: int) -> NDArray[np.int64]:
        return np.sort(order[: steps - 1])

    return StepPath(np.array(scores), cuts_of, "down")
