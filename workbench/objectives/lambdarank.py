"""Ranking: pairs of rows of one query, each weighted by what exchanging them would do to NDCG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.objectives.base import LEAST_HESSIAN, OBJECTIVES, Objective
from workbench.objectives.queries import MOST_RELEVANCE, discounts, gains, query_slices, ranks
from workbench.objectives.wrong_target import WrongTarget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.objectives.base import Task
    from workbench.threads.team import Team

MOST_PAIRS = 1_000_000  # that are in memory at once


@dataclass(frozen=True)
class LambdaRank(Objective):
    """l = Σ |ΔNDCG_ij| ln(1 + e^−(ŷ_i − ŷ_j)) over the pairs of a query with y_i > y_j (Burges 2010).

    The weights |ΔNDCG| follow from the ranking so far and are held fixed while the slope is taken.
    """

    groups: NDArray[np.int64] | None = None
    name = "lambdarank"
    aliases = ("rank:ndcg", "rank")
    label = "Ranking (LambdaMART)"
    task: Task = "regression"
    metrics = ("ndcg", "ndcg@5", "map")
    needs_groups: bool = True
    first_metric_is_loss: bool = False

    def with_groups(self, groups: NDArray[np.int64]) -> LambdaRank:
        """Return it for rows with these queries."""
        return LambdaRank(groups)

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse relevances that are no numbers from 0 to 31."""
        wrong = (target < 0) | (target > MOST_RELEVANCE)
        if wrong.any():
            needs = f"The objective '{self.name}' needs relevances from 0 to {MOST_RELEVANCE:g}"
            raise WrongTarget(needs, wrong, target)

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return 0, or `base_score`: only differences count."""
        return np.array([base_score or 0.0], np.float32)

    def evaluate(
        self,
        target: NDArray[np.float64],
        raw: NDArray[np.float32],
        weight: NDArray[np.float64],
        gradients: NDArray[np.float64],
        hessians: NDArray[np.float64],
        losses: NDArray[np.float64],
        team: Team,
    ) -> tuple[float, dict[str, float]]:
        """Fill the sums over the pairs of each row, one query after another; return the summed loss.

        A pair counts √(w_i w_j) times; half of its loss is each row's.
        """
        groups = np.zeros(len(target), np.int64) if self.groups is None else self.groups
        gradients[:], hessians[:] = 0.0, LEAST_HESSIAN
        total = 0.0
        for rows in query_slices(groups):
            total += _query(
                target[rows], raw[0, rows].astype(np.float64), weight[rows], rows, gradients[0], hessians[0],
                losses,
            )
        return total, {}

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the raw predictions, by which rows are ranked."""
        return raw


def _query(
    target: NDArray[np.float64],
    raw: NDArray[np.float64],
    weight: NDArray[np.float64],
    rows: NDArray[np.int64],
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64],
    losses: NDArray[np.float64],
) -> float:
    """Add the pairs of one query; return their loss."""
    gain, discount = gains(target), discounts(ranks(raw))
    ideal = float((np.sort(gain)[::-1] * discounts(np.arange(len(gain)))).sum())
    n = len(target)
    own = np.zeros(n)
    total = 0.0
    step = max(MOST_PAIRS // n, 1)
    for begin in range(0, n if ideal > 0.0 else 0, step):
        better, worse = np.nonzero(target[begin : begin + step, None] > target[None, :])
        better += begin
        change = np.abs((gain[better] - gain[worse]) * (discount[better] - discount[worse])) / ideal
        change *= np.sqrt(weight[better] * weight[worse])
        ahead = raw[better] - raw[worse]
        wrong = 1.0 / (1.0 + np.exp(np.clip(ahead, -500.0, 500.0)))
        slope, bend = change * wrong, change * wrong * (1.0 - wrong)
        gradients[rows] += np.bincount(worse, slope, n) - np.bincount(better, slope, n)
        hessians[rows] += np.bincount(worse, bend, n) + np.bincount(better, bend, n)
        pair = change * np.logaddexp(0.0, -ahead)
        own += 0.5 * (np.bincount(worse, pair, n) + np.bincount(better, pair, n))
        total += float(pair.sum())
    if len(losses):
        losses[rows] = own
    return total


OBJECTIVES.register(LambdaRank())
