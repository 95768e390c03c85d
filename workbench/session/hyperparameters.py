"""Hyperparameters as the person wants them now, with what can be undone and what was set aside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.parameters.training import BY_NAME, TrainingParams
from workbench.session.set_aside import SetAside, set_aside
from workbench.session.undo import Edits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from workbench.session.events import SessionEvents
    from workbench.session.run import Run
    from workbench.session.runs import Runs
    from workbench.session.shown import Shown
    from workbench.session.undo import Edit


class Hyperparameters:
    """Each run has its own; those shown and changed are one run's, before the first run its own to be.

    Attributes
    ----------
    of_model : mapping of str to object
        What differs in the model that was open before the table, as far as its file tells.
    """

    def __init__(self, events: SessionEvents, runs: Runs, shown: Shown) -> None:
        self._events, self._runs, self._shown = events, runs, shown
        self._first = self._told = TrainingParams()
        self._edits = Edits()
        self._set_aside: SetAside | None = None
        self._longer: Run | None = None  # that goes on, with more rounds than were asked for
        self.of_model: Mapping[str, Any] = {}
        events.params.connect(self._note_told)
        for signal in (events.runs, events.state):
            signal.connect(self._tell)

    @property
    def run(self) -> Run | None:
        """The run whose they are: the one that trains, else the shown one."""
        return next((run for run in reversed(self._runs) if run.is_live and run.is_steered), self._shown.run)

    @property
    def wanted(self) -> TrainingParams:
        """Those for the next round of a run that trains; else of the shown run, for the next one."""
        run = self.run
        return self._first if run is None else run.wanted

    # --- what the person changes ------------------------------------------------------------

    def change(self, **values: Any) -> None:
        """Give some of them other values, so that it can be undone."""
        self._change(self.wanted.change(**values))

    def _change(self, params: TrainingParams) -> None:
        if params != self.wanted:
            self._edits.note(self.wanted, params)
            self._take(params)
            self._events.params.emit()

    def reset(self) -> None:
        """Put every parameter back to its default."""
        if self._set_aside is not None:
            self._set_aside = replace(self._set_aside, own=TrainingParams())
        self._edits.part()
        self._change(TrainingParams())

    def take_model(self) -> None:
        """Take those of the model that was open before the table, as far as its file tells them."""
        self.change(**self.of_model)

    def undo(self) -> None:
        """Take the last edit back."""
        if self.can_undo:
            self._take(self.wanted.change(**self._edits.undo()))
            self._events.params.emit()

    def redo(self) -> None:
        """Do the edit again that was taken back last."""
        if self.can_redo:
            self._take(self.wanted.change(**self._edits.redo()))
            self._events.params.emit()

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit that can be taken back now."""
        return self._can_take(self._edits.done)

    @property
    def can_redo(self) -> bool:
        """Whether an edit that was taken back can be done again now."""
        return self._can_take(self._edits.undone)

    def _can_take(self, edits: Sequence[Edit]) -> bool:
        """Whether there is one, and no run that trains holds its parameters fixed."""
        steered = any(run.is_live and run.is_steered for run in self._runs)
        return bool(edits) and (not steered or all(BY_NAME[name].live for name in edits[-1].after))

    def _take(self, params: TrainingParams) -> None:
        if self._set_aside is not None:
            self._set_aside = self._set_aside.changed(self.wanted, params)
        run = self.run
        if run is None:
            self._first = params
            return
        if params.rounds != run.wanted.rounds and run is self._longer:
            self._longer = None  # they are the person's own now
        run.wanted = params

    # --- what the session passes on; it announces it ----------------------------------------

    def change_everywhere(self, change: Callable[[TrainingParams], TrainingParams]) -> None:
        """Change what is wanted, whichever run is shown."""
        self._take(change(self.wanted))
        for run in self._runs:
            run.wanted = change(run.wanted)

    def lengthen(self, run: Run, rounds: int) -> None:
        """Let a run that goes on have so many rounds in all; nobody asked for that number."""
        self._longer, run.lengthened = run, (run.wanted.rounds, rounds)
        run.wanted = run.wanted.change(rounds=rounds)
        self._events.params.emit()

    def hand_over(self, run: Run) -> None:
        """Give them to a new run; what was changed beside the shown one has gone into it, but for metrics."""
        run.wanted = self.wanted
        shown = self._shown.run
        if shown is not None:
            own = {"more_metrics": self.wanted.more_metrics, "metric": self.wanted.metric}
            shown.wanted = _as_asked(shown, shown.params_in_force.change(**own))

    def set_aside_for(self, run: Run) -> None:
        """Set the person's own aside for those of a model."""
        self._set_aside = set_aside(self._set_aside.own if self._set_aside else self.wanted, run)
        self.of_model = {}
        self._edits.forget()

    def attach(self, run: Run) -> None:
        """Go on with a model beside its table; what was changed beside it stays."""
        shown = self._shown.run
        if shown is None or shown.read is not run.read:
            self.set_aside_for(run)
            return
        run.wanted = self.wanted
        self.of_model = {}
        self._edits.forget()

    def take_own(self) -> None:
        """Let those of a model give way to the person's own."""
        self._end_length()
        self._first, self.of_model = self.wanted, {}
        if self._set_aside is not None:
            self._first, self.of_model = self._set_aside.own, self._set_aside.others
            self._set_aside = None
        self._edits.forget()

    # --- telling ----------------------------------------------------------------------------

    def _end_length(self) -> None:
        """Give back the rounds that were asked for to the run that went on, once it has ended."""
        if self._longer is not None and not self._longer.is_live:
            self._longer.wanted = _as_asked(self._longer, self._longer.wanted)
            self._longer = None

    def _note_told(self) -> None:
        self._told = self.wanted

    def _tell(self) -> None:
        """Say that others are to be shown, where they are those of another run now."""
        self._end_length()
        if self.wanted != self._told:
            self._edits.part()
            self._events.params.emit()


def _as_asked(run: Run, params: TrainingParams) -> TrainingParams:
    """Return parameters of a run that went on with the rounds that were asked for."""
    if run.lengthened is None:
        return params
    asked, lengthened = run.lengthened
    return params.change(rounds=asked) if params.rounds == lengthened else params
