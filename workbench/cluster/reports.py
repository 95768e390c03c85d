"""The events of a run on a cluster, from what rank 0 says of each round."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.cluster.measures import LOSSES, MEASURES, loss_of_constant, of_constant, taken
from workbench.cluster.round_trees import base_of, learner_of, trees_of
from workbench.ensembles.early_stopping import BestRound
from workbench.ensembles.events import RoundFinished, TrainingStarted
from workbench.ensembles.run.omega import Omega

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.cluster.placed_table import RowsThere
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.run.metrics import RunMetrics
    from workbench.parameters.training import TrainingParams


class Reports:
    """Counts along with the rounds.

    Parameters
    ----------
    begun : Ensemble
        What the run grows on; its base is known where it has trees.
    metrics : RunMetrics
    rows : RowsThere
    params : TrainingParams
        As the run began.
    best : tuple of int and float, optional
        Best round of `begun`, and its watched metric.
    figures : dict of str to dict
        XGBoost's of `begun` where it has trees, by "train" and "valid".
    """

    def __init__(
        self, begun: Ensemble, metrics: RunMetrics, rows: RowsThere, params: TrainingParams,
        best: tuple[int, float] | None, figures: Mapping[str, dict[str, float]],
    ) -> None:  # fmt: skip
        self._figures = figures
        self.ensemble, self._metrics, self._rows, self._begun = begun, metrics, rows, params
        self._omega = Omega(begun)
        self._best = BestRound(metrics.higher_is_better)
        if best is not None:
            self._best.note(*best)
        self._loss = float("nan")

    @property
    def best_round(self) -> int:
        """Round with the best watched metric so far; 0 before the first."""
        return self._best.round

    def started(self, message: dict[str, Any] | None, threads: int) -> TrainingStarted:
        """Return what is told before the first round, whose message tells the base."""
        rows, params, names = self._rows, self._begun, self._metrics.names
        objective = self.ensemble.objective
        initial: list[dict[str, float]] = []
        if not self.ensemble.trees:
            if message is not None:
                base = base_of(learner_of(message["tree"]), objective, self.ensemble.n_classes)
                self.ensemble = replace(self.ensemble, base_margin=base)
            base = self.ensemble.base_margin
            tallies = rows.of_train, rows.of_valid
            initial = [of_constant(objective, names, params, tally, base) for tally in tallies]
            self._loss = loss_of_constant(objective, params, rows.of_train, base)
        else:
            initial = self._taken(self._figures)
            self._loss = self._loss_of(self._figures["train"])
        return TrainingStarted(
            ensemble=self.ensemble, params=params, metrics=names, watched=self._metrics.watched,
            n_train=rows.of_train.rows, n_valid=rows.of_valid.rows, initial_train=initial[0],
            initial_valid=initial[1], initial_loss=self._loss, threads=threads,
            notes=rows.notes,
        )

    def finished(self, message: dict[str, Any], params: TrainingParams) -> RoundFinished:
        """Return what is told of a round."""
        rows = self._rows
        number = message["round"]
        is_counting = self.ensemble.objective == "squared" and not rows.has_weights
        trees = trees_of(
            learner_of(message["tree"]), self.ensemble, params, number, rows_are_hessian=is_counting
        )
        self._omega.add(trees)
        figures = message["metrics"]
        train, valid = self._taken(figures)
        watched = (valid or train)[self._metrics.watched]
        self._best.note(number, watched, params.early_stopping_min_change)
        before, self._loss = self._loss, self._loss_of(figures["train"])
        return RoundFinished(
            round=number, trees=trees, train=train, valid=valid, loss=self._loss, omega=self._omega.total,
            omega_leaves=self._omega.of_leaves, omega_weights=self._omega.of_weights,
            structure_score=sum(tree.structure_score for tree in trees),
            gain=sum(tree.figures.gain for tree in trees),
            leaves=sum(tree.figures.leaves for tree in trees),
            depth=max(tree.figures.depth for tree in trees),
            promised=sum(tree.figures.promised for tree in trees), delivered=self._loss - before,
            params=params, seconds=message["seconds"], best_round=self._best.round,
        )

    def _taken(self, figures: Mapping[str, dict[str, float]]) -> list[dict[str, float]]:
        """Return our metrics of the training rows and of those held out, from XGBoost's figures."""
        names, tallies = self._metrics.names, (self._rows.of_train, self._rows.of_valid)
        return [
            taken(figures[of], names, self._begun, tally) if of in figures else {}
            for of, tally in zip(("train", "valid"), tallies, strict=True)
        ]

    def _loss_of(self, figures: dict[str, float]) -> float:
        """Return the summed loss of the training rows from XGBoost's figures."""
        name, mean = LOSSES[self.ensemble.objective]
        measure = MEASURES[name]
        tally = self._rows.of_train
        return mean(measure.ours(figures[measure.named(self._begun)], tally)) * tally.weight
