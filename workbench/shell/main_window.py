"""The window: lays out what the registries know, and wires actions to session, controller and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.parameters.training import TrainingParams
from workbench.session.run import RunState
from workbench.shell.actions import build_actions, fill_menus
from workbench.shell.documents import Documents
from workbench.shell.status import StatusLine
from workbench.shell.tabbed import Tabbed
from workbench.shell.top_bar import TopBar
from workbench.shell.transport import Transport
from workbench.shell.words import about_text, help_text, sentence, title
from workbench.version import __version__
from workbench.views.base import VIEWS
from workbench.views.controls.notice_strip import NoticeStrip
from workbench.views.round_ruler import RoundRuler
from workbench.views.style import apply_scheme, set_look
from workbench.views.welcome import Welcome

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QResizeEvent

    from workbench.shell.settings import Settings
    from workbench.views.base import Bench, View
    from workbench.workers.warmup import Warmup

RULER_ROW = 56
MINIMUM = (1024, 680)
LEFT_WIDTHS = ((1440, 264), (1920, 304), (10_000, 320))  # windows narrower than the first get the second


class MainWindow(QMainWindow):
    """Welcome screen or workbench; every decision about boosting is taken elsewhere."""

    def __init__(self, bench: Bench, warmup: Warmup, settings: Settings) -> None:
        super().__init__()
        self.bench, self.warmup, self.settings = bench, warmup, settings
        self.documents = Documents(bench, settings, self)
        self.actions_by_name = build_actions(self)
        self.setMinimumSize(*MINIMUM)
        self.setAcceptDrops(True)
        self._build_frame()
        self._bind()
        self._restore()
        self.restyle()
        self.synchronize()

    # --- building ---------------------------------------------------------------------------

    def _build_frame(self) -> None:
        self.top_bar = TopBar(self.actions_by_name)
        fill_menus(self.top_bar.menu_bar, self.actions_by_name)
        self.notice, self.waiting = NoticeStrip(), NoticeStrip()
        self.welcome = Welcome()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self._build_workbench())
        self.status = StatusLine()
        holder = QWidget()
        set_look(holder, ground="data")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.top_bar, _rule(), self.waiting, self.pages, _rule(), self.status):
            column.addWidget(widget)
        self.setCentralWidget(holder)

    def _build_workbench(self) -> QWidget:
        by_place: dict[str, list[View]] = {"left": [], "centre": [], "bottom": []}
        for view_class in sorted(VIEWS, key=lambda item: item.order):
            by_place[view_class.place].append(view_class())
        self.left = Tabbed(by_place["left"], "panel")
        self.centre = Tabbed(by_place["centre"], "data")
        self.bottom = Tabbed(by_place["bottom"], "data")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._build_ruler_row(), _rule(), self._build_body()):
            column.addWidget(widget)
        return page

    def _build_ruler_row(self) -> QWidget:
        self.transport, self.ruler = Transport(), RoundRuler()
        holder = QWidget()
        holder.setFixedHeight(RULER_ROW)
        set_look(holder, ground="panel")
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.transport, _rule("v")):
            row.addWidget(widget)
        row.addWidget(self.ruler, 1)
        return holder

    def _build_body(self) -> QWidget:
        self.centre_splitter = QSplitter(Qt.Orientation.Vertical)
        self.body = QSplitter(Qt.Orientation.Horizontal)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.centre_splitter)
        for part in (self.centre, self.bottom):
            self.centre_splitter.addWidget(part)
        for part in (self.left, middle):
            self.body.addWidget(part)
        for splitter in (self.body, self.centre_splitter):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self.left.setMinimumWidth(240)
        self.body.setStretchFactor(1, 1)
        self.centre_splitter.setStretchFactor(0, 1)
        self.body.splitterMoved.connect(self._align_ruler)
        return self.body

    def _bind(self) -> None:
        events = self.bench.session.events
        self.ruler.bind(self.bench)
        for tabbed in (self.left, self.centre, self.bottom):
            for view in tabbed.views:
                view.bind(self.bench)
        for signal in (events.table, events.runs, events.state, events.plan):
            signal.connect(self.synchronize)
        events.rounds.connect(self._show_sentence)
        events.notice.connect(self._show_notice)
        for signal, slot in (
            (self.transport.opened, self.choose_file), (self.transport.primary, self.primary),
            (self.transport.step, self.step), (self.transport.stopped, self.stop),
            (self.welcome.open_requested, self.choose_file),
            (self.welcome.file_chosen, lambda path: self.documents.open(Path(path))),
            (self.welcome.sample_chosen, self.open_sample), (self.welcome.tour_requested, self.take_tour),
            (self.centre.changed, self._centre_changed), (self.notice.closed, self.bench.session.dismiss_notice),
            (self.documents.opened, self.show_table), (self.documents.waiting, self._show_waiting),
            (self.documents.settled, self.waiting.hide), (self.documents.progressed, self._show_progress),
            (self.documents.recent_changed, self._show_recent),
            (self.warmup.progressed, self.status.show_kernels), (self.warmup.finished, self.status.kernels_done),
        ):
            signal.connect(slot)
        for view in self.centre.views:
            if hasattr(view, "status_changed"):
                view.status_changed.connect(self.status.sentence.setText)
        QApplication.styleHints().colorSchemeChanged.connect(self._system_scheme_changed)

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Follow the session: title, buttons, words."""
        session = self.bench.session
        self.transport.synchronize(session)
        run = session.run
        self.actions_by_name["export"].setEnabled(run is not None and bool(run.rounds))
        self.actions_by_name["history"].setEnabled(run is not None and bool(run.rounds))
        on_bench = self.pages.currentIndex() == 1
        self.top_bar.set_workbench(on_bench)
        self.top_bar.title.setText(title(session) if on_bench else "<b>Boosting Workbench</b>")
        self.setWindowTitle(f"{session.table.name} — Boosting Workbench" if session.table else "Boosting Workbench")
        self._show_sentence()

    def restyle(self) -> None:
        """Follow the theme."""
        self.top_bar.restyle()
        self.transport.restyle()

    def show_welcome(self) -> None:
        """Show samples and recent files."""
        self._show_recent()
        self.pages.setCurrentIndex(0)
        self.synchronize()

    def show_table(self) -> None:
        """Show the table that was just opened."""
        self.pages.setCurrentIndex(1)
        self.left.show_view("data")
        self.centre.show_view("table")
        self.synchronize()
        self._align_ruler()

    def _show_sentence(self) -> None:
        session = self.bench.session
        if session.run is not None and session.run.rounds:
            self.actions_by_name["export"].setEnabled(True)
            self.actions_by_name["history"].setEnabled(True)
        if self.pages.currentIndex() == 0:
            self.status.sentence.setText("")
            self.status.facts.setText(f"Version {__version__}")
            return
        text, facts = sentence(session)
        self.status.sentence.setText(text)
        self.status.facts.setText(facts)

    def _show_notice(self) -> None:
        notice = self.bench.session.notice
        strip = self.notice if self.pages.currentIndex() == 1 else self.waiting
        for other in (self.notice, self.waiting):
            if other is not strip or notice is None:
                other.hide()
        if notice is not None:
            strip.show_notice(notice.text, notice.severity, [])

    def _show_waiting(self, name: str) -> None:
        self.waiting.show_notice(f"Reading {name}.", "info", [("Cancel", self.documents.cancel)])

    def _show_progress(self, done: int, total: int) -> None:
        if self.waiting.isVisible() and total:
            share = f"{100 * done // total} %"
            self.waiting.show_notice(f"Reading, {share} so far.", "info", [("Cancel", self.documents.cancel)])

    def _show_recent(self) -> None:
        self.welcome.set_recent(self.documents.recent.entries())

    def _centre_changed(self, name: str) -> None:
        self.bottom.setVisible(name == "tree" and self.actions_by_name["bottom"].isChecked())
        self._show_sentence()

    def _align_ruler(self) -> None:
        shown = self.left.isVisible() or not self.isVisible()
        self.transport.setFixedWidth(max(self.body.sizes()[0] if shown else 0, 252))

    # --- what a person does -----------------------------------------------------------------

    def choose_file(self) -> None:
        """Ask for a file to open."""
        folder = str(self.settings.get("folder"))
        kinds = "Tables and models (*.csv *.tsv *.txt *.gz *.json);;All files (*)"
        chosen, _ = QFileDialog.getOpenFileName(self, "Open a table or a model", folder, kinds)
        if chosen:
            self.settings.set("folder", str(Path(chosen).parent))
            self.documents.open(Path(chosen))

    def open_sample(self, name: str) -> None:
        """Open a shipped table."""
        from workbench.data.samples import sample_file

        self.documents.open(sample_file(name))

    def choose_export(self) -> None:
        """Ask where the model goes."""
        self._choose_target("Export model", ".json", "JSON for scripts and XGBoost (*.json)", self.documents.save_model)

    def choose_history(self) -> None:
        """Ask where the history goes."""
        self._choose_target("Export history", "-history.csv", "CSV (*.csv)", self.documents.save_history)

    def _choose_target(self, caption: str, ending: str, kinds: str, save: Any) -> None:
        session = self.bench.session
        if session.run is None or not session.run.rounds or session.table is None:
            session.notify("No trees yet. Choose the target, then Train.", "warning", "export")
            return
        name = Path(session.table.name).name.split(".")[0] + ending
        folder = Path(str(self.settings.get("folder")) or Path.home())
        chosen, _ = QFileDialog.getSaveFileName(self, caption, str(folder / name), kinds)
        if chosen:
            self.settings.set("folder", str(Path(chosen).parent))
            save(session.run, Path(chosen))

    def primary(self) -> None:
        """Train, pause or resume, whichever the button says."""
        run = self.bench.session.run
        if run is None or not run.is_live:
            self.new_run()
        elif run.state is RunState.PAUSED:
            self.bench.controller.resume()
        else:
            self.bench.controller.pause()

    def new_run(self) -> None:
        """Start a run and show its curves."""
        if self.bench.session.table is not None:
            self.left.show_view("parameters")
            if self.centre.current == "table":
                self.centre.show_view("training")
        self.bench.controller.train()

    def step(self) -> None:
        """Grow one round."""
        if self.centre.current == "table":
            self.centre.show_view("training")
        self.bench.controller.step()

    def stop(self) -> None:
        """End the run, keep the model."""
        self.bench.controller.stop()

    def reset_params(self) -> None:
        """Put every parameter back to its default."""
        self.bench.session.set_params(TrainingParams())

    def take_tour(self) -> None:
        """Open the first sample and train on it: the two-minute way in."""
        self.documents.opened.connect(self.new_run, Qt.ConnectionType.SingleShotConnection)
        self.open_sample("penguins")

    def toggle_left(self, shown: bool) -> None:
        """Show or hide the left dock."""
        self.left.setVisible(shown)
        self._align_ruler()

    def toggle_bottom(self, shown: bool) -> None:
        """Show or hide the inspector."""
        self.bottom.setVisible(shown and self.centre.current == "tree")

    def next_dock(self) -> None:
        """Move the keyboard to the next panel."""
        places = [part for part in (self.left, self.centre, self.bottom) if part.isVisible()]
        held = [part.isAncestorOf(QApplication.focusWidget() or self) for part in places]
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
        self.restyle()

    def show_help(self) -> None:
        """Say the keys in the strip."""
        self.bench.session.notify(help_text(), "info")

    def show_about(self) -> None:
        """Say what this is."""
        self.bench.session.notify(about_text(), "info")

    def _system_scheme_changed(self) -> None:
        if self.settings.get("scheme") == "system":
            self.use_scheme("system")

    # --- Qt ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space pauses and resumes, → steps, where no control wants the key."""
        if event.key() == Qt.Key.Key_Space:
            self.primary()
        elif event.key() == Qt.Key.Key_Right and self.transport.step_button.isEnabled():
            self.step()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a file."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.welcome.set_drop_active(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forget the file."""
        self.welcome.set_drop_active(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file dropped."""
        self.welcome.set_drop_active(False)
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            self.documents.open(Path(paths[0]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the ruler over the plots."""
        super().resizeEvent(event)
        self._align_ruler()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End threads and processes; remember the layout."""
        self.settings.set("geometry", self.saveGeometry())
        self.settings.set("body_splitter", self.body.saveState())
        self.settings.set("centre_splitter", self.centre_splitter.saveState())
        self.bench.controller.stop_and_wait()
        self.documents.cancel()
        self.warmup.shutdown()
        self.bench.jobs.shutdown()
        super().closeEvent(event)

    def _restore(self) -> None:
        self.resize(1440, 900)
        for name, restore in (("geometry", self.restoreGeometry), ("body_splitter", self.body.restoreState),
                              ("centre_splitter", self.centre_splitter.restoreState)):
            stored = self.settings.get(name)
            if stored is not None:
                restore(stored)
        if self.settings.get("body_splitter") is None:
            left = next(width for limit, width in LEFT_WIDTHS if self.width() < limit)
            self.body.setSizes([left, self.width() - left])
            self.centre_splitter.setSizes([560, 308])
        for name in ("left", "bottom", str(self.settings.get("scheme"))):
            self.actions_by_name[name].setChecked(True)
        self.bottom.hide()
        self._show_recent()


def _rule(kind: str = "h") -> QFrame:
    rule = QFrame()
    rule.setProperty("rule", kind)
    return rule
