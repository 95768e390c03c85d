"""The window: what a person does is passed to session, controller and files, and shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow

from workbench.data.readers.options import GUESS_ALL
from workbench.formats.base import DEFAULT_FORMAT, FORMATS
from workbench.parameters.training import TrainingParams
from workbench.session.run import RunState
from workbench.shell.actions import build_actions, fill_menus
from workbench.shell.documents import Documents
from workbench.shell.frame import Frame
from workbench.shell.words import about_text, help_text, sentence, title, with_view
from workbench.version import __version__
from workbench.views.numbers import count, percent
from workbench.views.style import apply_scheme

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
    from workbench.session.run import Run
    from workbench.shell.settings import Settings
    from workbench.views.base import Bench
    from workbench.workers.warmup import Warmup

MINIMUM = (1024, 680)
STANDARD = (1440, 900)
TABLE_KINDS = (
    "Tables and models (*.csv *.tsv *.txt *.gz *.bz2 *.xz *.zip *.parquet *.feather *.xlsx *.jsonl *.svm "
    "*.json *.ubj);;All files (*)"
)
TEXT_TABLES = (".csv", ".tsv", ".tab", ".txt", ".dat", ".gz", ".bz2", ".xz", ".zip", "")


class MainWindow(QMainWindow):
    """Welcome screen or workbench; every decision about boosting is taken elsewhere."""

    def __init__(self, bench: Bench, warmup: Warmup, settings: Settings) -> None:
        super().__init__()
        self.bench, self.warmup, self.settings = bench, warmup, settings
        self.session, self.controller = bench.session, bench.controller
        self.documents = Documents(bench, settings, self)
        self.actions_by_name = build_actions(self)
        self.frame = Frame(self.actions_by_name)
        fill_menus(self.frame.top_bar.menu_bar, self.actions_by_name)
        self.setCentralWidget(self.frame)
        self._train_when_shown = False
        self._said: dict[str, str] = {}  # by view: what it says of itself in the status line
        self.setMinimumSize(*MINIMUM)
        self.setAcceptDrops(True)
        self._bind_session()
        self._bind_widgets()
        self._restore()
        self.show_welcome()

    def _bind_session(self) -> None:
        events = self.session.events
        self.frame.ruler.bind(self.bench)
        self.frame.importing.bind(self.bench.jobs)
        for view in self.frame.views:
            view.bind(self.bench)
            if hasattr(view, "status_changed"):
                view.status_changed.connect(partial(self._view_said, view.name))
            if hasattr(view, "view_wanted"):
                view.view_wanted.connect(self.frame.centre.show_view)
        for signal in (events.table, events.runs, events.state, events.plan):
            signal.connect(self.synchronize)
        events.rounds.connect(self._show_rounds)
        events.what_if.connect(self._show_title)
        events.params.connect(self._follow_params)
        events.notice.connect(self._show_notice)

    def _bind_widgets(self) -> None:
        frame, transport, welcome = self.frame, self.frame.transport, self.frame.welcome
        pairs: tuple[tuple[Any, Any], ...] = (
            (transport.opened, self.choose_file),
            (transport.primary, self.primary),
            (transport.step, self.step),
            (transport.stopped, self.stop),
            (welcome.open_requested, self.choose_file),
            (welcome.file_chosen, self.open_path),
            (welcome.sample_chosen, self.open_sample),
            (welcome.tour_requested, self.take_tour),
            (frame.importing.accepted, self.documents.open),
            (frame.importing.rejected, self._leave_import),
            (self.documents.doubted, self.look_at),
            (self.documents.refused, self._offer_options),
            (frame.centre.changed, self._show_rounds),
            (frame.notice.closed, self.session.dismiss_notice),
            (frame.waiting.closed, self.session.dismiss_notice),
            (self.documents.waiting, self._show_waiting),
            (self.documents.settled, frame.waiting.hide),
            (self.documents.progressed, self._show_progress),
            (self.documents.recent_changed, self._show_recent),
            (self.warmup.progressed, frame.status.show_kernels),
            (self.warmup.finished, frame.status.kernels_done),
            (QApplication.styleHints().colorSchemeChanged, self._system_scheme_changed),
        )
        for signal, slot in pairs:
            signal.connect(slot)
        # Queued: taking a table over and painting it are two events, with room for others between.
        self.documents.opened.connect(self.show_table, Qt.ConnectionType.QueuedConnection)
        self.documents.opened_model.connect(self.show_model, Qt.ConnectionType.QueuedConnection)

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Follow the session: title, buttons, words."""
        name = self.session.name
        self.setWindowTitle(f"{name} – Boosting Workbench" if name else "Boosting Workbench")
        self._show_title()
        self.frame.transport.synchronize(self.session)
        self._show_rounds()

    def _show_title(self) -> None:
        self.frame.top_bar.title.setText(title(self.session, self.frame.on_welcome))

    def show_welcome(self) -> None:
        """Show samples and recent files."""
        self._show_recent()
        self.frame.show_workbench(False)
        self.synchronize()

    def show_table(self) -> None:
        """Show the table that was just opened."""
        self.frame.show_workbench(True)
        self.frame.left.show_view("data")
        self.frame.centre.show_view("table")
        self.synchronize()
        if self._train_when_shown:
            self._train_when_shown = False
            self.new_run()

    def show_model(self) -> None:
        """Show the trees of the model that was just opened."""
        self.frame.show_workbench(True)
        self.frame.left.show_view("trees")
        self.frame.centre.show_view("tree")
        self.synchronize()

    def _show_rounds(self) -> None:
        run = self.session.run
        for name in ("export", "history"):
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

    def _follow_params(self) -> None:
        self.frame.transport.show_clash(self.session)
        self._show_rounds()

    def _view_said(self, name: str, text: str) -> None:
        self._said[name] = text
        self._show_rounds()

    def _show_notice(self) -> None:
        notice = self.session.notice
        self.frame.waiting.hide()
        self.frame.notice.hide()
        if notice is not None:
            self.frame.strip.show_notice(notice.text, notice.severity, [])

    def _show_waiting(self, name: str) -> None:
        self.frame.waiting.show_notice(f"Reading {name}.", "info", [("Cancel", self.documents.cancel)])

    def _show_progress(self, rows: int, expected: int) -> None:
        if self.frame.waiting.isVisible():
            share = f", {percent(min(rows / expected, 1))}" if expected else ""
            words = f"Reading {self.documents.path.name}, {count(rows)} rows so far{share}."
            self.frame.waiting.show_notice(words, "info", [("Cancel", self.documents.cancel)])

    def _show_recent(self) -> None:
        self.frame.welcome.set_recent(self.documents.recent.entries())

    # --- what a person does -----------------------------------------------------------------

    def choose_file(self) -> None:
        """Ask for a file to open."""
        if chosen := self._chosen_file("Open a table or a model"):
            self.open_path(chosen)

    def choose_folder(self) -> None:
        """Ask for a folder of tables with the same columns."""
        folder = str(self.settings.get("folder"))
        if chosen := QFileDialog.getExistingDirectory(self, "Open the CSV files of a folder", folder):
            self.settings.set("folder", chosen)
            self.open_path(chosen)

    def paste_table(self) -> None:
        """Open what was copied in another program: cells, or a file."""
        copied = QApplication.clipboard().mimeData()
        paths = [url.toLocalFile() for url in copied.urls() if url.isLocalFile()]
        if paths:
            self.open_path(paths[0])
        elif copied.text().strip():
            self.documents.paste(copied.text())
        else:
            words = "The clipboard holds no table. Copy cells in a spreadsheet, then paste them here."
            self.session.notify(words, "warning", "data")

    def choose_with_options(self) -> None:
        """Ask for a table, and settle how it is read."""
        if chosen := self._chosen_file("Open a table with options"):
            self.look_at(Path(chosen))

    def _chosen_file(self, caption: str) -> str:
        folder = str(self.settings.get("folder"))
        chosen, _ = QFileDialog.getOpenFileName(self, caption, folder, TABLE_KINDS)
        if chosen:
            self.settings.set("folder", str(Path(chosen).parent))
        return chosen

    def look_at(self, path: Path, preview: Preview | None = None) -> None:
        """Show how a table would be read."""
        self.session.dismiss_notice()
        options = None if preview else self.documents.recent.options_of(path)
        self.frame.importing.show_file(path, options or GUESS_ALL, preview)
        self.frame.show_import(True)

    def _offer_options(self, text: str) -> None:
        """Offer to settle how a text table is read that could not be opened."""
        path = self.documents.path
        if path.suffix.lower() in TEXT_TABLES and path.is_file() and not self.frame.importing.isVisible():
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

    def choose_export(self) -> None:
        """Ask where the model goes."""
        writable = sorted((f for f in FORMATS if f.can_write), key=lambda f: f.name != DEFAULT_FORMAT)
        endings = {f"{f.label} (*{f.suffixes[0]})": f.suffixes[0] for f in writable}
        self._choose_target("Export model", endings, self.documents.save_model)

    def choose_history(self) -> None:
        """Ask where the history goes."""
        self._choose_target("Export history", {"CSV (*.csv)": "-history.csv"}, self.documents.save_history)

    def _choose_target(self, caption: str, endings: dict[str, str], save: Any) -> None:
        """Ask for a file of one of the kinds, and give it that kind's ending where it has none of them."""
        run: Run | None = self.session.run
        if run is None or not run.rounds:
            self.session.notify("No trees yet. Choose the target, then Train.", "warning", "export")
            return
        name = self.session.name.split(".")[0]
        folder = Path(str(self.settings.get("folder")) or Path.home())
        start = str(folder / (name + next(iter(endings.values()))))
        chosen, kind = QFileDialog.getSaveFileName(self, caption, start, ";;".join(endings))
        if chosen:
            self.settings.set("folder", str(Path(chosen).parent))
            path = _with_ending(chosen, endings, kind, is_suggested=chosen == start)
            if str(path) != chosen and path.exists():  # the dialog asked about another name
                words = f"{path.name} exists. Choose that name to write over it."
                self.session.notify(words, "warning", "export")
            else:
                save(run, path)

    def primary(self) -> None:
        """Train, pause or resume, whichever the button says."""
        run = self.session.run_in_hand
        if run is None or not run.is_live:
            self.new_run()
        elif run.state is RunState.PAUSED:
            self.controller.resume()
        else:
            self.controller.pause()

    def go_on(self) -> None:
        """Grow more rounds of the shown run."""
        self.controller.go_on()

    def new_run(self) -> None:
        """Start a run and show its curves."""
        self._when_agreed(self.controller.train)

    def step(self) -> None:
        """Grow one round."""
        if self.controller.is_live:
            self._begin(self.controller.step)
        else:
            self._when_agreed(self.controller.step)

    def _when_agreed(self, start: Callable[[], object]) -> None:
        """Start a run once no view has a question to ask before it."""
        go = partial(self._begin, start)
        if not any(view.holds_run(go) for view in self.frame.views):
            go()

    def _begin(self, start: Callable[[], object]) -> None:
        start()
        QTimer.singleShot(0, self, self._leave_data)  # its own event: a click must not wait for two screens

    def _leave_data(self) -> None:
        if self.session.table is not None and self.frame.centre.current == "table":
            self.frame.left.show_view("parameters")
            self.frame.centre.show_view("training")

    def stop(self) -> None:
        """End the run, keep the model."""
        self.controller.stop()

    def show_earlier_run(self) -> None:
        """Show the run before the one that is shown."""
        self._show_run(-1)

    def show_later_run(self) -> None:
        """Show the run after the one that is shown."""
        self._show_run(1)

    def _show_run(self, step: int) -> None:
        runs, shown = self.session.runs, self.session.run
        if shown is not None and 0 <= runs.index(shown) + step < len(runs):
            self.session.show_run(runs[runs.index(shown) + step])

    def reset_params(self) -> None:
        """Put every parameter back to its default."""
        self.session.set_params(TrainingParams())

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

    def next_dock(self) -> None:
        """Move the keyboard to the next panel."""
        frame, focus = self.frame, QApplication.focusWidget()
        places = [part for part in (frame.left, frame.centre, frame.bottom) if part.isVisible()]
        held = [focus is not None and part.isAncestorOf(focus) for part in places]
        place = places[(held.index(True) + 1) % len(places) if True in held else 0]
        place.bar.setFocus(Qt.FocusReason.TabFocusReason)

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
        self.settings.set("scheme", scheme)
        for name in ("light", "dark", "system"):
            self.actions_by_name[name].setChecked(name == scheme)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_scheme(app, scheme)
        self.frame.restyle()

    def show_help(self) -> None:
        """Say the keys in the strip."""
        self.session.notify(help_text(), "info")

    def show_about(self) -> None:
        """Say what this is."""
        self.session.notify(about_text(), "info")

    def _system_scheme_changed(self) -> None:
        if self.settings.get("scheme") == "system":
            self.use_scheme("system")

    # --- Qt ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space pauses and resumes, → steps, where no control wants the key."""
        if event.key() == Qt.Key.Key_Space:
            self.primary()
        elif event.key() == Qt.Key.Key_Right and self.frame.transport.step_button.isEnabled():
            self.step()
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
        self.settings.set("geometry", self.saveGeometry())
        self.settings.set("body_splitter", self.frame.body.saveState())
        self.settings.set("upright_splitter", self.frame.upright.saveState())
        self.controller.shutdown()
        self.documents.keep_at_close()
        self.documents.cancel()
        self.warmup.shutdown()
        self.bench.jobs.shutdown()
        super().closeEvent(event)

    def _restore(self) -> None:
        room = self.screen().availableGeometry().size()
        self.resize(min(STANDARD[0], room.width()), min(STANDARD[1], room.height()))
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
        self.frame.restyle()


def _with_ending(chosen: str, endings: dict[str, str], kind: str, *, is_suggested: bool) -> Path:
    """Return the path with the ending of the kind that was picked, unless another known one was typed."""
    ending = endings.get(kind, next(iter(endings.values())))
    if is_suggested:
        chosen = chosen.removesuffix(next(iter(endings.values())))
    return Path(chosen if chosen.endswith(tuple(endings.values())) else chosen + ending)
