"""Bottom-up: from a step for every value, the two neighbours whose union costs least are joined, in turn."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.steps.step_path import StepPath

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.steps.points import Points


def merged_steps(points: Points, reg_lambda: float, most: int) -> StepPath:
    """Return the step functions of up to `most` steps that are left by merging neighbours."""
    m = len(points)
    ends = np.arange(1, m + 1)  # of the step that begins at each value, where one does
    before = np.arange(-1, m - 1)  # where the step before it begins
    lost: list[int] = []

    def cost(begin: int, cut: int, end: int) -> float:
        both = points.scores(begin, end, reg_lambda)
        return float(both - points.scores(begin, cut, reg_lambda) - points.scores(cut, end, reg_lambda))

    places = np.arange(1, m)
    costs = points.scores(places - 1, places + 1, reg_lambda) - points.scores(places - 1, places, reg_lambda)
    costs = costs - points.scores(places, places + 1, reg_lambda)
    waiting = list(zip(costs.tolist(), places.tolist(), (places - 1).tolist(), (places + 1).tolist(),
                       strict=True))  # fmt: skip
    heapify(waiting)
    score = float(points.scores(np.arange(m), np.arange(1, m + 1), reg_lambda).sum())
    scores = [score]
    while waiting:
        price, cut, begin, end = heappop(waiting)
        if before[cut] != begin or ends[cut] != end or ends[begin] != cut:
            continue  # a neighbour has been joined meanwhile
        lost.append(cut)
        score += price
        scores.append(score)
        ends[begin], before[cut] = end, -2
        if end < m:
            before[end] = begin
            heappush(waiting, (cost(begin, end, int(ends[end])), end, begin, int(ends[end])))
        if begin > 0:
            left = int(before[begin])
            heappush(waiting, (cost(left, begin, end), begin, left, end))
    order = np.array(lost[::-1], np.int64)

    def cuts_of(steps: int) -> NDArray[np.int64]:
        return np.sort(order[: steps - 1])

    return StepPath(np.array(scores[::-1][:most]), cuts_of, "up")
