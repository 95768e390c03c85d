"""Which page the person is on: welcome, a file that is looked at, or the workbench with what was opened."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.data.readers.options import GUESS_ALL
from workbench.session.playground.patterns import FIRST
from workbench.shell.projects import pictures_of
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.own_events import in_own_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.readers.preview import Preview
    from workbench.shell.files.documents import Documents
    from workbench.shell.files.file_choice import FileChoice
    from workbench.shell.frame import Frame
    from workbench.shell.projects import Projects
    from workbench.shell.run_commands import RunCommands
    from workbench.views.base import Bench

DOCKS = {"left": "parameters", "centre": "training", "bottom": ""}  # with what a project shows as a rule


class Pages(QObject):
    """Turns the page when something is opened, looked at or left."""

    turned = Signal()

    def __init__(
        self, bench: Bench, frame: Frame, documents: Documents, projects: Projects, files: FileChoice,
        runs: RunCommands,
    ) -> None:  # fmt: skip
        super().__init__(frame)
        self._bench, self._session, self._frame, self._runs = bench, bench.session, frame, runs
        self._documents, self._projects = documents, projects
        self._train_when_shown = False
        projects.views = self._shown_views
        self._bind_welcome(files)
        self._bind_opening(files)

    def _bind_welcome(self, files: FileChoice) -> None:
        welcome = self._frame.welcome
        welcome.open_requested.connect(files.open)
        welcome.file_chosen.connect(lambda path: self._documents.open(Path(path)))
        welcome.sample_chosen.connect(self._open_sample)
        welcome.tour_requested.connect(self.take_tour)
        welcome.playground_requested.connect(self.draw)
        welcome.back_requested.connect(self.show_again)
        welcome.sitting_dropped.connect(self._projects.autosave.forget)
        self._documents.recent_changed.connect(self._show_recent)

    def _bind_opening(self, files: FileChoice) -> None:
        documents, importing = self._documents, self._frame.importing
        importing.accepted.connect(documents.open)
        importing.rejected.connect(self._leave_import)
        files.doubted.connect(self.look_at)
        documents.doubted.connect(self.look_at)
        documents.shown_again.connect(self.show_again)
        documents.opened.connect(partial(self._show_soon, self.show_table))
        documents.opened_model.connect(partial(self._show_soon, self.show_model))
        documents.opened_project.connect(partial(self._show_soon, self.show_project))
        documents.opened_drawing.connect(partial(self._show_soon, self.show_playground))
        for view in self._frame.views:
            if hasattr(view, "drawing_wanted"):
                view.drawing_wanted.connect(documents.draw)

    def _show_soon(self, show: Callable[[], None]) -> None:
        """Paint what was taken over in events of its own, with room for others between, and show it then."""
        painted_in_own_event(self._frame.centre, self._frame.left)
        in_own_event(show, self)

    def show_welcome(self) -> None:
        """Show samples and recent files; from there, go back."""
        if self._frame.on_welcome and self._session.name:
            self.show_again()
            return
        self._frame.welcome.set_open(self._session.name)
        self._frame.show_workbench(False)
        self._show_recent()
        self.turned.emit()

    def show_table(self) -> None:
        """Show the table that was just opened."""
        self._frame.show_workbench(True)
        self._frame.left.show_view("data")
        self._frame.centre.show_view("table")
        self.turned.emit()
        self._runs.get_ready_soon()
        self._train_if_asked()

    def show_again(self) -> None:
        """Go back to what is open, as it was left."""
        if self._session.name:
            self._frame.show_workbench(True)
            self.turned.emit()
            self._train_if_asked()

    def show_model(self) -> None:
        """Show the trees of the model that was just opened."""
        self._frame.show_workbench(True)
        self._frame.left.show_view("trees")
        self._frame.centre.show_view("tree")
        self.turned.emit()

    def show_project(self) -> None:
        """Show the runs of the project that was just opened."""
        self._frame.show_workbench(True)
        for dock, usual in DOCKS.items():
            getattr(self._frame, dock).show_view(self._projects.shown_views.get(dock, usual))
        self.turned.emit()

    def draw(self) -> None:
        """Go to the playground: on the table that is open, else on points to begin with."""
        if self._session.data.table is None:
            self._documents.draw(FIRST.draw())
        else:
            self.show_playground()

    def show_playground(self) -> None:
        """Show what is drawn, and the brush."""
        self._frame.show_workbench(True)
        self._frame.left.show_view("draw")
        self._frame.centre.show_view("playground")
        self.turned.emit()

    def take_tour(self) -> None:
        """Open a sample and train on it: the way in for somebody without data."""
        self._train_when_shown = True
        self._open_sample("penguins")

    def look_at(self, path: Path, preview: Preview | None = None) -> None:
        """Show how a table would be read."""
        self._session.notices.dismiss()
        options = None if preview else self._documents.recent.options_of(path)
        self._frame.importing.show_file(path, options or GUESS_ALL, preview)
        self._frame.show_import(True)

    def _open_sample(self, name: str) -> None:
        """Open a shipped table."""
        from workbench.data.samples import sample_file

        self._documents.open(sample_file(name))

    def _train_if_asked(self) -> None:
        if self._train_when_shown:
            self._train_when_shown = False
            self._runs.watch()

    def _leave_import(self) -> None:
        self._documents.cancel()
        self._frame.show_import(False)

    def _shown_views(self) -> dict[str, str]:
        return {dock: getattr(self._frame, dock).current for dock in DOCKS}

    def _show_recent(self) -> None:
        files = self._documents.recent.entries()
        self._frame.welcome.set_recent(files)
        if self._frame.on_welcome:
            autosave = self._projects.autosave
            self._bench.jobs.start(
                lambda _job: (autosave.others(), pictures_of(file.path for file in files)),
                done=lambda answer: self._frame.welcome.show_more(*answer), failed=lambda _text: None,
            )
