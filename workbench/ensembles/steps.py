"""Step functions of one variable: one tree on one column, found greedily, by merging, or the optimum."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.named_columns import step_column
from workbench.ensembles.base import TRAINERS
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import TrainingEnded
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.run.base_margin import base_of_run
from workbench.ensembles.run.begun import Begun
from workbench.ensembles.run.breaks import Breaks, watched_run
from workbench.ensembles.run.checks import check_given
from workbench.ensembles.run.first_predictions import first_predictions
from workbench.ensembles.run.live_params import LiveParams
from workbench.ensembles.run.omega import Omega
from workbench.ensembles.run.reports import RoundReports, started
from workbench.ensembles.run.round_loop import round_loop
from workbench.ensembles.run.setup import RunSetup
from workbench.ensembles.run.taken_trees import add_trees
from workbench.ensembles.run.training_loss import TrainingLoss
from workbench.ensembles.run.watch import MetricWatch
from workbench.errors import WorkbenchError, leave_if
from workbench.number_text import counted
from workbench.trees.steps.points import points_of
from workbench.trees.steps.search import step_path
from workbench.trees.steps.step_tree import step_tree
from workbench.trees.tree_method import ReadyGrower

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event, RoundFinished
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

NO_GROWER: Any = ReadyGrower(None, None)  # type: ignore[arg-type]  # nothing is sought in bins


@TRAINERS.register
class StepFunctions:
    """One run, of one round; see `NewtonBoosting` for the arguments."""

    name = "steps"

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
        if start is not None and start.rounds:
            raise WorkbenchError("A step function is found at once and cannot go on. Start a new run.")
        self._setup = RunSetup(dataset, params, start, own)
        self._column = step_column(dataset.schema.features, params)
        self._data, self._control, self._best = dataset, control or RunControl(), best
        check_given(given, len(dataset.schema.features), self._setup.n_outputs)
        self._given = given

    def rounds(self) -> Iterator[Event]:
        """Yield the events of the run; consume it in the thread that trains, and once."""
        began = perf_counter()
        setup, data, control = self._setup, self._data, self._control
        base = base_of_run(setup, data)
        rows = first_predictions(setup, data, base)
        begun = Begun(setup.begun(base), NO_GROWER, rows)
        loss = TrainingLoss(setup.objective, rows.train, setup.team)
        watch = MetricWatch(setup.metrics, rows, loss, self._best, control.measured)
        watch.check(setup.params)
        leave_if(lambda: control.stopped)
        yield started(setup, begun, loss, watch, self._note())
        spent = perf_counter() - began
        steps = _Steps(self, begun, loss, watch)
        params = LiveParams(setup.params, control, setup.check)
        breaks = Breaks(control, watched_run(setup, begun, data))
        end = yield from round_loop(steps, setup.first_round, params, control, breaks)
        yield TrainingEnded(end.reason, end.round, watch.best_round, spent + end.seconds)

    def found(self, params: TrainingParams, loss: TrainingLoss) -> tuple[Tree, ...] | None:
        """Return the tree that is given, or the one that is found; None where the run was stopped."""
        if self._given:
            return self._given[0]
        x = self._data.features[self._data.train_rows, self._column]
        points = points_of(x, loss.gradients[0], loss.hessians[0])
        path = step_path(
            params.step_search, points, params.reg_lambda, params.max_leaves, self._control.stop_flag
        )
        if self._control.stopped:
            return None
        cuts = path.cuts_of(path.chosen(params.gamma))
        return (step_tree(points, cuts, self._column, params.reg_lambda, params.gamma),)

    def add(self, trees: tuple[Tree, ...], begun: Begun) -> None:
        """Add the tree to the raw predictions."""
        add_trees(trees, self._data, begun.rows)

    def _note(self) -> str:
        missing = int(np.isnan(self._data.features[self._data.train_rows, self._column]).sum())
        if not missing:
            return ""
        name = self._data.schema.features[self._column].name
        return f"{counted(missing, 'row')} without a value of '{name}': no say in the steps."


class _Steps:
    """The one round of a run."""

    def __init__(self, run: StepFunctions, begun: Begun, loss: TrainingLoss, watch: MetricWatch) -> None:
        self._run, self._begun, self._loss, self._watch = run, begun, loss, watch
        self._omega = Omega(begun.ensemble)
        self._reports = RoundReports(loss, self._omega, watch)

    def grow(self, number: int, params: TrainingParams) -> RoundFinished | None:
        """Find the step function; None when it was stopped."""
        began, before = perf_counter(), self._loss.total
        trees = self._run.found(params, self._loss)
        if trees is None:
            return None
        self._run.add(trees, self._begun)
        self._loss.update()
        self._omega.add(trees)
        self._watch.note(number, params)
        return self._reports.finished(number, trees, params, self._loss.total - before, began)

    def gives_up(self, number: int, params: TrainingParams) -> bool:
        """Never: there is one round."""
        return False
