"""A table, what is planned for it, and the runs, told from Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError, warn
from workbench.parameters.training import TrainingParams, resolved
from workbench.session.growing import rows_of_plan
from workbench.session.project.own_uses import looked_at, uses_of
from workbench.session.project.tables import KnownTables
from workbench.session.session import Session
from workbench.study.given_plan import given_plan, known_role, known_split
from workbench.study.given_table import given_table, settled_options, with_kind
from workbench.study.growing import Growing, cluster_record
from workbench.study.plain_value import plain_value
from workbench.study.study_cluster import StudyCluster, where_it_trains
from workbench.study.study_run import StudyRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.dataset import Dataset
    from workbench.data.readers.options import ReadOptions
    from workbench.data.schema import SplitBy
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Kind, Table
    from workbench.session.journal.action import Call
    from workbench.session.opening.elsewhere import Elsewhere
    from workbench.session.plan import Plan
    from workbench.session.table_source import TableSource


class Study:
    """A table, what is planned for it, and the runs.

    Parameters
    ----------
    data : DataFrame, table of Arrow, or path
        A frame, or the file of a table; with `cluster` a path or address that its workers read.
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
    valid_fraction, split_seed, stratified, split_by, split_column, split_file
        How rows are held out; see `hold_out`.
    options : ReadOptions or mapping, optional
        How the file is read.
    cluster : distributed.Client, str or mapping, optional
        Where the table stays and runs train, as `train` takes it: Parquet, a folder, or an address. Its first
        rows are held here, and rows are held out by a hash. The cluster is let go with the study.

    Attributes
    ----------
    cluster : StudyCluster or None
        The connection to the cluster where its table stays; None of a table that is here.

    Raises
    ------
    WorkbenchError
        In one line what is wrong.
    """

    _tables: KnownTables | None = None
    cluster: StudyCluster | None

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
        split_by: SplitBy = "rows",
        split_column: str | None = None,
        split_file: str | None = None,
        options: ReadOptions | Mapping[str, Any] | None = None,
        cluster: Any = None,
    ) -> None:
        self._begin()
        elsewhere = None
        summaries: dict[str, ColumnSummary] = {}
        if cluster is None:
            table, source = given_table(data, options)
        else:
            source, self.cluster = None, StudyCluster(cluster)
            table, summaries, elsewhere = self.cluster.open(data, settled_options(options))
        self._take(
            table, source, target=target, objective=objective, roles=roles, kinds=kinds,
            positive=positive, valid_fraction=valid_fraction, split_seed=split_seed, stratified=stratified,
            split_by=split_by, split_column=split_column, split_file=split_file, elsewhere=elsewhere,
            summaries=summaries,
        )

    def _take(
        self, table: Table, source: TableSource | None, *, kinds: Mapping[str, Kind] | None = None,
        elsewhere: Elsewhere | None = None, summaries: Mapping[str, ColumnSummary] | None = None, **told: Any,
    ) -> None:  # fmt: skip
        from workbench.session.objective_facts import known_objectives

        self._tables = KnownTables(table)
        for name, kind in (kinds or {}).items():
            table = with_kind(table, name, kind)
        self.session.open_table(
            table, given_plan(table, **told), summaries or {}, known_objectives(), source, elsewhere
        )

    def _begin(self) -> None:
        self.session = Session()
        self._encoded: tuple[Table, Plan, Dataset] | None = None
        self.growing: dict[int, Growing] = {}
        self.cluster = None

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
            read, _ = given_table(table, None)
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
        changed = with_kind(table, column, kind).column(column)
        objective = guess_objective(changed) if column == self.session.data.plan.target else ""
        self.session.data.replace_column(changed, None, objective=objective)

    def role(self, column: str, role: Any) -> None:
        """Give a column a role: "feature", "ignore", "weight", "group" or "offset"."""
        self._table().column(column)
        self.session.data.set_role(column, known_role(role))

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

    def hold_out(
        self, fraction: float = 0.25, seed: int = 0, *, stratified: bool = True, by: SplitBy = "rows",
        column: str | None = None, file: str | None = None,
    ) -> None:  # fmt: skip
        """Hold rows out.

        Parameters
        ----------
        fraction : float
            Share of the rows, where no column or file names them.
        seed : int
            By which rows or groups are drawn.
        stratified : bool
            Keep the share of each class.
        by : {"rows", "groups", "time", "column", "file"}
            Rows at random, whole groups of a column, the latest rows by a column, those that a column
            names, or those of a second file.
        column, file : str, optional
            That column, which is no feature then, and that file.
        """
        if not 0.0 <= fraction < 1.0:
            raise WorkbenchError(f"The share held out is {fraction!r}; it must be 0 or more and below 1.")
        if column is not None:
            self._table().column(column)
        self.session.data.hold_out(
            valid_fraction=plain_value(fraction), split_seed=plain_value(seed), stratified=bool(stratified),
            split_by=known_split(by), split_column=column, split_file=file,
        )

    def use(self, path: str | Path, gives: str = "objective") -> None:
        """Run a Python file, and use the objective or the metric of it."""
        from workbench.session.own_file import read_file, run_file

        if gives not in ("objective", "metric"):
            raise WorkbenchError(f"A file gives an objective or a metric, not {gives!r}.")
        known = str(Path(path).absolute())  # scripts and projects are used from other folders
        self.session.own_files.use(run_file(gives, known, read_file(known)))  # type: ignore[arg-type]

    # --- runs -------------------------------------------------------------------------------

    @property
    def runs(self) -> tuple[StudyRun, ...]:
        """The runs, by number."""
        return tuple(StudyRun(self, run) for run in self.session.runs)

    def train(self, *, until: int | None = None, cluster: Any = None, **params: Any) -> StudyRun:
        """Train a run.

        Parameters
        ----------
        until : int, optional
            Pause after this round.
        cluster : distributed.Client, str or mapping, optional
            Train there with xgboost.dask: "local", a scheduler's address or its file, or a mapping such as
            {"address": "local", "workers": 2, "threads": 1}.
        **params
            Parameters by name or alias; others are at their defaults.
        """
        values = resolved(params)
        if "objective" in values:
            self.session.data.set_objective(str(values.pop("objective")))
        wanted = TrainingParams(**values)
        session = self.session
        session.choose_method(wanted.method)
        own = session.hyperparameters.wanted.objective
        session.hyperparameters.change(**wanted.change(objective=own).to_dict())
        clash = session.clash
        if clash is not None:
            raise WorkbenchError(clash.text)
        cluster = where_it_trains(self.cluster, cluster)
        if isinstance(cluster, StudyCluster):
            elsewhere, table = session.data.elsewhere, self._table()
            assert elsewhere is not None
            rows, shown = cluster.rows(elsewhere, session.data.plan, table)
            run = session.new_run(cluster.record)
            session.runs.rows_are_there(run, rows.table().schema, rows, shown)
        else:
            dataset = self._rows()
            run = session.new_run(cluster_record(cluster))
            session.runs.dataset_ready(run, dataset)
        self.growing[run.number] = Growing(session, run, run.params, cluster=cluster)
        made = StudyRun(self, run)
        made.grow(until=until)
        return made

    def undo(self) -> str | None:
        """Take back what was done last, and return its line; None where nothing is left."""
        line = self.session.journal.done
        self.session.journal.undo()
        return None if line is None else line.action.words

    def redo(self) -> str | None:
        """Do again what was taken back last, and return its line; None where nothing is left."""
        line = self.session.journal.undone
        self.session.journal.redo()
        return None if line is None else line.action.words

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
        """What was done and not taken back, a line each."""
        journal = self.session.journal
        return tuple(line.action.words for line in journal.lines[: journal.position])

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
