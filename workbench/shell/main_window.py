"""The window: what a person does is passed to session, controller and files, and shown."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow

from workbench.data.readers.options import GUESS_ALL
from workbench.isolation import isolated
from workbench.number_text import count
from workbench.paths import holds_something
from workbench.session.time_left import TimeLeft, reading_words
from workbench.shell.actions import build_actions, connect_actions, fill_menus
from workbench.shell.documents import Documents
from workbench.shell.file_choice import FileChoice
from workbench.shell.frame import WITH_INSPECTOR, Frame
from workbench.shell.help_sheet import HelpSheet
from workbench.shell.projects import Projects, pictures_of
from workbench.shell.run_commands import RunCommands
from workbench.shell.run_keys import RunKeys
from workbench.shell.scoring import Scoring
from workbench.shell.words import about_text, sentence, title, with_view
from workbench.version import __version__
from workbench.views.look.projector import project
from workbench.views.look.scale import scale
from workbench.views.look.style import apply_scheme
from workbench.views.look.window_title import set_window_title
from workbench.views.pace import in_own_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDropEvent,
        QKeyEvent,
        QResizeEvent,
        QShowEvent,
    )

    from workbench.data.readers.preview import Preview
    from workbench.session.opening.open_file import Outgrown
    from workbench.shell.settings import Settings
    from workbench.views.base import Bench
    from workbench.workers.autosave import Autosave
    from workbench.workers.warmup import Warmup

MINIMUM = (1024, 680)
STANDARD = (1440, 900)
SYSTEM_FRAME = (16, 48)  # pixels that title bar and borders of the system take, at most
KEEP_ON_DISK = "Keep it on disk: slower, but whole"
TEXT_TABLES = (".csv", ".tsv", ".tab", ".txt", ".dat", ".gz", ".bz2", ".xz", ".zip", "")


class MainWindow(QMainWindow):
    """Welcome screen or workbench; every decision about boosting is taken elsewhere."""

    def __init__(self, bench: Bench, warmup: Warmup, settings: Settings, autosave: Autosave) -> None:
        super().__init__()
        self.bench, self.warmup, self.settings = bench, warmup, settings
        self.session, self.controller = bench.session, bench.controller
        self.projects = Projects(bench, autosave, settings, self)
        self.documents = Documents(bench, settings, self.projects, self)
        self.files = FileChoice(self.session, self.documents, settings, self)
        self.actions_by_name = build_actions(self)
        self.frame = Frame(self.actions_by_name, bench, warmup.rare_ready)
        self.runs = RunCommands(bench, self.frame)
        self.run_keys = RunKeys(self.runs, self.frame)
        self.scoring = Scoring(bench, self.frame, self.files, self.documents, warmup)
        connect_actions(self.actions_by_name, self)
        fill_menus(self.frame.top_bar.menu_bar, self.actions_by_name)
        self.setCentralWidget(self.frame)
        self.help_sheet: HelpSheet | None = None  # made when it is asked for
        self._train_when_shown = False
        self._time_left = TimeLeft()
        self._said: dict[str, str] = {}  # by view: what it says of itself in the status line
        self.setMinimumSize(*MINIMUM)
        self.setAcceptDrops(True)
        self.projects.views = self._shown_views
        self._bind_session()
        self._bind_widgets()
        self._restore()
        self.show_welcome()

    def _bind_session(self) -> None:
        events = self.session.events
        for view in self.frame.views:
            if hasattr(view, "status_changed"):
                view.status_changed.connect(partial(self._view_said, view.name))
            if hasattr(view, "view_wanted"):
                view.view_wanted.connect(self.frame.centre.show_view)
            if hasattr(view, "drawing_wanted"):
                view.drawing_wanted.connect(self.documents.draw)
            if hasattr(view, "wanted"):
                view.wanted.connect(partial(self.show_bottom_view, view.name))
        for signal in (events.table, events.runs, events.state, events.plan):
            signal.connect(self.synchronize)
        events.rounds.connect(self._show_rounds)
        events.what_if.connect(self._show_title)
        events.params.connect(self._follow_params)
        for signal in (events.journal, events.state):
            signal.connect(self._show_journal)
        events.notice.connect(self._show_notice)
        events.breakpoints.connect(self._keep_breakpoints)

    def _bind_widgets(self) -> None:
        frame, transport, welcome = self.frame, self.frame.transport, self.frame.welcome
        pairs: tuple[tuple[Any, Any], ...] = (
            (transport.opened, self.files.open),
            (transport.primary, self.runs.primary),
            (transport.step, self.runs.step),
            (transport.until_button.aimed, self.runs.run_until),
            (transport.stopped, self.runs.stop),
            (welcome.open_requested, self.files.open),
            (welcome.file_chosen, self.open_path),
            (welcome.sample_chosen, self.open_sample),
            (welcome.tour_requested, self.take_tour),
            (welcome.back_requested, self.show_again),
            (frame.importing.accepted, self.documents.open),
            (frame.importing.rejected, self._leave_import),
            (self.files.doubted, self.look_at),
            (self.documents.doubted, self.look_at),
            (self.documents.shown_again, self.show_again),
            (self.documents.refused, self._offer_options),
            (self.documents.outgrown, self._offer_ways),
            (frame.centre.changed, self._show_rounds),
            (frame.notice.closed, self.session.notices.dismiss),
            (frame.waiting.closed, self.session.notices.dismiss),
            (self.documents.waiting, self._show_waiting),
            (self.documents.settled, frame.waiting.hide),
            (self.documents.progressed, self._show_progress),
            (self.documents.recent_changed, self._show_recent),
            (self.projects.changed, self._show_title),
            (self.projects.saved, self.documents.remember_project),
            (welcome.sitting_dropped, self.projects.autosave.forget),
            (self.settings.unwritable, self.session.notices.say_lasting),
            (self.warmup.remarked, self.session.notices.say_lasting),
            (self.warmup.progressed, frame.status.show_kernels),
            (self.warmup.finished, frame.status.kernels_done),
            (QApplication.styleHints().colorSchemeChanged, self._system_scheme_changed),
        )
        for signal, slot in pairs:
            signal.connect(slot)
        # Taking a table over and painting it are two events, with room for others between.
        self.documents.opened.connect(partial(in_own_event, self.show_table, self))
        self.documents.opened_model.connect(partial(in_own_event, self.show_model, self))
        self.documents.opened_project.connect(partial(in_own_event, self.show_project, self))
        self.documents.opened_drawing.connect(partial(in_own_event, self.show_playground, self))

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Follow the session: title, buttons, words."""
        name = self.session.name
        set_window_title(self, f"{isolated(name)} – Boosting Workbench" if name else "Boosting Workbench")
        self._show_title()
        self.frame.transport.synchronize(self.session)
        self._show_rounds()

    def _show_title(self) -> None:
        name, rest = title(self.session, self.frame.on_welcome, self.projects.path)
        mark = "• " if self.projects.has_unsaved and not self.frame.on_welcome else ""
        self.frame.top_bar.title.show_words(f"{mark}{name}", rest)

    def show_welcome(self) -> None:
        """Show samples and recent files; from there, go back."""
        if self.frame.on_welcome and self.session.name:
            self.show_again()
            return
        self.frame.welcome.set_open(self.session.name)
        self.frame.show_workbench(False)
        self._show_recent()
        self.synchronize()

    def show_table(self) -> None:
        """Show the table that was just opened."""
        self.frame.show_workbench(True)
        self.frame.left.show_view("data")
        self.frame.centre.show_view("table")
        self.synchronize()
        self._train_if_asked()

    def _train_if_asked(self) -> None:
        if self._train_when_shown:
            self._train_when_shown = False
            self.runs.watch()

    def show_again(self) -> None:
        """Go back to what is open, as it was left."""
        if self.session.name:
            self.frame.show_workbench(True)
            self.synchronize()
            self._train_if_asked()

    def show_model(self) -> None:
        """Show the trees of the model that was just opened."""
        self.frame.show_workbench(True)
        self.frame.left.show_view("trees")
        self.frame.centre.show_view("tree")
        self.synchronize()

    def show_project(self) -> None:
        """Show the runs of the project that was just opened."""
        self.frame.show_workbench(True)
        for dock, usual in (("left", "parameters"), ("centre", "training"), ("bottom", "")):
            getattr(self.frame, dock).show_view(self.projects.shown_views.get(dock, usual))
        self.synchronize()

    def draw(self) -> None:
        """Go to the playground: on the table that is open, else on points to begin with."""
        if self.session.data.table is None:
            from workbench.session.playground.patterns import FIRST

            self.documents.draw(FIRST.draw())
        else:
            self.show_playground()

    def show_playground(self) -> None:
        """Show what is drawn, and the brush."""
        self.frame.show_workbench(True)
        self.frame.left.show_view("draw")
        self.frame.centre.show_view("playground")
        self.synchronize()

    def _shown_views(self) -> dict[str, str]:
        docks = ("left", "centre", "bottom")
        return {dock: getattr(self.frame, dock).current for dock in docks}

    def _show_rounds(self) -> None:
        run = self.session.shown.run
        for name in ("export", "history", "score", "branch"):
            self.actions_by_name[name].setEnabled(run is not None and bool(run.rounds))
        runs = self.session.runs
        self.actions_by_name["earlier_run"].setEnabled(run is not None and run is not runs[0])
        self.actions_by_name["later_run"].setEnabled(run is not None and run is not runs[-1])
        status = self.frame.status
        if self.frame.on_welcome:
            status.show_words("", f"Version {__version__}")
        else:
            text, facts = sentence(self.session)
            said = self._said.get(self.frame.centre.current, "")
            status.show_words(with_view(self.session, text, said), facts)

    def _show_journal(self) -> None:
        """Say in the menu what would be taken back, and what done again."""
        journal = self.session.journal
        for name, verb, line in (("undo", "Undo", journal.done), ("redo", "Redo", journal.undone)):
            action = self.actions_by_name[name]
            action.setEnabled(line is not None)
            action.setText(verb if line is None else f"{verb}: {line.action.words}")

    def _follow_params(self) -> None:
        self.frame.transport.show_clash(self.session)
        self._show_rounds()

    def _view_said(self, name: str, text: str) -> None:
        self._said[name] = text
        self._show_rounds()

    def _show_notice(self) -> None:
        notice = self.session.notices.current or self.session.notices.lasting
        self.frame.waiting.hide()
        self.frame.notice.hide()
        if notice is not None:
            ways: list[tuple[str, Callable[[], object]]] = []
            if notice.can_be_mapped and self.documents.can_keep_on_disk:
                ways.append((KEEP_ON_DISK, self.documents.keep_on_disk))
            if notice.offers_params:
                ways.append(("Use the model's", partial(self._take, self.session.hyperparameters.take_model)))
            if notice.offers_defaults:
                ways.append(("Use the defaults", partial(self._take, self.session.hyperparameters.reset)))
            if notice.offers_table:
                ways.append(("Choose where it is…", self.files.find_table))
            if notice.offers_changed:
                ways.append(("Use it all the same", partial(self._take, self.projects.take_rows)))
            if notice.suspect:
                without = partial(self.runs.start_without, notice.suspect)
                ways.append(("Ignore it and start again", without))
            if notice.offers_resume:
                ways.append(("Go on", self.controller.resume))
            if notice.offers_anew:
                ways.append(("Begin anew", self.documents.open_again))
            self.frame.strip.show_notice(notice.text, notice.severity, ways)

    def _keep_breakpoints(self) -> None:
        self.settings.set(breakpoints=json.dumps(self.session.breakpoints.to_dict()))

    def _take(self, offer: Callable[[], None]) -> None:
        """Do what a sentence offers, which has served then."""
        offer()
        self.session.notices.dismiss()

    def _show_waiting(self, name: str) -> None:
        self._time_left = TimeLeft()
        words = f"Reading {isolated(name)}."
        self.frame.waiting.show_notice(words, "info", [("Cancel", self.documents.cancel)])

    def _show_progress(self, rows: int, expected: int) -> None:
        if self.frame.waiting.isVisible():
            self.frame.waiting.say(reading_words(self.documents.path.name, rows, expected, self._time_left))

    def _offer_ways(self, table: Outgrown) -> None:
        """Offer to read as many rows as there is memory for, to keep all of them on disk, or to read them."""
        ways: list[tuple[str, Callable[[], object]]] = []
        if table.sample:
            sample = partial(self.documents.open_sample, table.sample)
            ways.append((f"Read {count(table.sample)} rows, drawn at random", sample))
        if table.can_be_mapped:
            ways.append((KEEP_ON_DISK, self.documents.open_mapped))
        if table.fits:
            ways.append(("Read all of it", self.documents.open_unpacked))
        self.frame.strip.show_notice(table.text, "warning", ways)

    def _show_recent(self) -> None:
        files = self.documents.recent.entries()
        self.frame.welcome.set_recent(files)
        if self.frame.on_welcome:
            self.bench.jobs.start(
                lambda _job: (self.projects.autosave.others(), pictures_of(file.path for file in files)),
                done=lambda answer: self.frame.welcome.show_more(*answer), failed=lambda _text: None,
            )

    # --- what a person does -----------------------------------------------------------------

    def look_at(self, path: Path, preview: Preview | None = None) -> None:
        """Show how a table would be read."""
        self.session.notices.dismiss()
        options = None if preview else self.documents.recent.options_of(path)
        self.frame.importing.show_file(path, options or GUESS_ALL, preview)
        self.frame.show_import(True)

    def _offer_options(self, text: str) -> None:
        """Offer to settle how a text table is read that could not be opened."""
        path = self.documents.path
        can_be_table = path.suffix.lower() in TEXT_TABLES and holds_something(path)
        if can_be_table and not self.frame.importing.isVisible():
            actions = [("Read it differently…", partial(self.look_at, path))]
            self.frame.strip.show_notice(text, "error", actions)

    def _leave_import(self) -> None:
        self.documents.cancel()
        self.frame.show_import(False)

    def open_path(self, path: str | Path) -> None:
        """Open a file."""
        self.documents.open(Path(path))

    def open_sample(self, name: str) -> None:
        """Open a shipped table."""
        from workbench.data.samples import sample_file

        self.documents.open(sample_file(name))

    def reset_params(self) -> None:
        """Put every parameter back to its default."""
        self.session.hyperparameters.reset()

    def take_tour(self) -> None:
        """Open a sample and train on it: the way in for somebody without data."""
        self._train_when_shown = True
        self.open_sample("penguins")

    def toggle_left(self, shown: bool) -> None:
        """Show or hide the left dock."""
        self.frame.show_left(shown)

    def toggle_bottom(self, shown: bool) -> None:
        """Show or hide the inspector."""
        self.frame.want_inspector(shown)

    def show_bottom_view(self, name: str) -> None:
        """Show a view of the bottom dock, wherever the person is."""
        self.actions_by_name["bottom"].setChecked(True)
        self.toggle_bottom(True)
        self.frame.centre.show_view(WITH_INSPECTOR)
        self.frame.bottom.show_view(name)

    def next_dock(self) -> None:
        """Move the keyboard to the next panel."""
        frame, focus = self.frame, QApplication.focusWidget()
        places = [part for part in (frame.left, frame.centre, frame.bottom) if part.isVisible()]
        held = [focus is not None and part.isAncestorOf(focus) for part in places]
        if places:  # none on the welcome page, and where a file is looked at
            place = places[(held.index(True) + 1) % len(places) if True in held else 0]
            place.bar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def use_light(self) -> None:
        """Light colours, whatever the system says."""
        self.use_scheme("light")

    def use_dark(self) -> None:
        """Dark colours, whatever the system says."""
        self.use_scheme("dark")

    def use_system(self) -> None:
        """The system's colours."""
        self.use_scheme("system")

    def use_scheme(self, scheme: str) -> None:
        """Put on a colour scheme and remember it."""
        self.settings.set(scheme=scheme)
        for name in ("light", "dark", "system"):
            self.actions_by_name[name].setChecked(name == scheme)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_scheme(app, scheme)
        self.frame.restyle()

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

    def use_projector(self) -> None:
        """Show everything in the size of a lecture hall, or as it was."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            project(app, scale() == 1.0)
            self.actions_by_name["projector"].setChecked(scale() != 1.0)
            self.frame.rescale()

    def _system_scheme_changed(self) -> None:
        if self.settings.get("scheme") == "system":
            self.use_scheme("system")

    # --- Qt ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take what no widget took: keys of the run, and Ctrl+Z."""
        if self.run_keys.take(event):
            return
        if event.matches(QKeySequence.StandardKey.Undo):  # left by a field in which nothing was typed
            self.session.journal.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.session.journal.redo()
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
        if paths:
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
        self.settings.set(
            geometry=self.saveGeometry(), body_splitter=self.frame.body.saveState(),
            upright_splitter=self.frame.upright.saveState(),
        )  # fmt: skip
        self.controller.shutdown()
        self.documents.cancel()
        self.projects.shutdown()
        self.warmup.shutdown()
        self.bench.jobs.shutdown()
        super().closeEvent(event)

    def _restore(self) -> None:
        room = self.screen().availableGeometry()
        size = QSize(*STANDARD).boundedTo(room.size() - QSize(*SYSTEM_FRAME))
        self.resize(size.expandedTo(self.minimumSize()))
        self.move(room.center() - QPoint(size.width() // 2, (size.height() + SYSTEM_FRAME[1]) // 2))
        self.frame.default_sizes(self.width())
        restorers = {
            "geometry": self.restoreGeometry,
            "body_splitter": self.frame.body.restoreState,
            "upright_splitter": self.frame.upright.restoreState,
        }
        for name, restore in restorers.items():
            stored = self.settings.get(name)
            if stored is not None:
                restore(stored)
        for name in ("left", "bottom", str(self.settings.get("scheme"))):
            self.actions_by_name[name].setChecked(True)
        self.session.harmless_formulas = self.settings.get("harmless") in (True, "true")
        with suppress(ValueError, TypeError, AttributeError):  # what another program wrote there
            self.session.breakpoints.take(json.loads(str(self.settings.get("breakpoints"))))
        self.actions_by_name["harmless"].setChecked(self.session.harmless_formulas)
        self.frame.restyle()
