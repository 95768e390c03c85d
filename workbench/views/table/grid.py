"""The grid of the table view: a virtual table with painted headers and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from workbench.views.column_widths import ColumnWidths
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.style import set_look
from workbench.views.table.cell_painter import MARK, PADDING, CellPainter, Highlights
from workbench.views.table.cells import cell_text
from workbench.views.table.header import ColumnHeader, RowHeader
from workbench.views.table.model import TableModel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column

NARROWEST, WIDEST = 64, 220
SAMPLED_ROWS = 24


class TableGrid(QTableView):
    """Tells what the person chose; is told what to highlight."""

    keeps_arrows = True
    row_chosen = Signal(int)
    column_chosen = Signal(str)
    copy_requested = Signal()

    def __init__(self, summary: Callable[[str], ColumnSummary | None]) -> None:
        super().__init__()
        self.highlights = Highlights()
        self.table_model = TableModel()
        self.header = ColumnHeader(self.table_model, self.highlights, summary)
        self.rows = RowHeader(self.table_model, self.highlights)
        self._cells = CellPainter(self.table_model, self.highlights)
        self._build()
        self._widths = ColumnWidths(self, self._width_of)

    def _build(self) -> None:
        set_look(self, ground="data")
        self.setModel(self.table_model)
        self.setHorizontalHeader(self.header)
        self.setVerticalHeader(self.rows)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName("Table")
        self.header.sectionClicked.connect(self._column_clicked)
        self.rows.sectionClicked.connect(self._line_chosen)
        self.clicked.connect(lambda index: self._line_chosen(index.row()))

    # --- what is shown ----------------------------------------------------------------------

    def fit_columns(self) -> None:
        """Give every column the width of its name and of a sample of its cells."""
        self.rows.fit()
        self._widths.start_anew()

    def _width_of(self, place: int) -> int:
        column = self.table_model.columns[place]
        mark = MARK if place == self.highlights.target else 0
        cells = _content_width(QFontMetrics(ui_font(BODY)), column) + mark + 2 * PADDING + 2
        return min(max(self.header.name_width(column.name), cells, NARROWEST), WIDEST)

    def repaint_highlights(self) -> None:
        """Paint cells and headers anew."""
        for part in (self, self.header, self.rows):
            part.viewport().update()

    def shown_rows(self) -> tuple[int, int]:
        """First and last line that is wholly on screen, from 0; (0, −1) for an empty table."""
        height = self.viewport().height()
        last_row = self.table_model.rowCount() - 1
        first = self.rowAt(0)
        if first < 0:
            return 0, -1
        if self.rowViewportPosition(first) < 0 and first < last_row:
            first += 1
        last = self.rowAt(height - 1)
        if last < 0:
            return first, last_row
        cut = self.rowViewportPosition(last) + self.rowHeight(last) > height
        return first, max(first, last - cut)

    def scroll_home(self) -> None:
        """Show the first row and the first column."""
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.setValue(bar.minimum())

    def reveal(self, row: int, place: int = -1) -> None:
        """Scroll so that a row, and the column at `place`, can be seen; focus stays where it is."""
        line, (first, last) = self.table_model.line_of(row), self.shown_rows()
        if line is not None and not first <= line <= last:
            bar = self.verticalScrollBar()
            bar.setValue(self.rowHeight(line) * line - self.viewport().height() // 2)
        if place >= 0:
            self.reveal_column(place)

    def reveal_column(self, place: int) -> None:
        """Scroll sideways so that a column can be seen."""
        bar, room = self.horizontalScrollBar(), self.viewport().width()
        for _ in range(2):  # columns that come into view may take more room than they seemed to
            left, width = self.columnViewportPosition(place), self.columnWidth(place)
            if left < 0:
                bar.setValue(bar.value() + left)
            elif left + width > room:
                bar.setValue(bar.value() + min(left, left + width - room))

    def mark_cell(self, row: int, place: int) -> None:
        """Make a cell the current one."""
        line = self.table_model.line_of(row)
        if line is None:
            return
        index = self.table_model.index(line, place)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.reveal(row, place)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            self._cells.paint(painter, self, event.rect())

    # --- what the person does ---------------------------------------------------------------

    def selected_block(self) -> tuple[Sequence[int], list[Column]]:
        """Rows and columns in which cells are selected, for copying."""
        selection = self.selectionModel().selection()
        ranges = [selection.at(i) for i in range(selection.count())]
        spans = {range(r.top(), r.bottom() + 1) for r in ranges}
        lines = spans.pop() if len(spans) == 1 else sorted({line for span in spans for line in span})
        rows = [self.table_model.row_at(line) for line in lines] if self.table_model.is_choice else lines
        places = sorted({place for r in ranges for place in range(r.left(), r.right() + 1)})
        return rows, [self.table_model.columns[place] for place in places]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        if event.key() == Qt.Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._column_clicked(self.currentIndex().column())
            return
        if event.key() == Qt.Key.Key_Space:
            event.ignore()  # the window's: train, pause, resume
            return
        before = self.currentIndex().row()
        super().keyPressEvent(event)
        line = self.currentIndex().row()
        if line >= 0 and line != before:
            self._line_chosen(line)

    def _line_chosen(self, line: int) -> None:
        self.row_chosen.emit(self.table_model.row_at(line))

    def _column_clicked(self, place: int) -> None:
        if 0 <= place < len(self.table_model.columns):
            self.column_chosen.emit(self.table_model.columns[place].name)


def _content_width(metrics: QFontMetrics, column: Column) -> int:
    if column.is_categorical:
        texts = sorted(column.categories[:2000], key=len)[-4:]
    else:
        step = max(1, len(column.values) // SAMPLED_ROWS)
        texts = [cell_text(column, row) for row in range(0, len(column.values), step)]
    return max((metrics.horizontalAdvance(text) for text in texts), default=0)
