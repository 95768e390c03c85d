"""The state of one sitting: the data, the hyperparameters, the runs and what is shown of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.errors import WorkbenchError
from workbench.parameters.methods import METHODS
from workbench.session.branching import branched, differing, other_objective, why_fixed
from workbench.session.breakpoints import Breakpoints
from workbench.session.clash import LastClash, clash_of, clash_with_table
from workbench.session.comparison.overlay import Overlay
from workbench.session.events import SessionEvents
from workbench.session.explained.explained import Explained
from workbench.session.growing import NEEDS_ROWS
from workbench.session.hyperparameters import Hyperparameters
from workbench.session.journal.journal import Journal
from workbench.session.journal.kinds.branch import BranchRun
from workbench.session.journal.kinds.draw import Draw
from workbench.session.journal.kinds.edit_tree import EditTree
from workbench.session.journal.kinds.method import ChooseMethod
from workbench.session.journal.kinds.open_model import OpenModel
from workbench.session.journal.kinds.open_table import OpenTable
from workbench.session.journal.kinds.start import StartRun
from workbench.session.journal.session_state import SessionState
from workbench.session.no_trees import NO_TREES
from workbench.session.notices import Notices
from workbench.session.objective_facts import ObjectiveFacts
from workbench.session.open_data import OpenData
from workbench.session.own_file import parts_of
from workbench.session.own_files import OwnFiles
from workbench.session.plan import Plan
from workbench.session.playground.playground import Playground
from workbench.session.project.own_uses import uses_of
from workbench.session.run import Run
from workbench.session.runs import Runs
from workbench.session.selection import Selection
from workbench.session.shown import Shown
from workbench.session.table_source import options_record
from workbench.session.validation.validation import Validation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Table
    from workbench.parameters.clashes import Clash
    from workbench.parameters.training import TrainingParams
    from workbench.session.journal.journal import JournalLine
    from workbench.session.journal.kinds.own_file import OwnFileUse
    from workbench.session.opening.elsewhere import Elsewhere
    from workbench.session.own_file import OwnFile
    from workbench.session.playground.playground import Sketch
    from workbench.session.project.content import ProjectContent
    from workbench.session.run_parts.stretches import Cluster
    from workbench.session.table_source import TableSource


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
    overlay : Overlay
    validation : Validation
    journal : Journal
    state : SessionState
        What the journal keeps of all this.
    playground : Playground
    explained : Explained
    harmless_formulas : bool
        Whether no spreadsheet may run text of CSV files and copies.
    """

    def __init__(self) -> None:
        self.events = SessionEvents()
        self.notices = Notices(self.events)
        self.state = SessionState(self)
        self.journal = journal = Journal(self.state)
        self.data = OpenData(self.events, journal)
        self.shown = Shown(self.events, journal)
        self.breakpoints = Breakpoints(self.events, journal)
        self.runs = Runs(self.events, self.shown, self.notices, journal, self.breakpoints)
        self.hyperparameters = Hyperparameters(self.events, self.runs, self.shown, journal)
        self.overlay = Overlay(self.events, self.runs, self.shown)
        self.validation = Validation(self.events)
        self.own_files = OwnFiles(self.events, self.data, self.hyperparameters, journal)
        self.playground = Playground(self.events)
        self.explained = Explained(self.events, self.shown, self.data)
        self.harmless_formulas = False
        self._model_name = ""
        self._last_clash = LastClash()
        self._method = self.hyperparameters.wanted.method
        self.events.params.connect(self._let_objective_follow)
        journal.take((), 0)

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
        data = self.data
        asked = (self.hyperparameters.wanted, data.plan, data.table, *self.choices, *self.own_files.metrics)
        return self._last_clash.of(asked, self._find_clash)

    def _find_clash(self) -> Clash | None:
        data, params = self.data, self.hyperparameters.wanted
        own = [metric.name for metric in self.own_files.metrics]
        found = clash_of(params, data.plan, self.planned, self.choices, own)
        if found is not None or data.table is None:
            return found
        return clash_with_table(data.table, data.plan, params)

    # --- what changes several parts ---------------------------------------------------------

    def open_table(
        self, table: Table, plan: Plan, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...] = (), source: TableSource | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:  # fmt: skip
        """Show another table; former runs go, and parameters of a model give way to the person's own.

        With `elsewhere` it holds but the first rows of one.
        """
        self.hyperparameters.take_own()
        self.data.take(table, plan, summaries, objectives, source, elsewhere=elsewhere)
        self._show("", ())
        if elsewhere is not None:
            self.journal.begin(OpenTable(elsewhere.path, "", options_record(elsewhere.options)))
        else:
            self.journal.begin(_opened(self.data.source, table))

    def open_drawing(self, sketch: Sketch, plan: Plan, objectives: tuple[ObjectiveFacts, ...]) -> None:
        """Show points that were drawn, in place of what is open; former runs go."""
        assert sketch.table is not None
        self.open_table(sketch.table, plan, sketch.summaries, objectives)
        self.playground.put(sketch.drawing)
        self.events.playground.emit()

    def open_model(self, run: Run, name: str, objectives: tuple[ObjectiveFacts, ...] = ()) -> None:
        """Show a model from a file; there is no table until one is opened."""
        self.hyperparameters.set_aside_for(run)
        self.data.take(None, Plan(objective=run.params.objective), {}, objectives)
        self._show(name, (run,))
        self.journal.begin(OpenModel(name))

    def attach(
        self, run: Run, table: Table, plan: Plan, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...] = (), source: TableSource | None = None,
    ) -> None:  # fmt: skip
        """Show a model with the table that it was trained on; what was changed beside it stays."""
        self.hyperparameters.attach(run)
        self.data.take(table, plan, summaries, objectives, source)
        run.plan = plan
        name = self._model_name or (run.read.schema.source if run.read else "") or ""
        self._show("", (run,))
        self.journal.begin(OpenModel(name), _opened(self.data.source, table))

    def _show(self, model_name: str, runs: Sequence[Run]) -> None:
        """Begin with what was opened, and announce all of it."""
        self._model_name = model_name
        self.playground.put(None)
        self.runs.take(runs)
        self.breakpoints.take_goal(None, 0)
        self.overlay.clear()
        self.validation.clear()
        self.shown.selection = Selection(column=self.data.plan.target)
        self.notices.begin()
        events = self.events
        with events.act():
            for signal in (events.table, events.summaries, events.plan, events.params, events.runs,
                           events.state, events.rounds, events.selection, events.notice):
                signal.emit()

    def take_up(
        self, content: ProjectContent, table: Table | None, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...] = (), source: TableSource | None = None,
        as_read: Table | None = None,
    ) -> None:  # fmt: skip
        """Go on with a sitting that was read from a project; `table` is as it stood there."""
        self.hyperparameters.take_own()
        if content.first is not None:
            self.hyperparameters.own = content.first
        self.data.take(table, content.plan or Plan(), summaries, objectives, source, as_read)
        self.harmless_formulas = content.harmless_formulas
        self._show("" if table is not None else content.name, ())
        self.playground.put(content.drawing if table is not None else None)
        self.runs.take_up(content.runs, content.listed)
        if content.validation is not None:
            self.validation.put(content.validation.folds, content.validation.floors)
        self.state.go_to(content.shown)
        self.journal.take(content.lines, content.position)
        self.breakpoints.leave_goals()
        events = self.events
        with events.act():
            for signal in (events.params, events.runs, events.state, events.rounds):
                signal.emit()

    def take_own_again(self, files: Sequence[OwnFile]) -> None:
        """Let runs of a project have what their files gave, which were run again; undoing has them too.

        A file that has changed since is a line of the journal.
        """
        journal = self.journal
        known: dict[tuple[str, str], OwnFile] = {(file.kind, file.path): file for file in files}
        uses = uses_of(journal.lines, journal.position)

        def of(told: Iterable[OwnFileUse]) -> tuple[OwnFile, ...]:
            found = (known.get((use.gives, use.path)) for use in told)
            return tuple(file for file in found if file is not None)

        lines: list[JournalLine] = []
        then: tuple[OwnFileUse, ...] = ()
        for line, now in zip(journal.lines, uses.after, strict=True):
            before, after = {**line.before, "own": of(then)}, {**line.after, "own": of(now)}
            lines.append(line._replace(before=before, after=after) if now != then else line)
            then = now
        for run in self.runs.all.values():
            if run.own == NOTHING_OWN:
                run.own = parts_of(of(uses.of(run, self.runs.all)), run.params.objective)
        self.own_files.files, self.own_files.known = of(uses.now), (*self.own_files.known, *files)
        with self.events.act():
            journal.take(lines, journal.position)
            for use in uses.now:
                file = known.get((use.gives, use.path))
                if file is not None and file.sha256 != use.sha256:
                    self.own_files.use(file)
            for signal in (self.events.plan, self.events.params, self.events.state):
                signal.emit()

    def choose_method(self, name: str) -> None:
        """Train by another method, with the objective that it has for the target."""
        if name == self.hyperparameters.wanted.method:
            return
        known, method = METHODS[self.hyperparameters.wanted.method], METHODS[name]
        objective, task = self.data.plan.objective, self.planned.task or ""
        if objective == known.objectives.get(task):
            objective = "auto"
        self.journal.part()
        before, after = self.hyperparameters.take_method(name)
        self.data.plan = replace(self.data.plan, objective=method.objective_of(objective, task))
        for signal in (self.events.params, self.events.plan):
            signal.emit()
        self.journal.note(ChooseMethod(before, after, self.data.plan.objective))

    def _let_objective_follow(self) -> None:
        """Plan an objective that the method has, where a run of another method is shown now."""
        wanted = self.hyperparameters.wanted.method
        was, self._method = self._method, wanted
        if wanted == was or self.data.table is None or METHODS[wanted].takes(self.data.plan.objective):
            return
        run = self.shown.run
        trained = run.params if run is not None else self.hyperparameters.first
        known = trained.objective if trained.method == wanted else "auto"
        objective = METHODS[wanted].objective_of(known, self.planned.task)
        self.data.plan = replace(self.data.plan, objective=objective)
        self.events.plan.emit()

    def new_run(self, cluster: Cluster | None = None) -> Run:
        """Add a run with the present hyperparameters, and show it; it trains here, or on a cluster."""
        params = self.hyperparameters.wanted.change(objective=self.data.plan.objective)
        run = Run(self.runs.next_number, params, self.planned)
        run.own, run.plan = self.own_files.parts, self.data.plan
        run.begin_stretch(params, cluster)
        self.hyperparameters.hand_over(run)
        self.runs.begin(run)
        self.notices.current = None
        events = self.events
        with events.act():
            for signal in (events.runs, events.state, events.selection, events.notice):
                signal.emit()
        run.kinds = self.data.changed_kinds
        run.made = StartRun(run.number, params.objective, differing(params))
        self.journal.note(run.made)
        return run

    def branch(self, run: Run, at: int, **values: Any) -> Run:
        """Add a run that shares the first `at` rounds of another, and has other parameters from there on.

        It stands at that round, ended, until it is grown on. Raises WorkbenchError where a parameter may not
        differ, or where there are not so many rounds.
        """
        made = branched(run, at, values)
        self._add_branch(made, run, at)
        return made

    @property
    def with_objective(self) -> str:
        """What is said of a branch at the shown round: " with absolute"; "" where the objective stays."""
        name = other_objective(self.shown.run, self.shown.round, self.data.plan)
        return f" with {name}" if name else ""

    def branch_here(self, at: int, wanted: TrainingParams) -> Run:
        """Branch off the shown run, with what is wanted of those parameters that may differ.

        The planned objective is taken where it can follow. What may not differ is kept beside the new run,
        for one that is started from there.
        """
        run = self.shown.run
        if run is None or not at:
            raise WorkbenchError(NO_TREES)
        if not run.has_rows:
            raise WorkbenchError(NEEDS_ROWS)
        if wanted.rounds <= at:
            wanted = wanted.change(rounds=at + wanted.rounds)
        values = {name: value for name, value in wanted.to_dict().items() if not why_fixed(name)}
        values["objective"] = other_objective(run, at, self.data.plan) or run.params_at(at).objective
        made = branched(run, at, values)
        self.hyperparameters.hand_over(made)
        made.wanted = wanted
        self._add_branch(made, run, at)
        return made

    def _add_branch(self, made: Run, run: Run, at: int) -> None:
        before, after = run.params_at(at).to_dict(), made.params.to_dict()
        names = [name for name in before if before[name] != after[name]]
        told = ({name: one[name] for name in names} for one in (before, after))
        self.runs.add(made, lambda number: BranchRun(number, run.number, at, *told))

    def add_edited(self, run: Run, made: Run, entry: Mapping[str, Any]) -> None:
        """Add a run with an edited tree, as `session.editing.edited` made it of `run`."""
        edit = {name: value for name, value in entry.items() if name != "words"}
        self.runs.add(made, lambda number: EditTree(number, run.number, edit, entry["words"]))

    def take_sketch(self, sketch: Sketch, told: str) -> None:
        """Take over what was drawn, and the run that was trained on it, as one action.

        The run takes the place of the one that the playground made before it, unless somebody wrote on that,
        or another run stands on it. The shown round stays.
        """
        signals = [self.events.runs, self.events.state, self.events.rounds, self.events.selection]
        if sketch.drawing is not None and sketch.table is not None:
            self.journal.part()
            self.data.put(sketch.table, sketch.summaries)
            self.playground.put(sketch.drawing)
            signals = [self.events.table, self.events.summaries, self.events.playground, *signals]
        number = 0
        if sketch.run is not None:
            number = self._take_sketched(sketch.run)
        with self.events.act():
            for signal in signals:
                signal.emit()
            self.journal.note(Draw(told, number))
        self.journal.part()

    def _take_sketched(self, run: Run) -> int:
        """List a run of the playground, and show the round of it that was shown before."""
        at = self.shown.selection.round
        former = self.runs.all.get(self.playground.sketched)
        self.hyperparameters.hand_over(run)
        run.number, run.kinds = self.runs.next_number, self.data.changed_kinds
        run.made = StartRun(run.number, run.params.objective, differing(run.params))
        if former is not None and self.runs.is_passing(former):
            self.runs.list_all_of({one.number for one in self.runs} - {former.number})
        self.runs.begin(run)
        if at is not None and at < len(run.rounds):
            self.shown.selection = replace(self.shown.selection, round=at)
        self.playground.sketched = run.number
        return run.number


def _opened(source: TableSource | None, table: Table) -> OpenTable:
    if source is None:
        return OpenTable(table.name, table.sha256 or "", {})
    return OpenTable(str(source.path), table.sha256 or "", options_record(source.options))
