"""The objectives by which the rounds of a run were grown: a branch may go on with another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.number_text import count

if TYPE_CHECKING:
    from workbench.session.run import Run


def objective_at(run: Run, round: int) -> str:
    """Return the objective of a round (from 1), by its own name; before the start the one that is wanted."""
    if run.started is None:
        return run.params.objective
    from workbench.ensembles.run.objective import objective_in

    return objective_in(run.rounds[round - 1].params, run.started.ensemble)


def objectives_of(run: Run) -> frozenset[str]:
    """Return the objectives of all rounds."""
    firsts = {id(event.params): event.round for event in run.rounds}
    return frozenset(objective_at(run, first) for first in firsts.values())


def other_rounds(run: Run) -> int:
    """Return how many rounds there are up to the last one that was grown by another objective than now."""
    known = None
    for event in reversed(run.rounds):
        if event.params is known or run.started is None:
            continue
        known = event.params
        if objective_at(run, event.round) != run.started.ensemble.objective:
            return event.round
    return 0


def loss_words(run: Run) -> str:
    """Say up to which round the loss is another one: "of squared up to round 53"; "" where it is the same."""
    last = other_rounds(run)
    return f"of {objective_at(run, last)} up to round {count(last)}" if last else ""
