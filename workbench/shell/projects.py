"""The project file of the sitting: where it is, saving it, and going on with one."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QIODevice, QLockFile, QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.number_text import counted
from workbench.session.project.file import SUFFIX
from workbench.session.project.gather import Gathering
from workbench.session.project.read import blob_of
from workbench.session.project.save import PICTURE, save_project
from workbench.shell.own_files_again import OwnFilesAgain
from workbench.views.turns.held import picture_of
from workbench.workers.file_lock import lock_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

    from workbench.data.dataset import Dataset
    from workbench.session.opening.open_project import OpenedProject
    from workbench.shell.settings import Settings
    from workbench.views.base import Bench
    from workbench.workers.autosave import Autosave

MOST_INSIDE = 50 << 20  # bytes of a table that is offered to be kept in the project
BYTES_A_CELL = 4
PICTURE_WIDTH, LARGEST_PICTURE = 320, 1 << 20
WITHOUT, WITH_TABLE = f"Project (*{SUFFIX})", f"Project with its table (*{SUFFIX})"


class Projects(QObject):
    """Saves on a worker; a project that another window has open is a copy here.

    Attributes
    ----------
    path : Path or None
        The person's own file of this sitting; None before it is saved.
    left : Path or None
        The file of the sitting that was left last, where there is one.
    """

    changed = Signal()  # another file, or there is unsaved work, or none any more
    saved = Signal(object)  # the path

    def __init__(self, bench: Bench, autosave: Autosave, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self.views: Callable[[], dict[str, str]] = dict  # which are shown, by their dock
        self._bench, self._settings, self._window = bench, settings, window
        self._session, self.autosave = bench.session, autosave
        self.path: Path | None = None
        self.left: Path | None = None
        self._holds_table = False
        self._lock: QLockFile | None = None
        self._opened: OpenedProject | None = None
        self.own_files = OwnFilesAgain(bench, window)
        autosave.layout = self._layout
        autosave.changed.connect(self.changed)
        autosave.failed.connect(self._session.notices.say_lasting)

    @property
    def has_unsaved(self) -> bool:
        """Whether there is work that is in no project."""
        return self.autosave.has_unsaved

    # --- saving -----------------------------------------------------------------------------

    def save(self) -> None:
        """Save the project where it was saved before, else ask where."""
        if self.path is None:
            self.save_as()
        else:
            self._save(self.path, holds_table=self._holds_table)

    def save_as(self) -> None:
        """Ask where the project goes."""
        if not self._session.name:
            said = "There is nothing to save yet. Open a table first."
            self._session.notices.say(said, "warning", "export")
            return
        kinds = [WITHOUT, *([WITH_TABLE] if self._fits_inside else [])]
        stem = self.path.stem if self.path is not None else self._session.name.split(".")[0]
        start = str(Path(str(self._settings.get("folder")) or Path.home()) / (stem + SUFFIX))
        chosen, kind = QFileDialog.getSaveFileName(self._window, "Save project", start, ";;".join(kinds))
        if not chosen:
            return
        self._settings.set(folder=str(Path(chosen).parent))
        path = Path(chosen if chosen.endswith(SUFFIX) else chosen + SUFFIX)
        if str(path) != chosen and path.exists():  # the dialog asked about another name
            words = f"{isolated(path.name)} exists. Choose that name to write over it."
            self._session.notices.say(words, "warning", "export")
            return
        self._save(path, holds_table=kind == WITH_TABLE)

    def _layout(self) -> dict[str, Any]:
        """Return what is shown, and whose project the sitting is."""
        return {"views": self.views(), "project": "" if self.path is None else str(self.path)}

    @property
    def _fits_inside(self) -> bool:
        table = self._session.data.table
        if self._session.data.elsewhere is not None:
            return False
        return table is not None and table.n_rows * len(table.columns) * BYTES_A_CELL <= MOST_INSIDE

    def _save(self, path: Path, *, holds_table: bool) -> None:
        batch, picture = Gathering(self._session).take(self._layout()), picture_of(self._window)
        table = self._session.data.as_read if holds_table or self._has_no_file else None
        self.autosave.note_saved()  # as of now: what changes while it is written is unsaved again

        def done(_: None) -> None:
            self._hold(path)
            self._holds_table = holds_table
            self.saved.emit(path)
            self._session.notices.say(f"Saved {isolated(path.name)}.", "info", "export", passes=True)

        def failed(text: str) -> None:
            self.autosave.note_unsaved()
            self._session.notices.say(text, "error", "export")

        self._bench.jobs.start(
            lambda _job: save_project(path, batch, table, small_png(picture)),
            done=done, failed=failed, keep=True,
        )

    @property
    def _has_no_file(self) -> bool:
        data = self._session.data
        return data.table is not None and data.source is None and data.elsewhere is None

    # --- opening ----------------------------------------------------------------------------

    def leave(self) -> str:
        """End the sitting, and say what is kept of it; "" where nothing is."""
        words = ""
        if self.has_unsaved and self.autosave.has_trained:
            runs = counted(len(self._session.runs), "run")
            words = f"{self._session.name} with {runs} is kept: Samples and recent files leads back to it."
        self.left = self.autosave.finish() or self.path
        self._let_go()
        self._opened = None
        self.own_files.forget()
        return words

    def show(self, opened: OpenedProject) -> str:
        """Go on with a project, and return what a person should know of it."""
        self._opened = opened
        opened.show(self._session)
        words = opened.found.words
        if opened.path.parent == self.autosave.folder:  # a sitting that was not saved
            known = str(opened.content.layout.get("project", ""))
            if known and Path(known).exists():
                self._hold(Path(known))
            self.autosave.adopt(opened.path)
        else:
            self.autosave.note_saved()
            if not self._hold(opened.path):
                name = isolated(opened.path.name)
                copy = "This is a copy: save it under another name."
                words = f"{name} is open in another window. {copy} {words}"
        self._holds_table = opened.found.state == "inside"
        if opened.found.state in ("same", "inside"):
            self.take_rows()
        self.changed.emit()
        return words.strip()

    @property
    def shown_views(self) -> dict[str, str]:
        """The views that were shown in the project that was opened, by their dock."""
        views = self._opened.content.layout.get("views", {}) if self._opened is not None else {}
        return {str(dock): str(view) for dock, view in views.items()} if isinstance(views, dict) else {}

    def take_rows(self, *, tells: bool = False) -> None:
        """Give the runs their rows, which are encoded on a worker, and tell of those that have others now."""
        opened = self._opened
        if opened is None or opened.tables is None:
            return
        from workbench.session.project.tables import rows_of_runs

        runs, tables = dict(opened.content.runs), opened.tables

        def done(found: dict[int, Dataset]) -> None:
            if self._opened is not opened:
                return
            for number, rows in found.items():
                self._session.runs.dataset_ready(runs[number], rows)
                if runs[number].plan == self._session.data.plan:
                    self._bench.controller.take_rows(rows)
            if tells:
                self._say_left_out()

        self._bench.jobs.start(
            lambda job: rows_of_runs(runs, tables, job.cancelled), done=done,
            failed=partial(self._session.notices.say, severity="error", place="data"),
        )

    def _say_left_out(self) -> None:
        """Say which runs have not got their rows, as the table holds others now."""
        session = self._session
        left = [run.name for run in session.runs if run.plan is not None and not run.has_rows and run.rounds]
        if left:
            names = isolated(left[0]) if len(left) == 1 else counted(len(left), "run")
            told = f"The rows of {names} are others in {isolated(session.name)} now: looked at, not grown on."
            session.notices.say(f"{told} Train starts a run on the rows of now.", "warning", "data")

    def _hold(self, path: Path) -> bool:
        """Take the file as this sitting's own; return False where another window has it."""
        if path == self.path:
            return True
        self._let_go()
        lock = lock_of(path)
        if not lock.tryLock(0) and lock.error() is QLockFile.LockError.LockFailedError:
            return False
        self._lock, self.path = lock, path
        self.changed.emit()
        return True

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.unlock()
        self._lock = self.path = None

    def shutdown(self) -> None:
        """End the sitting, for closing the window."""
        self.autosave.shutdown()
        self._let_go()


def small_png(picture: QImage) -> bytes:
    """Return a picture of the window small, as PNG; call it on a worker thread."""
    small = picture.scaledToWidth(PICTURE_WIDTH, Qt.TransformationMode.SmoothTransformation)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    small.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def pictures_of(paths: Iterable[str]) -> dict[str, bytes]:
    """Return the pictures of projects, as PNG by path; call it on a worker thread."""
    found = {}
    for path in paths:
        if path.endswith(SUFFIX):
            with suppress(WorkbenchError):
                picture = blob_of(Path(path), PICTURE)
                if picture is not None and len(picture) <= LARGEST_PICTURE:
                    found[path] = picture
    return found
