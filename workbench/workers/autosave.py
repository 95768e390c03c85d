"""Writes the sitting of now to a project file in the background, a moment after each change or round."""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.session.project.file import SUFFIX, create, trouble_said
from workbench.session.project.gather import Gathering
from workbench.session.project.sittings import CLOSED, Sitting, forget, let_oldest_go, sittings_in
from workbench.session.project.write import write
from workbench.workers.file_lock import lock_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QLockFile

    from workbench.session.project.content import Batch
    from workbench.session.session import Session

log = logging.getLogger(__name__)
SOON_MS = 1000  # after a change; a moment later it is on the disk
HELD_BACK_MS, MOST_TIMES = 50, 14  # and how often, for a hand that waits for a picture
LATER_MS = 30_000  # after what could not be written
LONGEST = 40  # signs of the table's name, four bytes each at most


class Autosave(QObject):
    """One file a sitting; it is made once there is something to lose.

    Attributes
    ----------
    folder : Path
        Where sittings are kept.
    path : Path or None
        The file of now; None before it is made.
    layout : callable () -> dict
        What is kept of the window beside the session, as JSON values.
    gives_way : callable () -> bool
        Whether writing would hold up what a person waits for.
    """

    failed = Signal(str)  # why nothing is written, said once a sitting
    changed = Signal()  # there is unsaved work, or there is none any more
    _told = Signal(str)
    _remarked = Signal(str)

    def __init__(self, session: Session, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self.folder = session, folder
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="autosave")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._when_due)
        self._times_held_back = 0
        self._told.connect(self._tell)
        self._remarked.connect(self._remark)
        self._is_over = False
        self._passing: set[Path] = set()  # of sittings without rounds, kept while the program runs
        self.layout: Callable[[], dict[str, Any]] = dict
        self.gives_way: Callable[[], bool] = bool
        self._begin()
        events = session.events
        for signal in (events.journal, events.rounds, events.state, events.runs, events.plan, events.params,
                       events.validation):
            signal.connect(self._note)

    def _begin(self) -> None:
        self._gathering = Gathering(self._session)
        self._file: _File | None = None
        self._lock: QLockFile | None = None
        self._changes = self._saved = 0
        self._has_failed = self._told_unsaved = False
        self._seen: tuple[Any, ...] = ()
        self.path: Path | None = None

    @property
    def has_unsaved(self) -> bool:
        """Whether there is work that is in no project of the person's."""
        return self._changes != self._saved and self._has_work

    @property
    def _has_work(self) -> bool:
        session = self._session
        has_chosen = any(line.action.undoable for line in session.journal.lines)
        return self.has_trained or (has_chosen and session.data.table is not None)

    @property
    def has_trained(self) -> bool:
        """Whether there are rounds that are in no model file."""
        known = ((len(run.rounds), run.read) for run in self._session.runs)
        return any(rounds > (0 if read is None else read.rounds) for rounds, read in known)

    def note_saved(self) -> None:
        """All of it is in a project now."""
        self._saved = self._changes
        self._say_changed()

    def note_unsaved(self) -> None:
        """It is in none after all."""
        self._saved = -1
        self._say_changed()

    def _say_changed(self) -> None:
        self._told_unsaved = self.has_unsaved
        self.changed.emit()

    def adopt(self, path: Path) -> None:
        """Go on with a sitting; its file goes once what it held is written anew."""
        self.note_unsaved()
        self._changes += 1
        written = self.write_now()
        if written is not None:
            written.add_done_callback(lambda _: forget(path) if not self._has_failed else None)

    def _note(self) -> None:
        if self._is_over:
            return
        if self._is_work():
            self._changes += 1
        if not self._timer.isActive() and (self._file is not None or self._has_work):
            self._timer.start(SOON_MS)
        if self.has_unsaved != self._told_unsaved:
            self._say_changed()

    def _is_work(self) -> bool:
        """Whether anything was done since the last look; going to another run or round does nothing."""
        journal, runs = self._session.journal, self._session.runs
        rounds = tuple((run.number, len(run.rounds), run.state) for run in runs)
        seen, self._seen = self._seen, (
            journal.lines, journal.position, rounds, self._session.validation.whole)
        return not seen or seen[0] is not journal.lines or seen[1:] != self._seen[1:]

    def _when_due(self) -> None:
        if self.gives_way() and self._times_held_back < MOST_TIMES:
            self._times_held_back += 1
            self._timer.start(HELD_BACK_MS)
        else:
            self.write_now()

    def write_now(self) -> Future[None] | None:
        """Hand what is new to the writing thread."""
        self._timer.stop()
        self._times_held_back = 0
        if self._file is None:
            if not self._has_work:
                return None
            self._make_file()
        batch = self._gathering.take(self.layout())
        if batch.is_empty or self._file is None:
            return None
        return self._submit(self._file.write, batch)

    def finish(self) -> Path | None:
        """The sitting ends properly: write the rest, and keep what is in no project.

        What was chosen without a round is kept until the program ends. Returns the file where it is kept.
        """
        is_kept = self.has_unsaved and not (self._is_over and not self.has_trained)
        self.write_now()
        path = self.path if is_kept else None
        if path is not None and not self.has_trained:
            self._passing.add(path)
        if self._file is not None:
            self._submit(self._file.close, is_kept)
            self._let_go_of(self._lock)
        self._begin()
        return path

    def shutdown(self) -> None:
        """End the sitting and the thread."""
        if not self._is_over:
            self._is_over = True
            self.finish()
            for path in self._passing:
                self.forget(path)
            self._executor.shutdown(wait=True)

    def wait(self) -> None:
        """Return once all is written that was handed over; on a worker."""
        self._executor.submit(int).result()

    def others(self) -> list[Sitting]:
        """Return the sittings that can be gone on with, but those that a window has open, or only keeps.

        Call it on a worker.
        """
        found = self._executor.submit(sittings_in, self.folder).result()  # after what is being written
        return [one for one in found if one.path not in self._passing and self._is_free(one.path)]

    def forget(self, path: Path) -> None:
        """Delete a sitting that was gone on with, or is not wanted."""
        self._executor.submit(forget, path)

    def _is_free(self, path: Path) -> bool:
        lock = lock_of(path)
        if path == self.path or not lock.tryLock(0):
            return False
        lock.unlock()
        return True

    def _make_file(self) -> None:
        stem = self._session.name.split(".")[0][:LONGEST]
        name = f"{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}-{os.getpid()}-{stem}{SUFFIX}"
        self.path = self.folder / name
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = lock_of(self.path)
        self._lock.tryLock(0)
        self._file = _File(self.path, self._remarked.emit)
        self._submit(let_oldest_go, self.folder, self.path)

    def _let_go_of(self, lock: QLockFile | None) -> None:
        if lock is not None:
            lock.unlock()

    def _submit(self, call: Callable[..., Any], *args: Any) -> Future[None]:
        def work() -> None:
            try:
                call(*args)
            except Exception as error:
                log.warning("autosave: %s", error)
                self._told.emit(str(error))

        return self._executor.submit(work)

    def _remark(self, text: str) -> None:
        if not self._is_over:
            self.failed.emit(text)

    def _tell(self, text: str) -> None:
        """Begin with another file a while later: what could not be written is written then."""
        if self._is_over:
            return
        self._gathering, self._file = Gathering(self._session), None
        self._timer.start(LATER_MS)
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(f"What is done now is not kept as it goes: {text}")


class _File:
    """The connection, which lives on the writing thread."""

    def __init__(self, path: Path, tell: Callable[[str], object]) -> None:
        self.path, self._tell = path, tell
        self._connection: sqlite3.Connection | None = None

    def write(self, batch: Batch) -> None:
        """Add a batch; where the folder takes no file, to one in the folder for temporary files."""
        if self._connection is None:
            try:
                self._connection = self._made(self.path)
            except WorkbenchError as error:
                self.path = Path(tempfile.gettempdir()) / self.path.name
                self._connection = self._made(self.path)
                self._tell(f"{error} It is kept in {isolated(str(self.path))} meanwhile.")
        with trouble_said(self.path, "written"):
            write(self._connection, batch, self.path.parent)

    def _made(self, path: Path) -> sqlite3.Connection:
        with trouble_said(path, "written"):
            connection = create(path)
            connection.execute("PRAGMA synchronous = NORMAL")
            return connection

    def close(self, is_kept: bool) -> None:
        """Mark it as closed properly; delete it where it is not kept."""
        if self._connection is not None:
            with suppress(sqlite3.DatabaseError), self._connection:
                self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, 'true')", (CLOSED,))
            self._connection.close()
        if not is_kept:
            forget(self.path)
