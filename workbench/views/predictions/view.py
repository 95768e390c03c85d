"""The centre tab Predictions: what the model gets wrong, by round."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from workbench.data.classes import label_text
from workbench.formats.bytes.csv_text import csv_text, tab_separated
from workbench.formats.bytes.files import atomic_write
from workbench.number_text import count, fixed
from workbench.session.no_trees import no_trees
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.curves.kpi_strip import KpiStrip
from workbench.views.export.export_menu import export_button, icon_button
from workbench.views.export.pictures import save_picture
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.pace import LATE_MS
from workbench.views.predictions.board import ALL, Board
from workbench.views.predictions.brushing import Brushing
from workbench.views.predictions.plot import PredictionPlot
from workbench.views.predictions.readings import COLUMNS, counts_words, prediction_cells
from workbench.views.predictions.row_set_panel import RowSetPanel
from workbench.views.predictions.threshold_bar import ThresholdBar
from workbench.workers.prediction_desk import PartSubject, PredictionSubject

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QHideEvent, QResizeEvent

    from workbench.explain.predictions.brush import Brush
    from workbench.explain.predictions.confusion import Confusion
    from workbench.explain.predictions.findings import PredictionFindings
    from workbench.explain.predictions.shared_leaves import LeafShare
    from workbench.session.run import Run
    from workbench.views.predictions.curve_plot import ScoreCurvePlot

PARTS = {"valid": ("Hold-out", "validation"), "train": ("Training", "train")}
NO_ROWS = "This model came from a file, without its rows. Open the table that it was trained on."
ONE_OF_MANY = 0.5  # the threshold of a class of several that nobody has chosen
ROOM_FOR_PANEL = 1100  # pixels
LEAST_WIDTH, LEAST_HEIGHT = 520, 240
PREDICTED = "what is predicted"


@VIEWS.register
class PredictionsView(LazyView):
    """Everything is worked out by the desk; here it is shown, with the threshold and the costs in hand."""

    name = "predictions"
    title = "Predictions"
    place = "centre"
    order = 42

    view_wanted = Signal(str)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.threshold: float | None = None  # the person's; None where it is the usual one
        self.part, self.choice, self.column = "valid", ALL, ""
        self.found: PredictionFindings | None = None
        self._positive = 1  # of two classes
        self._subject: PredictionSubject | None = None
        self.shown_subject: PredictionSubject | None = None
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self._tell_wait)
        self.kpis, self.bar, self.board = KpiStrip(COLUMNS), ThresholdBar(), Board()
        self.empty, self.panel = Label(), RowSetPanel()
        self._brushed: tuple[PredictionSubject, Brush] | None = None  # of which the rows are not known yet
        self._build()
        self._build_tools()
        self._connect()
        set_look(self, ground="data")
        self.restyle()
        self._follow_session()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        set_look(self.empty, tone="2")
        self.empty.setWordWrap(True)
        self.empty.setMargin(24)
        self._found, plots = QWidget(), QWidget()
        self._panel_rule = rule(vertical=True)
        row = QHBoxLayout(plots)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.board, 1)
        row.addWidget(self._panel_rule)
        row.addWidget(self.panel)
        column = QVBoxLayout(self._found)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._bar_rule = rule()
        for widget in (self.kpis, self.bar, self._bar_rule, plots):
            column.addWidget(widget)
        column.setStretch(3, 1)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._found)

    def _build_tools(self) -> None:
        self.part_box, self.class_box, self.plot_box, self.column_box = (QComboBox() for _ in range(4))
        named = {"Rows": self.part_box, "Class": self.class_box, "Plot": self.plot_box,
                 "Residuals along": self.column_box}  # fmt: skip
        for name, box in named.items():
            set_look(box, fit="tool")
            box.setAccessibleName(name)
        for box in (self.class_box, self.column_box):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        self.column_label = Label("Residuals along")
        self.column_label.setFont(ui_font(NOTE))
        set_look(self.column_label, tone="2")
        self.reset_button = icon_button("Reset", "Go back to all plots and the usual threshold")
        self.export_button = export_button(
            self, self, "predictions", self._tell_failed, "Save the plots as PNG or SVG, the figures as CSV"
        )

    def _connect(self) -> None:
        self.part_box.activated.connect(lambda at: self.choose_part(self.part_box.itemData(at)))
        self.class_box.activated.connect(self.choose_class)
        self.plot_box.activated.connect(lambda at: self.choose_plot(self.plot_box.itemData(at)))
        self.column_box.activated.connect(lambda at: self.choose_column(self.column_box.itemData(at)))
        self.reset_button.clicked.connect(self.reset)
        self.bar.moved.connect(self.set_threshold)
        self.bar.costs_changed.connect(lambda *_: self._show_threshold())
        board = self.board
        for curve in (board.roc, board.precision_recall, board.gain):
            curve.clicked.connect(partial(self._take_cut, curve))
        board.scores.clicked.connect(lambda x, _: self.set_threshold(x))
        board.classes.class_chosen.connect(self.choose_class)
        for name, plot in board.all.items():
            if isinstance(plot, PredictionPlot) and plot.brush:
                plot.brushed.connect(partial(self._brush, name))
        board.matrix.clicked.connect(lambda x, y: self._brush("matrix", x, x, y, y))
        board.matrix.wrong_button.clicked.connect(lambda: self.take_brush(self._brushing.wrong()))
        self.panel.leaf_wanted.connect(self._open_leaf)
        self.panel.column_chosen.connect(lambda name: self._bench.session.shown.select(column=name))
        self.panel.table_wanted.connect(self._show_in_table)
        self.panel.left.connect(self._select_no_rows)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        leave.activated.connect(self._select_no_rows)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.rounds, events.runs, events.state, events.selection, events.table):
            signal.connect(self.synchronize)
        self._bench.predictions.answered.connect(self.synchronize)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        boxes = (self.part_box, self.class_box, self.plot_box, self.column_label, self.column_box)
        return (*boxes, self.reset_button, self.export_button)

    def minimumSizeHint(self) -> QSize:
        """Leave the inspector its height; what has no room is cut off."""
        return QSize(LEAST_WIDTH, LEAST_HEIGHT)

    def restyle(self) -> None:
        self.reset_button.setIcon(icon("arrow-counter-clockwise", pixels=14))
        self.export_button.setIcon(icon("download-simple", pixels=14))
        self.board.restyle()
        self.panel.restyle()
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._bench.predictions.leave()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        run, problem = self._run()
        if run is None:
            self._show_empty(problem)
            return
        self._fill_boxes(run)
        subject = self._subject_of(run)
        self._subject = subject
        session = self._bench.session
        follows = run.is_live and session.shown.selection.round is None
        found = self._bench.predictions.findings(subject, follows=follows)
        self._take_row_set()
        self._show_row_set(subject, follows)
        if found is not None:
            self._show(found, subject)
        elif problem := self._bench.predictions.problem(subject):
            self._show_empty(problem)
        elif self.shown_subject is None or self.shown_subject[:1] != subject[:1]:
            self._late.start()

    def _run(self) -> tuple[Run | None, str]:
        """The shown run, or why nothing can be said of it."""
        run = self._bench.session.shown.run
        if run is None or not run.rounds:
            return None, no_trees(run)
        if run.dataset is None or run.schema is None:
            return None, NO_ROWS
        return run, ""

    def _subject_of(self, run: Run) -> PredictionSubject:
        part = self.part if self.part == "train" or self._has_hold_out(run) else "train"
        round = self._bench.session.shown.round
        return PredictionSubject(PartSubject(run, part), round, self._k(run), self.column)

    def _has_hold_out(self, run: Run) -> bool:
        return run.dataset is not None and len(run.dataset.valid_rows) > 0

    def _k(self, run: Run) -> int:
        """The class that is looked at, or the level of quantiles."""
        outputs = 1 if run.started is None else run.started.ensemble.n_classes
        if outputs > 1:
            return min(self._bench.session.shown.selection.class_index, outputs - 1)
        return self._positive if run.schema is not None and run.schema.class_labels else 0

    def _show_empty(self, sentence: str) -> None:
        self._late.stop()
        self.found = self._subject = self.shown_subject = None
        self.empty.setText(sentence)
        self._enable(False)
        self._pages.setCurrentWidget(self.empty)

    def _enable(self, on: bool) -> None:
        for tool in self.tools():
            tool.setEnabled(on)

    def _tell_wait(self) -> None:
        if self._subject is not None and self.shown_subject is None:
            self.empty.setText(f"Predicting the rows after round {count(self._subject.round)}.")
            self._pages.setCurrentWidget(self.empty)

    def _fill_boxes(self, run: Run) -> None:
        """Offer what the run has to choose from."""
        data, schema = run.dataset, run.schema
        if data is None or schema is None:
            return
        sizes = {"valid": len(data.valid_rows), "train": len(data.train_rows)}
        parts = [(f"{PARTS[part][0]}, {count(n)}", part) for part, n in sizes.items() if n]
        _fill(self.part_box, parts, self.part if sizes[self.part] else "train")
        names = run.output_names or tuple(map(label_text, schema.class_labels))
        _fill(self.class_box, [(name, place) for place, name in enumerate(names)], self._k(run))
        self.class_box.setVisible(len(names) > 1)
        _fill(self.column_box, [(PREDICTED, ""), *((name, name) for name in schema.names)], self.column)

    def _show(self, found: PredictionFindings, subject: PredictionSubject) -> None:
        self._late.stop()
        is_other = self.shown_subject is None or self.shown_subject.rows != subject.rows
        if found is self.found and subject == self.shown_subject:
            self._show_threshold()
            return
        self.found, self.shown_subject = found, subject
        task = found.rows.task
        names = {name: plot.title for name, plot in self.board.all.items()}
        choices = self.board.choices(task)
        if self.choice not in choices:
            self.choice = ALL
        _fill(self.plot_box, [("All plots", ALL), *((names[name], name) for name in choices)], self.choice)
        self.plot_box.setVisible(len(choices) > 1)
        self.board.arrange(task, self.choice)
        self._show_column_box()
        for widget in (self.bar, self._bar_rule):
            widget.setVisible(task == "classes")
        self._show_remark(found)
        self._show_found(found, PARTS[subject.rows.part][1], is_other)
        self._enable(True)
        self._pages.setCurrentWidget(self._found)

    def _show_remark(self, found: PredictionFindings) -> None:
        """Say on each plot that it is not of all rows."""
        rows = found.rows
        remark = f"{count(len(rows))} of {count(rows.of)} rows, evenly drawn" if rows.is_sample else ""
        for plot in self.board.plots:
            plot.remark = remark

    def _show_found(self, found: PredictionFindings, token: str, is_other: bool) -> None:
        board, rows = self.board, found.rows
        target = self._target
        if found.of_class is not None:
            k, label = found.of_class.k, rows.labels[found.of_class.k]
            others = rows.labels[1 - k] if len(rows.labels) == 2 else "others"
            curve = found.of_class.curve
            for plot in (board.roc, board.precision_recall, board.gain):
                plot.show_curve(curve, label, token)
            board.scores.show_scores(found.of_class.histogram, curve, label, others)
            board.calibration.show_found(found.of_class, token)
            if is_other or self.bar.slider.current < 0:
                self.bar.set_scale(*self._limits(found), self._usual(found))
            self._show_threshold()
        else:
            self.kpis.show_cells(prediction_cells(found, None, None, self._round_words))
        if found.truth is not None:
            board.truth.show_truth(found.truth, token, "predicted", target)
        if found.profile is not None:
            what = target if rows.task != "classes" else f"1 or 0 for {rows.labels[found.of_class.k]}"  # type: ignore[union-attr]
            board.residuals.show_residuals(
                found.residuals, found.profile, token, found.column or "predicted", f"{what} less predicted",
                of_means=rows.task == "classes",
            )
        if found.quantiles is not None:
            board.quantiles.show_quantiles(found.quantiles, token)
        if found.coverage is not None:
            board.coverage.show_coverage(found.coverage)
        if found.queries is not None:
            board.queries.show_queries(found.queries, token)

    @property
    def _target(self) -> str:
        run = self._bench.session.shown.run
        return run.schema.target if run is not None and run.schema is not None else ""

    @property
    def _round_words(self) -> str:
        return "" if self.shown_subject is None else f"Round {count(self.shown_subject.round)}"

    # --- the threshold ----------------------------------------------------------------------

    def _limits(self, found: PredictionFindings) -> tuple[float, float]:
        if found.rows.are_shares or found.of_class is None or not len(found.of_class.curve.scores):
            return 0.0, 1.0
        scores = found.of_class.curve.scores
        return float(scores[-1]), float(scores[0])

    def _usual(self, found: PredictionFindings) -> float:
        return found.rows.boundary if len(found.rows.labels) == 2 else ONE_OF_MANY

    def _show_threshold(self) -> None:
        """Move what stands at the threshold, and mark where errors cost least."""
        found = self.found
        if found is None or found.of_class is None or found.confusion is None:
            return
        board, curve, rows = self.board, found.of_class.curve, found.rows
        threshold = self._usual(found) if self.threshold is None else self.threshold
        matrix = self._matrix(found, threshold)
        self.bar.show_threshold(threshold)
        if self.threshold is None and len(rows.labels) > 2:
            self.bar.slider.rest(threshold)
        curves = (board.roc, board.precision_recall, board.gain)
        for plot in curves:
            plot.set_threshold(threshold)
        board.scores.set_threshold(threshold)
        self._show_best(found)
        counts, label = curve.counts(threshold), rows.labels[found.of_class.k]
        if matrix is not None:
            board.matrix.show_matrix(matrix)
            board.classes.show_matrix(matrix, found.of_class.k, board.matrix.remark)
        self.kpis.show_cells(prediction_cells(found, counts, matrix, self._round_words))
        self.bar.setAccessibleDescription(counts_words(counts, label, threshold))
        self.bar.slider.setAccessibleDescription(counts_words(counts, label, threshold))

    def _matrix(self, found: PredictionFindings, threshold: float) -> Confusion | None:
        """Who is taken for whom; of several classes under a threshold that is worked out elsewhere."""
        if self.threshold is None:
            return found.confusion
        if len(found.rows.labels) == 2 and found.of_class is not None:
            return two_classes(found, threshold)
        if self.shown_subject is None:
            return None
        return self._bench.predictions.matrix(self.shown_subject, round(threshold, 3))

    def _show_best(self, found: PredictionFindings) -> None:
        assert found.of_class is not None
        curve, board = found.of_class.curve, self.board
        if not len(curve.scores):
            self.bar.show_best(math.nan)
            return
        cut, _cost = curve.cheapest(*self.bar.costs)
        best = curve.threshold(cut)
        self.bar.show_best(best)
        for plot in (board.roc, board.precision_recall, board.gain):
            plot.set_best(cut, f"best {fixed(best)}")
        board.scores.set_best(best)

    # --- rows that are brushed --------------------------------------------------------------

    @property
    def _brushing(self) -> Brushing:
        subject = self.shown_subject
        return Brushing(self.board, 0 if subject is None else subject.k, self.threshold)

    def _brush(self, name: str, left: float, right: float, low: float, high: float) -> None:
        self.take_brush(self._brushing.brush(name, left, right, low, high))

    def take_brush(self, brush: Brush | None) -> None:
        """Select the rows that a hand brushed, in every view."""
        if brush is not None and self.shown_subject is not None:
            self._brushed = self.shown_subject, brush
            self._take_row_set()

    def _take_row_set(self) -> None:
        """Select the rows that were brushed once they are known."""
        if self._brushed is None:
            return
        chosen = self._bench.predictions.row_set(*self._brushed)
        if chosen is not None:
            self._brushed = None
            self._bench.session.shown.select(rows=chosen)

    def _show_row_set(self, subject: PredictionSubject, follows: bool) -> None:
        """Show what the selected rows share in the trees up to the shown round."""
        chosen = self._bench.session.shown.selection.rows
        self._fit_panel()
        if chosen is None:
            self.panel.show_rows(None, None)
        else:
            desk, round = self._bench.predictions, subject.round
            found = desk.row_set_findings(subject.rows, round, chosen, follows=follows)
            self.panel.show_rows(chosen, found, desk.row_set_problem(subject.rows, round, chosen))

    def _fit_panel(self) -> None:
        """Where there is room the panel is always there, so that nothing moves as rows are selected."""
        is_wanted = self._bench.session.shown.selection.rows is not None or self.width() >= ROOM_FOR_PANEL
        for widget in (self.panel, self._panel_rule):
            widget.setVisible(is_wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_panel()

    def _select_no_rows(self) -> None:
        self._brushed = None
        self._bench.session.shown.select(rows=None)

    def _open_leaf(self, leaf: LeafShare) -> None:
        self._bench.session.shown.select(round=leaf.round, class_index=leaf.place, node=leaf.node)
        self.view_wanted.emit("tree")

    def _show_in_table(self) -> None:
        self.view_wanted.emit("table")

    # --- the hand ---------------------------------------------------------------------------

    def _take_cut(self, plot: ScoreCurvePlot, x: float, y: float) -> None:
        if plot.curve is not None:
            self.set_threshold(plot.curve.threshold(plot.cut_at(x, y)))

    def set_threshold(self, threshold: float) -> None:
        """Take a row for the class above another score."""
        self.threshold = threshold
        self._show_threshold()

    def choose_part(self, part: str) -> None:
        """Look at other rows."""
        self.part = part
        self.synchronize()

    def choose_class(self, k: int) -> None:
        """Look at another class against the others, or another level."""
        run = self._bench.session.shown.run
        self.threshold = None
        if run is not None and run.output_names:
            self._bench.session.shown.select(class_index=k)
        else:
            self._positive = k
        self.synchronize()

    def choose_plot(self, name: str) -> None:
        """Show one plot alone, or all."""
        self.choice = name
        if self.found is not None:
            self.board.arrange(self.found.rows.task, name)
            self._show_column_box()

    def _show_column_box(self) -> None:
        for widget in (self.column_label, self.column_box):
            widget.setVisible(not self.board.residuals.isHidden())

    def choose_column(self, name: str) -> None:
        """Lay the residuals along another column."""
        self.column = name
        self.synchronize()

    def reset(self) -> None:
        """Go back to all plots, the usual threshold and equal costs."""
        self.threshold, self.column = None, ""
        self.bar.set_costs(1.0, 1.0)
        self.choose_plot(ALL)
        with QSignalBlocker(self.plot_box):
            self.plot_box.setCurrentIndex(max(self.plot_box.findData(self.choice), 0))
        self.synchronize()

    def _tell_failed(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")

    # --- export -----------------------------------------------------------------------------

    def save_picture(self, path: Path) -> None:
        """Write the plots that are shown as PNG or SVG."""
        save_picture(path, self.board.size(), self.board.paint_picture, "Predictions")

    def save_csv(self, path: Path) -> None:
        """Write the figures of the plots that are shown."""
        atomic_write(path, csv_text(self._rows(), neutralise=self._bench.session.harmless_formulas))

    def values_text(self) -> str:
        """The same for a spreadsheet."""
        return tab_separated(self._rows(), neutralise=self._bench.session.harmless_formulas) + "\n"

    def _rows(self) -> list[tuple[Any, ...]]:
        """The figures of one plot as they are; of several below one another, each under its title."""
        shown = [plot for plot in self.board.shown if plot.values()]
        if len(shown) == 1:
            return shown[0].values()
        return [line for plot in shown for line in ((plot.title,), *plot.values(), ())]


def two_classes(found: PredictionFindings, threshold: float) -> Confusion:
    """Return who is taken for whom of two classes above a threshold, from the curve alone."""
    import numpy as np

    from workbench.explain.predictions.confusion import Confusion

    assert found.of_class is not None
    k, counts = found.of_class.k, found.of_class.curve.counts(threshold)
    cells = np.empty((2, 2))
    cells[k, k], cells[k, 1 - k] = counts.true_positive, counts.false_negative
    cells[1 - k, k], cells[1 - k, 1 - k] = counts.false_positive, counts.true_negative
    return Confusion(found.rows.labels, cells)


def _fill(box: QComboBox, items: list[tuple[str, Any]], chosen: Any) -> None:
    """Offer these where they are not offered yet, and show the chosen one."""
    with QSignalBlocker(box):
        known = ((box.itemText(at), box.itemData(at)) for at in range(box.count()))
        if box.count() != len(items) or list(known) != items:
            box.clear()
            for text, data in items:
                box.addItem(text, data)
        at = box.findData(chosen)
        if at != box.currentIndex():
            box.setCurrentIndex(at)

