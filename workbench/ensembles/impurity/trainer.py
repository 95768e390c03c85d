"""A run of trees that are grown on the target itself; the methods say what shapes a tree."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from workbench.data.remarks import tells_one_value
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import TrainingEnded
from workbench.ensembles.impurity.grown_alone import growing_rows
from workbench.ensembles.impurity.rounds import ImpurityRounds
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.run.breaks import Breaks, watched_run
from workbench.ensembles.run.checks import check_given
from workbench.ensembles.run.first_predictions import predicted_rows
from workbench.ensembles.run.live_params import LiveParams
from workbench.ensembles.run.omega import Omega
from workbench.ensembles.run.outset import Outset, unsplit_note
from workbench.ensembles.run.predicted_rows import RunPredictions
from workbench.ensembles.run.reports import started
from workbench.ensembles.run.round_loop import round_loop
from workbench.ensembles.run.setup import RunSetup
from workbench.ensembles.run.training_loss import TrainingLoss
from workbench.ensembles.run.watch import MetricWatch
from workbench.errors import WorkbenchError, leave_if
from workbench.threads.parallel import thread_count
from workbench.trees.by_node.grower import grow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.ensembles.impurity.grown_alone import GrowingRows
    from workbench.ensembles.impurity.rounds import TreeGrowth
    from workbench.ensembles.own_parts import OwnParts
    from workbench.ensembles.run.predicted_rows import PredictedRows
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import GrownTrees, NodeGrowing
    from workbench.trees.by_node.target import NodeTarget
    from workbench.trees.tree import Tree

LEAST_CELLS = 10_000  # rows × columns from which trees side by side pay


class ImpurityBegun(NamedTuple):
    """A run before its first round: its ensemble, its rows, and these as trees are grown on them."""

    ensemble: Ensemble
    rows: RunPredictions
    grown_on: GrowingRows


class ImpurityTrees:
    """One run; see `TrainerKind` for the parameters.

    Attributes
    ----------
    name : str
        Of the method.
    """

    name: ClassVar[str]

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
        if own.objective is not None:
            raise WorkbenchError(
                f"The method {params.method} grows its trees on the target itself; leave your objective out."
            )
        self.check_start(start)
        self._setup = RunSetup(dataset, params, start, own)
        self._dataset = dataset
        self._control = control or RunControl()
        self._best_of_start = best
        check_given(given, len(dataset.schema.features), self._setup.n_outputs)
        self._given = dict(enumerate(given, start=self._setup.first_round + 1))
        if dataset.offset is not None and dataset.schema.task != "regression":
            raise WorkbenchError(
                f"The method {params.method} and an offset clash: shares of classes have none. Leave it out."
            )

    @property
    def is_regression(self) -> bool:
        """Whether numbers are predicted."""
        return self._setup.objective.task == "regression"

    def check_start(self, start: Ensemble | None) -> None:
        """Refuse a model that the method cannot go on from."""

    def growing(self, params: TrainingParams, n_columns: int) -> NodeGrowing:
        """Return what shapes a tree."""
        raise NotImplementedError

    def finished(
        self, grown: GrownTrees, params: TrainingParams, target: NodeTarget, weight: NDArray[np.float64]
    ) -> GrownTrees:
        """Return a tree as it is kept; it was grown on these rows."""
        return grown

    def rounds(self) -> Iterator[Event]:
        """Yield the events of the run; consume it in the thread that trains, and once.

        Raises
        ------
        Cancelled
            The run was stopped while it was being prepared.
        """
        time_began = perf_counter()
        setup, control, data = self._setup, self._control, self._dataset
        params = LiveParams(setup.params, control, setup.check)
        begun = self._begin()
        loss = TrainingLoss(setup.objective, begun.rows.train, setup.team)
        watch = MetricWatch(setup.metrics, begun.rows, loss, self._best_of_start, control.measured)
        threads = thread_count(setup.params.threads, begun.grown_on.columns.codes.size, LEAST_CELLS)
        trees = ImpurityRounds(
            data, begun.rows, self._growth(begun.grown_on), loss, Omega(begun.ensemble), watch, setup.metrics,
            self._given, threads,
        )
        try:
            if setup.start is not None and setup.start.trees:
                trees.go_on(begun.ensemble, setup.params)
                loss.update()
                watch.take()
            leave_if(self._is_stopped)
            yield started(setup, begun, loss, watch)
            spent = perf_counter() - time_began
            breaks = Breaks(control, watched_run(setup, begun, data))
            end = yield from round_loop(trees, setup.first_round, params, control, breaks)
        finally:
            trees.close()
        note = "" if trees.has_split else self._unsplit_note(begun, params.now, end.round)
        cuts = tuple(begun.grown_on.columns.n_codes.tolist())
        yield TrainingEnded(
            end.reason, end.round, watch.best_round, spent + end.seconds, cuts, (note,) if note else ()
        )

    def _begin(self) -> ImpurityBegun:
        setup, data = self._setup, self._dataset
        grown_on = growing_rows(data, setup.params, setup.team.parts, self._is_stopped)
        predictions = RunPredictions(self._predicted(data.train_rows), self._predicted(data.valid_rows))
        ensemble = setup.begun(np.zeros(setup.n_outputs, np.float32))
        return ImpurityBegun(ensemble, predictions, grown_on)

    def _predicted(self, rows: NDArray[np.int64]) -> PredictedRows:
        """Return rows with the best constant, which the first tree replaces."""
        setup, data = self._setup, self._dataset
        train, weight = data.train_rows, setup.weight_of(data, data.train_rows)
        target = data.target[train] if data.offset is None else data.target[train] - data.offset[train]
        constant = setup.objective.base_margin(target, weight, setup.n_outputs)
        raw = np.repeat(constant[:, None], len(rows), axis=1)
        return predicted_rows(setup, data, raw if data.offset is None else raw + data.offset[rows], rows)

    def _growth(self, rows: GrowingRows) -> TreeGrowth:
        columns, target, weight, allowed = rows
        stop_flag = self._control.stop_flag

        def grown(
            number: int, params: TrainingParams, counts: NDArray[np.float64]
        ) -> GrownTrees | None:
            growing, drawn = self.growing(params, len(allowed)), weight * counts
            tree = grow(columns, target, drawn, growing, allowed, params.seed, number, stop_flag)
            return None if tree is None else self.finished(tree, params, target, drawn)

        return grown

    def _unsplit_note(self, begun: ImpurityBegun, params: TrainingParams, last_round: int) -> str:
        """Say why no round made a split; "" where there were none, or the notes of the data tell it."""
        data, train = self._dataset, begun.rows.train
        rounds = last_round - self._setup.first_round
        if not rounds or tells_one_value(data.schema.target, data.schema.journal):
            return ""
        is_constant = bool(train.target.min() == train.target.max())
        outset = Outset(len(train), train.total_weight, 0.0, data.weight is not None, is_constant)
        return unsplit_note(outset, params, rounds, int(begun.grown_on.columns.n_codes.max(initial=0)))

    def _is_stopped(self) -> bool:
        return self._control.stopped
