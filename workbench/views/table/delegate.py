"""How a cell of the table is painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.views.data.class_marks import paint_class_mark
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.theme import theme
from workbench.views.table.cells import MISSING, cell_text

if TYPE_CHECKING:
    from workbench.data.row_set import RowSet
    from workbench.views.data.target import TargetClasses
    from workbench.views.table.model import Index, TableModel

PADDING = 10
MARK = 14  # from the left edge of a class mark to its label
WIDEST_LETTER = 13  # px; shorter texts need not be measured
_ONE_LINE = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
_LEFT = int(Qt.AlignmentFlag.AlignLeft) | _ONE_LINE
_RIGHT = int(Qt.AlignmentFlag.AlignRight) | _ONE_LINE
COLUMN_TINT = 0.38  # the chosen column is paler than the chosen row


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


class CellDelegate(QStyledItemDelegate):
    """Numbers right, labels left, missing cells on the warning ground, classes with their mark."""

    def __init__(self, model: TableModel, highlights: Highlights) -> None:
        super().__init__()
        self._model, self._highlights = model, highlights
        self._inks: dict[str, QColor] = {}
        self._take_fonts()

    def _take_fonts(self) -> None:
        self._font, self._note = ui_font(BODY), ui_font(NOTE)
        self._metrics, self._note_metrics = QFontMetrics(self._font), QFontMetrics(self._note)

    def take_inks(self) -> None:
        """Take over the theme's colours and fonts; once a repaint, since hundreds of cells use them."""
        self._take_fonts()
        self._inks = {token: theme().color(token) for token in ("text1", "line", "tint", "accent")}
        self._inks["column"] = theme().color("tint", COLUMN_TINT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, state = option.rect, option.state
        row, place = self._model.row_at(index.row()), index.column()
        column = self._model.columns[place]
        self._paint_ground(painter, rect, row, place, bool(state & QStyle.StateFlag.State_Selected))
        text = cell_text(column, row)
        inner = rect.adjusted(PADDING, 0, -PADDING, -1)
        right = column.kind == "number"
        if text == MISSING and column.values[row] != column.values[row]:
            self._paint_missing(painter, inner, right)
        else:
            classes = self._highlights.classes
            if place == self._highlights.target and classes is not None:
                inner = self._paint_class(painter, inner, classes, row)
                right = False
            self._paint_text(painter, inner, text, right)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(self._inks["accent"], 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))

    def _paint_ground(self, painter: QPainter, rect: QRect, row: int, place: int, selected: bool) -> None:
        if selected or row == self._highlights.row:
            painter.fillRect(rect, self._inks["tint"])
        elif place == self._highlights.column or self._highlights.is_together(row):
            painter.fillRect(rect, self._inks["column"])
        painter.setPen(self._inks["line"])
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.drawLine(rect.topRight(), rect.bottomRight())

    def _paint_text(self, painter: QPainter, rect: QRect, text: str, right: bool) -> None:
        painter.setFont(self._font)
        painter.setPen(self._inks["text1"])
        if len(text) * WIDEST_LETTER > rect.width():
            text = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, _RIGHT if right else _LEFT, text)

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
