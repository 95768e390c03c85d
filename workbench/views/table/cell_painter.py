"""How the cells of the table are painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLine, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from workbench.number_text import MINUS
from workbench.views.data.class_marks import paint_class_mark
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.theme import theme
from workbench.views.table.cells import MISSING, cell_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTableView

    from workbench.data.row_set import RowSet
    from workbench.data.table import Column
    from workbench.views.data.target import TargetClasses
    from workbench.views.table.model import TableModel

PADDING = 10
MARK = 14  # from the left edge of a class mark to its label
WIDEST_LETTER = 13  # px; shorter texts need not be measured
OF_NUMBERS = "0123456789.e+:" + MINUS
_ONE_LINE = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
_LEFT = int(Qt.AlignmentFlag.AlignLeft) | _ONE_LINE
_RIGHT = int(Qt.AlignmentFlag.AlignRight) | _ONE_LINE
COLUMN_TINT = 0.38  # the chosen column is paler than the chosen row
Lines = list[tuple[int, int]]  # lines from 0, each with where it begins in the viewport


@dataclass
class Highlights:
    """What stands out in the table: places of columns (−1: none), the chosen row, rows selected together."""

    row: int | None = None
    column: int = -1
    target: int = -1
    classes: TargetClasses | None = None
    together: RowSet | None = None

    def is_together(self, row: int) -> bool:
        """Whether a row is one of those selected together."""
        return self.together is not None and row in self.together


class CellPainter:
    """Numbers right, labels left, missing cells on the warning ground, classes with their mark.

    All cells of a repaint in one go: to be asked for each of some hundred takes longer than to paint it.
    """

    def __init__(self, model: TableModel, highlights: Highlights) -> None:
        self._model, self._highlights = model, highlights

    def paint(self, painter: QPainter, grid: QTableView, area: QRect) -> None:
        """Paint those cells of the grid that an area of its viewport touches."""
        self._take_inks()
        lines, boxes = _lines(grid, area), _boxes(grid, area)
        if not lines or not boxes:
            return
        self._paint_ground(painter, lines, boxes)
        painter.save()
        painter.setClipRegion(grid.visualRegionForSelection(grid.selectionModel().selection()))
        painter.fillRect(area, self._inks["tint"])
        painter.restore()
        self._paint_rules(painter, lines, boxes)
        for place, box in boxes.items():
            self._paint_column(painter, place, lines, box.adjusted(PADDING, 0, -PADDING, -1))
        if grid.hasFocus() and grid.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            painter.setPen(QPen(self._inks["accent"], 2))
            painter.drawRect(grid.visualRect(grid.currentIndex()).adjusted(1, 1, -2, -2))

    def _take_inks(self) -> None:
        """Take over the theme's colours and fonts; once a repaint, since hundreds of cells use them."""
        self._font, self._note = ui_font(BODY), ui_font(NOTE)
        self._metrics, self._note_metrics = QFontMetrics(self._font), QFontMetrics(self._note)
        self._widest = max(self._metrics.horizontalAdvance(letter) for letter in OF_NUMBERS)
        self._inks = {token: theme().color(token) for token in ("text1", "line", "tint", "accent")}
        self._inks["column"] = theme().color("tint", COLUMN_TINT)

    def _paint_ground(self, painter: QPainter, lines: Lines, boxes: dict[int, QRect]) -> None:
        """Paint what stands out: the chosen row, rows selected together, the chosen column."""
        shown = list(boxes.values())
        across = shown[0].united(shown[-1])
        column = boxes.get(self._highlights.column)
        for line, y in lines:
            row = self._model.row_at(line)
            if row == self._highlights.row:
                painter.fillRect(_at(across, y), self._inks["tint"])
            elif self._highlights.is_together(row):
                painter.fillRect(_at(across, y), self._inks["column"])
            elif column is not None:
                painter.fillRect(_at(column, y), self._inks["column"])

    def _paint_rules(self, painter: QPainter, lines: Lines, boxes: dict[int, QRect]) -> None:
        """Paint a hairline below each row and after each column."""
        first, last = next(iter(boxes.values())), list(boxes.values())[-1]
        tall = first.height()
        bottoms = [y + tall - 1 for _, y in lines]
        rules = [QLine(first.left(), y, last.right(), y) for y in bottoms]
        rules += [QLine(box.right(), lines[0][1], box.right(), bottoms[-1]) for box in boxes.values()]
        painter.setPen(self._inks["line"])
        painter.drawLines(rules)

    def _paint_column(self, painter: QPainter, place: int, lines: Lines, box: QRect) -> None:
        """Write the cells of a column; `box` has its sides, and the height of a row."""
        column, classes = self._model.columns[place], self._highlights.classes
        has_marks = place == self._highlights.target and classes is not None
        alike = _RIGHT if column.kind == "number" and not has_marks else _LEFT
        painter.setFont(self._font)
        painter.setPen(self._inks["text1"])
        for line, y in lines:
            row, inner = self._model.row_at(line), _at(box, y)
            text = cell_text(column, row)
            if text == MISSING and column.values[row] != column.values[row]:
                self._paint_missing(painter, inner, column.kind == "number")
                continue
            if has_marks and classes is not None:
                inner = self._paint_class(painter, inner, classes, row)
            painter.drawText(inner, alike, self._fitting(text, column, inner.width()))

    def _fitting(self, text: str, column: Column, room: int) -> str:
        """Elide a text where it must be."""
        widest = self._widest if column.kind == "number" else WIDEST_LETTER
        if len(text) * widest <= room:
            return text
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def _paint_class(self, painter: QPainter, rect: QRect, classes: TargetClasses, row: int) -> QRect:
        centre = QPointF(rect.left() + 4.5, rect.center().y() + 0.5)
        found = int(classes.of_row[row])
        if found >= 0:
            paint_class_mark(painter, centre, found, len(classes.labels))
        return rect.adjusted(MARK, 0, 0, 0)

    def _paint_missing(self, painter: QPainter, rect: QRect, right: bool) -> None:
        width = min(self._note_metrics.horizontalAdvance(MISSING) + 10, rect.width())
        left = rect.right() - width + 6 if right else rect.left() - 5
        badge = QRectF(left, rect.center().y() - 8.5, width, 18)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("warning_ground"))
        painter.drawRoundedRect(badge, 3, 3)
        painter.setFont(self._note)
        painter.setPen(theme().color("warning"))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, MISSING)
        painter.restore()


def _lines(grid: QTableView, area: QRect) -> Lines:
    """Lines that an area touches, from 0, and where they begin in the viewport."""
    first, last = grid.rowAt(area.top()), grid.rowAt(area.bottom())
    if first < 0:
        return []
    last = last if last >= 0 else grid.model().rowCount() - 1
    top, tall = grid.rowViewportPosition(first), grid.rowHeight(first)  # all are as high
    return [(line, top + (line - first) * tall) for line in range(first, last + 1)]


def _boxes(grid: QTableView, area: QRect) -> dict[int, QRect]:
    """Columns that an area touches, with left and right side and the height of a row."""
    first, last = grid.columnAt(area.left()), grid.columnAt(area.right())
    if first < 0:
        return {}
    last = last if last >= 0 else grid.model().columnCount() - 1
    tall = grid.rowHeight(0)
    return {
        place: QRect(grid.columnViewportPosition(place), 0, grid.columnWidth(place), tall)
        for place in range(first, last + 1)
    }


def _at(box: QRect, y: int) -> QRect:
    """The same box beginning at a height."""
    return QRect(box.left(), y, box.width(), box.height())
