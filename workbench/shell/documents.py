"""Files in and out of the window: opening tables and models, saving models and histories."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.formats.base import DEFAULT_FORMAT, NOT_FOR_XGBOOST, writer_for
from workbench.isolation import isolated
from workbench.number_text import counted
from workbench.paths import state_of
from workbench.session.carried import carried
from workbench.session.opening.drawn import Drawn, drawn
from workbench.session.opening.open_file import Doubtful, Opened, OpenedModel, Outgrown, open_file
from workbench.session.opening.open_project import OpenedProject
from workbench.session.opening.pasted import keep_pasted, pasted_path
from workbench.session.opening.recent import RecentFile, RecentFiles
from workbench.session.table_source import TableSource
from workbench.shell.ways_back import Way, WaysBack
from workbench.workers.opening_there import OpenedElsewhere, open_elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.data.readers.options import ReadOptions
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Kind
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.session.opening.attaching import Attached
    from workbench.session.plan import Plan
    from workbench.session.playground.drawing import Drawing
    from workbench.session.run import Run
    from workbench.session.run_parts.kept import Kept
    from workbench.shell.projects import Projects
    from workbench.shell.settings import Settings
    from workbench.views.base import Bench
    from workbench.workers.jobs import Job

PATIENCE_MS = 300  # nothing is said of work that is shorter


class OpenedTable(NamedTuple):
    """The table that is open: its file, how that was read, and what was there.

    `kinds` are those of its columns as they were read, `state` is that of the file.
    """

    path: Path
    options: ReadOptions | None
    can_be_mapped: bool
    kinds: dict[str, Kind]
    state: tuple[int, int] | None


class Documents(QObject):
    """Reads and writes on worker threads; a newer request cancels an older one."""

    waiting = Signal(str)  # what is being read, said after a moment
    progressed = Signal(int, int)
    settled = Signal()  # nothing is being read any more
    opened = Signal()
    opened_model = Signal()
    opened_project = Signal()
    opened_drawing = Signal()
    shown_again = Signal()  # what was asked for is open
    refused = Signal(str)  # why a file could not be opened
    doubted = Signal(object, object)  # path and preview of a table that a person should look at
    outgrown = Signal(object)  # why a table is too large to be read as it is, and what can be done
    recent_changed = Signal()

    def __init__(
        self, bench: Bench, settings: Settings, projects: Projects, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.projects = projects
        self._bench = bench
        self._job: Job | None = None
        self.path = Path()
        self._state: tuple[int, int] | None = None  # of the file before it was read
        self._options: ReadOptions | None = None
        self._open_table: OpenedTable | None = None
        self._shown: Way | None = None  # what is open, but for what was done since
        self._ways = WaysBack()
        self._plan: Plan | None = None  # to be kept by the table that is being read
        self._settings = settings
        self.recent = RecentFiles(settings.recent_path)
        self._pasted = settings.folder / "pasted"
        settings.changed.connect(lambda: self._write(settings.save, self._say_remembered))
        self._moment = QTimer(self)
        self._moment.setSingleShot(True)
        self._moment.setInterval(PATIENCE_MS)
        self._moment.timeout.connect(lambda: self.waiting.emit(self.path.name))

    def open(
        self, path: Path, options: ReadOptions | None = None, elsewhere: Path | None = None
    ) -> None:
        """Open a table, a model or a project; a table without options only where nothing is doubtful.

        A table that is open, and has not changed since, is shown as it is. `elsewhere` is where the table of
        a project is.
        """
        if options is None and self._is_open(path):
            self._show_again()
            return
        self._open(path, options, elsewhere)

    def open_with_table(self, table: Path) -> None:
        """Open the project again that was asked for last; its table is elsewhere."""
        self._open(self.path, None, table)

    def open_again(self) -> None:
        """Read the table that is open once more, and begin anew with it."""
        if self._open_table is not None:
            self._open(self._open_table.path, self._open_table.options)

    @property
    def ways(self) -> WaysBack:
        """What was open before, and what was open when opening was undone."""
        return self._ways

    def go(self, *, back: bool) -> None:
        """Open what was open before; or what was open when that was done."""
        way = self._ways.take(back=back)
        session = self._bench.session
        table, model = session.data.table, session.shown.run.read if session.shown.run is not None else None
        self._plan = None

        def work(job: Job) -> Any:
            self.projects.autosave.wait()
            return open_file(way.path, job.progress, job.cancelled, way.options, model, table, None)

        self._read(way.path, work, way.options)

    def _is_open(self, path: Path) -> bool:
        known = self._open_table
        return known is not None and known.path == path and known.state == state_of(path) is not None

    def _show_again(self) -> None:
        """Show the table that is open, with its runs."""
        self.cancel()
        session = self._bench.session
        self.shown_again.emit()
        if session.runs and session.data.table is not None:
            runs = counted(len(session.runs), "run")
            words = f"{session.data.table.name} was open already, with {runs}."
            session.notices.say(words, "info", "data", offers_anew=True)

    def _open(self, path: Path, options: ReadOptions | None, elsewhere: Path | None = None) -> None:
        known = options or self.recent.options_of(path)
        self._plan = None
        session = self._bench.session
        table, model = session.data.table, session.shown.run.read if session.shown.run is not None else None

        def work(job: Job) -> Any:
            return open_file(path, job.progress, job.cancelled, known, model, table, elsewhere)

        self._read(path, work, known)

    def open_there(self, path: str) -> None:
        """Open a table that stays on the cluster which is connected: its first rows are shown."""
        from workbench.data.readers.options import GUESS_ALL
        from workbench.session.opening.elsewhere import NEEDS_CLUSTER

        connection = self._bench.controller.cluster.connection
        if connection is None:
            self._bench.session.notices.say(NEEDS_CLUSTER, "error", "data")
            return
        self._plan = None
        name = Path(path.rstrip("/").rpartition("/")[2] or path)
        self._read(name, lambda job: open_elsewhere(connection, path, GUESS_ALL, job))

    def paste(self, text: str) -> None:
        """Open a table that was copied in another program; it is kept as a file."""
        path = pasted_path(self._pasted)
        self._plan = None

        def work(job: Job) -> Any:
            keep_pasted(path, text)
            return open_file(path, job.progress, job.cancelled)

        self._read(path, work)

    def draw(self, drawing: Drawing) -> None:
        """Open points that are drawn, in place of what is open."""
        hyperparameters = self._bench.session.hyperparameters
        if not len(drawing):
            hyperparameters.let_few_rows_split()
        method = hyperparameters.wanted.method
        self._read(Path(drawing.name), lambda _job: drawn(drawing, method))

    def _read(self, path: Path, work: Callable[[Job], Any], options: ReadOptions | None = None) -> None:
        self.cancel()
        self.path, self._options, self._state = path, options, state_of(path)
        self._moment.start()
        self._job = self._bench.jobs.start(
            work, done=self._show, failed=self._refuse, progressed=self.progressed.emit
        )

    def open_sample(self, rows: int) -> None:
        """Open the table that was asked for last, with so many rows drawn at random."""
        from workbench.data.readers.options import GUESS_ALL

        self.open(self.path, replace(self._options or GUESS_ALL, sample_rows=rows, sample_share=None))

    def open_mapped(self) -> None:
        """Open the table that was asked for last, and keep it on disk."""
        from workbench.data.readers.options import GUESS_ALL

        self.open(self.path, replace(self._options or GUESS_ALL, map_folder=""))

    def open_unpacked(self) -> None:
        """Open the table that was asked for last, however much it unpacks to."""
        from workbench.data.readers.options import GUESS_ALL

        self.open(self.path, replace(self._options or GUESS_ALL, unpacks_all=True))

    @property
    def can_keep_on_disk(self) -> bool:
        """Whether the table that is open can be read again to be kept on disk."""
        return self._open_table is not None and self._open_table.can_be_mapped

    def keep_on_disk(self) -> None:
        """Read the table that is open again and keep it on disk; roles, kinds and objective stay."""
        from workbench.data.readers.options import GUESS_ALL

        session, known = self._bench.session, self._open_table
        if known is None or session.data.table is None:
            return
        kinds = {column.name: column.kind for column in session.data.table.columns}
        changed = {name: kind for name, kind in kinds.items() if known.kinds.get(name, kind) != kind}
        options = known.options or GUESS_ALL
        wanted = tuple((dict(options.kinds) | changed).items())
        self.open(known.path, replace(options, map_folder="", kinds=wanted))
        self._plan = session.data.plan

    def cancel(self) -> None:
        """Give up reading; what was open stays open."""
        if self._job is not None:
            self._ways.forget_taken()
            self._job.cancel()
            self._settle()

    def save_model(self, run: Run, path: Path) -> None:
        """Write the shown run's model so far."""
        kept = run.kept()  # taken here: the run may go on growing while it is written
        self._write(lambda: _save_model(kept, path), partial(self._saved, path))

    def _saved(self, path: Path, rounds: int) -> None:
        more, run = "", self._bench.session.shown.run
        if writer_for(path).name == DEFAULT_FORMAT:
            is_linear = run is not None and run.params.method == "linear"
            more = f" {NOT_FOR_XGBOOST}" if is_linear else " Stock XGBoost loads it too."
        self._say_saved(path, rounds, more)

    def _say_saved(self, path: Path, rounds: int, more: str = "") -> None:
        run = self._bench.session.shown.run
        stored = ", as stored without What if" if run is not None and run.what_if.is_on else ""
        words = f"Saved {isolated(path.name)}: {counted(rounds, 'round')}{stored}.{more}"
        self._bench.session.notices.say(words, "info", "export", passes=True)

    def save_history(self, run: Run, path: Path) -> None:
        """Write every figure of every round as CSV."""
        kept, neutralise = run.kept(), self._bench.session.harmless_formulas
        self._write(lambda: _save_history(kept, path, neutralise), partial(self._say_saved, path))

    def _write(self, call: Any, done: Any) -> None:
        self._bench.jobs.start(lambda _job: call(), done=done, failed=self._not_saved, keep=True)

    def _not_saved(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")

    def _show(
        self, answer: Opened | OpenedModel | OpenedProject | OpenedElsewhere | Drawn | Doubtful | Outgrown
    ) -> None:
        self._settle()
        if isinstance(answer, Outgrown):
            self.outgrown.emit(answer)
            return
        if isinstance(answer, Doubtful):
            self.doubted.emit(self.path, answer.preview)
            return
        self._bench.controller.let_go()
        name, kept = self._bench.session.name, self.projects.leave()
        left, shown = self.projects.left, self._shown
        if left is not None:
            self._ways.leave(Way(name, left))
        else:
            self._ways.leave(shown._replace(name=name) if shown is not None else None)
        self._shown = Way("", self.path, self._options)
        if isinstance(answer, OpenedProject):
            self._show_project(answer, kept)
            return
        if isinstance(answer, OpenedModel):
            self._show_model(answer, kept)
            return
        if isinstance(answer, Drawn):
            self._show_drawing(answer, kept)
            return
        if isinstance(answer, OpenedElsewhere):
            self._show_elsewhere(answer, kept)
            return
        is_other = self._open_table is None or self._open_table.path != self.path
        names = [column.name for column in answer.table.columns]
        plan = self._plan if self._plan is not None and list(self._plan.roles) == names else answer.plan
        kinds = {column.name: column.kind for column in answer.table.columns}
        self._open_table = OpenedTable(self.path, self._options, answer.can_be_mapped, kinds, self._state)
        former = self._bench.session.name
        if answer.attached is not None:
            self._attach(answer.attached, answer.summaries, answer.objectives)
        else:
            self._bench.session.open_table(
                answer.table, plan, answer.summaries, answer.objectives, self._source()
            )
        self._remember(RecentFile(
            str(self.path), answer.table.n_rows, len(names), plan.target, datetime.now().astimezone(),
            self._options))
        self.opened.emit()
        if answer.attached is not None:
            self._say_kept(kept, more=answer.attached.words)
        else:
            taken = f"Target, roles and hold-out are taken from {former}." if not plan.target_guessed else ""
            stay = carried(self._bench.session.hyperparameters.wanted) if is_other else ""
            self._say_kept(kept, former, taken if plan is answer.plan else "", stay)

    def _show_model(self, answer: OpenedModel, kept: str) -> None:
        session, attached = self._bench.session, answer.attached
        if attached is not None and attached.given is session.data.table:
            self._attach(attached, {**session.data.summaries, **attached.changed}, answer.objectives)
        else:
            self._open_table = attached = None
            session.open_model(answer.run, answer.name, answer.objectives)
        model = answer.run.read
        if model is not None:
            known = None if "known_params" in model.provenance else model.schema.target
            columns = len(model.schema.features)
            self._remember(RecentFile(
                str(self.path), 0, columns, known, datetime.now().astimezone(), rounds=model.rounds))
        self.opened_model.emit()
        self._say_kept(kept, more=attached.words if attached else "")

    def _show_elsewhere(self, answer: OpenedElsewhere, kept: str) -> None:
        self._open_table = self._shown = None
        former = self._bench.session.name
        self._bench.session.open_table(
            answer.table, answer.plan, answer.summaries, answer.objectives, elsewhere=answer.elsewhere
        )
        self.opened.emit()
        self._say_kept(kept, former)

    def _show_drawing(self, answer: Drawn, kept: str) -> None:
        self._open_table = None
        self._bench.session.open_drawing(answer.sketch, answer.plan, answer.objectives)
        self._bench.playground.retrain("Draw")
        self.opened_drawing.emit()
        self._say_kept(kept)

    def _show_project(self, answer: OpenedProject, kept: str) -> None:
        found, session = answer.found, self._bench.session
        words = self.projects.show(answer)
        self._open_table = None
        if found.path is not None and answer.tables is not None:
            kinds = {column.name: column.kind for column in answer.tables.read.columns}
            self._open_table = OpenedTable(found.path, found.options, False, kinds, state_of(found.path))
        if self.projects.path is not None:
            self.remember_project(self.projects.path)
        (self.opened if answer.table is not None and not session.runs else self.opened_project).emit()
        told = " ".join(filter(None, (words, kept)))
        if told:
            session.notices.say(
                told, "warning" if found.words else "info", "data",
                offers_table=found.state == "missing", offers_changed=found.state == "changed",
            )
        self.projects.own_files.look()

    def remember_project(self, path: Path) -> None:
        """Put a project first among the recent files."""
        session = self._bench.session
        table, target = session.data.table, session.data.plan.target
        rows, columns = (table.n_rows, len(table.columns)) if table is not None else (0, 0)
        self._remember(RecentFile(str(path), rows, columns, target, datetime.now().astimezone()))

    def _remember(self, file: RecentFile) -> None:
        """Put a file first among the recent ones."""
        self.recent.add(file)
        self._write(self.recent.save, self._say_remembered)
        self.recent_changed.emit()

    def _attach(
        self, attached: Attached, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...],
    ) -> None:  # fmt: skip
        """Show a model with its own table; what is in its file is saved."""
        run = attached.run
        self._bench.session.attach(run, attached.table, attached.plan, summaries, objectives, self._source())
        self._bench.controller.take_rows(run.dataset)

    def _source(self) -> TableSource | None:
        known = self._open_table
        return None if known is None else TableSource(known.path, known.options, known.kinds)

    def _say_remembered(self, remembered: bool) -> None:
        if not remembered:
            self._settings.tell_unwritable()

    def _say_kept(self, kept: str, model: str = "", more: str = "", stay: str = "") -> None:
        """Say what became of the runs, and of parameters: those carried on, those of the model before."""
        session = self._bench.session
        differs = bool(session.hyperparameters.of_model)
        other = f"Parameters are as you set them, not as in {isolated(model)}." if differs else ""
        same = f"Parameters stay as you set them: {stay}." if stay and not other else ""
        words = " ".join(filter(None, (more, other, same, kept)))
        if words:
            session.notices.say(
                words, "info", "export", offers_params=bool(other), offers_defaults=bool(stay),
                passes=not (kept or other or stay),
            )

    def _refuse(self, text: str) -> None:
        self._ways.forget_taken()
        self._settle()
        self._bench.session.notices.say(text, "error", "data")
        self.refused.emit(text)

    def _settle(self) -> None:
        self._job = None
        self._moment.stop()
        self.settled.emit()


def _save_model(kept: Kept, path: Path) -> int:
    kept.model.save(path)
    return kept.model.rounds


def _save_history(kept: Kept, path: Path, neutralise: bool) -> int:
    from workbench.formats.bytes.files import atomic_write
    from workbench.formats.own.history_csv import history_csv, history_rows

    atomic_write(path, history_csv(history_rows(kept.rounds), neutralise=neutralise))
    return len(kept.rounds)
