"""The centre tab Runs: all futures fanned out, over each other, and two of them compared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QVBoxLayout, QWidget

from workbench.formats.bytes.files import atomic_write
from workbench.formats.own.history_csv import history_csv
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.curves.board import CurveBoard
from workbench.views.curves.run_plots import Options, planned_rounds, shown_metric
from workbench.views.export.export_menu import add_exports, export_button, icon_button
from workbench.views.export.pictures import records_text, save_picture
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.pace import Pace
from workbench.views.ruler.round_axis import RoundAxis
from workbench.views.runs.compare.panel import ComparePanel
from workbench.views.runs.lanes import LanesArea, lanes_of
from workbench.views.runs.overlay import overlay, overlay_marks, overlay_records
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.in_turns import InTurns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtGui import QHideEvent, QPainter, QResizeEvent, QShowEvent

    from workbench.session.run import Run

FRAME, LABEL = 64, 32  # pixels of the plot without lines; of a label in its margin


@VIEWS.register
class RunsView(LazyView):
    """Draws while it is shown, on the time axis of the ruler."""

    name, title, place, order = "runs", "Runs", "centre", 80
    view_wanted = Signal(str)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._metric = ""
        self._pace = Pace(bench.session, self.synchronize, self)
        self._in_turns = InTurns(self._show_parts, self)
        self.lanes, self.board, self.compare = LanesArea(), CurveBoard(), ComparePanel(bench)
        self._build()
        self._build_tools()
        set_look(self, ground="data")
        self.restyle()
        self._follow_session()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.lanes)
        column.addWidget(self.board, 1)
        column.addWidget(self.compare)
        self.lanes.lanes.picked.connect(self._pick_run)
        self.board.picked.connect(self._pick_round)
        self.board.menu_wanted.connect(self._open_menu)
        self.compare.node_wanted.connect(partial(self.view_wanted.emit, "tree"))

    def _build_tools(self) -> None:
        self.metric_box = QComboBox()
        self.metric_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_look(self.metric_box, fit="tool")
        self.metric_box.setAccessibleName("Metric of all runs")
        set_tip(self.metric_box, "The metric in which runs are drawn")
        self.metric_box.activated.connect(self._choose_metric)
        self.training_button = QPushButton("Training too")
        self.training_button.setCheckable(True)
        self.training_button.setAccessibleName("Training too")
        set_tip(self.training_button, "Draw the metric on training rows too, of the two that are compared")
        set_look(self.training_button, fit="tool")
        self.training_button.toggled.connect(self.synchronize)
        self.reset_button = icon_button("Show all rounds", "Show all rounds (double-click the plot)")
        self.reset_button.clicked.connect(self.board.reset)
        self.export_button = export_button(
            self, self, "runs", self._tell_failed, "Save the curves of all runs as PNG, SVG or CSV"
        )

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.runs, events.state, events.overlay, events.selection, events.table,
                       events.validation):
            signal.connect(self.synchronize)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return (self.metric_box, self.training_button, self.reset_button, self.export_button)

    def restyle(self) -> None:
        for button, name in ((self.reset_button, "frame-corners"), (self.export_button, "download-simple")):
            button.setIcon(icon(name, pixels=14))
        self.synchronize()

    # --- showing ----------------------------------------------------------------------------

    @property
    def metric_name(self) -> str:
        """The metric that is drawn: the chosen one where the shown run reports it, else the watched one."""
        return shown_metric(self._bench.session, Options(self._metric))

    @property
    def drawn(self) -> list[Run]:
        """The runs that are drawn, and the model that the shown one is compared with."""
        overlaid = self._bench.session.overlay
        return [*overlaid.drawn, *([overlaid.model] if overlaid.model is not None else [])]

    def synchronize(self) -> None:
        if self.isVisible():
            self._in_turns.start_soon()

    def _show_parts(self) -> Iterator[None]:
        painted_in_own_event(self.lanes, self.board, self.compare)
        self._fill_metrics()
        self._show_lanes()
        yield
        yield from self.board.make_panes(1, len(self.drawn))
        yield from self._show_curves()
        yield
        self.compare.synchronize()

    @property
    def _rounds(self) -> int:
        return planned_rounds(self._bench.session)

    def _show_lanes(self) -> None:
        session = self._bench.session
        axis = RoundAxis.over(self.width(), self._rounds)
        self.lanes.show_lanes(session, lanes_of(session, session.overlay.drawn), axis)

    def _show_curves(self) -> Iterator[None]:
        session, runs, rounds = self._bench.session, self.drawn, self._rounds
        facts = session.facts.metric(self.metric_name)
        content = overlay(
            session, runs, facts, rounds, labels=max(2, (self.board.height() - FRAME) // LABEL),
            training=self.training_button.isChecked(),
        )  # fmt: skip
        yield
        self.board.show_contents([content], overlay_marks(session, rounds))

    def _fill_metrics(self) -> None:
        session = self._bench.session
        run = session.shown.run
        names = run.started.metrics if run is not None and run.started is not None else ()
        if tuple(self.metric_box.itemData(i) for i in range(self.metric_box.count())) != names:
            self.metric_box.clear()
            for name in names:
                self.metric_box.addItem(session.facts.metric(name).label, name)
        self.metric_box.setEnabled(bool(names))
        if names:
            self.metric_box.setCurrentIndex(names.index(self.metric_name))

    def showEvent(self, event: QShowEvent) -> None:
        """Begin when it is laid out: curves are drawn for the room that they have."""
        QWidget.showEvent(self, event)
        self._in_turns.start_soon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.synchronize()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody waits for what is being worked out."""
        super().hideEvent(event)
        self.compare.leave()

    # --- the hand ---------------------------------------------------------------------------

    def _choose_metric(self, index: int) -> None:
        self._metric = self.metric_box.itemData(index)
        self.synchronize()

    def _pick_run(self, run: Run, compared: bool) -> None:
        session = self._bench.session
        if not compared:
            session.shown.show(run)
        elif run is not session.shown.run:
            session.overlay.compare(run)

    def _pick_round(self, number: int) -> None:
        run = self._bench.session.shown.run
        if run is not None:
            self._bench.session.shown.select(round=None if number >= len(run.rounds) else number)

    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        self._fill_menu(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _fill_menu(self, menu: QMenu) -> None:
        session = self._bench.session
        text = f"Continue from here{session.with_objective}"
        menu.addAction(text, self._bench.controller.branch_on).setEnabled(bool(session.shown.round))
        menu.addAction("Show all rounds", self.board.reset)
        menu.addSeparator()
        add_exports(menu, self, self, "runs", self._tell_failed)

    def _tell_failed(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")

    # --- export -----------------------------------------------------------------------------

    def save_picture(self, path: Path) -> None:
        """Write lanes and curves as PNG or SVG."""
        size = QSize(self.width(), self.lanes.lanes.height() + self.board.height())
        save_picture(path, size, self._paint_picture, "Runs")

    def _paint_picture(self, painter: QPainter, target: QRectF) -> None:
        self.lanes.lanes.paint_lanes(painter)
        above = self.lanes.lanes.height()
        self.board.paint_picture(painter, QRectF(0, above, target.width(), target.height() - above))

    def save_csv(self, path: Path) -> None:
        """Write the metric of every drawn run by round."""
        records = overlay_records(self.drawn, self.metric_name)
        atomic_write(path, history_csv(records, neutralise=self._bench.session.harmless_formulas))

    def values_text(self) -> str:
        """The same for a spreadsheet."""
        records = overlay_records(self.drawn, self.metric_name)
        return records_text(records, neutralise=self._bench.session.harmless_formulas)
