"""The state of one sitting: the data, the hyperparameters, the runs and what is shown of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.session.breakpoints import Breakpoints
from workbench.session.clash import TableClash, clash_of
from workbench.session.events import SessionEvents
from workbench.session.hyperparameters import Hyperparameters
from workbench.session.notices import Notices
from workbench.session.objective_facts import ObjectiveFacts
from workbench.session.open_data import OpenData
from workbench.session.own_files import OwnFiles
from workbench.session.plan import Plan
from workbench.session.run import Run
from workbench.session.runs import Runs
from workbench.session.selection import Selection
from workbench.session.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Table
    from workbench.parameters.clashes import Clash


class Session:
    """Everything the window shows, free of Qt; changed only through its methods and those of its parts.

    Attributes
    ----------
    events : SessionEvents
        Through which every part says what changed.
    notices : Notices
    data : OpenData
    shown : Shown
    breakpoints : Breakpoints
    runs : Runs
    hyperparameters : Hyperparameters
    own_files : OwnFiles
    harmless_formulas : bool
        Whether no spreadsheet may run text of CSV files and copies.
    """

    def __init__(self) -> None:
        self.events = SessionEvents()
        self.notices = Notices(self.events)
        self.data = OpenData(self.events)
        self.shown = Shown(self.events)
        self.breakpoints = Breakpoints(self.events)
        self.runs = Runs(self.events, self.shown, self.notices, self.breakpoints)
        self.hyperparameters = Hyperparameters(self.events, self.runs, self.shown)
        self.own_files = OwnFiles(self.events, self.data, self.hyperparameters)
        self.harmless_formulas = False
        self._model_name = ""
        self._table_clash = TableClash()

    # --- what several parts say together ----------------------------------------------------

    @property
    def name(self) -> str:
        """What is open: the table's name, or the model file's."""
        return self.data.table.name if self.data.table else self._model_name

    @property
    def choices(self) -> tuple[ObjectiveFacts, ...]:
        """The objectives that can be chosen, with one's own where a file gave it."""
        return (*self.data.objectives, *self.own_files.objectives)

    @property
    def planned(self) -> ObjectiveFacts:
        """Facts of the plan's objective."""
        name = self.data.plan.objective
        found = next((facts for facts in self.choices if facts.name == name), ObjectiveFacts(name))
        return found.with_metrics(self.own_files.metrics)

    @property
    def facts(self) -> ObjectiveFacts:
        """Facts of the shown run's objective; of the plan's before it reports."""
        run = self.shown.run
        return run.facts if run and run.started else self.planned

    @property
    def clash(self) -> Clash | None:
        """What of parameters and plan does not go together, or with the table."""
        data, params = self.data, self.hyperparameters.wanted
        own = [metric.name for metric in self.own_files.metrics]
        found = clash_of(params, data.plan, self.planned, self.choices, own)
        if found is not None or data.table is None:
            return found
        return self._table_clash.of(data.table, data.plan, params)

    # --- what changes several parts ---------------------------------------------------------

    def open_table(
        self, table: Table, plan: Plan, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...] = (),
    ) -> None:  # fmt: skip
        """Show another table; former runs go, and parameters of a model give way to the person's own."""
        self.hyperparameters.take_own()
        self.data.take(table, plan, summaries, objectives)
        self._show("", ())

    def open_model(self, run: Run, name: str, objectives: tuple[ObjectiveFacts, ...] = ()) -> None:
        """Show a model from a file; there is no table until one is opened."""
        self.hyperparameters.set_aside_for(run)
        self.data.take(None, Plan(objective=run.params.objective), {}, objectives)
        self._show(name, (run,))

    def attach(
        self, run: Run, table: Table, plan: Plan, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...] = (),
    ) -> None:  # fmt: skip
        """Show a model with the table that it was trained on; what was changed beside it stays."""
        self.hyperparameters.attach(run)
        self.data.take(table, plan, summaries, objectives)
        self._show("", (run,))

    def _show(self, model_name: str, runs: Sequence[Run]) -> None:
        """Begin with what was opened, and announce all of it."""
        self._model_name = model_name
        self.runs.take(runs)
        self.shown.selection = Selection(column=self.data.plan.target)
        self.notices.current = None
        events = self.events
        for signal in (events.table, events.summaries, events.plan, events.params, events.runs, events.state,
                       events.rounds, events.selection, events.notice):
            signal.emit()

    def new_run(self) -> Run:
        """Add a run with the present hyperparameters, and show it."""
        params = self.hyperparameters.wanted.change(objective=self.data.plan.objective)
        run = Run(len(self.runs) + 1, params, self.planned)
        run.own = self.own_files.parts
        self.hyperparameters.hand_over(run)
        self.runs.begin(run)
        self.notices.current = None
        events = self.events
        for signal in (events.runs, events.state, events.selection, events.notice):
            signal.emit()
        return run
