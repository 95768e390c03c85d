"""The runs of a sitting, in the order of their making."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import EndReason, TrainingEnded, TrainingPaused, notes_of
from workbench.session.refusal import refusal
from workbench.session.run import Run, RunState

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.ensembles.events import Event
    from workbench.session.breakpoints import Breakpoints
    from workbench.session.events import SessionEvents
    from workbench.session.notices import Notices
    from workbench.session.shown import Shown


class Runs(Sequence[Run]):
    """A sequence of runs; what a trainer says of one is taken in here."""

    def __init__(
        self, events: SessionEvents, shown: Shown, notices: Notices, breakpoints: Breakpoints
    ) -> None:
        self._events, self._shown, self._notices = events, shown, notices
        self._breakpoints = breakpoints
        self._runs: list[Run] = []

    def __len__(self) -> int:
        return len(self._runs)

    def __getitem__(self, place: Any) -> Any:
        return self._runs[place]

    @property
    def in_hand(self) -> Run | None:
        """The run that trains or waits, shown or not; else the shown one."""
        return next((run for run in self if run.is_live), self._shown.run)

    def add(self, run: Run, *, shown: bool = True) -> None:
        """Add a run that was made elsewhere; its number follows from its place."""
        run.number = len(self) + 1
        self._runs.append(run)
        if shown:
            self._shown.show(run)
        else:
            self._events.runs.emit()

    def begin(self, run: Run) -> None:
        """Add a run that is to be trained, and show it; the session announces it."""
        self._runs.append(run)
        self._shown.begin(run)

    def take(self, runs: Sequence[Run]) -> None:
        """Take these in place of all others, and show the first; the session announces it."""
        self._runs = list(runs)
        self._shown.run = runs[0] if runs else None

    def go_on(self, run: Run) -> None:
        """Wait for more rounds of a run that had ended."""
        run.go_on()
        self._announce(run, self._events.state)

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
            spent = float(run.history.column("seconds").sum())
            run.apply(TrainingEnded(EndReason.STOPPED, len(run.rounds), run.best_round, spent))
        self._breakpoints.aim(None)
        self._events.state.emit()
        self._events.what_if.emit()

    def dataset_ready(self, run: Run, dataset: Dataset) -> None:
        """Give a run its encoded rows."""
        run.dataset, run.schema = dataset, dataset.schema
        self._announce(run, self._events.state)

    def apply(self, run: Run, events: Sequence[Event]) -> None:
        """Take in what the trainer of `run` has said; views hear of it once."""
        state, rounds = run.state, len(run.rounds)
        for event in events:
            run.apply(event)
            for note in notes_of(event):
                self._notices.say(note, "warning", "training")
            if isinstance(event, TrainingPaused) and event.reason:
                self._tell_pause(run, event)
        if len(run.rounds) != rounds:
            self._announce(run, self._events.rounds)
            self._tell_refusal(run)
        if run.state != state or not rounds:
            self._announce(run, self._events.state)

    def _tell_pause(self, run: Run, pause: TrainingPaused) -> None:
        """Say why a breakpoint paused a run."""
        self._breakpoints.reached(pause.met)
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
        run.state = RunState.FAILED
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
