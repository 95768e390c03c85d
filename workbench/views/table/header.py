"""The table's headers: names with their distributions above, row numbers at the left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import QHeaderView

from workbench.errors import one_line
from workbench.number_text import count
from workbench.views.data.sparks import paint_summary
from workbench.views.elision import elided_name
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import show_tip
from workbench.views.table.cell_painter import PADDING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.statistics import ColumnSummary
    from workbench.views.table.cell_painter import Highlights
    from workbench.views.table.model import TableModel

HEIGHT = 56
SPARK = 17
ROW_HEIGHT = 26
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
UNUSED, TRAINING, VALIDATION = 0, 1, 2
_PART_WORDS = {TRAINING: "training row", VALIDATION: "validation row"}


class ColumnHeader(QHeaderView):
    """A name over a distribution; a click chooses the column."""

    def __init__(
        self, model: TableModel, highlights: Highlights, summary: Callable[[str], ColumnSummary | None]
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._model, self._highlights, self._summary = model, highlights, summary
        self.setFixedHeight(px(HEIGHT))
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(48)
        self.setAccessibleName("Columns of the table")

    def sizeHint(self) -> QSize:
        """As high as it always is; Qt would measure two hundred names."""
        return QSize(0, self.minimumHeight())

    @property
    def _font(self) -> QFont:
        return ui_font(NOTE, bold=True)

    @property
    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._font)

    def name_width(self, name: str) -> int:
        """Width of a section that shows the whole name."""
        return self._metrics.horizontalAdvance(name) + 2 * PADDING + 2

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        chosen, target = section == self._highlights.column, section == self._highlights.target
        painter.save()
        painter.fillRect(rect, theme().color("tint" if chosen else "panel"))
        _paint_edges(painter, rect)
        painter.setFont(self._font)
        painter.setPen(theme().color("accent" if target else "text1"))
        inner = rect.adjusted(PADDING, 8, -PADDING, 0)
        column = self._model.columns[section]
        name = elided_name(one_line(column.name), self._metrics, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, name)
        spark = QRectF(inner.left(), rect.bottom() - 7 - SPARK, inner.width(), SPARK)
        paint_summary(painter, spark, self._summary(column.name), self._color(target))
        painter.restore()

    def _color(self, target: bool) -> QColor:
        return theme().color("accent" if target else "ctl")

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            section = self.logicalIndexAt(event.pos())
            name = self._model.columns[section].name if section >= 0 else ""
            show_tip(event.globalPos(), name, self)
            return True
        return super().event(event)


class RowHeader(QHeaderView):
    """Row numbers; where a run has split the rows, a thin bar for training, a wide one for validation."""

    def __init__(self, model: TableModel, highlights: Highlights) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._model, self._highlights = model, highlights
        self._parts: NDArray[np.int8] | None = None
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setDefaultSectionSize(px(ROW_HEIGHT))
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setAccessibleName("Row numbers")

    def sizeHint(self) -> QSize:
        """As wide as the largest number; Qt would measure two hundred of them."""
        return QSize(self.minimumWidth(), 0)

    @property
    def _font(self) -> QFont:
        return ui_font(NOTE)

    def fit(self) -> None:
        """Take the width of the largest row number."""
        widest = QFontMetrics(self._font).horizontalAdvance("8" * len(count(self._model.table_rows)))
        self.setFixedWidth(max(46, widest + 2 * PADDING + 6))

    def set_parts(self, parts: NDArray[np.int8] | None) -> None:
        """Mark rows as UNUSED, TRAINING or VALIDATION."""
        self._parts = parts
        self.viewport().update()

    def part(self, row: int) -> int:
        """Return which part a row belongs to."""
        if self._parts is None or row >= len(self._parts):
            return UNUSED
        return int(self._parts[row])

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        row = self._model.row_at(section)
        chosen = row == self._highlights.row
        painter.save()
        painter.fillRect(rect, theme().color("tint" if chosen else "panel"))
        _paint_edges(painter, rect, bottom="line")
        painter.setFont(self._font)
        painter.setPen(theme().color("text1" if chosen else "text3"))
        inner = rect.adjusted(4, 0, -PADDING, -1)
        painter.drawText(inner, _RIGHT, count(row + 1))
        if chosen:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
        part = self.part(row)
        if part:
            wide = 4 if part == VALIDATION else 2
            bar = QRect(rect.right() - wide, rect.top() + 4, wide, rect.height() - 9)
            painter.fillRect(bar, theme().color("validation" if part == VALIDATION else "train"))
        painter.restore()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line = self.logicalIndexAt(event.pos())
            row = self._model.row_at(line) if line >= 0 else -1
            words = _PART_WORDS.get(self.part(row), "") if row >= 0 else ""
            show_tip(event.globalPos(), f"Row {count(row + 1)}, {words}" if words else "", self)
            return True
        return super().event(event)


def _paint_edges(painter: QPainter, rect: QRect, bottom: str = "line2") -> None:
    painter.setPen(theme().color("line"))
    painter.drawLine(rect.topRight(), rect.bottomRight())
    painter.setPen(theme().color(bottom))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
