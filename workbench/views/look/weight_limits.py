"""The limits of the weight ramp, the same in every view of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.node_figures import fair_share, weight_limit
from workbench.explain.node_text import MEAN, SHARE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.run import Run


class WeightScale(NamedTuple):
    """The weight ramp of a run: the weight in its middle, and how far from it its ends are."""

    middle: float = 0.0
    limit: float = 1.0

    def share(self, weight: float) -> float:
        """A weight as a share of the way to an end, −1 to 1; 0 where it is unknown."""
        return fair_share(weight - self.middle, self.limit)


class WeightLimits:
    """98th percentile of |w*| over a run's leaves.

    While it trains the limit is taken anew only after a tenth more rounds: colours hold still, and
    a long run costs no more than a short one.
    """

    def __init__(self) -> None:
        self._run: Run | None = None
        self._used = 0
        self._weights: list[NDArray[np.float64]] = []
        self._limit, self._middle = 1.0, 0.0

    def scale(self, run: Run) -> WeightScale:
        """Return the ramp: about 0; of shares from 0 to 1; of means about that of all rows."""
        if run.unit == SHARE:
            return WeightScale(0.5, 0.5) if not run.output_names else WeightScale(0.0, 1.0)
        limit = self.limit(run)
        return WeightScale(self._middle, limit)

    def limit(self, run: Run) -> float:
        """Return |w*| at the ends of the ramp; of means how far they lie from that of all rows."""
        used = settled(len(run.rounds)) if run.is_live else len(run.rounds)
        if run is not self._run or used < self._used:
            self._run, self._used, self._weights = run, 0, []
            is_of_means = run.unit == MEAN and run.rounds
            self._middle = float(run.trees(1)[0].nodes["weight"][0]) if is_of_means else 0.0
        if used > self._used:
            grown = [tree.nodes for added in run.rounds[self._used : used] for tree in added.trees]
            if grown:
                is_leaf = np.concatenate([nodes["feature"] for nodes in grown]) < 0
                weights = np.concatenate([nodes["weight"] for nodes in grown])
                self._weights.append(np.abs(weights[is_leaf] - self._middle))
            self._used = used
            self._limit = weight_limit(self._weights)
        return self._limit


def settled(rounds: int) -> int:
    """Round down to two figures."""
    power = 10 ** max(len(str(rounds)) - 2, 0)
    return rounds // power * power
