"""A study: the story of a table and the runs on it, told from Python as the window tells it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError, warn
from workbench.parameters.training import TrainingParams, resolved
from workbench.session.growing import continuation, rows_of_plan
from workbench.session.journal.kinds.apply_what_if import ApplyWhatIf
from workbench.session.plan import Plan
from workbench.session.project.own_uses import looked_at, uses_of
from workbench.session.project.tables import KnownTables
from workbench.session.run import Run
from workbench.session.session import Session
from workbench.session.table_source import TableSource
from workbench.session.what_if.question import given

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.data.dataset import Dataset
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Kind, Table
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import Event, RoundFinished
    from workbench.explain.edits.editor import Editor
    from workbench.explain.edits.receipt import Receipt
    from workbench.explain.what_if.rescoring import Values
    from workbench.formats.model import Model
    from workbench.session.journal.action import Call


class Study:
    """A table, what is planned for it, and the runs.

    Parameters
    ----------
    data : DataFrame, table of Arrow, or path
        A frame, or the file of a table.
    target : str, optional
        The column to predict; guessed where it is not given.
    objective : str, optional
        Follows from the target where it is not given.
    roles : mapping of str to Role, optional
        Roles of columns; with it nothing is guessed, and all others are features.
    kinds : mapping of str to Kind, optional
        Kinds that columns are changed to after reading.
    positive : str, optional
        Label of the positive class of two.
    valid_fraction, split_seed, stratified
        How rows are held out.
    options : ReadOptions or mapping, optional
        How the file is read.

    Raises
    ------
    WorkbenchError
        In one line what is wrong.
    """

    _tables: KnownTables | None = None

    def __init__(
        self,
        data: Any,
        *,
        target: str | None = None,
        objective: str | None = None,
        roles: Mapping[str, Any] | None = None,
        kinds: Mapping[str, Kind] | None = None,
        positive: str | None = None,
        valid_fraction: float = 0.25,
        split_seed: int = 0,
        stratified: bool = True,
        options: ReadOptions | Mapping[str, Any] | None = None,
    ) -> None:
        self._begin()
        self._take(
            *_table(data, options), target=target, objective=objective, roles=roles, kinds=kinds,
            positive=positive, valid_fraction=valid_fraction, split_seed=split_seed, stratified=stratified,
        )

    def _take(
        self, table: Table, source: TableSource | None, *, target: str | None = None,
        objective: str | None = None, roles: Mapping[str, Any] | None = None,
        kinds: Mapping[str, Kind] | None = None, positive: str | None = None, valid_fraction: float = 0.25,
        split_seed: int = 0, stratified: bool = True,
    ) -> None:  # fmt: skip
        from workbench.session.opening.open_file import first_plan, guess_objective

        self._tables = KnownTables(table)
        for name, kind in (kinds or {}).items():
            table = _converted(table, name, kind)
        guessed = first_plan(table)
        given: dict[str, Any] = dict(guessed.roles)
        if roles is not None:
            given = dict.fromkeys(table.names, "feature") | dict(roles)
        plan = Plan(given, guessed.objective, target is None, valid_fraction, split_seed, stratified)
        plan = plan if target is None else plan.with_role(target, "target")
        if plan.target is not None:
            column = table.column(plan.target)
            plan = replace(plan, objective=objective or guess_objective(column), positive=positive)
        self.session.open_table(table, plan, {}, source=source)

    def _begin(self) -> None:
        self.session = Session()
        self._encoded: tuple[Table, Plan, Dataset] | None = None
        self._growing: dict[int, Growing] = {}

    # --- the project file -------------------------------------------------------------------

    @classmethod
    def open(cls, path: str | Path, table: Any = None, own: bool = False) -> Study:
        """Open a project file; see `workbench.open_study`."""
        from workbench.session.opening.open_project import open_project, with_table
        from workbench.session.project.found_table import FoundTable
        from workbench.session.project.read import read_project
        from workbench.session.project.tables import rows_of_runs

        project, study = Path(path), cls.__new__(cls)
        study._begin()
        if table is None or isinstance(table, (str, Path)):
            opened = open_project(project, None if table is None else Path(table))
        else:
            read, _ = _table(table, None)
            opened = with_table(project, read_project(project), FoundTable(read, None, None, "inside"))
        if opened.found.words:
            warn(opened.found.words)
        opened.show(study.session)
        study._tables = opened.tables
        if opened.tables is not None:
            runs = opened.content.runs
            for number, rows in rows_of_runs(runs, opened.tables).items():
                study.session.runs.dataset_ready(runs[number], rows)
        if own:
            study._run_own_files()
        return study

    def _run_own_files(self) -> None:
        """Run the files again that the runs were trained with, where they are as they were."""
        journal = self.session.journal
        looked = looked_at(uses_of(journal.lines, journal.position).wanted)
        for file in looked:
            if not file.is_same:
                what = "cannot be read" if file.code is None else "has changed since it was used"
                warn(f"{file.use.path} {what}, and was not run.")
        self.session.take_own_again([file.run() for file in looked if file.is_same])

    @classmethod
    def again(cls, other: Study, begin: Call) -> Study:
        """Begin a study anew on the table of another, as a script's first call says."""
        if other._tables is None:
            raise WorkbenchError("The study has no table.")
        values = {name: value for name, value in begin.values.items() if name != "options"}
        study = cls.__new__(cls)
        study._begin()
        study._take(other._tables.read, other.session.data.source, **values)
        return study

    def save(self, path: str | Path, *, table: bool | None = None) -> None:
        """Write the study as a project file, which the window opens too.

        Parameters
        ----------
        path : str or Path
            `.workbench` is its usual ending.
        table : bool, optional
            Whether the table is kept in it; where it is not said, that of a frame is.
        """
        from workbench.session.project.gather import Gathering
        from workbench.session.project.save import save_project

        keeps = self.session.data.source is None if table is None else table
        read = self._tables.read if self._tables is not None and keeps else None
        save_project(path, Gathering(self.session).take(), read)

    # --- what is planned --------------------------------------------------------------------

    def kind(self, column: str, kind: Kind) -> None:
        """Give a column another kind."""
        from workbench.session.opening.open_file import guess_objective

        table = self._table()
        changed = _converted(table, column, kind).column(column)
        objective = guess_objective(changed) if column == self.session.data.plan.target else ""
        self.session.data.replace_column(changed, None, objective=objective)

    def role(self, column: str, role: Any) -> None:
        """Give a column a role: "feature", "ignore", "weight", "group" or "offset"."""
        self._table().column(column)
        self.session.data.set_role(column, role)

    def target(self, column: str, objective: str | None = None) -> None:
        """Predict another column."""
        from workbench.session.opening.open_file import guess_objective

        known = self._table().column(column)
        self.session.data.set_target(column, objective or guess_objective(known))

    def objective(self, name: str) -> None:
        """Choose another objective."""
        self.session.data.set_objective(name)

    def positive(self, label: str | None) -> None:
        """Choose the positive class of two."""
        self.session.data.set_positive(label)

    def hold_out(self, fraction: float, seed: int = 0, *, stratified: bool = True) -> None:
        """Hold a share of the rows out."""
        if not 0.0 <= fraction < 1.0:
            raise WorkbenchError(f"The share held out is {fraction!r}; it must be 0 or more and below 1.")
        self.session.data.hold_out(valid_fraction=fraction, split_seed=seed, stratified=stratified)

    def use(self, path: str | Path, gives: str = "objective") -> None:
        """Run a Python file, and use the objective or the metric of it."""
        from workbench.session.own_file import read_file, run_file

        if gives not in ("objective", "metric"):
            raise WorkbenchError(f"A file gives an objective or a metric, not {gives!r}.")
        self.session.own_files.use(run_file(gives, str(path), read_file(str(path))))  # type: ignore[arg-type]

    # --- runs -------------------------------------------------------------------------------

    @property
    def runs(self) -> tuple[StudyRun, ...]:
        """The runs, by number."""
        return tuple(StudyRun(self, run) for run in self.session.runs)

    def train(self, *, until: int | None = None, **params: Any) -> StudyRun:
        """Train a run.

        Parameters
        ----------
        until : int, optional
            Pause after this round.
        **params
            Parameters by name or alias; others are at their defaults.
        """
        values = resolved(params)
        if "objective" in values:
            self.session.data.set_objective(str(values.pop("objective")))
        wanted = TrainingParams(**values)
        session = self.session
        own = session.hyperparameters.wanted.objective
        session.hyperparameters.change(**wanted.change(objective=own).to_dict())
        clash = session.clash
        if clash is not None:
            raise WorkbenchError(clash.text)
        dataset = self._rows()
        run = session.new_run()
        session.runs.dataset_ready(run, dataset)
        self._growing[run.number] = Growing(self, run, run.params, None, None)
        made = StudyRun(self, run)
        made.grow(until=until)
        return made

    def undo(self) -> None:
        """Take back what was done last."""
        self.session.journal.undo()

    def redo(self) -> None:
        """Do again what was taken back last."""
        self.session.journal.redo()

    def perform(self, call: Call, made: dict[int, StudyRun]) -> None:
        """Do what a call of a script says; `made` holds the runs of before by their numbers there."""
        receiver: Any = made[call.on] if call.on else self
        if call.method.endswith("="):
            setattr(receiver, call.method[:-1], *call.args)
            return
        answer = getattr(receiver, call.method)(*call.args, **call.values)
        if call.result:
            made[call.result] = answer

    @property
    def history(self) -> tuple[str, ...]:
        """What was done, a line each."""
        return tuple(line.action.words for line in self.session.journal.lines)

    def _table(self) -> Table:
        table = self.session.data.table
        if table is None:
            raise WorkbenchError("The study has no table.")
        return table

    def _rows(self) -> Dataset:
        table, plan = self._table(), self.session.data.plan
        known = self._encoded
        if known is None or known[0] is not table or known[1] != plan:
            self._encoded = known = (table, plan, rows_of_plan(table, plan))
        return known[2]


def open_study(path: str | Path, table: Any = None, *, own: bool = False) -> Study:
    """Open a project file as a study.

    Parameters
    ----------
    path : str or Path
        What the window or `Study.save` wrote.
    table : DataFrame or path, optional
        Its table, where that is not found; a file that has changed is warned of, and used.
    own : bool
        Run the Python files again that its runs were trained with, where they are as they were; else these
        runs are not grown on.

    Raises
    ------
    WorkbenchError
        In one line why it cannot be opened.
    """
    return Study.open(path, table, own)


class Growing:
    """The trainer of a run that is not at its end."""

    def __init__(
        self, study: Study, run: Run, params: TrainingParams, start: Any, best: tuple[int, float] | None
    ) -> None:
        from workbench.ensembles.base import make_trainer
        from workbench.ensembles.control import RunControl

        self._session, self._run = study.session, run
        self.control: RunControl = RunControl()
        assert run.dataset is not None
        self._events: Iterator[Event] = make_trainer(
            run.dataset, params, self.control, start, run.own, best
        ).rounds()
        self.changes: dict[int, dict[str, Any]] = {}  # by the round from which on they hold

    def grow(self, until: int | None) -> None:
        """Grow rounds up to one, or to the end."""
        from workbench.ensembles.events import TrainingPaused

        runs, run = self._session.runs, self._run
        with _failing(self._session, run):
            while until is None or len(run.rounds) < until:
                values = self.changes.pop(len(run.rounds) + 1, None)
                if values is not None:
                    self.change(values)
                event = next(self._events, None)
                if event is None:
                    return
                runs.apply(run, [event])
        runs.apply(run, [TrainingPaused(len(run.rounds))])

    def change(self, values: Mapping[str, Any]) -> None:
        """Give parameters other values from the next round on."""
        self._session.shown.show(self._run)
        self._session.hyperparameters.change(**values)
        self.control.change(self._run.wanted)

    def stop(self) -> None:
        """End the run here."""
        self.control.stop()
        for event in self._events:
            self._session.runs.apply(self._run, [event])


class StudyRun:
    """A run of a study.

    Attributes
    ----------
    study : Study
    run : Run
        What it holds, as the window does.
    """

    def __init__(self, study: Study, run: Run) -> None:
        self.study, self.run = study, run

    def __repr__(self) -> str:
        return f"{self.run.name}: {len(self.run.rounds)} rounds"

    @property
    def number(self) -> int:
        """From 1, in the order of making."""
        return self.run.number

    @property
    def rounds(self) -> int:
        """How many rounds it has."""
        return len(self.run.rounds)

    @property
    def best_round(self) -> int:
        """Round with the best watched metric."""
        return self.run.best_round

    @property
    def model(self) -> Model:
        """The model as it stands."""
        return self.run.kept().model

    def at(self, round: int) -> RoundFinished:
        """Return what is known of a round, from 1: its trees, metrics, loss, parameters and more."""
        if not 1 <= round <= self.rounds:
            raise WorkbenchError(f"{self.run.name} has {self.rounds} rounds; there is no round {round}.")
        return self.run.rounds[round - 1]

    def change(self, *, at: int | None = None, **values: Any) -> StudyRun:
        """Give live parameters other values from a round on: the next one where it is not said."""
        from workbench.session.branching import check_live

        new, first = resolved(values), self.rounds + 1
        at = first if at is None else at
        if at < first:
            raise WorkbenchError(f"Round {at} is grown already. Branch there: run.branch(at={at - 1}, …).")
        check_live(new)
        growing = self._growing
        if growing is None and at > first:
            raise WorkbenchError(f"{self.run.name} has ended; parameters can change at round {first}.")
        if growing is None:
            self.study.session.shown.show(self.run)
            self.study.session.hyperparameters.change(**new)
        elif at == first:
            growing.change(new)
        else:
            growing.changes[at] = growing.changes.get(at, {}) | new
        return self

    def grow(self, rounds: int | None = None, *, until: int | None = None) -> StudyRun:
        """Grow so many more rounds, or to the end, pausing after `until`; one that had ended goes on."""
        session, run = self.study.session, self.run
        growing = self._growing
        if rounds is not None and rounds < 1:
            raise WorkbenchError(f"{rounds} rounds cannot be grown; give 1 or more.")
        total = None if rounds is None else self.rounds + rounds
        if growing is not None and until is None:
            until = total
        if growing is None:
            params = continuation(run, run.wanted, total)
            growing = Growing(self.study, run, params, run.ensemble(), run.best)
            self.study._growing[run.number] = growing
            session.runs.go_on(run, params)
        growing.grow(until)
        return self

    def stop(self) -> StudyRun:
        """End it here, where it is paused."""
        if self._growing is not None:
            self._growing.stop()
        return self

    def branch(self, *, at: int | None = None, **values: Any) -> StudyRun:
        """Return a run that shares the first `at` rounds, with other parameters from there on; grow it."""
        made = self.study.session.branch(self.run, self.rounds if at is None else at, **values)
        return StudyRun(self.study, made)

    def edit(self, **fields: Any) -> StudyRun:
        """Return a run that branches off with an edited tree; `fields` are those of the edit, as in files.

        `prune`, `set_weight` and the others make them.
        """
        from workbench.explain.edits.base import edit_of
        from workbench.session.editing import edited

        edit = edit_of(fields)
        made, entry = edited(self.run, self._editor, edit)
        self.study.session.add_edited(self.run, made, entry)
        return StudyRun(self.study, made)

    def receipt(self, **fields: Any) -> Receipt:
        """Return what an edit would change, exactly: objective, metrics, rows, predictions."""
        from workbench.explain.edits.base import edit_of

        return self._editor.receipt(edit_of(fields))

    @property
    def _editor(self) -> Editor:
        from workbench.session.editing import editor_of

        return editor_of(self.run)

    def prune(self, tree: int, node: int, *, place: int = 0, reason: str = "") -> StudyRun:
        """Return a run in which a node of a tree is a leaf. `tree` is its round, `place` its place in it."""
        return self.edit(kind="prune", round=tree, place=place, node=node, reason=reason)

    def set_weight(
        self, tree: int, node: int, weight: float, *, place: int = 0, reason: str = ""
    ) -> StudyRun:
        """Return a run in which a leaf has another weight w, before shrinkage."""
        return self.edit(
            kind="set_weight", round=tree, place=place, node=node, weight=float(weight), reason=reason
        )

    def move_threshold(
        self, tree: int, node: int, threshold: float, *, place: int = 0, reason: str = ""
    ) -> StudyRun:
        """Return a run in which a node parts its numbers elsewhere."""
        return self.edit(
            kind="move_threshold", round=tree, place=place, node=node, threshold=float(threshold),
            reason=reason,
        )

    def take_split(
        self,
        tree: int,
        node: int,
        column: str,
        threshold: float | None = None,
        *,
        categories: Sequence[int] = (),
        default_left: bool | None = None,
        place: int = 0,
        reason: str = "",
    ) -> StudyRun:
        """Return a run in which a node asks another question, and what is below it is grown anew.

        `categories` are the codes that answer yes.
        """
        return self.edit(
            kind="take_split", round=tree, place=place, node=node, column=column, threshold=threshold,
            categories=list(categories), default_left=default_left, reason=reason,
        )

    def forbid_column(
        self, tree: int, node: int, column: str, *, place: int = 0, reason: str = ""
    ) -> StudyRun:
        """Return a run in which a column is not asked about from a node down."""
        return self.edit(
            kind="forbid_column", round=tree, place=place, node=node, column=column, reason=reason
        )

    def drop_tree(self, tree: int, *, place: int = 0, reason: str = "") -> StudyRun:
        """Return a run in which a tree counts nothing."""
        return self.edit(kind="drop_tree", round=tree, place=place, reason=reason)

    def rescore(self, **values: Any) -> StudyRun:
        """Return a run of the same trees, scored again with another λ, γ or α."""
        from workbench.explain.what_if.rescoring import Rescorer, refusal
        from workbench.explain.what_if.tree_sums import NO_DIRECTIONS, directions
        from workbench.session.what_if.made_again import rescored_run

        run, asked = self.run, _values(values)
        trees = tuple(tree for event in run.rounds for tree in event.trees)
        monotone = directions(run.params, run.schema.names) if run.schema is not None else NO_DIRECTIONS
        objective = run.started.ensemble.objective if run.started else run.params.objective
        problem = refusal(trees, objective, monotone)
        if problem:
            raise WorkbenchError(problem)
        made = rescored_run(run, Rescorer(trees, monotone).score(asked), lambda: False)
        return self._made(made, asked, retrained=False)

    def retrain(self, **values: Any) -> StudyRun:
        """Return a run trained like this one, for as many rounds, but with another λ, γ or α."""
        from workbench.session.what_if.made_again import retraining_params
        from workbench.session.what_if.retraining import retrained_words

        run, asked = self.run, _values(values)
        origin = f"run {run.number} retrained with {retrained_words(run, asked)}"
        made = Run(0, retraining_params(run, asked), run.facts, origin)
        made.own, made.plan, made.kinds = run.own, run.plan, run.kinds
        made.dataset, made.schema = run.dataset, run.schema
        made.begin_stretch(made.params)
        retrained = self._made(made, asked, retrained=True)
        self.study._growing[made.number] = Growing(self.study, made, made.params, None, None)
        return retrained.grow()

    def _made(self, made: Run, asked: Values, *, retrained: bool) -> StudyRun:
        of, values = self.run.number, given(asked)

        def told(number: int) -> ApplyWhatIf:
            return ApplyWhatIf(number, of, values, made.origin, retrained)

        self.study.session.runs.add(made, told)
        return StudyRun(self.study, made)

    def rename(self, title: str) -> StudyRun:
        """Give it a name of its own."""
        self.study.session.runs.write_on(self.run, title=title)
        return self

    @property
    def note(self) -> str:
        """What is written on it."""
        return self.run.card.note

    @note.setter
    def note(self, text: str) -> None:
        self.study.session.runs.write_on(self.run, note=text)

    def pin(self, pinned: bool = True) -> StudyRun:
        """Pin it, or let go of it."""
        self.study.session.runs.write_on(self.run, pinned=pinned)
        return self

    def delete(self) -> None:
        """Delete it."""
        self.study.session.runs.delete(self.run)

    @property
    def script(self) -> str:
        """The Python that grows it again."""
        from workbench.session.script import script_of

        return script_of(self.study.session, self.run)

    @property
    def _growing(self) -> Growing | None:
        return self.study._growing.get(self.run.number) if self.run.is_live else None


def _values(values: Mapping[str, Any]) -> Values:
    from workbench.explain.what_if.rescoring import Values

    known = {f.name for f in fields(Values)}
    for name in values:
        if name not in known:
            raise WorkbenchError(f"{name} is none of {', '.join(sorted(known))}.")
    return Values(**values)


@contextmanager
def _failing(session: Session, run: Run) -> Iterator[None]:
    try:
        yield
    except WorkbenchError as error:
        session.runs.fail(run, str(error))
        raise


def _table(data: Any, options: Any) -> tuple[Table, TableSource | None]:
    """Return a table, and its file where it comes from one."""
    if isinstance(data, (str, Path)):
        from workbench.data.readers.options import GUESS_ALL, ReadOptions
        from workbench.data.reading import read_table

        if isinstance(options, Mapping):
            options = ReadOptions(**options)
        table = read_table(data, options=options or GUESS_ALL)
        kinds = {column.name: column.kind for column in table.columns}
        return table, TableSource(Path(data), options, kinds)
    from workbench.data.given.frames import table_from_frame
    from workbench.data.given.rows import is_frame, rows_of

    rows = rows_of(data)
    if not is_frame(rows):
        raise WorkbenchError("A study is of a frame or of a file: give a DataFrame, or the path of a table.")
    return table_from_frame(rows), None


def _converted(table: Table, name: str, kind: Kind) -> Table:
    from workbench.data.values.column_types import change_kind

    column = table.column(name)
    return table if column.kind == kind else table.with_column(change_kind(column, kind)[0])
