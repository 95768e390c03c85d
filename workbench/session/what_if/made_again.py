"""Runs that are made of another by a what-if: its trees scored again, or trained with other values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import Cancelled
from workbench.session.run_parts.marks import ScoredAgain
from workbench.session.what_if.question import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.explain.what_if.rescoring import Rescored, Values
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run


def retraining_params(run: Run, values: Values) -> TrainingParams:
    """Return the parameters of the newest round with the values, for as many rounds as there are."""
    from workbench.explain.what_if.rescored_run import with_values

    params = with_values(run.params_in_force, values)
    return params.change(rounds=len(run.rounds), early_stopping_rounds=None)


def rescored_run(run: Run, rescored: Rescored, cancelled: Callable[[], bool]) -> Run:
    """Return a run of the trees with other values; their metrics are taken anew, so call it on a worker."""
    from workbench.explain.what_if.rescored_run import rescored_events, with_values

    if run.started is None:
        raise Cancelled
    origin = f"run {run.number} with {words(rescored.values)}"
    made = run.beside(with_values(run.params, rescored.values), origin)
    rounds, before = tuple(run.rounds), run.scored_again
    name = before.name if before is not None and before.rounds == len(rounds) else run.name
    made.scored_again = ScoredAgain(name, len(rounds))
    for event in rescored_events(run.started, rounds, run.ended, rescored, run.dataset, cancelled):
        made.apply(event)
    return made
