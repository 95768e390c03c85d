"""By how much the watched metric gets worse where a column is permuted among the rows that are explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.session.explained.rows import ExplainedRows, TakenRows
    from workbench.session.run import Run

REPEATS, SEED = 5, 0
MOST_ROWS = 5_000
MOST_STEPS = 15_000_000  # trees that rows go down, in all
NO_ANSWERS = "These rows have no answers."


class PermutedFound(NamedTuple):
    """What permuting did.

    Attributes
    ----------
    asked : PermutationAsked
    mean, deviation : ndarray of float64, shape (d,)
    metric : str
    rows : TakenRows
    """

    asked: PermutationAsked
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    metric: str
    rows: TakenRows


class PermutationAsked(NamedTuple):
    """A run after so many rounds, and rows."""

    run: Run
    round: int
    rows: ExplainedRows

    def answer(self, cancelled: Callable[[], bool]) -> PermutedFound:
        """Work it out, on one thread."""
        from workbench.explain.attribution.permutation import permuted_losses
        from workbench.explain.evaluator import Evaluator

        run, schema, ensemble = self.run, self.run.schema, self.run.ensemble(self.round)
        if ensemble is None or schema is None:
            raise WorkbenchError(NO_TREES)
        steps = REPEATS * sum(len(np.unique(tree.nodes["feature"])) for tree in ensemble.trees)
        taken = self.rows.take_queries(min(MOST_ROWS, max(MOST_STEPS // max(steps, 1), 200)), cancelled)
        if taken.target is None or not len(taken.features):
            raise WorkbenchError(NO_ANSWERS)
        evaluator = Evaluator(ensemble.objective, run.params, schema.class_labels)
        known = [metric.name for metric in evaluator.metrics(has_groups=taken.groups is not None)]
        metric = run.watched if run.watched in known else None
        score = evaluator.score(metric, taken.target, taken.weight, taken.groups)
        found = permuted_losses(
            ensemble, taken.features, score, higher_is_better=score.metric.higher_is_better, repeats=REPEATS,
            seed=SEED, offset=taken.offset, cancelled=cancelled,
        )
        return PermutedFound(self, found.mean, found.deviation, score.metric.name, taken)
