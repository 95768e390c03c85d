"""Since when a branch measures as it does, and how the rounds were grown that it shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from workbench.ensembles.run.measured import MEASURING, best_of, otherwise, weighing
from workbench.number_text import count
from workbench.parameters.training import BY_NAME, IN_BRANCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.ensembles.events import RoundFinished, TrainingStarted
    from workbench.parameters.training import TrainingParams
    from workbench.session.objective_facts import ObjectiveFacts

METRICS = ("metric", "more_metrics")


class Branching(Protocol):
    """A run that may share its first rounds with another."""

    params: TrainingParams
    started: TrainingStarted | None
    facts: ObjectiveFacts

    @property
    def rounds(self) -> Sequence[RoundFinished]:
        """All of them."""

    @property
    def shared_rounds(self) -> int:
        """How many of them are another run's."""

    @property
    def watched(self) -> str:
        """Name of the watched metric."""


def is_measured_otherwise(run: Branching) -> bool:
    """Whether a branch watches another metric than the run that it leaves, or weighs rows otherwise."""
    shared = run.rounds[: run.shared_rounds]
    return bool(shared) and not _are_same(shared[-1].params, run.params, MEASURING)


def measured_since(run: Branching) -> int:
    """Return the round since which the figures of a run are measured as now; 1 where all are."""
    if run.started is None or not run.shared_rounds:
        return 1
    shared = run.rounds[: run.shared_rounds]
    return otherwise(shared, run.params, run.started.ensemble.objective) + 1


def measured_words(run: Branching, metric: str) -> str:
    """Say since when a metric is measured as now: "measured from round 54 on"; "" where it always was."""
    shared = run.rounds[: run.shared_rounds]
    if not shared:
        return ""
    if metric not in (shared[-1].valid or shared[-1].train):
        return f"measured from round {count(len(shared) + 1)} on"
    return weighed_words(run)


def weighed_words(run: Branching) -> str:
    """Say up to which round figures were measured otherwise: "with Positive × 1 up to round 53"; or ""."""
    shared, since = run.rounds[: run.shared_rounds], measured_since(run)
    if since == 1:
        return ""
    then = shared[since - 2].params
    other = [
        f"{BY_NAME[name].label} {BY_NAME[name].told(getattr(then, name))}"
        for name in MEASURING if name not in METRICS and getattr(then, name) != getattr(run.params, name)
    ]
    return f"with {', '.join(other)} up to round {count(since - 1)}"


def are_measured_alike(one: Branching, other: Branching) -> bool:
    """Whether the newest figures of two runs weigh rows alike, and by the same loss."""
    if one.started is None or other.started is None:
        return False
    return _are_same(one.params, other.params, weighing(one.started.ensemble.objective))


def best_shared(run: Branching) -> int:
    """Return the best of the rounds that a branch shares, among those measured as it measures; 0 for none."""
    shared = run.rounds[measured_since(run) - 1 : run.shared_rounds]
    best = best_of(shared, run.watched, run.facts.metric(run.watched).higher_is_better)
    return 0 if best is None else best[0]


def replay_params(run: Branching, round: int) -> TrainingParams:
    """Return the parameters by which a round (from 1) is replayed: its own, where it was grown by others.

    So it was before a branch began, of which a model's file may tell too.
    """
    if not 1 <= round <= len(run.rounds):
        return run.params
    known = run.rounds[round - 1].params
    return run.params if _are_same(known, run.params, IN_BRANCH) else known


def _are_same(one: TrainingParams, other: TrainingParams, names: Iterable[str]) -> bool:
    return one is other or all(getattr(one, name) == getattr(other, name) for name in names)
