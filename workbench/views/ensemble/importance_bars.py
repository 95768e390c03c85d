"""Features as horizontal bars, the most important first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.isolation import isolated
from workbench.number_text import count, figure, percent
from workbench.views.controls.line_list import LineList
from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.scale import px
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from workbench.views.rows_model import Index

ROW, BAR = 28, 14
MARGIN, GAP = 16, 12
NUMBERS = 150  # pixels at the right for the figure and its share
NAME_SHARE = 0.3  # of the width, at most, for names


class ImportanceModel(RowsModel):
    """Names and figures, sorted; the share is of the sum over all features."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.values: NDArray[np.float64] = np.empty(0)
        self.total = 0.0

    def show(self, names: Sequence[str], values: NDArray[np.float64]) -> None:
        """Take over a figure for each feature."""
        order = np.argsort(-values, kind="stable")
        self.names, self.values = [names[index] for index in order.tolist()], values[order]
        self.total = float(values.sum())
        if len(order) == self.rowCount():
            self.tell_changed()
        else:
            self.show_rows(len(order))

    def share(self, row: int) -> float:
        """Share of a feature in the sum."""
        return float(self.values[row]) / self.total if self.total else 0.0

    def text(self, row: int) -> str:
        """The figure of a feature as written."""
        value = float(self.values[row])
        return count(value) if value == int(value) else figure(value)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.names[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(self.names[index.row()])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            row = index.row()
            return f"{isolated(self.names[row])}, {self.text(row)}, {percent(self.share(row), 1)}"
        return None


class BarDelegate(QStyledItemDelegate):
    """Paints one feature."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if isinstance(model, ImportanceModel):
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            paint_row(painter, QRectF(option.rect), model, index.row(), selected)


def paint_row(painter: QPainter, rect: QRectF, model: ImportanceModel, row: int, selected: bool) -> None:
    """Paint name, bar, figure and share of one feature."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if selected:
        painter.fillRect(rect, theme().color("tint"))
        painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
    y, names = rect.center().y(), name_width(model, rect.width())
    left, right = rect.left() + MARGIN + names + GAP, rect.right() - MARGIN - NUMBERS
    write(painter, middle_elided(model.names[row], names), left - GAP, y, pixels=BODY, token="text1",
          align="right")
    painter.setPen(QPen(theme().color("line2"), 1))
    painter.drawLine(round(left), round(rect.top()), round(left), round(rect.bottom()))
    largest = float(model.values[0]) or 1.0
    long = max(0.0, float(model.values[row]) / largest) * (right - left)
    if model.values[row] > 0:
        bar = QRectF(round(left) + 1, round(y - BAR / 2), max(1, round(long)), BAR)
        painter.fillRect(bar, theme().color("train"))
    write(painter, model.text(row), rect.right() - MARGIN - 58, y, pixels=BODY, token="text1", align="right")
    write(painter, percent(model.share(row), 1), rect.right() - MARGIN, y, pixels=NOTE, align="right")
    painter.restore()


def name_width(model: ImportanceModel, room: float) -> float:
    """Pixels for the names: the longest of the first few hundred, within bounds."""
    longest = max(model.names[:300], key=len, default="")
    return min(max(width(longest, BODY) + 4, 72), room * NAME_SHARE)


def middle_elided(name: str, room: float) -> str:
    """Shorten a name in its middle."""
    return ruler(BODY).elidedText(name, Qt.TextElideMode.ElideMiddle, room)


class ImportanceList(LineList):
    """A line a feature; with none the line on which bars would stand."""

    def __init__(self) -> None:
        self.bars = ImportanceModel()
        super().__init__(self.bars, ROW, "Importance of the features")
        self.setItemDelegate(BarDelegate(self))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.bars.names:
            painter = QPainter(self.viewport())
            left = MARGIN + 72 + GAP
            painter.setPen(QPen(theme().color("line2"), 1))
            painter.drawLine(left, 0, left, self.viewport().height() - MARGIN)
            painter.end()
