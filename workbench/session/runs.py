"""The runs of a sitting, in the order of their making."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import EndReason, TrainingEnded, TrainingPaused, notes_of
from workbench.session.journal.kinds.delete import Delete
from workbench.session.journal.kinds.go_on import GoOn
from workbench.session.journal.kinds.note import NoteRun
from workbench.session.journal.kinds.params_from import in_force
from workbench.session.journal.kinds.pause import Pause
from workbench.session.journal.kinds.pin import Pin
from workbench.session.journal.kinds.rename import Rename
from workbench.session.journal.kinds.step import StepRun
from workbench.session.journal.kinds.stop import Stop
from workbench.session.refusal import refusal
from workbench.session.run import OVER, Run, RunState
from workbench.session.run_parts.marks import RunCard

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.ensembles.events import Event
    from workbench.explain.compared_node import NodeSource
    from workbench.parameters.training import TrainingParams
    from workbench.session.breakpoints import Breakpoints
    from workbench.session.events import SessionEvents
    from workbench.session.journal.action import Action
    from workbench.session.journal.journal import Journal
    from workbench.session.notices import Notices
    from workbench.session.run_parts.parameter_change import ParameterChange
    from workbench.session.run_parts.stretches import Cluster
    from workbench.session.shown import Shown


class Runs(Sequence[Run]):
    """A sequence of runs by number; what a trainer says of one is taken in here.

    A run that was deleted, or whose making was taken back, is set aside and can be listed again.
    """

    def __init__(
        self, events: SessionEvents, shown: Shown, notices: Notices, journal: Journal,
        breakpoints: Breakpoints,
    ) -> None:  # fmt: skip
        self._events, self._shown, self._notices, self._journal = events, shown, notices, journal
        self._breakpoints = breakpoints
        self._runs: list[Run] = []
        self._all: dict[int, Run] = {}

    def __len__(self) -> int:
        return len(self._runs)

    def __getitem__(self, place: Any) -> Any:
        return self._runs[place]

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __reversed__(self) -> Iterator[Run]:
        return reversed(self._runs)

    def __contains__(self, run: object) -> bool:
        return run in self._runs

    @property
    def live(self) -> list[Run]:
        """Those that train or wait."""
        return [run for run in self._runs if run.state not in OVER]

    @property
    def in_hand(self) -> Run | None:
        """The run that trains or waits, shown or not; else the shown one."""
        return next(iter(self.live), self._shown.run)

    @property
    def all(self) -> Mapping[int, Run]:
        """Those set aside too, by number."""
        return self._all

    @property
    def next_number(self) -> int:
        """The number of a run that is added; none is given twice."""
        return max(self._all, default=0) + 1

    def add(self, run: Run, action: Callable[[int], Action] | None = None, *, shown: bool = True) -> None:
        """Add a run that was made elsewhere, and give it its number; `action` tells how it was made."""
        run.number = self.next_number
        self._list(run)
        if shown:
            self._shown.go_to(run)
        else:
            self._events.runs.emit()
        if action is not None:
            run.made = action(run.number)
            self._journal.note(run.made)

    def begin(self, run: Run) -> None:
        """Add a run that is to be trained, and show it; the session announces it."""
        self._list(run)
        self._shown.begin(run)

    def _list(self, run: Run) -> None:
        self._all[run.number] = run
        self._runs = sorted({*self._runs, run}, key=lambda one: one.number)

    def take(self, runs: Sequence[Run]) -> None:
        """Take these in place of all others, and show the first; the session announces it."""
        self._runs, self._all = list(runs), {run.number: run for run in runs}
        self._shown.run = runs[0] if runs else None

    def take_up(self, runs: Mapping[int, Run], listed: Collection[int]) -> None:
        """Take those of a sitting before in place of all others; the session announces it."""
        self._all = dict(runs)
        self.list_all_of(listed)

    def list_all_of(self, numbers: Collection[int]) -> None:
        """List the runs of these numbers, and set all others aside; the session announces it."""
        self._runs = [run for number, run in sorted(self._all.items()) if number in numbers]

    def is_passing(self, run: Run) -> bool:
        """Whether nobody would miss it: nothing is written on it, and no other run stands on it."""
        return run.card == RunCard() and all(other.stands_on != run.number for other in self)

    # --- what the person does with them -----------------------------------------------------

    def go_on(self, run: Run, params: TrainingParams, cluster: Cluster | None = None) -> None:
        """Wait for more rounds of a run that had ended; it trains here, or on a cluster."""
        at = len(run.rounds)
        run.begin_stretch(params, cluster)
        run.lengthened = params.rounds if params.rounds != run.wanted.rounds else 0
        with self._events.act():
            self._announce(run, self._events.state)
            self._events.params.emit()
            self._journal.note(GoOn(run.number, at, params.rounds))

    def step(self, run: Run) -> None:
        """Take down that one round is asked for."""
        self._journal.note(StepRun(run.number, 1))

    def write_on(self, run: Run, **values: Any) -> None:
        """Change the run's own name, its note, or whether it is pinned: the fields of `RunCard`."""
        for name, value in values.items():
            changed = run.card._replace(**{name: value})
            if changed == run.card:
                continue
            run.card = changed
            action = {"title": Rename, "note": NoteRun, "pinned": Pin}[name](run.number, value)
            self._journal.note(action)
        self._events.runs.emit()

    def delete(self, run: Run) -> None:
        """Set a run aside that is not live; it can be listed again by undoing."""
        if run.is_live or run not in self._runs:
            return
        self._runs.remove(run)
        if self._shown.run is run:
            self._shown.begin_any(self._runs)
        self._events.runs.emit()
        self._journal.note(Delete(run.number, run.name))

    def resume(self, run: Run) -> None:
        """Let a run that was paused train again."""
        run.state = RunState.RUNNING
        notice = self._notices.current
        if notice is not None and notice.offers_resume:
            self._notices.dismiss()
        self._announce(run, self._events.state)

    def end(self, run: Run) -> None:
        """End a run whose trainer is gone, where that has not said so itself."""
        if run.is_live:
            spent = float(run.history.column("seconds")[run.shared_rounds :].sum())
            run.break_off(spent)
            self._journal.note(Stop(run.number, len(run.rounds)))
        self._breakpoints.leave_goal(run.number)
        self._events.state.emit()
        self._events.what_if.emit()

    def dataset_ready(self, run: Run, dataset: Dataset) -> None:
        """Give a run its encoded rows; one that branched off or went on has them."""
        if run.dataset is dataset:
            return
        run.dataset, run.schema = dataset, dataset.schema
        self._announce(run, self._events.state)

    def rows_are_there(
        self, run: Run, schema: DataSchema, rows: NodeSource, shown: Dataset | None = None
    ) -> None:
        """Tell a run of its rows, which stay elsewhere, and of those among them that are shown here."""
        if run.there is rows and run.schema is not None:
            return
        run.there, run.schema, run.shown_rows = rows, schema, shown
        self._announce(run, self._events.state)

    def prepares(self, run: Run, text: str) -> None:
        """Tell a run how far its rows are prepared."""
        if text != run.preparing:
            run.preparing = text
            self._announce(run, self._events.state)

    def apply(self, run: Run, events: Sequence[Event]) -> None:
        """Take in what the trainer of `run` has said; views hear of it once."""
        state, rounds = run.state, len(run.rounds)
        for event in events:
            changes = len(run.changes)
            run.apply(event)
            self._tell_changes(run, run.changes[changes:])
            if isinstance(event, TrainingEnded) and event.reason is EndReason.STOPPED:
                self._journal.note(Stop(run.number, event.round))
            if isinstance(event, TrainingEnded):
                self._breakpoints.leave_goal(run.number)
            for note in notes_of(event):
                self._notices.say(note, "warning", "training")
            if isinstance(event, TrainingPaused) and event.reason:
                self._tell_pause(run, event)
        if len(run.rounds) != rounds:
            self._announce(run, self._events.rounds)
            self._tell_refusal(run)
        if run.state != state or not rounds:
            self._announce(run, self._events.state)

    def _tell_changes(self, run: Run, changes: Sequence[ParameterChange]) -> None:
        """Take down from which round on parameters hold that were changed while the run trained."""
        for change in changes:
            self._journal.rewrite(partial(in_force, run=run.number, parameter=change.name, at=change.round))

    def _tell_pause(self, run: Run, pause: TrainingPaused) -> None:
        """Say why a breakpoint paused a run."""
        self._breakpoints.reached(run.number, pause.met)
        self._journal.note(Pause(run.number, pause.round, tuple(one.name for one in pause.met)))
        severity = "warning" if pause.suspect else "info"
        said = f"{run.name} waits. {pause.reason}"
        self._notices.say(said, severity, "training", offers_resume=True, suspect=pause.suspect)

    def _tell_refusal(self, run: Run) -> None:
        """Say once that the newest trees of the shown run have no split, and why."""
        found = refusal(run)
        if found is not None and found.since != run.refused and run is self._shown.run:
            run.refused = found.since
            self._notices.say(f"{run.name}: {found.words}", "warning", "training")

    def fail(self, run: Run, text: str, *, can_be_mapped: bool = False) -> None:
        """End a run that could not go on; its rounds so far stay."""
        run.fail()
        self._announce(run, self._events.state)
        self._notices.say(text, "error", "training", can_be_mapped=can_be_mapped)

    def set_what_if(self, run: Run, **changes: Any) -> None:
        """Take over a question about the trees of a run, or a part of its answer."""
        run.what_if = replace(run.what_if, **changes)
        self._announce(run, self._events.what_if)

    def _announce(self, run: Run, signal: Any) -> None:
        shown = self._shown.run
        if run is shown or signal is self._events.state:
            signal.emit()
        if run is not shown and shown is not None and run is shown.what_if.answer:
            self._events.what_if.emit()
