"""What actions change of a sitting: read for the journal, and put back by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from workbench.parameters.training import BY_NAME
from workbench.session.journal.kinds.edit_params import EditParams
from workbench.session.journal.kinds.params_from import ParamsFrom

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from workbench.session.breakpoints import Breakpoints
    from workbench.session.events import SessionEvents
    from workbench.session.hyperparameters import Hyperparameters
    from workbench.session.journal.journal import JournalLine
    from workbench.session.open_data import OpenData
    from workbench.session.own_files import OwnFiles
    from workbench.session.playground.drawing import Drawing
    from workbench.session.playground.playground import Playground
    from workbench.session.runs import Runs
    from workbench.session.shown import Shown


class SessionParts(Protocol):
    """The parts of a session that actions change."""

    events: SessionEvents
    data: OpenData
    shown: Shown
    breakpoints: Breakpoints
    runs: Runs
    hyperparameters: Hyperparameters
    own_files: OwnFiles
    playground: Playground


class SessionState:
    """The keeper of the journal; the parts may come after it."""

    def __init__(self, parts: SessionParts) -> None:
        self._of = parts

    def now(self) -> dict[Hashable, Any]:
        """Return what actions change, as objects that never change themselves, by key."""
        data, runs, shown = self._of.data, self._of.runs, self._of.shown.run
        state: dict[Hashable, Any] = {
            "table": (data.table, data.summaries), "points": self._of.playground.drawing,
            "plan": data.plan, "own": self._of.own_files.files,
            "first": self._of.hyperparameters.own, "shown": shown.number if shown else 0,
            "listed": tuple(run.number for run in runs), "breakpoints": self._of.breakpoints.to_dict(),
            "goal": self._of.breakpoints.told,
        }
        for number, run in runs.all.items():
            state["wanted", number] = run.wanted
            state["card", number] = run.card
            state["stretches", number] = run.stretches.n_counted
            state["lengthened", number] = run.lengthened
        return state

    def restore(self, state: Mapping[Any, Any]) -> None:
        """Put these parts of the state back as they were, and announce it."""
        runs = self._of.runs.all
        for key, value in state.items():
            match key:
                case "table":
                    self._of.data.table, self._of.data.summaries = value
                case "plan":
                    self._of.data.plan = value
                case "own":
                    self._of.own_files.files = value
                case "first":
                    self._of.hyperparameters.own = value
                case "breakpoints":
                    self._of.breakpoints.take(value)
                case "goal":
                    live = self._of.runs.live
                    self._of.breakpoints.take_goal(value, live[0].number if live else 0)
                case "listed":
                    self._of.runs.list_all_of(value)
                case ("wanted", number) if value is not None:
                    runs[number].wanted = value
                case ("card", number) if value is not None:
                    runs[number].card = value
                case ("lengthened", number) if value is not None:
                    runs[number].lengthened = value
                case ("stretches", number) if value is not None:
                    runs[number].stand_after(value)
        if "points" in state:
            self._put_points(state["points"])  # after the table, which follows from them
        if "shown" in state:
            self.go_to(state["shown"])
        events = self._of.events
        signals = [events.plan, events.params, events.runs, events.state, events.rounds, events.selection]
        of_table = [events.table, events.summaries, events.playground] if "table" in state else []
        with events.act():
            for signal in of_table + signals:
                signal.emit()

    def _put_points(self, drawing: Drawing | None) -> None:
        """Lay other points on the paper, and let the table be made of them."""
        if drawing is not None and self._of.data.table is not None:
            table = drawing.table()
            if table.sha256 != self._of.data.table.sha256:
                from workbench.data.statistics import column_summary

                self._of.data.put(table, {column.name: column_summary(column) for column in table.columns})
        self._of.playground.put(drawing)

    def go_to(self, number: int) -> None:
        """Show the run of that number, or none where it is not listed."""
        run = self._of.runs.all.get(number)
        if run is not self._of.shown.run:
            self._of.shown.begin_any([run] if run is not None and run in self._of.runs else [])

    def relist(self, left_out: Iterable[JournalLine]) -> None:
        """List the runs again whose making was taken back, where they have rounds of their own."""
        runs = self._of.runs
        listed = {run.number for run in runs}
        for line in left_out:
            made = set(line.after.get("listed") or ()) - set(line.before.get("listed") or ())
            listed |= {n for n in made if len(runs.all[n].rounds) > runs.all[n].shared_rounds}
        runs.list_all_of(listed)

    def is_held(self, line: JournalLine) -> bool:
        """Whether a run that trains holds what the line changed."""
        live = self._of.runs.live
        if not live:
            return False
        numbers = {run.number for run in live}
        changed = line.before.keys()
        listed = set(line.before.get("listed") or ()) ^ set(line.after.get("listed") or ())
        if changed & {"table", "plan", "own"} or listed & numbers:
            return True
        if any(("stretches", number) in changed for number in numbers):
            return True
        if not isinstance(line.action, (EditParams, ParamsFrom)) or not any(run.is_steered for run in live):
            return False
        return not all(BY_NAME[name].live for name in line.action.after)

    def tell(self) -> None:
        """Say that there is another line, or that another is the present one."""
        self._of.events.journal.emit()
