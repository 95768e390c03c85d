"""The limits of the weight ramp, the same in every view of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.node_figures import weight_limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.run import Run


class WeightLimits:
    """98th percentile of |w*| over a run's leaves.

    While it trains the limit is taken anew only after a tenth more rounds: colours hold still, and
    a long run costs no more than a short one.
    """

    def __init__(self) -> None:
        self._run: Run | None = None
        self._used = 0
        self._weights: list[NDArray[np.float64]] = []
        self._limit = 1.0

    def limit(self, run: Run) -> float:
        """Return |w*| at the ends of the ramp."""
        used = settled(len(run.rounds)) if run.is_live else len(run.rounds)
        if run is not self._run or used < self._used:
            self._run, self._used, self._weights = run, 0, []
        if used > self._used:
            self._weights += [
                np.abs(tree.nodes["weight"][tree.is_leaf])
                for added in run.rounds[self._used : used]
                for tree in added.trees
            ]
            self._used = used
            self._limit = weight_limit(self._weights)
        return self._limit


def settled(rounds: int) -> int:
    """Round down to two figures."""
    power = 10 ** max(len(str(rounds)) - 2, 0)
    return rounds // power * power
