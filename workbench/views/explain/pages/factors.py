"""The page Factor tables: the model as effects of columns and of pairs, level by level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.errors import WorkbenchError
from workbench.number_text import figure, fixed
from workbench.session.explained.factors_asked import FactorsAsked, WholeFactorsAsked
from workbench.views.controls.label import Label
from workbench.views.controls.phrase_combo import NAME_LETTERS, PhraseCombo
from workbench.views.explain.level_table import LevelTable, TableList
from workbench.views.explain.pages.base import PAGES, WAITING, ExplainPage
from workbench.views.explain.plots.effect_map import EffectMap
from workbench.views.explain.plots.effect_plot import EffectPlot
from workbench.views.explain.plots.factor_scenes import main_scene, pair_scene
from workbench.views.export.save_dialog import ask_where
from workbench.views.inspector.figure_table import FigureTable
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from workbench.formats.factors.factor_tables import FactorTables
    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

LIST_WIDTH, SPREAD_WIDTH = 256, 88
SPREAD = "standard deviation over the rows"
NO_TABLES = "No tree asks anything yet, so the constant {} is all of the model."


@PAGES.register
class FactorsPage(ExplainPage):
    """Tables at the left, the chosen one as a picture and line by line."""

    name = "factors"
    title = "Factor tables"
    order = 60
    asks = (FactorsAsked, WholeFactorsAsked)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.tables: FactorTables | None = None
        self._shown: tuple[Any, ...] = ()
        self._chosen = ""
        self.told, self.class_box, self.excel_button = Label(), PhraseCombo(), QPushButton("Save as Excel…")
        self.list_model = TableList()
        self.list = FigureTable(self.list_model, "Factor tables")
        self.plot, self.map, self.levels = EffectPlot(), EffectMap(), LevelTable()
        self._picture = QStackedWidget()
        self.parts = self.list, self._picture, self.levels
        self._build()

    def _build(self) -> None:
        self.told.setFont(ui_font(NOTE))
        set_look(self.told, tone="2")
        self.told.setWordWrap(True)
        self.class_box.setAccessibleName("Class")
        self.class_box.setMinimumContentsLength(NAME_LETTERS)
        for widget in (self.class_box, self.excel_button):
            set_look(widget, fit="tool")
        head = QHBoxLayout()
        head.setContentsMargins(16, 6, 16, 6)
        head.setSpacing(8)
        head.addWidget(self.told, 1)
        head.addWidget(self.class_box)
        head.addWidget(self.excel_button)
        for plot in (self.plot, self.map):
            self._picture.addWidget(plot)
        header = self.list.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.list.setColumnWidth(1, SPREAD_WIDTH)
        self.list.setFixedWidth(px(LIST_WIDTH))
        self.upright = QSplitter(Qt.Orientation.Vertical)
        self.upright.addWidget(self._picture)
        self.upright.addWidget(self.levels)
        self.upright.setSizes([1000, 800])  # shares of what there is
        self.upright.setChildrenCollapsible(False)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.list)
        body.addWidget(self.upright, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(body, 1)
        self.list.line_chosen.connect(self._choose_line)
        self.class_box.activated.connect(self._session.shown.choose_output)
        self.excel_button.clicked.connect(self._ask_excel)

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        self.tables, self._shown = None, ()
        self.told.setText("")
        self._set_parts(False)
        self._picture.setCurrentWidget(self.plot)
        self.plot.say(sentence)

    def _set_parts(self, there: bool) -> None:
        for part in (self.list, self.levels):
            part.setVisible(there)
        self.excel_button.setEnabled(self.tables is not None)
        self.class_box.setVisible(self.tables is not None and len(self.tables.output_names) > 1)

    def show_subject(self, subject: ExplainSubject) -> None:
        assert subject.rows is not None
        asked = FactorsAsked(subject.run, subject.round, subject.rows)
        found = self.ask(asked)
        if found is not None and not asked.sees_all and not subject.run.is_live:
            found = self._desk.ask(WholeFactorsAsked(*asked)) or found
        if found is None and self._desk.problem(asked):
            self.show_nothing(self._desk.problem(asked))
        elif found is not None:
            self._show(found, subject.run)
        elif not self._shown or self._shown[0] is not subject.run:
            self.show_nothing(WAITING)

    def _show(self, tables: FactorTables, run: Run) -> None:
        k = self._session.shown.output
        column = self._session.shown.selection.column
        if (run, tables, k, column, self._chosen) == self._shown:
            return
        is_new = not self._shown or self._shown[1] is not tables or self._shown[2] != k
        if self._shown and self._shown[3] != column and column in tables.schema.names:
            self._chosen = column  # chosen elsewhere
        self._shown, self.tables = (run, tables, k, column, self._chosen), tables
        if is_new:
            told = tables.told
            self.told.setText(f"{told[0].upper()}{told[1:]}. Constant {fixed(float(tables.constant[k]), 4)}.")
            self.list_model.show(tables, k)
            self._offer_outputs(tables, k)
        if not tables.found.tables:
            self._set_parts(False)
            self._picture.setCurrentWidget(self.plot)
            self.plot.say(NO_TABLES.format(figure(float(tables.constant[k]))))
            return
        self._set_parts(True)
        if is_new:
            self.paint_in_parts()
        self._show_table(k)

    def _offer_outputs(self, tables: FactorTables, k: int) -> None:
        with QSignalBlocker(self.class_box):
            self.class_box.clear()
            self.class_box.addItems(list(tables.output_names))
            self.class_box.setCurrentIndex(k)

    def _show_table(self, k: int) -> None:
        tables = self.tables
        assert tables is not None
        names = self.list_model.names
        line = names.index(self._chosen) if self._chosen in names else 0
        table = self.list_model.tables[line]
        self.list.choose(line)
        title = names[line]
        if len(table.columns) == 1:
            self._picture.setCurrentWidget(self.plot)
            phrase = "what each level adds to the raw prediction ŷ; its mean over the rows is 0"
            self.plot.show_scene(main_scene(tables, table, k), title, phrase)
        else:
            self._picture.setCurrentWidget(self.map)
            phrase = "what both add together, beyond what each adds alone"
            self.map.show_scene(pair_scene(tables, table, k), title, phrase)
        self.levels.show_table(tables, table, k)

    # --- the hand ---------------------------------------------------------------------------

    def _choose_line(self, line: int) -> None:
        if self.tables is None:
            return
        table, self._chosen = self.list_model.tables[line], self.list_model.names[line]
        if len(table.columns) == 1:
            self._session.shown.select(column=self._chosen)
        self.synchronize()

    def _ask_excel(self) -> None:
        try:
            kind = "Excel workbook (*.xlsx)"
            path = ask_where(self, "Save the factor tables", "factors.xlsx", kind, ".xlsx")
            if path is not None:
                self.save_excel(path)
        except WorkbenchError as error:
            self._session.notices.say(str(error), "error", "export")

    def save_excel(self, path: Path) -> None:
        """Write all tables as a workbook."""
        if self.tables is not None:
            self.tables.save(path)

    # --- export -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        return ""

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        plot: QWidget = self.map if self._picture.currentWidget() is self.map else self.plot
        plot.render(painter, QPoint())

    def figures(self) -> list[tuple[Any, ...]]:
        return [] if self.tables is None else [self.tables.head, *self.tables.records()]
