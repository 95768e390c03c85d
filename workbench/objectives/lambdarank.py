"""Ranking: pairs of rows of one query, each weighted by what exchanging them would do to NDCG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.objectives.base import OBJECTIVES, Objective
from workbench.objectives.queries import MOST_RELEVANCE, Queries, queries_of
from workbench.objectives.query_pairs import add_pairs
from workbench.objectives.wrong_target import WrongTarget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.objectives.base import Task
    from workbench.threads.team import Team


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

    @cached_property
    def _queries(self) -> Queries:
        """The rows by query, where there are queries."""
        return queries_of(np.empty(0, np.int64) if self.groups is None else self.groups)

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
        """Fill the sums over the pairs of each row; return the summed loss.

        A pair counts √(w_i w_j) times; half of its loss is each row's.
        """
        queries = self._queries if self.groups is not None else queries_of(np.zeros(len(target), np.int64))
        of_queries = np.empty(queries.n_queries)
        queries.share(
            team, add_pairs, target, raw[0], weight, gradients[0], hessians[0], losses, of_queries
        )
        return float(of_queries.sum()), {}

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the raw predictions, by which rows are ranked."""
        return raw


OBJECTIVES.register(LambdaRank())
