"""Tables, models and projects are read on worker threads, as they are asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.number_text import counted
from workbench.paths import state_of
from workbench.session.opening.drawn import drawn
from workbench.session.opening.open_file import Doubtful, Outgrown, open_file
from workbench.session.opening.pasted import keep_pasted, pasted_path
from workbench.shell.files.arrivals import Arrivals, FileAsked
from workbench.shell.files.saving import Saving
from workbench.workers.opening_there import open_elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.readers.options import ReadOptions
    from workbench.session.opening.recent import RecentFiles
    from workbench.session.playground.drawing import Drawing
    from workbench.shell.files.arrivals import Arrived
    from workbench.shell.files.ways_back import WaysBack
    from workbench.shell.projects import Projects
    from workbench.shell.settings import Settings
    from workbench.views.base import Bench
    from workbench.workers.jobs import Job

PATIENCE_MS = 300  # nothing is said of work that is shorter


class Documents(QObject):
    """Reads on worker threads; a newer request cancels an older one."""

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
        self.saving = Saving(bench.session, bench.jobs)
        self.arrivals = arrivals = Arrivals(bench, settings, projects, self.saving, self)
        self._bench = bench
        self._job: Job | None = None
        self._asked = FileAsked(Path())
        self._pasted = settings.folder / "pasted"
        for mine, theirs in (
            (self.opened, arrivals.opened), (self.opened_model, arrivals.opened_model),
            (self.opened_project, arrivals.opened_project), (self.opened_drawing, arrivals.opened_drawing),
            (self.recent_changed, arrivals.recent_changed),
        ):  # fmt: skip
            theirs.connect(mine)
        self._moment = QTimer(self)
        self._moment.setSingleShot(True)
        self._moment.setInterval(PATIENCE_MS)
        self._moment.timeout.connect(lambda: self.waiting.emit(self.path.name))

    @property
    def path(self) -> Path:
        """What was asked for last."""
        return self._asked.path

    @property
    def recent(self) -> RecentFiles:
        """What was open in this sitting and those before."""
        return self.arrivals.recent

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
        if self.arrivals.table is not None:
            self._open(self.arrivals.table.path, self.arrivals.table.options)

    @property
    def ways(self) -> WaysBack:
        """What was open before, and what was open when opening was undone."""
        return self.arrivals.ways

    def go(self, *, back: bool) -> None:
        """Open what was open before; or what was open when that was done."""
        way = self.ways.take(back=back)
        session = self._bench.session
        table, model = session.data.table, session.shown.run.read if session.shown.run is not None else None

        def work(job: Job) -> Any:
            self.projects.autosave.wait()
            return open_file(way.path, job.progress, job.cancelled, way.options, model, table, None)

        self._read(way.path, work, way.options)

    def _is_open(self, path: Path) -> bool:
        known = self.arrivals.table
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
        name = Path(path.rstrip("/").rpartition("/")[2] or path)
        self._read(name, lambda job: open_elsewhere(connection, path, GUESS_ALL, job))

    def paste(self, text: str) -> None:
        """Open a table that was copied in another program; it is kept as a file."""
        path = pasted_path(self._pasted)

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
        self._asked = FileAsked(path, options, state_of(path))
        self._moment.start()
        self._job = self._bench.jobs.start(
            work, done=self._show, failed=self._refuse, progressed=self.progressed.emit, in_python=True
        )

    def open_sample(self, rows: int) -> None:
        """Open the table that was asked for last, with so many rows drawn at random."""
        from workbench.data.readers.options import GUESS_ALL

        self.open(self.path, replace(self._asked.options or GUESS_ALL, sample_rows=rows, sample_share=None))

    def open_mapped(self) -> None:
        """Open the table that was asked for last, and keep it on disk."""
        from workbench.data.readers.options import GUESS_ALL

        self.open(self.path, replace(self._asked.options or GUESS_ALL, map_folder=""))

    def open_unpacked(self) -> None:
        """Open the table that was asked for last, however much it unpacks to."""
        from workbench.data.readers.options import GUESS_ALL

        self.open(self.path, replace(self._asked.options or GUESS_ALL, unpacks_all=True))

    @property
    def can_keep_on_disk(self) -> bool:
        """Whether the table that is open can be read again to be kept on disk."""
        return self.arrivals.table is not None and self.arrivals.table.can_be_mapped

    def keep_on_disk(self) -> None:
        """Read the table that is open again and keep it on disk; roles, kinds and objective stay."""
        from workbench.data.readers.options import GUESS_ALL

        session, known = self._bench.session, self.arrivals.table
        if known is None or session.data.table is None:
            return
        kinds = session.data.table.kinds
        changed = {name: kind for name, kind in kinds.items() if known.kinds.get(name, kind) != kind}
        options = known.options or GUESS_ALL
        wanted = tuple((dict(options.kinds) | changed).items())
        self.open(known.path, replace(options, map_folder="", kinds=wanted))
        self._asked = self._asked._replace(plan=session.data.plan)

    def cancel(self) -> None:
        """Give up reading; what was open stays open."""
        if self._job is not None:
            self.ways.forget_taken()
            self._job.cancel()
            self._settle()

    def _show(self, answer: Arrived | Doubtful | Outgrown) -> None:
        self._settle()
        if isinstance(answer, Outgrown):
            self.outgrown.emit(answer)
        elif isinstance(answer, Doubtful):
            self.doubted.emit(self.path, answer.preview)
        else:
            self.arrivals.show(answer, self._asked)

    def _refuse(self, text: str) -> None:
        self.ways.forget_taken()
        self._settle()
        self._bench.session.notices.say(text, "error", "data")
        self.refused.emit(text)

    def _settle(self) -> None:
        self._job = None
        self._moment.stop()
        self.settled.emit()

