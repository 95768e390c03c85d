"""Asks whether Python files are to be run again that the runs of an opened project were trained with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.isolation import isolated
from workbench.session.project.own_uses import looked_at, uses_of
from workbench.views.own_files.consent import Consent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.session.own_file import OwnFile
    from workbench.session.project.own_uses import Looked
    from workbench.views.base import Bench


class OwnFilesAgain(QObject):
    """Reads the files, and says what became of them; runs those to which the person agrees, and no other."""

    def __init__(self, bench: Bench, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._window, self._session = bench, window, bench.session
        self._waiting: tuple[Looked, ...] = ()  # about which is yet to be asked
        self._asked: tuple[Looked, ...] = ()
        self._project = 0  # counts those that were opened
        bench.session.events.notice.connect(self._offer)

    def forget(self) -> None:
        """Ask no more; another project comes."""
        self._waiting = self._asked = ()
        self._project += 1

    def look(self) -> None:
        """Read the files that the project tells of."""
        journal, project = self._session.journal, self._project
        wanted = uses_of(journal.lines, journal.position).wanted

        def done(looked: tuple[Looked, ...]) -> None:
            if project == self._project:
                self._waiting = looked
                self._offer()

        if wanted:
            self._bench.jobs.start(lambda _job: looked_at(wanted), done=done, failed=self._fail)

    def _offer(self) -> None:
        """Ask once there is room: what is said of the table comes first."""
        notices = self._session.notices
        if self._waiting and notices.current is None:
            self._asked, self._waiting = self._waiting, ()
            can_be_run = any(file.code is not None for file in self._asked)
            notices.say(words_of(self._asked), "info", "training", offers_own_files=can_be_run)

    def run(self) -> None:
        """Run what was asked about; a file that has changed is shown first."""
        self._agree([file for file in self._asked if file.code is not None], ())

    def _agree(self, left: Sequence[Looked], agreed: tuple[Looked, ...]) -> None:
        if not left:
            self._run(agreed)
            return
        file, *others = left
        if file.is_same or file.code is None:
            self._agree(others, (*agreed, file))
            return
        consent = Consent(file.kind, file.use.path, file.code, changed=True, parent=self._window)
        consent.accepted.connect(partial(self._agree, others, (*agreed, file)))
        consent.rejected.connect(partial(self._agree, others, agreed))
        consent.show()

    def _run(self, agreed: Sequence[Looked]) -> None:
        project = self._project

        def done(files: list[OwnFile]) -> None:
            if project == self._project and files:
                self._session.take_own_again(files)

        self._bench.jobs.start(
            lambda _job: [file.run() for file in agreed], done=done, failed=self._fail
        )

    def _fail(self, text: str) -> None:
        self._session.notices.say(text, "error", "training")


def words_of(looked: Sequence[Looked]) -> str:
    """Say which files the runs were trained with, and how they are now."""
    told = " and ".join(f"{isolated(file.name)} ({_state(file)})" for file in looked)
    it, them = ("it", "it") if len(looked) == 1 else ("they", "them")
    if all(file.code is None for file in looked):
        return f"Runs of this project were trained with {told}; without {them} these are not grown on."
    can = f"{it.capitalize()} can do whatever a program can. Run {them} again?"
    return f"Runs of this project were trained with {told}. {can}"


def _state(file: Looked) -> str:
    if file.code is None:
        return "not to be read"
    return "unchanged" if file.is_same else "changed since"
