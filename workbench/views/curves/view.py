"""The centre tab Training: the round's figures over the curves of the run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QVBoxLayout, QWidget

from workbench.formats.bytes.files import atomic_write
from workbench.formats.own.history_csv import history_csv, history_rows
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.note import NoteLabel
from workbench.views.curves.board import CurveBoard
from workbench.views.curves.kpi_strip import KpiStrip
from workbench.views.curves.pruning_plot import PruningPlot
from workbench.views.curves.readings import COLUMNS, round_cells
from workbench.views.curves.run_plots import BEHIND, Options, lower_plots, marks, plots, shown_metric
from workbench.views.export.export_menu import add_exports, icon_button, open_menu
from workbench.views.export.pictures import records_text, save_picture
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.validation.button import FoldsButton

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAP = 3  # between icon and words
USUAL_LINES = 2  # of a plot: training and validation
NOTE_MARGINS = 16, 8, 16, 8


@VIEWS.register
class TrainingView(LazyView):
    """Draws while it is shown; catches up when it is shown again."""

    name = "training"
    title = "Training"
    place = "centre"
    order = 20
    status_changed = Signal(str)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.options = Options()
        self._build()
        self._build_tools()
        set_look(self, ground="data")
        self.restyle()
        self._follow_session()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        self.kpis, self.note, self.board = KpiStrip(COLUMNS), NoteLabel(), CurveBoard()
        self.pruning = PruningPlot()
        self.pruning.hide()
        self.pruning.chosen.connect(self._take_alpha)
        self.note.setContentsMargins(*NOTE_MARGINS)
        set_look(self.note, tone="1")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.kpis)
        column.addWidget(self.note)
        column.addWidget(self.board, 1)
        column.addWidget(self.pruning, 1)
        self.board.hovered.connect(self._show_figures)
        self.board.picked.connect(self._pick)
        self.board.menu_wanted.connect(self._open_menu)

    def _build_tools(self) -> None:
        self.metric_box = QComboBox()
        set_look(self.metric_box, fit="tool")
        self.metric_box.setAccessibleName("Metric")
        self.metric_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_tip(self.metric_box, "The metric of the uppermost plot")
        self.metric_box.activated.connect(lambda index: self._choose(metric=self.metric_box.itemData(index)))
        self.smooth_button = _toggle("Smooth", "A moving mean; the raw line stays faint")
        self.smooth_button.setIconSize(QSize(14 + GAP, 14))
        self.smooth_button.toggled.connect(lambda on: self._choose(smooth=on))
        self.log_button = _toggle("Log axis", "Equal ratios are equally high")
        self.log_button.toggled.connect(lambda on: self._choose(log=on))
        self.folds_button = FoldsButton(self._bench)
        self.folds_button.told.connect(self.status_changed)
        self.plots_button = icon_button("Plots shown", "Choose the plots")
        self.plots_button.clicked.connect(lambda: open_menu(self._plots_menu(), self.plots_button))
        self.reset_button = icon_button("Show all rounds", "Show all rounds (double-click a plot)")
        self.reset_button.clicked.connect(self.board.reset)
        self.export_button = icon_button("Export", "Save the curves as PNG, SVG or CSV")
        self.export_button.clicked.connect(self._open_export)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.rounds, events.runs, events.state, events.plan, events.params,
                       events.selection, events.overlay, events.validation):
            signal.connect(self.synchronize)
        self._bench.explainer.prunings.answered.connect(self.synchronize)
        self.synchronize()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        session = self._bench.session
        self._fill_metrics()
        self.note.say("\n".join(session.shown.run.notes) if session.shown.run else "")
        is_pruned = self._shows_pruning()
        self.board.setVisible(not is_pruned)
        self.pruning.setVisible(is_pruned)
        if not is_pruned:
            self.board.show_contents(plots(session, self.options), marks(session, self.options))
        self._show_figures(self.board.hover_round)

    def get_ready(self) -> Iterator[None]:
        """Make the plots of a run, and write all that is written on them once."""
        contents = plots(self._bench.session, self.options)
        yield from self.board.make_panes(len(contents), USUAL_LINES)
        self.board.show_contents(contents, marks(self._bench.session, self.options))
        yield
        self.board.grab()
        yield
        self.kpis.grab()

    def _shows_pruning(self) -> bool:
        """Show how a single tree is pruned, which has no curves over rounds; return whether there is one."""
        session, run = self._bench.session, self._bench.session.shown.run
        if run is None or run.params.method != "cart" or not run.rounds or run.is_live:
            return False
        explainer = self._bench.explainer
        error = "Mean squared error" if run.facts.task == "regression" else "Error rate"
        self.pruning.show_path(
            explainer.pruning(run), session.hyperparameters.wanted.ccp_alpha, error,
            explainer.pruning_problem(run),
        )
        return True

    def _take_alpha(self, alpha: float) -> None:
        self._bench.session.hyperparameters.change(ccp_alpha=alpha)

    def restyle(self) -> None:
        self.smooth_button.setIcon(icon("activity", "accent" if self.options.smooth else "text1", 14, GAP))
        for button, name in ((self.plots_button, "layout"), (self.reset_button, "frame-corners"),
                             (self.export_button, "download-simple")):
            button.setIcon(icon(name, pixels=14))
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return (self.metric_box, self.folds_button, self.smooth_button, self.log_button, self.plots_button,
                self.reset_button, self.export_button)

    def _fill_metrics(self) -> None:
        session = self._bench.session
        started = session.shown.run.started if session.shown.run else None
        names = started.metrics if started else (shown_metric(session, self.options),)
        if tuple(self.metric_box.itemData(i) for i in range(self.metric_box.count())) != names:
            self.metric_box.clear()
            for name in names:
                self.metric_box.addItem(session.facts.metric(name).label, name)
        self.metric_box.setCurrentIndex(names.index(shown_metric(session, self.options)))
        self.metric_box.setMinimumWidth(self.metric_box.sizeHint().width())  # Qt keeps the least of before
        self.metric_box.setEnabled(started is not None)

    def _show_figures(self, hovered: int) -> None:
        session, run = self._bench.session, self._bench.session.shown.run
        pinned = session.shown.selection.round is not None and run is not None
        when = "Cursor" if hovered else "Selected" if pinned else "Now"
        number = min(hovered, len(run.rounds)) if hovered and run else session.shown.round
        metric = session.facts.metric(shown_metric(session, self.options))
        self.kpis.show_cells(round_cells(run, metric, number, when))

    # --- the hand ---------------------------------------------------------------------------

    def _choose(self, **values: Any) -> None:
        self.options = replace(self.options, **values)
        self.restyle()

    def _pick(self, number: int) -> None:
        if self._bench.session.shown.run is not None:
            newest = len(self._bench.session.shown.run.rounds)
            self._bench.session.shown.select(round=None if number >= newest else number)

    def _open_menu(self, place: QPoint) -> None:
        menu = self._plots_menu()
        menu.addSeparator()
        add_exports(menu, self, self, "training", self._say)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _plots_menu(self) -> QMenu:
        menu = QMenu(self)
        for name, title in {**lower_plots(self._bench.session), **BEHIND}.items():
            action = menu.addAction(title, partial(self.toggle_plot, name))
            action.setCheckable(True)
            action.setChecked(name not in self.options.hidden)
        menu.addSeparator()
        menu.addAction("Show all rounds", self.board.reset)
        return menu

    def _open_export(self) -> None:
        menu = QMenu(self)
        add_exports(menu, self, self, "training", self._say)
        open_menu(menu, self.export_button)

    def _say(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")

    def toggle_plot(self, name: str) -> None:
        """Show or hide one of the lower plots, or the other runs."""
        self._choose(hidden=self.options.hidden ^ {name})

    # --- export -----------------------------------------------------------------------------

    def save_picture(self, path: Path) -> None:
        """Write the curves with their labels as PNG or SVG."""
        save_picture(path, self.board.size(), self.board.paint_picture, "Training curves")

    def save_csv(self, path: Path) -> None:
        """Write every figure of every round, and the parameters in force."""
        atomic_write(path, history_csv(self._rows(), neutralise=self._is_harmless))

    def values_text(self) -> str:
        """The same figures for a spreadsheet."""
        return records_text(self._rows(), neutralise=self._is_harmless)

    @property
    def _is_harmless(self) -> bool:
        return self._bench.session.harmless_formulas

    def _rows(self) -> list[dict[str, Any]]:
        run = self._bench.session.shown.run
        return list(history_rows(run.rounds)) if run else []


def _toggle(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setCheckable(True)
    set_tip(button, tip)
    button.setAccessibleName(text)
    set_look(button, fit="tool")
    return button
