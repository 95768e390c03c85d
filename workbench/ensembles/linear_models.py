"""Linear models: a round for each λ of a path, from no weights to the penalty that is wanted."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import TrainingEnded
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.prediction import rows_of
from workbench.ensembles.run.base_margin import base_of_run
from workbench.ensembles.run.breaks import Breaks, watched_run
from workbench.ensembles.run.first_predictions import first_predictions
from workbench.ensembles.run.live_params import LiveParams
from workbench.ensembles.run.reports import RoundReports, started
from workbench.ensembles.run.round_loop import round_loop
from workbench.ensembles.run.setup import RunSetup
from workbench.ensembles.run.training_loss import TrainingLoss
from workbench.ensembles.run.watch import MetricWatch
from workbench.errors import WorkbenchError, leave_if
from workbench.linear.columns import column_begins, columns_of
from workbench.linear.fit import FitRows, LinearFit
from workbench.linear.losses import LOSSES_OF_LINEAR
from workbench.linear.path import next_lambda
from workbench.trees.tree import NODE_DTYPE, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event, RoundFinished
    from workbench.ensembles.own_parts import OwnParts
    from workbench.ensembles.run.predicted_rows import RunPredictions
    from workbench.linear.part import LinearPart
    from workbench.parameters.training import TrainingParams

MOST_COLUMNS = 5_000  # whose products are held: 200 MB


@TRAINERS.register
class LinearModels:
    """One run; see `NewtonBoosting` for the arguments."""

    name = "linear"

    def __init__(
        self,
        dataset: Dataset,
        params: TrainingParams,
        control: RunControl | None = None,
        start: Ensemble | None = None,
        own: OwnParts = NOTHING_OWN,
        best: tuple[int, float] | None = None,
        given: tuple[tuple[Tree, ...], ...] = (),
    ) -> None:
        if given:
            raise WorkbenchError("A linear model has no trees that could be changed.")
        if own.objective is not None:
            raise WorkbenchError(
                "The method linear knows no objective of your own. Choose squared, logistic or softmax."
            )
        self._setup = RunSetup(dataset, params, start, own)
        self._data, self._control, self._best = dataset, control or RunControl(), best
        n_columns = int(column_begins(self._setup.n_categories)[-1])
        if n_columns > MOST_COLUMNS:
            raise WorkbenchError(
                f"The method linear weighs at most {MOST_COLUMNS:,} columns, and here are {n_columns:,}, one "
                "for every category. Leave out columns with many categories."
            )

    def rounds(self) -> Iterator[Event]:
        """Yield the events of the run; consume it in the thread that trains, and once."""
        began = perf_counter()
        setup, data, control = self._setup, self._data, self._control
        base = base_of_run(setup, data)
        rows = first_predictions(setup, data, base)
        begun = BegunPath(setup.begun(base), rows)
        loss = TrainingLoss(setup.objective, rows.train, setup.team)
        watch = MetricWatch(setup.metrics, rows, loss, self._best, control.measured)
        watch.check(setup.params)
        leave_if(lambda: control.stopped)
        path = _Path(setup, data, begun, loss, watch, control)
        yield started(setup, begun, loss, watch)
        spent = perf_counter() - began
        params = LiveParams(setup.params, control, setup.check)
        breaks = Breaks(control, watched_run(setup, begun, data))
        end = yield from round_loop(path, setup.first_round, params, control, breaks)
        yield TrainingEnded(end.reason, end.round, watch.best_round, spent + end.seconds)


class BegunPath(NamedTuple):
    """A run before its first round, as `RunBegun`."""

    ensemble: Ensemble
    rows: RunPredictions


class _Penalty:
    """What the weights of a linear model cost, as the Ω of its rounds: by the weight of all rows."""

    of_leaves = 0.0

    def __init__(self) -> None:
        self.of_weights = 0.0

    @property
    def total(self) -> float:
        """The whole of it."""
        return self.of_weights


class _Path:
    """The rounds of a run."""

    def __init__(
        self,
        setup: RunSetup,
        data: Dataset,
        begun: BegunPath,
        loss: TrainingLoss,
        watch: MetricWatch,
        control: RunControl,
    ) -> None:
        self._setup, self._begun, self._loss, self._watch = setup, begun, loss, watch
        self._control, self._data = control, data
        self._rows, self._penalty = rows_of(data.features), _Penalty()
        self._reports = RoundReports(loss, self._penalty, watch)
        self._part = begun.ensemble.linear[-1] if begun.ensemble.linear else None
        self._intercepts = begun.ensemble.base_margin.astype(np.float32)
        self._leafy = self._intercepts[:, None]
        if data.offset is not None:
            self._leafy = self._leafy + data.offset.astype(np.float32)
        self._take_in(begun.ensemble.trees)
        self._fit = self._fitted()

    def grow(self, number: int, params: TrainingParams) -> RoundFinished | None:
        """Find the weights for the next λ; None when it was stopped."""
        began, before = perf_counter(), self._loss.total
        ratio = params.l1_ratio
        at = self._part.reg_lambda if self._part is not None else self._fit.first_lambda(ratio)
        reg_lambda = next_lambda(at, params.reg_lambda, params.rounds - number + 1)
        part = self._fit.at(reg_lambda, ratio, lambda: self._control.stopped)
        if part is None:
            return None
        self._part = part
        trees = self._leaves(part)
        promised = self._predict(part)
        self._loss.update()
        self._penalty.of_weights = part.penalty * self._begun.rows.train.total_weight
        self._watch.note(number, params)
        return self._reports.finished(
            number, trees, params, self._loss.total - before, began, linear=part, promised=promised
        )

    def gives_up(self, number: int, params: TrainingParams) -> bool:
        """Whether the run stops early after this round."""
        return self._watch.gives_up(number, params)

    def _fitted(self) -> LinearFit:
        """Return who finds the weights: on the columns of the model that is gone on from, or its own."""
        setup, data = self._setup, self._data
        train = self._begun.rows.train
        if self._part is not None:
            columns = self._part.columns
        else:
            columns = columns_of(data.features, data.train_rows, train.weights, setup.n_categories)
        loss = LOSSES_OF_LINEAR[setup.objective.name](train.target, train.weights)
        offset = np.zeros(len(train)) if data.offset is None else data.offset[data.train_rows]
        rows = FitRows(self._rows, data.train_rows, offset.astype(np.float64), train.total_weight)
        fit = LinearFit(rows, loss, columns, setup.team, self._intercepts.astype(np.float64))
        if self._part is not None:
            fit.begin(self._part)
        return fit

    def _leaves(self, part: LinearPart) -> tuple[Tree, ...]:
        """Return a leaf for each output, which brings base and leaves to its intercept."""
        steps = part.intercepts.astype(np.float32) - self._intercepts
        trees = tuple(leaf_alone(value, k, self._begun) for k, value in enumerate(steps))
        self._take_in(trees)
        return trees

    def _take_in(self, trees: tuple[Tree, ...]) -> None:
        """Add leaves, one by one, as predicting does."""
        self._leafy = self._leafy.copy()
        for tree in trees:
            value = tree.nodes["leaf_value"][0]
            self._intercepts[tree.class_index] += value
            self._leafy[tree.class_index] += value

    def _predict(self, part: LinearPart) -> float:
        """Take the raw predictions of all rows; return the change of the loss by its second-order model."""
        shape = (len(self._leafy), len(self._data.target))
        whole = np.broadcast_to(self._leafy, shape).astype(np.float64)
        part.add_to(whole, self._rows, self._setup.team)
        rows = self._begun.rows
        before = rows.train.raw.copy()
        for held, places in zip(rows, (self._data.train_rows, self._data.valid_rows), strict=True):
            held.raw[:] = whole[:, places]
        return _promised(self._loss.gradients, self._loss.hessians, rows.train.raw - before)


def _promised(
    gradients: NDArray[np.float64], hessians: NDArray[np.float64], change: NDArray[np.float32]
) -> float:
    """Return Σ g·δ + ½hδ² over rows and outputs."""
    return float((gradients * change).sum() + 0.5 * (hessians * change * change).sum())


def leaf_alone(value: np.float32, class_index: int, begun: BegunPath) -> Tree:
    """Return a tree of one leaf that adds this to every row."""
    nodes = np.zeros(1, NODE_DTYPE)
    for name in ("feature", "category", "left", "right", "parent"):
        nodes[name] = -1
    nodes["threshold"] = np.nan
    nodes["count"] = len(begun.rows.train)
    nodes["weight"] = nodes["leaf_value"] = value
    nodes.flags.writeable = False
    return Tree(nodes, np.zeros(2, np.int32), np.empty(0, np.int32), class_index, 1.0, 0.0, 0.0)
