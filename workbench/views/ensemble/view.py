"""The centre tab Ensemble: which features the model up to the shown round leans on, and how each was cut."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from PySide6.QtCore import QRectF, QSignalBlocker, QSize, QTimer
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from workbench.formats.bytes.csv_text import csv_text, tab_separated
from workbench.formats.bytes.files import atomic_write
from workbench.number_text import count
from workbench.session.no_trees import no_rounds
from workbench.session.run import RunState
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.label import Label
from workbench.views.curves.ink import write
from workbench.views.curves.kpi_strip import KpiStrip
from workbench.views.ensemble.importance_bars import ROW, ImportanceList, paint_row
from workbench.views.ensemble.model_readings import COLUMNS, model_cells
from workbench.views.export.export_menu import export_button
from workbench.views.export.pictures import save_picture
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QPainter

    from workbench.explain.importance import Measure
    from workbench.session.run import Run
    from workbench.workers.jobs import Job

    Figure = Measure | Literal["cuts"]
    Question = tuple[Run, Figure, int]  # run, figure, round (of cuts: how many columns have any)

MEASURES: dict[Figure, tuple[str, str]] = {
    "gain": ("Gain", "sum of the gains of its splits"),
    "cover": ("Cover", "hessian (rows, for squared loss) that its splits decided on"),
    "count": ("Splits", "number of its splits"),
    "cuts": ("Cuts", "places where the last tree could cut it; a category counts as one"),
}
UNKNOWN = "The file does not tell the {} of every split. How many there are is under Splits."
WEIGHTS = "size of the coefficients of its standardised columns, summed,"
NO_CUTS = "How many cuts each column got is known once a run has ended; files of other programs do not tell."
AS_STORED = "As stored: What if changes nothing here."
PAUSE_MS = 500  # between answers while the run trains
MOST_IN_PICTURE = 40


@VIEWS.register
class EnsembleView(LazyView):
    """One measure at a time, computed off the window's thread; an answer to an old question is dropped."""

    name = "ensemble"
    title = "Ensemble"
    place = "centre"
    order = 40

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.measure: Figure = "gain"
        self._asked: Question | None = None
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.synchronize)
        self._build()
        self._build_tools()
        set_look(self, ground="data")
        self.restyle()
        self._follow_session()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        self.kpis, self.list = KpiStrip(COLUMNS), ImportanceList()
        heading, self.phrase = Label("Importance"), Label()
        heading.setFont(ui_font(NOTE, bold=True))
        set_look(heading, tone="2")
        self.phrase.setFont(ui_font(NOTE))
        set_look(self.phrase, tone="3")
        self.stored = Label(AS_STORED)
        self.stored.setFont(ui_font(NOTE))
        self.stored.setContentsMargins(16, 10, 16, 0)
        set_look(self.stored, tone="2")
        self.stored.hide()
        row = QHBoxLayout()
        row.setContentsMargins(16, 10, 16, 6)
        row.setSpacing(8)
        row.addWidget(heading)
        row.addWidget(self.phrase, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stored)
        column.addWidget(self.kpis)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        self.list.selectionModel().currentChanged.connect(self._pick)

    def _build_tools(self) -> None:
        self.measure_box = QComboBox()
        set_look(self.measure_box, fit="tool")
        self.measure_box.setAccessibleName("Measure of importance")
        for name, (title, _) in MEASURES.items():
            self.measure_box.addItem(title, name)
        self.measure_box.activated.connect(lambda index: self.choose(self.measure_box.itemData(index)))
        self.export_button = export_button(
            self, self, "importance", self._tell_failed, "Save the importance as PNG, SVG or CSV"
        )

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.rounds, events.runs, events.state, events.selection, events.what_if):
            signal.connect(self.synchronize)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return (self.measure_box, self.export_button)

    def restyle(self) -> None:
        self.export_button.setIcon(icon("download-simple", pixels=14))
        self.update()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        session = self._bench.session
        self.stored.setVisible(session.shown.run is not None and session.shown.run.what_if.is_on)
        self.kpis.show_cells(model_cells(session.shown.run, session.shown.round))
        self.measure_box.setEnabled(session.shown.run is None or not session.shown.run.is_linear)
        self._mark_selected()
        question = self._question()
        if question is None:
            self._show_nothing()
        elif question != self._asked and not self._must_wait(question):
            self._ask(question)

    def _question(self) -> Question | None:
        session = self._bench.session
        run, shown = session.shown.run, session.shown.round
        if run is None or not shown or run.schema is None:
            return None
        if run.is_linear:
            return run, "gain", shown
        return run, self.measure, len(_cuts(run)) if self.measure == "cuts" else shown

    def _must_wait(self, question: Question) -> bool:
        """Whether only the round is new, and an answer is on its way or was given just now."""
        if self._asked is None or self._asked[:2] != question[:2]:
            return False
        return self._job is not None or (self._timer.isActive() and question[0].state is RunState.RUNNING)

    def _ask(self, question: Question) -> None:
        if self._job is not None:
            self._job.cancel()
        self._asked = question
        self._timer.start()
        self._job = self._bench.jobs.start(
            lambda _job: importance(*question), done=partial(self._show, question), failed=self._fail)

    def _show(self, question: Question, values: NDArray[np.float64]) -> None:
        self._job = None
        run, measure, number = question
        if question == self._asked and run.schema is not None:
            if measure == "cuts" and not number:
                self._show_none(NO_CUTS)
            elif np.isfinite(values).all():
                trees = "" if measure == "cuts" else f", trees of rounds 1 to {count(number)}"
                linear = f"{WEIGHTS} after round {count(number)}"
                self.phrase.setText(linear if run.is_linear else MEASURES[measure][1] + trees)
                painted_in_own_event(self.list)
                self.list.bars.show(run.schema.names, values)
            else:
                self._show_none(UNKNOWN.format("gain" if measure == "gain" else "hessian"))
            self._mark_selected()
        self.synchronize()

    def _fail(self, text: str) -> None:
        self._job = None
        self.phrase.setText(text)

    def _show_nothing(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job, self._asked = None, None
        self._show_none(no_rounds(self._bench.session.shown.run))

    def _show_none(self, sentence: str) -> None:
        self.list.sentence = sentence
        self.list.bars.show((), np.empty(0))
        self.list.viewport().update()
        self.phrase.setText("")

    def _mark_selected(self) -> None:
        column = self._bench.session.shown.selection.column
        bars = self.list.bars
        row = bars.names.index(column) if column in bars.names else -1
        if row == self.list.currentIndex().row():
            return
        with QSignalBlocker(self.list.selectionModel()):
            if row >= 0:
                self.list.setCurrentIndex(bars.index(row))
            else:
                self.list.selectionModel().clear()
        self.list.viewport().update()

    # --- the hand ---------------------------------------------------------------------------

    def choose(self, measure: Figure) -> None:
        """Show another measure."""
        self.measure = measure
        self.synchronize()

    def _pick(self, index: QModelIndex) -> None:
        if index.isValid():
            self._bench.session.shown.select(column=self.list.bars.names[index.row()])

    def _tell_failed(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")

    # --- export -----------------------------------------------------------------------------

    def save_picture(self, path: Path) -> None:
        """Write the uppermost bars as PNG or SVG."""
        rows = min(len(self.list.bars.names), MOST_IN_PICTURE)
        save_picture(path, QSize(self.width(), (rows + 1) * ROW + 12), self._paint_picture, "Importance")

    def _paint_picture(self, painter: QPainter, target: QRectF) -> None:
        taken = write(painter, "Importance", 16, ROW / 2, pixels=NOTE, token="text2", bold=True)
        write(painter, self.phrase.text(), 24 + taken, ROW / 2)
        for row in range(min(len(self.list.bars.names), MOST_IN_PICTURE)):
            paint_row(painter, QRectF(0, (row + 1) * ROW, target.width(), ROW), self.list.bars, row, False)

    def save_csv(self, path: Path) -> None:
        """Write every feature with its figure and share."""
        atomic_write(path, csv_text(self._rows(), neutralise=self._is_harmless))

    def values_text(self) -> str:
        """The same for a spreadsheet."""
        return tab_separated(self._rows(), neutralise=self._is_harmless) + "\n"

    @property
    def _is_harmless(self) -> bool:
        return self._bench.session.harmless_formulas

    def _rows(self) -> list[tuple[Any, ...]]:
        bars = self.list.bars
        figures = [(name, float(bars.values[row]), bars.share(row)) for row, name in enumerate(bars.names)]
        return [("feature", self.measure, "share"), *figures]


def importance(run: Run, measure: Figure, rounds: int) -> NDArray[np.float64]:
    """Return the figure of each feature; loops over all trees, so call it on a worker thread."""
    from workbench.explain.importance import feature_importance

    if measure == "cuts":
        return np.array(_cuts(run), np.float64)
    ensemble = run.ensemble(rounds)
    return np.empty(0) if ensemble is None else feature_importance(ensemble, by=measure)


def _cuts(run: Run) -> tuple[int, ...]:
    """How many cuts each column had; nothing where that is not known."""
    return run.ended.cuts if run.ended is not None else ()
