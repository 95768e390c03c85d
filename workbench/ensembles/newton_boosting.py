"""Gradient boosting by Newton steps: each round fits trees to gradients and hessians of the loss."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.control import RunControl
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.events import (
    EndReason,
    RoundFinished,
    TrainingEnded,
    TrainingPaused,
    TrainingStarted,
)
from workbench.ensembles.patience import BestRound
from workbench.ensembles.sampling import draw_columns, draw_rows
from workbench.ensembles.scoring import Scoreboard, ScoredRows
from workbench.errors import Cancelled, WorkbenchError
from workbench.objectives.base import DEFAULT_OF_TASK, OBJECTIVES, weights_or_ones
from workbench.parameters.training import PARAMETERS
from workbench.trees.grower import DrawnRows, GrowingParams
from workbench.trees.kernel_arrays import kernel_array
from workbench.trees.parallel import thread_count
from workbench.trees.team import Team
from workbench.trees.tree_method import TREE_METHODS, RunRows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.events import Event
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


@TRAINERS.register
class NewtonBoosting:
    """One run of boosting on a dataset.

    Parameters
    ----------
    dataset : Dataset
    params : TrainingParams
    control : RunControl, optional
        The reins; without them the run goes through to its end.
    """

    name = "newton"

    def __init__(
        self, dataset: Dataset, params: TrainingParams, control: RunControl | None = None
    ) -> None:
        self._dataset = dataset
        self._params = params
        self._control = control or RunControl()
        self._objective = resolve_objective(params.objective, dataset)
        self._classes = self._objective.n_outputs(len(dataset.schema.class_labels))
        self._method = TREE_METHODS.get(params.tree_method)
        cells = len(dataset.train_rows) * dataset.features.shape[1]
        self._team = Team(thread_count(params.threads, cells, self._method.least_cells))

    def rounds(self) -> Iterator[Event]:
        """Yield the events of the run; consume it in the thread that trains, and once.

        Raises
        ------
        Cancelled
            The run was stopped while it was being prepared.
        """
        began = perf_counter()
        self._prepare()
        yield self._started()
        spent = perf_counter() - began
        finished = 0
        reason = None
        while reason is None:
            if self._control.paused and finished < self._params.rounds:
                yield TrainingPaused(finished)
            if finished >= self._params.rounds:
                reason = EndReason.FINISHED
            elif not self._control.wait():
                reason = EndReason.STOPPED
            elif self._take_params() and finished >= self._params.rounds:
                reason = EndReason.FINISHED
            else:
                event = self._boost(finished + 1)
                if event is None:
                    reason = EndReason.STOPPED
                    continue
                finished += 1
                spent += event.seconds
                yield event
                self._take_params()
                if len(self._valid) and self._best.is_exhausted(
                    finished, self._params.early_stopping_rounds
                ):
                    reason = EndReason.EARLY
        yield TrainingEnded(reason, finished, self._best.round, spent)

    def _prepare(self) -> None:
        data, params = self._dataset, self._params
        n_categories = tuple(len(f.categories) if f.is_categorical else 0 for f in data.schema.features)
        rows = RunRows(data.features, data.train_rows, data.valid_rows, n_categories)
        self._grower, self._held_out = self._method.prepare(rows, params, self._team, self._is_stopped)
        self._columns = np.arange(len(n_categories))
        self._base = self._objective.base_margin(
            data.target[data.train_rows],
            None if data.weight is None else data.weight[data.train_rows],
            self._classes,
            params.base_score,
        )
        self._leave_if_stopped()
        self._train = self._scored(data.train_rows)
        self._valid = self._scored(data.valid_rows)
        self._scores = Scoreboard(
            self._objective, params.metric, len(self._train), len(self._valid), self._team
        )
        self._best = BestRound(self._scores.higher_is_better)
        self._leave_if_stopped()
        self._gradients = np.empty(self._train.raw.shape)
        self._hessians = np.empty(self._train.raw.shape)
        self._every_row = draw_rows(len(self._train), 1.0, params.seed, 0)
        self._losses = np.empty(0)  # of single rows, where rounds draw some
        self._total_weight = float(self._train.weight.sum())
        self._omega_leaves = self._omega_weights = 0.0
        self._loss = self._evaluate()
        self._leave_if_stopped()

    def _is_stopped(self) -> bool:
        return self._control.stopped

    def _leave_if_stopped(self) -> None:
        if self._is_stopped():
            raise Cancelled

    def _scored(self, rows: NDArray[np.int64]) -> ScoredRows:
        data = self._dataset
        every = len(rows) == len(data.target)
        weight = data.weight if every or data.weight is None else data.weight[rows]
        raw = np.repeat(self._base[:, None], len(rows), axis=1)
        target = kernel_array(data.target if every else data.target[rows], np.float64)
        return ScoredRows(target, weights_or_ones(weight, len(rows)), raw)

    def _started(self) -> TrainingStarted:
        ensemble = Ensemble(
            self._objective.name, len(self._columns), self._classes, self._base
        )
        return TrainingStarted(
            ensemble=ensemble,
            params=self._params,
            metrics=self._scores.names,
            watched=self._scores.watched,
            n_train=len(self._train),
            n_valid=len(self._valid),
            initial_train=self._scores.on_train(self._train, self._mean_loss()),
            initial_valid=self._scores.on_valid(self._valid),
            initial_loss=self._loss,
            threads=self._team.parts,
        )

    def _take_params(self) -> bool:
        """Take over the live ones of newly given parameters; return whether there were any."""
        new = self._control.take_params()
        if new is None:
            return False
        live = {p.name: getattr(new, p.name) for p in PARAMETERS if p.live}
        self._params = self._params.change(**live)
        return True

    def _boost(self, number: int) -> RoundFinished | None:
        """Grow the trees of one round; None when it was broken off."""
        began = perf_counter()
        rows = self._draw(number)
        if len(rows.left_out) and not len(self._losses):
            self._losses = np.empty(len(self._train))
            self._evaluate()
        drawn_before = self._loss_of(rows)
        trees = self._grow(number, rows)
        if trees is None:
            return None
        self._loss = self._evaluate()
        if not np.isfinite(self._loss):
            raise WorkbenchError(
                f"In round {number} the predictions grew beyond what a number can hold. "
                "Raise reg_lambda or min_child_weight, or lower learning_rate."
            )
        return self._finished(number, trees, self._loss_of(rows) - drawn_before, began)

    def _draw(self, number: int) -> DrawnRows:
        share = self._params.subsample
        if share >= 1.0:
            return self._every_row
        return draw_rows(len(self._train), share, self._params.seed, number, self._team)

    def _grow(self, number: int, rows: DrawnRows) -> tuple[Tree, ...] | None:
        chosen = self._params
        params = GrowingParams(
            chosen.reg_lambda, chosen.gamma, chosen.learning_rate, chosen.min_child_weight,
            chosen.max_depth, chosen.max_leaves, chosen.grow_policy == "best_gain",
        )
        trees = []
        for k in range(self._classes):
            columns = draw_columns(
                self._columns, chosen.colsample_bytree, chosen.seed, number * self._classes + k
            )
            tree = self._grower.grow(
                self._gradients[k], self._hessians[k], rows, columns, params, self._control.stop_flag,
                self._train.raw[k], self._held_out, self._valid.raw[k], k,
            )
            if tree is None:
                return None
            trees.append(tree)
        return tuple(trees)

    def _finished(
        self, number: int, trees: tuple[Tree, ...], delivered: float, began: float
    ) -> RoundFinished:
        self._omega_leaves += sum(t.gamma * t.figures.leaves for t in trees)
        self._omega_weights += sum(t.figures.omega_weights for t in trees)
        train = self._scores.on_train(self._train, self._mean_loss())
        valid = self._scores.on_valid(self._valid)
        self._best.note(number, (valid or train)[self._scores.watched])
        return RoundFinished(
            round=number,
            trees=trees,
            train=train,
            valid=valid,
            loss=self._loss,
            omega=self._omega_leaves + self._omega_weights,
            omega_leaves=self._omega_leaves,
            omega_weights=self._omega_weights,
            structure_score=sum(t.structure_score for t in trees),
            gain=sum(t.figures.gain for t in trees),
            leaves=sum(t.figures.leaves for t in trees),
            depth=max(t.figures.depth for t in trees),
            promised=sum(t.figures.promised for t in trees),
            delivered=delivered,
            params=self._params,
            seconds=perf_counter() - began,
            best_round=self._best.round,
        )

    def _evaluate(self) -> float:
        """Fill the gradients for the next round, and return the summed loss of the model so far."""
        rows = self._train
        return self._objective.evaluate(
            rows.target, rows.raw, rows.weight, self._gradients, self._hessians, self._losses, self._team
        )

    def _loss_of(self, rows: DrawnRows) -> float:
        """Return the summed loss over the rows that this round drew."""
        if not len(rows.left_out):
            return self._loss
        if len(rows.left_out) < len(rows.drawn):
            return self._loss - float(np.take(self._losses, rows.left_out).sum())
        return float(np.take(self._losses, rows.drawn).sum())

    def _mean_loss(self) -> float:
        return self._loss / self._total_weight if self._total_weight > 0 else float("nan")


def resolve_objective(name: str, dataset: Dataset) -> Objective:
    """Return the objective by name or alias; "auto" follows from the task. It must fit the task."""
    task = dataset.schema.task
    objective = OBJECTIVES.get(DEFAULT_OF_TASK[task] if name == "auto" else name)
    if objective.task != task:
        raise WorkbenchError(
            f"The objective '{objective.name}' is for {objective.task} targets, but "
            f"'{dataset.schema.target}' is {task}. Choose auto or another objective."
        )
    return objective

