"""The state of one sitting: the table, the plan, the runs and what is selected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from psygnal import Signal, SignalGroup

from workbench.metrics.facts import MetricFacts
from workbench.parameters.training import BY_NAME, TrainingParams
from workbench.session.choices import ObjectiveFacts
from workbench.session.clash import TableClash, clash_of
from workbench.session.notice import Notice
from workbench.session.own_file import parts_of
from workbench.session.plan import Plan
from workbench.session.refusal import refusal
from workbench.session.run import Run, RunState
from workbench.session.selection import Selection
from workbench.session.set_aside import SetAside, set_aside
from workbench.session.tree_display import TreeDisplay
from workbench.session.undo import Edits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from workbench.data.dataset import Dataset
    from workbench.data.schema import Role
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Note, Table
    from workbench.ensembles.events import Event
    from workbench.parameters.clashes import Clash
    from workbench.session.own_file import OwnFile
    from workbench.session.undo import Edit
    from workbench.trees.tree import Tree


class SessionEvents(SignalGroup):
    """What changed; a view redraws from the session when told."""

    table = Signal()  # another table, or a column of it changed its kind
    summaries = Signal()  # the columns' distributions are there
    plan = Signal()  # roles, objective or hold-out
    params = Signal()  # hyperparameters for the next run, or the next round of a live one
    runs = Signal()  # a run was added, or another is shown
    rounds = Signal()  # rounds were added to the shown run
    state = Signal()  # a run started, paused, ended, or failed, shown or not
    selection = Signal()  # round, class, node, row or column
    display = Signal()  # how trees are coloured and arranged
    what_if = Signal()  # what is asked of the shown run's trees, or the answer
    pointed = Signal()  # the cursor came to a node of the shown tree, or left it
    notice = Signal()  # a sentence for the person came or went


class Session:
    """Everything the window shows, free of Qt; changed only through its methods.

    Attributes
    ----------
    table : Table or None
    summaries : mapping of str to ColumnSummary
        By column name; empty until they are computed.
    objectives : tuple of ObjectiveFacts
        What can be chosen; empty until a table or a model is open.
    own_files : tuple of OwnFile
        Python files that the person let run; they stay when another table is opened.
    plan : Plan
    problem : str
        Why the plan cannot be trained, "" where nothing is known against it.
    params : TrainingParams
        Those wanted of the run that trains, for its next round; else of the shown run, for the next one;
        before the first run, of that.
    model_params : mapping of str to object
        What differs in the model that was open before the table, as far as its file tells.
    runs : list of Run
    run : Run or None
        The one that is shown.
    selection : Selection
    display : TreeDisplay
    pointed_node : int or None
        Node of the shown tree under the cursor.
    notice : Notice or None
    lasting_notice : Notice or None
        Shown wherever there is no other, until the person puts it away.
    """

    def __init__(self) -> None:
        self.events = SessionEvents()
        self.table: Table | None = None
        self.summaries: Mapping[str, ColumnSummary] = {}
        self.objectives: tuple[ObjectiveFacts, ...] = ()
        self.own_files: tuple[OwnFile, ...] = ()
        self.plan = Plan()
        self.problem = ""
        self._params = self._told = TrainingParams()
        self._edits = Edits()
        self.model_params: Mapping[str, Any] = {}
        self._set_aside: SetAside | None = None
        self.runs: list[Run] = []
        self.run: Run | None = None
        self.selection = Selection()
        self.display = TreeDisplay()
        self.pointed_node: int | None = None
        self.notice: Notice | None = None
        self.lasting_notice: Notice | None = None
        self.harmless_formulas = False  # whether no spreadsheet may run text of CSV files and copies
        self._model_name = ""
        self._table_clash = TableClash()
        self.events.params.connect(self._note_told)
        for signal in (self.events.runs, self.events.state):
            signal.connect(self._tell_params)

    # --- the table and the plan -------------------------------------------------------------

    @property
    def name(self) -> str:
        """What is open: the table's name, or the model file's."""
        return self.table.name if self.table else self._model_name

    @property
    def params(self) -> TrainingParams:
        """Hyperparameters as they are wanted now: each run has its own."""
        run = self.set_up_run
        return self._params if run is None else run.wanted

    @property
    def set_up_run(self) -> Run | None:
        """The run whose hyperparameters are shown and changed: the one that trains, else the shown one."""
        return next((run for run in reversed(self.runs) if run.is_live and run.is_steered), self.run)

    @property
    def planned(self) -> ObjectiveFacts:
        """Facts of the plan's objective."""
        name = self.plan.objective
        found = next((facts for facts in self.choices if facts.name == name), ObjectiveFacts(name))
        return found.with_metrics(tuple(f.facts for f in self.own_files if isinstance(f.facts, MetricFacts)))

    @property
    def choices(self) -> tuple[ObjectiveFacts, ...]:
        """The objectives that can be chosen, with one's own where a file gave it."""
        return (*self.objectives, *(f.facts for f in self.own_files if isinstance(f.facts, ObjectiveFacts)))

    @property
    def clash(self) -> Clash | None:
        """What of parameters and plan does not go together, or with the table."""
        own = [file.facts.name for file in self.own_files if file.kind == "metric"]
        found = clash_of(self.params, self.plan, self.planned, self.choices, own)
        if found is not None or self.table is None:
            return found
        return self._table_clash.of(self.table, self.plan, self.params)

    @property
    def facts(self) -> ObjectiveFacts:
        """Facts of the shown run's objective; of the plan's before it reports."""
        return self.run.facts if self.run and self.run.started else self.planned

    def open_model(self, run: Run, name: str, objectives: tuple[ObjectiveFacts, ...] = ()) -> None:
        """Show a model from a file; there is no table until one is opened."""
        self.objectives = objectives
        own = self._set_aside.own if self._set_aside else self.params
        self._open(None, Plan(objective=run.params.objective), {}, name)
        self._set_aside, self.model_params = set_aside(own, run), {}
        self.runs, self.run = [run], run
        self._announce_all()

    def attach(
        self,
        run: Run,
        table: Table,
        plan: Plan,
        summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...] = (),
    ) -> None:
        """Show a model with the table that it was trained on; what was changed beside it stays."""
        if self.run is not None and self.run.read is run.read:
            run.wanted = self.params
        else:
            self._set_aside = set_aside(self._set_aside.own if self._set_aside else self.params, run)
        self.objectives, self.model_params = objectives, {}
        self._open(table, plan, summaries, "")
        self.runs, self.run = [run], run
        self._announce_all()

    def open_table(
        self,
        table: Table,
        plan: Plan,
        summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...] = (),
    ) -> None:
        """Show another table; former runs go, and parameters of a model give way to the person's own."""
        self.objectives = objectives
        self.model_params = {}
        own = self.params
        if self._set_aside is not None:
            own, self.model_params = self._set_aside.own, self._set_aside.others
            self._set_aside = None
        self._open(table, plan, summaries, "")
        self._params = own
        self._announce_all()

    def _open(
        self, table: Table | None, plan: Plan, summaries: Mapping[str, ColumnSummary], model_name: str
    ) -> None:
        self.table, self.plan, self.summaries, self._model_name = table, plan, summaries, model_name
        self.runs, self.run, self.problem = [], None, ""
        self.selection = Selection(column=plan.target)
        self.notice = None
        self._edits.forget()

    def _announce_all(self) -> None:
        events = self.events
        for signal in (events.table, events.summaries, events.plan, events.params, events.runs, events.state,
                       events.rounds, events.selection, events.notice):
            signal.emit()

    def replace_column(self, column: Column, summary: ColumnSummary, notes: Sequence[Note] = ()) -> None:
        """Take over a column whose kind the person changed, and what that did to its cells."""
        if self.table is not None:
            table = self.table.with_column(column)
            self.table = replace(table, notes=(*table.notes, *notes))
            self.summaries = {**self.summaries, column.name: summary}
            self.events.table.emit()
            self.events.summaries.emit()

    def set_role(self, column: str, role: Role) -> None:
        """Give `column` a role; a new target is no longer a guess."""
        guessed = self.plan.target_guessed and role != "target" and column != self.plan.target
        self._set_plan(replace(self.plan.with_role(column, role), target_guessed=guessed))

    def set_plan(self, **values: Any) -> None:
        """Change the objective, the positive class or the hold-out."""
        self._set_plan(replace(self.plan, **values))

    def _set_plan(self, plan: Plan) -> None:
        if plan != self.plan:
            self.plan = plan
            self.events.plan.emit()

    def tell_problem(self, problem: str) -> None:
        """Say why the plan cannot be trained; "" where it can."""
        if problem != self.problem:
            self.problem = problem
            self.events.state.emit()

    def set_params(self, params: TrainingParams) -> None:
        """Take over hyperparameters, so that it can be undone."""
        if params != self.params:
            self._edits.note(self.params, params)
            self._take_params(params)
            self.events.params.emit()

    def _take_params(self, params: TrainingParams) -> None:
        if self._set_aside is not None:
            self._set_aside = self._set_aside.changed(self.params, params)
        run = self.set_up_run
        if run is None:
            self._params = params
        else:
            run.wanted = params

    def _note_told(self) -> None:
        self._told = self.params

    def _tell_params(self) -> None:
        """Say that other hyperparameters are to be shown, where they are those of another run now."""
        if self.params != self._told:
            self._edits.part()
            self.events.params.emit()

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit of hyperparameters that can be taken back now."""
        return self._can_take(self._edits.done)

    @property
    def can_redo(self) -> bool:
        """Whether an edit that was taken back can be done again now."""
        return self._can_take(self._edits.undone)

    def _can_take(self, edits: Sequence[Edit]) -> bool:
        """Whether there is one, and no run that trains holds its parameters fixed."""
        steered = any(run.is_live and run.is_steered for run in self.runs)
        return bool(edits) and (not steered or all(BY_NAME[name].live for name in edits[-1].after))

    def undo_params(self) -> None:
        """Take the last edit of hyperparameters back."""
        if self.can_undo:
            self._take_params(self.params.change(**self._edits.undo()))
            self.events.params.emit()

    def redo_params(self) -> None:
        """Do the edit again that was taken back last."""
        if self.can_redo:
            self._take_params(self.params.change(**self._edits.redo()))
            self.events.params.emit()

    def reset_params(self) -> None:
        """Put every parameter back to its default."""
        if self._set_aside is not None:
            self._set_aside = replace(self._set_aside, own=TrainingParams())
        self._edits.part()
        self.set_params(TrainingParams())

    def take_defaults(self) -> None:
        """Put every parameter back to its default, as the notice offers."""
        self.reset_params()
        self.dismiss_notice()

    def take_model_params(self) -> None:
        """Take the parameters of the model that was open before the table, as far as its file tells them."""
        self.set_params(self.params.change(**self.model_params))
        self.dismiss_notice()

    # --- the person's own files -------------------------------------------------------------

    def use_own_file(self, file: OwnFile) -> None:
        """Take over what a file gave, in place of what it or another gave by the same name."""
        self._leave_out(file)
        self.own_files = (*self.own_files, file)
        if file.kind == "objective":
            self.plan = replace(self.plan, objective=file.facts.name)
        else:
            name = file.facts.name
            self._change_everywhere(
                lambda params: params.change(more_metrics=tuple(dict.fromkeys((*params.more_metrics, name))))
            )
        self._announce_own()

    def drop_own_file(self, file: OwnFile) -> None:
        """Do without a file; its metric is not asked for any more, its objective gives way to the first."""
        self._leave_out(file)
        name = file.facts.name
        if file.kind == "metric":
            self._change_everywhere(lambda params: params.change(
                more_metrics=tuple(metric for metric in params.more_metrics if metric != name),
                metric="auto" if params.metric == name else params.metric,
            ))
        elif self.plan.objective == name:
            first = next((f.name for f in self.objectives if f.task == "regression"), Plan().objective)
            self.plan = replace(self.plan, objective=first)
        self._announce_own()

    def _change_everywhere(self, change: Callable[[TrainingParams], TrainingParams]) -> None:
        """Change the hyperparameters that are wanted, whichever run is shown."""
        self._take_params(change(self.params))
        for run in self.runs:
            run.wanted = change(run.wanted)

    def _leave_out(self, file: OwnFile) -> None:
        taken = (file.kind, file.facts.name)
        self.own_files = tuple(f for f in self.own_files if (f.kind, f.facts.name) != taken)

    def _announce_own(self) -> None:
        self.events.plan.emit()
        self.events.params.emit()

    # --- runs -------------------------------------------------------------------------------

    @property
    def run_in_hand(self) -> Run | None:
        """The run that trains or waits, shown or not; else the shown one."""
        return next((run for run in self.runs if run.is_live), self.run)

    def new_run(self) -> Run:
        """Add a run with the present hyperparameters, and show it."""
        params = self.params.change(objective=self.plan.objective)
        run = Run(len(self.runs) + 1, params, self.planned)
        run.wanted = self.params
        if self.run is not None:  # what was changed beside it has gone into the new run
            own = {"more_metrics": self.params.more_metrics, "metric": self.params.metric}
            self.run.wanted = self.run.params_in_force.change(**own)
        run.own = parts_of(self.own_files, self.plan.objective)
        self.runs.append(run)
        self.run = run
        self.selection = replace(self.selection, round=None, class_index=0, node=None)
        self.notice = None
        for signal in (self.events.runs, self.events.state, self.events.selection, self.events.notice):
            signal.emit()
        return run

    def add_run(self, run: Run, *, shown: bool = True) -> None:
        """Add a run that was made elsewhere; its number follows from its place."""
        run.number = len(self.runs) + 1
        self.runs.append(run)
        if shown:
            self.show_run(run)
        else:
            self.events.runs.emit()

    def set_what_if(self, run: Run, **changes: Any) -> None:
        """Take over a question about the trees of a run, or a part of its answer."""
        run.what_if = replace(run.what_if, **changes)
        self._announce(run, self.events.what_if)

    def show_run(self, run: Run) -> None:
        """Show another of the runs; a run that trains goes on."""
        if run is not self.run:
            self.run = run
            self.selection = replace(self.selection, round=None, class_index=0, node=None)
            for signal in (self.events.runs, self.events.state, self.events.rounds, self.events.selection):
                signal.emit()

    def dataset_ready(self, run: Run, dataset: Dataset) -> None:
        """Give a run its encoded rows."""
        run.dataset, run.schema = dataset, dataset.schema
        self._announce(run, self.events.state)

    def apply(self, run: Run, events: Sequence[Event]) -> None:
        """Take in what the trainer of `run` has said; views hear of it once."""
        state, rounds = run.state, len(run.rounds)
        for event in events:
            run.apply(event)
        if len(run.rounds) != rounds:
            self._announce(run, self.events.rounds)
            self._tell_refusal(run)
        if run.state != state or not rounds:
            self._announce(run, self.events.state)

    def _tell_refusal(self, run: Run) -> None:
        """Say once that the newest trees of the shown run have no split, and why."""
        found = refusal(run)
        if found is not None and found.since != run.refused and run is self.run:
            run.refused = found.since
            self.notify(f"{run.name}: {found.words}", "warning", "training")

    def run_failed(self, run: Run, text: str, *, can_be_mapped: bool = False) -> None:
        """End a run that could not go on; its rounds so far stay."""
        run.state = RunState.FAILED
        self._announce(run, self.events.state)
        self.notify(text, "error", "training", can_be_mapped=can_be_mapped)

    def _announce(self, run: Run, signal: Any) -> None:
        if run is self.run or signal is self.events.state:
            signal.emit()
        if run is not self.run and self.run is not None and run is self.run.what_if.answer:
            self.events.what_if.emit()

    # --- selection --------------------------------------------------------------------------

    @property
    def shown_round(self) -> int:
        """The selected round, else the newest; 0 while there is none."""
        if self.run is None or not self.run.rounds:
            return 0
        newest = len(self.run.rounds)
        return newest if self.selection.round is None else min(self.selection.round, newest)

    @property
    def shown_tree(self) -> Tree | None:
        """The tree of the shown round and class."""
        return self.tree_of(self.shown_round)

    def tree_of(self, number: int) -> Tree | None:
        """Return the tree of round `number` (from 1) and of the shown class; None where there is none."""
        if self.run is None or not number:
            return None
        trees = self.run.trees(number)
        return trees[min(self.selection.class_index, len(trees) - 1)]

    @property
    def shown_place(self) -> int:
        """Place of the shown tree among all trees of the run's rounds."""
        if self.run is None or not self.shown_round:
            return 0
        before = sum(len(event.trees) for event in self.run.rounds[: self.shown_round - 1])
        return before + self.place_in_round

    @property
    def place_in_round(self) -> int:
        """Place of the shown tree among those of its round."""
        if self.run is None or not self.shown_round:
            return 0
        return min(self.selection.class_index, len(self.run.trees(self.shown_round)) - 1)

    def select(self, **values: Any) -> None:
        """Change the selection; another round or class drops the selected node."""
        changed = replace(self.selection, **values)
        if (changed.round, changed.class_index) != (self.selection.round, self.selection.class_index) and (
            "node" not in values
        ):
            changed = replace(changed, node=None)
        if changed != self.selection:
            self.selection = changed
            self.events.selection.emit()

    def display_trees(self, **values: Any) -> None:
        """Colour or arrange trees differently."""
        changed = replace(self.display, **values)
        if changed != self.display:
            self.display = changed
            self.events.display.emit()

    def point_at(self, node: int | None) -> None:
        """Look at a node of the shown tree for as long as the cursor is on it."""
        if node != self.pointed_node:
            self.pointed_node = node
            self.events.pointed.emit()

    # --- words ------------------------------------------------------------------------------

    def notify(self, text: str, severity: Any = "info", place: Any = "window", **offers: bool) -> None:
        """Say one sentence in the window; `offers` are those of `Notice`."""
        self.notice = Notice(text, severity, place, **offers)
        self.events.notice.emit()

    def notify_lasting(self, text: str) -> None:
        """Say one sentence that outlasts others."""
        self.lasting_notice = Notice(text, "warning")
        self.events.notice.emit()

    def dismiss_notice(self) -> None:
        """Take the sentence away that is shown."""
        if self.notice is None:
            self.lasting_notice = None
        self.notice = None
        self.events.notice.emit()
