"""A run of boosting: each round fits trees to gradients and hessians of the loss, as its method sees it."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from workbench.ensembles.control import RunControl
from workbench.ensembles.dart import Dart, is_dart
from workbench.ensembles.events import TrainingEnded
from workbench.ensembles.newton_rounds import NewtonRounds
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.round_grower import RoundGrower
from workbench.ensembles.run.begun import begin_run
from workbench.ensembles.run.breaks import Breaks, watched_run
from workbench.ensembles.run.checks import check_given
from workbench.ensembles.run.live_params import LiveParams
from workbench.ensembles.run.omega import Omega
from workbench.ensembles.run.outset import last_note, look_at_outset
from workbench.ensembles.run.reports import started
from workbench.ensembles.run.round_loop import Rounds, round_loop
from workbench.ensembles.run.setup import RunSetup
from workbench.ensembles.run.training_loss import TrainingLoss
from workbench.ensembles.run.watch import MetricWatch
from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.ensembles.own_parts import OwnParts
    from workbench.ensembles.run.begun import Begun
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


class ToldRounds(Rounds, Protocol):
    """Rounds that may say why they ended by themselves."""

    @property
    def end_note(self) -> str:
        """What a person should know of it; "" else."""


class BoostingRun:
    """One run of boosting on a dataset.

    Parameters
    ----------
    dataset : Dataset
    params : TrainingParams
    control : RunControl, optional
        The reins; without them the run goes through to its end.
    start : Ensemble, optional
        What is grown on: its trees stay, and more follow until there are `rounds`.
    own : OwnParts, optional
        An objective in place of the one that the parameters name; metrics that they may name.
    best : tuple of int and float, optional
        Best round of `start`, and its watched metric.
    given : tuple of tuple of Tree, optional
        The trees of its first rounds, which are not grown.
    """

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
        self._setup = RunSetup(dataset, params, start, own)
        self._dataset = dataset
        self._control = control or RunControl()
        self._is_steered = control is not None
        self._best_of_start = best
        check_given(given, len(dataset.schema.features), self._setup.n_outputs)
        self._given = dict(enumerate(given, start=self._setup.first_round + 1))

    def rounds(self) -> Iterator[Event]:
        """Yield the events of the run; consume it in the thread that trains, and once.

        Raises
        ------
        Cancelled
            The run was stopped while it was being prepared.
        """
        time_began = perf_counter()
        setup, control = self._setup, self._control
        params = LiveParams(setup.params, control, setup.check)
        begun = begin_run(setup, self._dataset, self._is_stopped)
        rows = begun.rows
        loss = TrainingLoss(setup.objective, rows.train, setup.team)
        outset = look_at_outset(setup, self._dataset, begun, loss)
        if not self._needs_rows():
            self._dataset = self._dataset.without_rows()
        watch = MetricWatch(setup.metrics, rows, loss, self._best_of_start, control.measured)
        watch.check(setup.params)
        dart = Dart(begun.ensemble, self._dataset, rows, setup.team.parts)
        grower = self._grower(begun, loss, outset.least_gain)
        newton = NewtonRounds(
            grower, rows.train, loss, dart, Omega(begun.ensemble), watch, setup.objective.highest_raw
        )
        told = self._told(newton, loss, begun.ensemble)
        leave_if(self._is_stopped)
        yield started(setup, begun, loss, watch, outset.note)
        spent = perf_counter() - time_began
        breaks = Breaks(control, watched_run(setup, begun, self._dataset))
        end = yield from round_loop(told, setup.first_round, params, control, breaks)
        note = told.end_note or last_note(outset, setup, params.now, end.round, grower)
        yield TrainingEnded(
            end.reason, end.round, watch.best_round, spent + end.seconds, grower.cuts_by_column,
            (note,) if note else (),
        )

    def _grower(self, begun: Begun, loss: TrainingLoss, least_gain: float) -> RoundGrower:
        """Return who grows the trees of a round."""
        flag = self._control.stop_flag
        return RoundGrower(self._setup, self._dataset, begun, loss, least_gain, flag, self._given)

    def _told(self, rounds: NewtonRounds, loss: TrainingLoss, begun: Ensemble) -> ToldRounds:
        """Return the rounds, with what another method tells of them."""
        return rounds

    def _needs_rows(self) -> bool:
        """Whether trees may be asked about the features themselves, once these are in bins."""
        searches = self._setup.objective.searches_leaves
        return self._is_steered or searches or bool(self._given) or is_dart(self._setup.params)

    def _is_stopped(self) -> bool:
        return self._control.stopped
