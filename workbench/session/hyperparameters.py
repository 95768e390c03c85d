"""Hyperparameters as the person wants them now, and what was set aside of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.parameters.training import BY_NAME, PARAMETERS, TrainingParams
from workbench.session.journal.kinds.edit_params import EditParams
from workbench.session.set_aside import SetAside, set_aside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.session.events import SessionEvents
    from workbench.session.journal.journal import Journal
    from workbench.session.run import Run
    from workbench.session.runs import Runs
    from workbench.session.shown import Shown


class Hyperparameters:
    """Each run has its own; those shown and changed are one run's, before the first run its own to be.

    Attributes
    ----------
    of_model : mapping of str to object
        What differs in the model that was open before the table, as far as its file tells.
    first : TrainingParams
        Those of the first run to be.
    """

    def __init__(self, events: SessionEvents, runs: Runs, shown: Shown, journal: Journal) -> None:
        self._events, self._runs, self._shown, self._journal = events, runs, shown, journal
        self.first = self._told = TrainingParams()
        self._set_aside: SetAside | None = None
        self.of_model: Mapping[str, Any] = {}
        events.params.connect(self._note_told)
        for signal in (events.rounds, events.runs, events.state):
            signal.connect(self._tell)

    @property
    def run(self) -> Run | None:
        """The run whose they are: the one that trains, else the shown one."""
        return next((run for run in reversed(self._runs.live) if run.is_steered), self._shown.run)

    @property
    def wanted(self) -> TrainingParams:
        """Those for the next round of a run that trains; else of the shown run, for the next one."""
        run = self.run
        return self.first if run is None else run.wanted_now

    # --- what the person changes ------------------------------------------------------------

    def change(self, **values: Any) -> None:
        """Give some of them other values, so that it can be undone."""
        self._change(self.wanted.change(**values))

    def let_few_rows_split(self) -> None:
        """Ask no hessian of a child where nobody said how much: six rows of two classes have 1.5 in all."""
        declared, wanted = BY_NAME["min_child_weight"], self.wanted
        if declared.is_of(wanted.method) and wanted.min_child_weight == declared.default_of(wanted.method):
            self.change(min_child_weight=0.0)

    def _change(self, params: TrainingParams) -> None:
        before = self.wanted
        if params == before:
            return
        old, new = before.to_dict(), params.to_dict()
        names = [name for name in old if old[name] != new[name]]
        self._take(params)
        self._events.params.emit()
        values = ({name: one[name] for name in names} for one in (old, new))
        self._journal.note(EditParams(self.run.number if self.run else 0, *values))

    def take_method(self, method: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Take another training method; return what changes with it, before and after.

        Parameters that it does not have go back to their defaults. The session announces it.
        """
        before = self.wanted
        others = {p.name: p.default_of(method) for p in PARAMETERS if not p.is_of(method)}
        self._take(before.change(method=method, **others))
        old, new = before.to_dict(), self.wanted.to_dict()
        names = [name for name in old if old[name] != new[name]]
        return {name: old[name] for name in names}, {name: new[name] for name in names}

    def reset(self) -> None:
        """Put every parameter back to its default."""
        if self._set_aside is not None:
            self._set_aside = replace(self._set_aside, own=TrainingParams())
        self._journal.part()
        self._change(TrainingParams(method=self.wanted.method))
        self._journal.part()

    def take_model(self) -> None:
        """Take those of the model that was open before the table, as far as its file tells them."""
        self.change(**self.of_model)

    def _take(self, params: TrainingParams) -> None:
        if self._set_aside is not None:
            self._set_aside = self._set_aside.changed(self.wanted, params)
        run = self.run
        if run is None:
            self.first = params
            return
        now = run.wanted_now
        if params.rounds != now.rounds:
            run.lengthened = 0  # they are the person's own now
        elif run.lengthened:
            params = params.change(rounds=run.wanted.rounds)
        run.wanted = params

    @property
    def own(self) -> tuple[TrainingParams, SetAside | None]:
        """Those of the first run to be, and what is set aside beside a model."""
        return self.first, self._set_aside

    @own.setter
    def own(self, own: tuple[TrainingParams, SetAside | None]) -> None:
        self.first, self._set_aside = own

    # --- what the session passes on; it announces it ----------------------------------------

    def change_everywhere(self, change: Callable[[TrainingParams], TrainingParams]) -> None:
        """Change what is wanted, whichever run is shown."""
        self._take(change(self.wanted))
        for run in self._runs:
            run.wanted = change(run.wanted)

    def hand_over(self, run: Run) -> None:
        """Give them to a new run; what was changed beside the shown one has gone into it, but for metrics."""
        run.wanted = self.wanted
        shown = self._shown.run
        if shown is not None:
            own: dict[str, Any] = {"more_metrics": self.wanted.more_metrics, "metric": self.wanted.metric}
            known = shown.params_in_force
            if shown.lengthened == known.rounds:
                own["rounds"] = shown.wanted.rounds
            shown.wanted = known.change(**own)

    def set_aside_for(self, run: Run) -> None:
        """Set the person's own aside for those of a model."""
        self._set_aside = set_aside(self._set_aside.own if self._set_aside else self.wanted, run)
        self.of_model = {}

    def attach(self, run: Run) -> None:
        """Go on with a model beside its table; what was changed beside it stays."""
        shown = self._shown.run
        if shown is None or shown.read is not run.read:
            self.set_aside_for(run)
            return
        run.wanted = self.wanted
        self.of_model = {}

    def take_own(self) -> None:
        """Let those of a model give way to the person's own."""
        self.first, self.of_model = self.wanted, {}
        if self._set_aside is not None:
            self.first, self.of_model = self._set_aside.own, self._set_aside.others
            self._set_aside = None

    # --- telling ----------------------------------------------------------------------------

    def _note_told(self) -> None:
        self._told = self.wanted

    def _tell(self) -> None:
        """Say that others are to be shown, where they are those of another run now."""
        if self.wanted != self._told:
            self._journal.part()
            self._events.params.emit()
