"""Taking a run away as Python or as a command line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from workbench.errors import WorkbenchError
from workbench.formats.bytes.files import atomic_write
from workbench.isolation import isolated
from workbench.session.command_line import CommandLine, command_of
from workbench.session.script import script_of
from workbench.views.export.save_dialog import ask_where

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu, QWidget

    from workbench.session.run import Run
    from workbench.views.base import Bench

ENDING = ".py"


class WaysOut:
    """What a menu offers for one run; what became of it is said in the window."""

    def __init__(self, bench: Bench, view: QWidget) -> None:
        self._bench, self._view = bench, view

    def fill(self, menu: QMenu, run: Run) -> None:
        """Put the ways out into a menu."""
        menu.addAction("Copy as Python", partial(self.copy_python, run))
        menu.addAction("Copy as command line", partial(self.copy_command, run))
        menu.addAction("Save script…", partial(self.save_script, run))

    def copy_python(self, run: Run) -> None:
        """Put the script that grows the run again on the clipboard."""
        QApplication.clipboard().setText(script_of(self._bench.session, run))
        self._say(f"The script of {isolated(run.name)} is on the clipboard.")

    def copy_command(self, run: Run) -> None:
        """Put the command line on the clipboard, or say why there is none; it looks at the table."""
        session = self._bench.session
        self._bench.jobs.start(
            lambda _job: command_of(session, run), done=partial(self._copy, run), failed=self._fail
        )

    def _copy(self, run: Run, command: CommandLine) -> None:
        if command.problem:
            self._bench.session.notices.say(command.problem, "warning", "export")
            return
        QApplication.clipboard().setText(command.text)
        self._say(f"The command line of {isolated(run.name)} is on the clipboard.")

    def save_script(self, run: Run) -> None:
        """Ask where the script goes, and write it there."""
        try:
            path = ask_where(self._view, "Save script", f"run{run.number}{ENDING}", "Python (*.py)", ENDING)
        except WorkbenchError as error:
            self._fail(str(error))
            return
        if path is not None:
            text = script_of(self._bench.session, run).encode()
            said = f"Saved {isolated(path.name)}."
            self._bench.jobs.start(
                lambda _job: atomic_write(path, text), done=lambda _: self._say(said),
                failed=self._fail, keep=True,
            )

    def _say(self, text: str) -> None:
        self._bench.session.notices.say(text, "info", "export")

    def _fail(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")
