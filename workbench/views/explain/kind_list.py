"""Columns with their importance by several kinds, side by side: a bar and a figure each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from workbench.isolation import isolated
from workbench.number_text import count, figure
from workbench.views.controls.line_list import LineList
from workbench.views.curves.ink import width, write
from workbench.views.ensemble.importance_bars import middle_elided
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.scale import px, scale
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from workbench.views.rows_model import Index

ROW, HEAD, BAR, MARGIN, GAP = 26, 30, 10, 16, 14
FIGURE, BESIDE = 56, 8  # pixels of a figure, and before it at the right of its bar, at least
NAME_SHARE, LEAST_NAME = 0.24, 72
FOREMOST = 300  # names, the longest of which has room
NAME = "Importance of the columns by kind"


class KindColumn(NamedTuple):
    """A kind of importance: its heading, a figure for each column of the table, and their spread."""

    name: str
    title: str
    values: NDArray[np.float64]
    spread: NDArray[np.float64] | None = None
    token: str = "train"

    @property
    def most(self) -> float:
        """What a bar and its spread reach at most; 0 where nothing is above 0."""
        reached = self.values if self.spread is None else self.values + self.spread
        return float(np.nanmax(reached, initial=0.0)) if (self.values > 0).any() else 0.0

    def written(self, value: float) -> str:
        """One of its figures."""
        return count(value) if self.name == "count" else figure(value, 3)


class KindModel(RowsModel):
    """Columns of the table in the order of one kind."""

    def __init__(self) -> None:
        super().__init__()
        self.names: tuple[str, ...] = ()
        self.columns: tuple[KindColumn, ...] = ()
        self.most: tuple[float, ...] = ()  # of each kind
        self.largest: tuple[str, ...] = ()  # its largest figure
        self.longest = ""  # of the foremost names
        self.slots: dict[tuple[float, float], Slots] = {}  # by room and scale
        self._lines: dict[str, int] = {}
        self.order: NDArray[np.int64] = np.empty(0, np.int64)

    def show(self, names: Sequence[str], columns: Sequence[KindColumn], by: str) -> None:
        """Show other figures, ordered by the kind of this name."""
        self.names, self.columns = tuple(names), tuple(columns)
        chosen = next((c for c in columns if c.name == by), columns[0] if columns else None)
        values = np.empty(0) if chosen is None else np.nan_to_num(chosen.values)
        self.order = np.argsort(-values, kind="stable")
        self.most = tuple(column.most for column in self.columns)
        tops = (float(np.nanmax(column.values, initial=0.0)) for column in self.columns)
        self.largest = tuple(column.written(top) for column, top in zip(self.columns, tops, strict=True))
        ordered = [self.names[place] for place in self.order.tolist()]
        self.longest = max(ordered[:FOREMOST], key=len, default="")
        self._lines = {name: line for line, name in enumerate(ordered)}
        self.slots = {}
        if len(self.order) == self.rowCount():
            self.tell_changed()
        else:
            self.show_rows(len(self.order))

    def name(self, row: int) -> str:
        """The column in a line."""
        return self.names[int(self.order[row])]

    def line(self, name: str | None) -> int:
        """The line of a column; −1 for none."""
        return -1 if name is None else self._lines.get(name, -1)

    def text(self, row: int, column: KindColumn) -> str:
        """A figure as written."""
        return column.written(float(column.values[self.order[row]]))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.name(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(self.name(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            told = (f"{column.title} {self.text(row, column)}" for column in self.columns)
            return f"{isolated(self.name(row))}: {', '.join(told)}"
        return None


class KindDelegate(QStyledItemDelegate):
    """Paints a line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model: Any = index.model()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_line(painter, QRectF(option.rect), model, index.row(), chosen)


class Slots(NamedTuple):
    """Where names end, the ends of each kind's slot, and the pixels of a unit of its bars, 0 without any."""

    names: float
    ends: list[tuple[float, float]]
    units: list[float]


def slots(model: KindModel, room: float) -> Slots:
    """Return where what a line shows stands in so many pixels; measured once."""
    key = room, scale()
    if key not in model.slots:
        model.slots[key] = _measured(model, room)
    return model.slots[key]


def _measured(model: KindModel, room: float) -> Slots:
    names = min(max(width(model.longest, BODY) + 4, LEAST_NAME), room * NAME_SHARE)
    left = MARGIN + names + GAP
    wide = max(room - left - MARGIN, 0) / max(len(model.columns), 1)
    begins = [left + place * wide for place in range(len(model.columns))]
    figures = (max(px(FIGURE), width(largest, NOTE) + BESIDE) + GAP for largest in model.largest)
    units = [(wide - taken) / most if most else 0.0 for taken, most in zip(figures, model.most, strict=True)]
    return Slots(left - GAP, [(begin, begin + wide) for begin in begins], units)


def paint_line(painter: QPainter, rect: QRectF, model: KindModel, row: int, chosen: bool) -> None:
    """Paint the name of a column, and a bar and a figure for each kind."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if chosen:
        painter.fillRect(rect, theme().color("tint"))
        painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
    places, left, y = slots(model, rect.width()), rect.left(), rect.center().y()
    write(painter, middle_elided(model.name(row), places.names - MARGIN), left + places.names, y,
          pixels=BODY, token="text1", align="right")
    top, high, line = round(rect.top()), round(rect.height()), theme().color("line2")
    for column, (begin, end), unit in zip(model.columns, places.ends, places.units, strict=True):
        painter.fillRect(round(left + begin), top, 1, high, line)
        _paint_bar(painter, column, int(model.order[row]), left + begin, y, unit)
        write(painter, model.text(row, column), left + end - GAP, y, pixels=NOTE, token="text1",
              align="right")
    painter.restore()


def _paint_bar(
    painter: QPainter, column: KindColumn, place: int, left: float, y: float, unit: float
) -> None:
    """Paint the bar of a figure, and the line of its spread; `unit` is how long a unit is, 0 for none."""
    value = float(column.values[place])
    if value > 0 and unit:
        long = round(max(1.0, value * unit))
        painter.fillRect(round(left) + 1, round(y - BAR / 2), long, BAR, theme().color(column.token))
    if column.spread is not None and unit:
        spread = float(column.spread[place])
        begin, end = (left + 1 + max(edge, 0.0) * unit for edge in (value - spread, value + spread))
        painter.setPen(QPen(theme().color("text1"), 1.5))
        painter.drawLine(round(begin), round(y), round(end), round(y))


class KindHead(QWidget):
    """The headings; a click orders by one."""

    picked = Signal(str)

    def __init__(self, model: KindModel) -> None:
        super().__init__()
        self._model, self.by = model, ""
        self.setFixedHeight(px(HEAD))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        places = slots(self._model, self.width()).ends
        for column, (begin, end) in zip(self._model.columns, places, strict=True):
            chosen = column.name == self.by
            taken = write(painter, column.title, begin, self.height() / 2, pixels=NOTE, bold=chosen,
                          token="text1" if chosen else "text2", most=end - begin - GAP)
            if chosen:
                painter.fillRect(QRectF(begin, self.height() - 2, taken, 2), theme().color("accent"))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        places = slots(self._model, self.width()).ends
        for column, (begin, end) in zip(self._model.columns, places, strict=True):
            if begin <= event.position().x() < end:
                self.picked.emit(column.name)


class KindList(QWidget):
    """Headings over lines; says what to do while there are none."""

    chosen = Signal(str)  # a column of the table
    ordered = Signal(str)  # by a kind

    def __init__(self) -> None:
        super().__init__()
        self.model = KindModel()
        self.head, self.list = KindHead(self.model), LineList(self.model, ROW, NAME)
        self.list.setItemDelegate(KindDelegate(self.list))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.list, 1)
        self.head.picked.connect(self.ordered)
        self.list.clicked.connect(lambda index: self.chosen.emit(self.model.name(index.row())))

    def show_kinds(self, names: Sequence[str], columns: Sequence[KindColumn], by: str) -> None:
        """Show other figures."""
        self.head.by = by
        self.model.show(names, columns, by)
        self.head.update()
        self.list.viewport().update()

    def show_nothing(self, sentence: str) -> None:
        """Say what to do."""
        self.list.sentence = sentence
        self.show_kinds((), (), "")

    def mark(self, name: str | None) -> None:
        """Show which column is selected elsewhere."""
        line = self.model.line(name)
        if line >= 0:
            self.list.setCurrentIndex(self.model.index(line))
        else:
            self.list.selectionModel().clear()
