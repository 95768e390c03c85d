"""The window: the parts of the shell, made and joined; and what Qt passes to a window."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow

from workbench.paths import is_folder
from workbench.shell.actions import build_actions, connect_actions, fill_menus
from workbench.shell.colour_scheme import ColourScheme
from workbench.shell.docks import Docks
from workbench.shell.files.documents import Documents
from workbench.shell.files.file_choice import FileChoice
from workbench.shell.frame import Frame
from workbench.shell.help_sheet import HelpSheet
from workbench.shell.offers import Offers
from workbench.shell.pages import Pages
from workbench.shell.projector import Projector
from workbench.shell.projects import Projects
from workbench.shell.run_commands import RunCommands
from workbench.shell.run_keys import RunKeys
from workbench.shell.scoring import Scoring
from workbench.shell.title_and_status import TitleAndStatus
from workbench.shell.undoing import Undoing
from workbench.shell.words import about_text
from workbench.views.turns.paint_turn import PaintTurn

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDropEvent,
        QKeyEvent,
        QResizeEvent,
        QShowEvent,
    )

    from workbench.shell.settings import Settings
    from workbench.views.base import Bench
    from workbench.workers.autosave import Autosave
    from workbench.workers.warmup import Warmup

MINIMUM = (1024, 680)


class MainWindow(QMainWindow):
    """Welcome screen or workbench; every decision about boosting is taken elsewhere."""

    def __init__(self, bench: Bench, warmup: Warmup, settings: Settings, autosave: Autosave) -> None:
        super().__init__()
        self.bench, self.warmup, self.settings = bench, warmup, settings
        self.session, self.controller = bench.session, bench.controller
        self._paint_turn = PaintTurn(self)
        self.projects = Projects(bench, autosave, settings, self)
        self.documents = Documents(bench, settings, self.projects, self)
        self.files = FileChoice(self.session, self.documents, settings, self)
        self.actions_by_name = build_actions(self)
        self.frame = Frame(self.actions_by_name, bench, warmup.rare_ready)
        self.help_sheet: HelpSheet | None = None  # made when it is asked for
        self.setCentralWidget(self.frame)
        self.setMinimumSize(*MINIMUM)
        self.setAcceptDrops(True)
        self._build_parts()
        self._bind()
        connect_actions(self.actions_by_name, self)
        fill_menus(self.frame.top_bar.menu_bar, self.actions_by_name)
        self.docks.restore()
        self._restore_choices()
        self.pages.show_welcome()

    def _build_parts(self) -> None:
        bench, frame, actions = self.bench, self.frame, self.actions_by_name
        self.runs = RunCommands(bench, frame)
        self.run_keys = RunKeys(self.runs, frame)
        self.scoring = Scoring(bench, frame, self.files, self.documents, self.warmup)
        self.docks = Docks(self, frame, self.settings, actions)
        self.scheme = ColourScheme(self.settings, frame, actions)
        self.projector = Projector(frame, actions["projector"])
        self.title_and_status = TitleAndStatus(
            self.session, frame, self.projects, self.warmup, actions, self
        )
        self.undoing = Undoing(self.session, self.controller, frame, self.documents, actions)
        self.pages = Pages(bench, frame, self.documents, self.projects, self.files, self.runs)
        self.offers = Offers(
            bench, frame, self.documents, self.projects, self.files, self.runs, self.pages
        )

    def _bind(self) -> None:
        transport, notices = self.frame.transport, self.session.notices
        transport.opened.connect(self.files.open)
        transport.primary.connect(self.runs.primary)
        transport.step.connect(self.runs.step)
        transport.until_button.aimed.connect(self.runs.run_until)
        transport.until_button.table_wanted.connect(self.documents.open_there)
        transport.until_button.scoring_wanted.connect(self.scoring.look_at_there)
        transport.until_button.branched.connect(self.runs.branch)
        transport.stopped.connect(self.runs.stop)
        self.pages.turned.connect(self.title_and_status.synchronize)
        self.projects.saved.connect(self.documents.arrivals.remember_project)
        self.settings.unwritable.connect(notices.say_lasting)
        self.warmup.remarked.connect(notices.say_lasting)
        self.session.events.breakpoints.connect(self._keep_breakpoints)

    def _restore_choices(self) -> None:
        self.session.harmless_formulas = self.settings.get("harmless") in (True, "true")
        self.actions_by_name["harmless"].setChecked(self.session.harmless_formulas)
        with suppress(ValueError, TypeError, AttributeError):  # what another program wrote there
            self.session.breakpoints.take(json.loads(str(self.settings.get("breakpoints"))))
        self.frame.restyle()

    def _keep_breakpoints(self) -> None:
        self.settings.set(breakpoints=json.dumps(self.session.breakpoints.to_dict()))

    # --- what a person does -----------------------------------------------------------------

    def open_path(self, path: str | Path, table: str | Path | None = None) -> None:
        """Open a file, and then the table of the model in it, where that is given."""
        if table is not None:
            once = Qt.ConnectionType.SingleShotConnection
            self.documents.opened_model.connect(lambda: self.open_path(table), once)
        self.documents.open(Path(path))

    def make_formulas_harmless(self, wanted: bool) -> None:
        """Let CSV files be written so that no spreadsheet runs their text, or as it stands."""
        self.settings.set(harmless=wanted)
        self.session.harmless_formulas = wanted

    def show_help(self) -> None:
        """Show the keys and the words, beside the window."""
        self.help_sheet = self.help_sheet or HelpSheet(self)
        self.help_sheet.show()
        self.help_sheet.raise_()
        self.help_sheet.activateWindow()

    def show_about(self) -> None:
        """Say what this is."""
        self.session.notices.say(about_text(), "info", passes=True)

    # --- Qt ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take what no widget took: keys of the run, and Ctrl+Z."""
        if self.run_keys.take(event):
            return
        if event.matches(QKeySequence.StandardKey.Undo):  # left by a field in which nothing was typed
            self.undoing.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.undoing.redo()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a file."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.frame.welcome.set_drop_active(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forget the file."""
        self.frame.welcome.set_drop_active(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file dropped."""
        self.frame.welcome.set_drop_active(False)
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths and self.controller.cluster.connection is not None and is_folder(paths[0]):
            self.documents.open_there(paths[0])
        elif paths:
            self.open_path(paths[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the ruler over the plots."""
        super().resizeEvent(event)
        self.frame.align_ruler()

    def showEvent(self, event: QShowEvent) -> None:
        """Lay the ruler out once sizes are known."""
        super().showEvent(event)
        self.frame.align_ruler()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End threads and processes; remember the layout."""
        self.docks.remember()
        self.controller.shutdown()
        self.documents.cancel()
        self.projects.shutdown()
        self.warmup.shutdown()
        self.bench.jobs.shutdown()
        super().closeEvent(event)
