"""The centre tab Predictions: what the model gets wrong, by round."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from workbench.data.classes import label_text
from workbench.number_text import count
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.curves.kpi_strip import KpiStrip
from workbench.views.export.export_menu import export_button
from workbench.views.look.style import set_look
from workbench.views.pace import LATE_MS
from workbench.views.predictions.bare_bar import BareBar
from workbench.views.predictions.board import ALL, Board
from workbench.views.predictions.board_export import BoardExport
from workbench.views.predictions.brushing import Brushing
from workbench.views.predictions.plot import PredictionPlot
from workbench.views.predictions.readings import COLUMNS, prediction_cells
from workbench.views.predictions.rows_choice import RowsChoice
from workbench.views.predictions.selected_rows import SelectedRows
from workbench.views.predictions.threshold import Threshold
from workbench.views.predictions.threshold_bar import ThresholdBar
from workbench.views.predictions.tools import PredictionTools
from workbench.workers.prediction_desk import BareSubject, PredictionSubject

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QResizeEvent

    from workbench.data.row_set import RowSet
    from workbench.explain.predictions.brush import Brush
    from workbench.explain.predictions.findings import PredictionFindings
    from workbench.explain.predictions.marks import RowMarks
    from workbench.session.run import Run
    from workbench.views.predictions.rows_choice import Rows

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
    rows_alone_wanted = Signal()  # in the table

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.choice, self.column = ALL, ""
        self.found: PredictionFindings | None = None
        self.shown_subject: PredictionSubject | None = None
        self._class: int | None = None  # of bare predictions, or the one of two; None for the usual one
        self._subject: PredictionSubject | None = None
        self._marks: RowMarks | None = None
        self._asked: tuple[Any, ...] = ()  # rows, class and column that were asked for last
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self._tell_wait)
        self.rows, self.selected = RowsChoice(bench, self), SelectedRows(bench, self)
        self.kpis, self.bar, self.board, self.bare_bar = KpiStrip(COLUMNS), ThresholdBar(), Board(), BareBar()
        self.cut = Threshold(self.bar, self.board, self.kpis, bench.predictions, self)
        tip = "Save the plots as PNG or SVG, the figures as CSV"
        self.export = BoardExport(self.board, bench.session)
        button = export_button(self, self.export, "predictions", self.export.fail, tip)
        self.chosen = PredictionTools(button, self)
        self.empty, self.panel = Label(), self.selected.panel
        self._build()
        self._connect()
        set_look(self, ground="data")
        self.restyle()
        self._follow_session()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        set_look(self.empty, tone="2")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setMargin(24)
        self._found, plots = QWidget(), QWidget()
        self._bar_rule, self._bare_rule, self._panel_rule = rule(), rule(), rule(vertical=True)
        row = QHBoxLayout(plots)
        column, whole = QVBoxLayout(self._found), QVBoxLayout(self)
        for layout in (row, column, whole):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        row.addWidget(self.board, 1)
        row.addWidget(self._panel_rule)
        row.addWidget(self.panel)
        for widget in (self.kpis, self.bar, self._bar_rule):
            column.addWidget(widget)
        column.addWidget(plots, 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._found)
        whole.addWidget(self.bare_bar)
        whole.addWidget(self._bare_rule)
        whole.addWidget(self._pages, 1)

    def _connect(self) -> None:
        chosen, board = self.chosen, self.board
        chosen.part_chosen.connect(self.choose_part)
        chosen.class_chosen.connect(self.choose_class)
        chosen.plot_chosen.connect(self.choose_plot)
        chosen.column_chosen.connect(self.choose_column)
        chosen.reset.clicked.connect(self.reset)
        self.bare_bar.chosen.connect(self.rows.choose_columns)
        for signal in (self.rows.changed, self.selected.changed):
            signal.connect(self.synchronize)
        self.selected.view_wanted.connect(self.view_wanted)
        self.selected.rows_alone_wanted.connect(self.rows_alone_wanted)
        board.classes.class_chosen.connect(self.choose_class)
        for name, plot in board.all.items():
            if isinstance(plot, PredictionPlot) and plot.brush:
                plot.brushed.connect(partial(self._brush, name))
        board.matrix.clicked.connect(lambda x, y: self._brush("matrix", x, x, y, y))
        board.matrix.wrong_button.clicked.connect(lambda: self.take_brush(self._brushing.wrong()))
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        leave.activated.connect(self.selected.select_none)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.rounds, events.runs, events.state, events.selection, events.table, events.plan,
                       events.validation):
            signal.connect(self.synchronize)
        self._bench.predictions.answered.connect(self.synchronize)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return self.chosen.widgets

    def minimumSizeHint(self) -> QSize:
        """Leave the inspector its height; what has no room is cut off."""
        return QSize(LEAST_WIDTH, LEAST_HEIGHT)

    def restyle(self) -> None:
        self.chosen.restyle()
        self.board.restyle()
        self.panel.restyle()
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._asked = ()
        self._bench.predictions.leave()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_panel()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        run = self._bench.session.shown.run
        self.chosen.parts.offer(self.rows.items(run), self.rows.shown_part(run))
        self._show_bare_bar()
        rows, problem = self.rows.rows(run)
        if rows is None:
            self._show_none(problem)
            return
        subject = self._subject = self._subject_of(rows, run)
        follows = run is not None and self._bench.session.shown.follows(run)
        asked = rows, subject.k, subject.column
        follows, self._asked = follows and asked == self._asked, asked  # what is chosen by hand does not wait
        found = self._bench.predictions.findings(subject, follows=follows)
        if found is None and follows and (earlier := self._bench.predictions.earlier(subject)):
            subject, found = earlier
        self.selected.take()
        chosen = self._selected(rows)
        self.selected.show(subject, chosen, follows=follows)
        self._show_marks(subject, chosen, follows)
        self._fit_panel()
        if found is not None:
            self._show(found, subject, run, follows)
        elif problem := self._bench.predictions.problem(subject):
            self._show_none(problem)
        elif (self.shown_subject is None or self.shown_subject.rows != subject.rows) and (
            not self._late.isActive()
        ):
            self._late.start()

    def _subject_of(self, rows: Rows, run: Run | None) -> PredictionSubject:
        session = self._bench.session
        if isinstance(rows, BareSubject) or run is None or run.schema is None:
            k = 1 if self._class is None else self._class
            return PredictionSubject(rows, 0, k, self.column)
        outputs = len(run.output_names)
        if outputs > 1:
            k = session.shown.output
        else:
            k = (1 if self._class is None else self._class) if run.schema.class_labels else 0
        return PredictionSubject(rows, session.shown.round, k, self.column)

    def _show_none(self, problem: str) -> None:
        """Say what to do, or wait for a table that is being read."""
        self.found = self._subject = self.shown_subject = None
        self.cut.leave()
        self.empty.setText(problem or "Reading the table.")
        self._late.stop()
        self.chosen.enable(False)
        self.chosen.show_columns(False)
        self._pages.setCurrentWidget(self.empty)

    def _tell_wait(self) -> None:
        if self._subject is not None and self.shown_subject is None:
            self.empty.setText(f"Predicting the rows after round {count(self._subject.round)}.")
            self._pages.setCurrentWidget(self.empty)

    def _show_bare_bar(self) -> None:
        table = self.rows.bare_table
        for widget in (self.bare_bar, self._bare_rule):
            widget.setVisible(table is not None)
        if table is not None:
            self.bare_bar.show_table(table, self.rows.bare_columns)

    def _show(
        self, found: PredictionFindings, subject: PredictionSubject, run: Run | None, follows: bool
    ) -> None:
        self._late.stop()
        if found is self.found and subject == self.shown_subject:
            self.cut.show(follows=follows)
            return
        is_other = self.shown_subject is None or self.shown_subject.rows != subject.rows
        is_other = is_other or self.shown_subject is None or self.shown_subject.k != subject.k
        self.found, self.shown_subject = found, subject
        self._fill_boxes(found, subject, run)
        self.board.arrange(found.rows.task, self.choice)
        self.chosen.show_columns(not self.board.residuals.isHidden())
        for widget in (self.bar, self._bar_rule):
            widget.setVisible(found.rows.task == "classes")
        target = run.schema.target if run is not None and run.schema is not None else ""
        if isinstance(subject.rows, BareSubject):
            target = subject.rows.columns.truth
        self.board.show_found(found, self.rows.token(run), target)
        if found.of_class is None:
            self.kpis.show_cells(prediction_cells(found, None, None, self._round_words))
        self.cut.take(found, subject, self._round_words, is_other=is_other, follows=follows)
        self.chosen.enable(True)
        self._pages.setCurrentWidget(self._found)

    def _fill_boxes(self, found: PredictionFindings, subject: PredictionSubject, run: Run | None) -> None:
        """Offer what there is to choose from."""
        chosen, task, rows = self.chosen, found.rows.task, subject.rows
        choices = self.board.choices(task)
        if self.choice not in choices:
            self.choice = ALL
        titles = {name: plot.title for name, plot in self.board.all.items()}
        chosen.plots.offer([("All plots", ALL), *((titles[name], name) for name in choices)], self.choice)
        chosen.plots.setVisible(len(choices) > 1)
        names, columns = found.rows.labels, tuple[str, ...]()
        if isinstance(rows, BareSubject):
            columns = rows.table.names
        elif run is not None and run.schema is not None:
            names = run.output_names or tuple(map(label_text, run.schema.class_labels))
            columns = tuple(run.schema.names)
            table = self._bench.session.data.table
            if table is not None and self.rows.is_of_table(rows):
                columns = tuple(dict.fromkeys((*columns, *table.names)))
        chosen.classes.offer([(name, place) for place, name in enumerate(names)], subject.k)
        chosen.classes.setVisible(len(names) > 1)
        chosen.columns.offer([(PREDICTED, ""), *((name, name) for name in columns)], self.column)

    @property
    def _round_words(self) -> str:
        if self.shown_subject is None or isinstance(self.shown_subject.rows, BareSubject):
            return "Rows"
        return f"Round {count(self.shown_subject.round)}"

    # --- rows that are brushed --------------------------------------------------------------

    @property
    def _brushing(self) -> Brushing:
        subject = self.shown_subject
        return Brushing(self.board, 0 if subject is None else subject.k, self.cut.value)

    def _brush(self, name: str, left: float, right: float, low: float, high: float) -> None:
        self.take_brush(self._brushing.brush(name, left, right, low, high))

    def take_brush(self, brush: Brush | None) -> None:
        """Select the rows that a hand brushed, in every view."""
        subject = self.shown_subject
        if brush is not None and subject is not None:
            self.selected.brush(subject, brush, is_of_table=self.rows.is_of_table(subject.rows))

    def _selected(self, rows: Rows) -> RowSet | None:
        return self.selected.chosen(rows, is_of_table=self.rows.is_of_table(rows))

    def _show_marks(self, subject: PredictionSubject, chosen: RowSet | None, follows: bool) -> None:
        """Show where the selected rows lie in the plots."""
        marks = None
        if chosen is not None:
            marks = self._bench.predictions.marks(subject, chosen, follows=follows) or self._marks
        if marks is not self._marks:
            self._marks = marks
            self.board.show_marks(marks)

    def _fit_panel(self) -> None:
        """Where there is room the panel is always there, so that nothing moves as rows are selected."""
        chosen = None if self._subject is None else self._selected(self._subject.rows)
        for widget in (self.panel, self._panel_rule):
            widget.setVisible(chosen is not None or self.width() >= ROOM_FOR_PANEL)

    # --- the hand ---------------------------------------------------------------------------

    def choose_part(self, part: str) -> None:
        """Look at other rows."""
        self._class = self.cut.value = None
        self.rows.choose(part)

    def choose_class(self, k: int) -> None:
        """Look at another class against the others, or another level."""
        run, subject = self._bench.session.shown.run, self.shown_subject
        self.cut.value = None
        if subject is not None and not isinstance(subject.rows, BareSubject) and run and run.output_names:
            self._bench.session.shown.choose_output(k)
        else:
            self._class = k
        self.synchronize()

    def choose_plot(self, name: str) -> None:
        """Show one plot alone, or all."""
        self.choice = name
        if self.found is not None:
            self.board.arrange(self.found.rows.task, name)
            self.chosen.show_columns(not self.board.residuals.isHidden())

    def choose_column(self, name: str) -> None:
        """Lay the residuals along another column."""
        self.column = name
        self.synchronize()

    def reset(self) -> None:
        """Go back to all plots, the usual threshold and equal costs."""
        self.cut.value, self.column = None, ""
        self.bar.set_costs(1.0, 1.0)
        self.choose_plot(ALL)
        if self.found is not None and self.shown_subject is not None:
            self._fill_boxes(self.found, self.shown_subject, self._bench.session.shown.run)
        self.synchronize()
