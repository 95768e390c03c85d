"""A run told once more with re-scored trees: the events that training would have said."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING

from workbench.ensembles.dropout import omega_of_weights
from workbench.ensembles.early_stopping import BestRound
from workbench.ensembles.events import EndReason, RoundFinished, TrainingEnded, TrainingStarted
from workbench.ensembles.run.objective import objective_in
from workbench.explain.what_if.model_metrics import MetricValues, ModelMetrics
from workbench.explain.what_if.rescored_trees import rescored_trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.explain.what_if.rescoring import Rescored, Values
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

UNKNOWN = float("nan")


def with_values(params: TrainingParams, values: Values) -> TrainingParams:
    """Return parameters with the λ, γ and α that are given."""
    given = {name: value for name, value in vars(values).items() if value is not None}
    return params.change(**given)


def rescored_events(
    started: TrainingStarted,
    rounds: Sequence[RoundFinished],
    ended: TrainingEnded | None,
    rescored: Rescored,
    dataset: Dataset | None,
    cancelled: Callable[[], bool],
) -> Iterator[Event]:
    """Yield the events of a run whose trees are the stored ones, scored again.

    Metrics, losses and the best round are taken anew from the rows; without rows they are unknown. What a
    round delivered is not known where it drew rows, left rounds out, or lowered another loss than the last.
    `promised` holds the earlier trees fixed, as scoring does. Raises Cancelled.

    Parameters
    ----------
    started, rounds, ended
        What the trainer said of the stored trees.
    rescored : Rescored
        Of all trees of `rounds`.
    dataset : Dataset, optional
    """
    params = with_values(started.params, rescored.values)
    yield replace(started, params=params)
    trees = rescored_trees([tree for event in rounds for tree in event.trees], rescored)
    ensemble = started.ensemble.with_rounds(rounds).with_trees((*started.ensemble.trees, *trees))
    metrics: Iterator[MetricValues | None] = repeat(None)
    best = None
    if dataset is not None:
        known = ModelMetrics(dataset, ensemble.objective, params)
        metrics, best = known.by_round(ensemble, cancelled), BestRound(known.higher_is_better)
        for _ in range(started.ensemble.rounds):
            next(metrics)
    teller = _Teller(started, ensemble, rescored.values, next(metrics), best)
    for event in rounds:
        yield teller.told_anew(event, ensemble.trees_of(event.round), next(metrics))
    reason = ended.reason if ended is not None and dataset is not None else EndReason.FINISHED
    yield TrainingEnded(reason, started.ensemble.rounds + len(rounds), teller.best_round, UNKNOWN,
                        ended.cuts if ended is not None else ())


class _Teller:
    """Adds up Ω and follows the loss and the best round over the rounds."""

    def __init__(
        self, started: TrainingStarted, ensemble: Ensemble, values: Values, before: MetricValues | None,
        best: BestRound | None,
    ) -> None:  # fmt: skip
        self._ensemble = ensemble
        self._watched, self._values, self._best = started.watched, values, best
        self._names = started.metrics
        self._loss = before.loss if before is not None else UNKNOWN
        self._omega_leaves = sum(t.gamma * t.n_leaves for t in started.ensemble.trees)
        self._omega_weights = _omega_of_weights(started.ensemble)

    @property
    def best_round(self) -> int:
        """The best so far; 0 where nothing is known."""
        return self._best.round if self._best is not None else 0

    def told_anew(
        self, event: RoundFinished, trees: tuple[Tree, ...], metrics: MetricValues | None
    ) -> RoundFinished:
        """Return a round with other trees and what follows from them."""
        params = with_values(event.params, self._values)
        self._omega_leaves += sum(t.gamma * t.n_leaves for t in trees)
        self._omega_weights += sum(t.figures.omega_weights for t in trees)
        if event.dropout is not None:
            self._omega_weights = _omega_of_weights(self._ensemble.first_rounds(event.round))
        if metrics is None:
            metrics = MetricValues(dict.fromkeys(self._names, UNKNOWN), {}, UNKNOWN)
        elif self._best is not None:
            watched = (metrics.valid or metrics.train)[self._watched]
            self._best.note(event.round, watched, params.early_stopping_min_change)
        is_alike = objective_in(params, self._ensemble) == self._ensemble.objective
        drew_all = is_alike and params.subsample >= 1.0 and params.sampling_method == "uniform"
        delivered = metrics.loss - self._loss if drew_all and event.dropout is None else UNKNOWN
        self._loss = metrics.loss
        return RoundFinished(
            round=event.round,
            trees=trees,
            train=metrics.train,
            valid=metrics.valid,
            loss=metrics.loss,
            omega=self._omega_leaves + self._omega_weights,
            omega_leaves=self._omega_leaves,
            omega_weights=self._omega_weights,
            structure_score=sum(t.structure_score for t in trees),
            gain=sum(t.total_gain for t in trees),
            leaves=sum(t.n_leaves for t in trees),
            depth=max(t.depth for t in trees),
            promised=sum(t.figures.promised for t in trees),
            delivered=delivered,
            params=params,
            seconds=0.0,
            best_round=self.best_round,
            dropout=event.dropout,
        )


def _omega_of_weights(ensemble: Ensemble) -> float:
    return omega_of_weights(ensemble.trees, ensemble.tree_weights)
