"""Columns with the sizes of their SHAP values as bars, and those of every row as dots."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from workbench.isolation import isolated
from workbench.number_text import figure, short
from workbench.round_numbers import ticks
from workbench.views.controls.line_list import LineList
from workbench.views.curves.ink import width, write
from workbench.views.ensemble.importance_bars import middle_elided
from workbench.views.explain.plots.dots import dots_image, share_colors, swarm, value_shares
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import RowsModel
from workbench.views.turns.in_turns import InTurns
from workbench.views.turns.own_events import in_own_event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPaintEvent

    from workbench.data.schema import DataSchema
    from workbench.session.explained.shap_asked import ShapFound
    from workbench.views.rows_model import Index

ROW, HEAD, MARGIN, GAP, BAR = 34, 44, 16, 12, 10
BARS, FIGURE = 116, 50  # pixels of the bars with their figures, and of a figure
NAME_SHARE, LEAST_NAME = 0.22, 64
DOT, STEP = 1.6, 3.0
MOST_DOTS = 1_500
ANSWERS = 3  # to what is asked of a round: of few rows, of many, of all
FOREMOST = 300  # names, the longest of which has room


@dataclass(frozen=True, eq=False)
class SwarmScene:
    """SHAP values and what the columns are called; frozen."""

    found: ShapFound | None = None
    schema: DataSchema | None = None
    span: tuple[float, float] = (-1.0, 1.0)
    longest: str = ""
    images: dict[tuple[Any, ...], QImage] = field(default_factory=dict)

    @classmethod
    def of(cls, found: ShapFound, schema: DataSchema) -> SwarmScene:
        """Return the scene of SHAP values, over the span of the foremost columns."""
        low, high = found.span
        room = 0.04 * ((high - low) or 1.0)
        foremost = (schema.names[place] for place in found.order[:FOREMOST].tolist())
        return cls(found, schema, (low - room, high + room), max(foremost, key=len, default=""))


class SwarmModel(RowsModel):
    """Columns of the table in the order of the sizes of their SHAP values."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = SwarmScene()

    def show(self, scene: SwarmScene) -> None:
        """Show other values."""
        self.scene = scene
        number = 0 if scene.found is None else len(scene.found.order)
        if number == self.rowCount():
            self.tell_changed()
        else:
            self.show_rows(number)

    def column(self, row: int) -> int:
        """The place of the column in a line."""
        return -1 if self.scene.found is None else int(self.scene.found.order[row])

    def name(self, row: int) -> str:
        """Its name."""
        return "" if self.scene.schema is None else self.scene.schema.names[self.column(row)]

    def size(self, row: int) -> float:
        """The mean size of its SHAP values."""
        return 0.0 if self.scene.found is None else float(self.scene.found.sizes[self.column(row)])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.name(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(self.name(index.row()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{isolated(self.name(index.row()))}, mean size {figure(self.size(index.row()), 3)}"
        return None


class SwarmSlots:
    """Where names end, bars begin, and dots stand, in a line of so many pixels."""

    def __init__(self, scene: SwarmScene, room: float) -> None:
        self.names = MARGIN + min(max(width(scene.longest, BODY) + 4, LEAST_NAME), room * NAME_SHARE)
        self.bars = self.names + GAP
        self.dots, self.end = self.bars + px(BARS) + GAP, room - MARGIN
        self._low, self._high = scene.span

    def x(self, share: float) -> float:
        """Pixel of a SHAP value."""
        return self.dots + (share - self._low) / (self._high - self._low) * (self.end - self.dots)


class SwarmDelegate(QStyledItemDelegate):
    """Paints a line, with its dots where they are known; `missing` are the lines where they are not."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.missing: dict[int, float] = {}  # and the density of the screen

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model: Any = index.model()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        rect, ratio = QRectF(option.rect), painter.device().devicePixelRatioF()
        paint_line(painter, rect, model, index.row(), chosen)
        slots = SwarmSlots(model.scene, rect.width())
        if has_dots(model, index.row(), slots, rect.height(), ratio):
            paint_dots(painter, rect, model, index.row())
        else:
            self.missing[index.row()] = ratio


def paint_line(painter: QPainter, rect: QRectF, model: SwarmModel, row: int, chosen: bool) -> None:
    """Paint the name of a column, and a bar with a figure."""
    painter.save()
    if chosen:
        painter.fillRect(rect, theme().color("tint"))
        painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
    slots, y = SwarmSlots(model.scene, rect.width()), rect.center().y()
    write(painter, middle_elided(model.name(row), slots.names - MARGIN), rect.left() + slots.names, y,
          pixels=BODY, token="text1", align="right")
    left = rect.left() + slots.bars
    painter.setPen(QPen(theme().color("line2"), 1))
    painter.drawLine(QLineF(round(left) + 0.5, rect.top(), round(left) + 0.5, rect.bottom()))
    largest, size = model.size(0), model.size(row)
    if size > 0:
        long = max(1.0, size / largest * (px(BARS) - px(FIGURE)))
        bar = QRectF(round(left) + 1, round(y - BAR / 2), round(long), BAR)
        painter.fillRect(bar, theme().color("train"))
    write(painter, figure(size, 3), left + px(BARS), y, pixels=NOTE, token="text1", align="right")
    zero = round(rect.left() + slots.x(0.0)) + 0.5
    painter.setPen(QPen(theme().color("ctl"), 1))
    painter.drawLine(QLineF(zero, rect.top(), zero, rect.bottom()))
    painter.restore()


def paint_dots(painter: QPainter, rect: QRectF, model: SwarmModel, row: int) -> None:
    """Paint a dot for each row of the table."""
    slots = SwarmSlots(model.scene, rect.width())
    ratio = painter.device().devicePixelRatioF()
    image = dots(model.scene, model.column(row), slots, rect.height(), ratio)
    if image is not None:
        painter.drawImage(QPointF(rect.left() + slots.dots, rect.top()), image)


def _key(column: int, slots: SwarmSlots, high: float, ratio: float) -> tuple[Any, ...]:
    return column, round(slots.dots), round(slots.end), high, ratio, theme().name


def has_dots(model: SwarmModel, row: int, slots: SwarmSlots, high: float, ratio: float) -> bool:
    """Whether the dots of a line are painted already."""
    return _key(model.column(row), slots, high, ratio) in model.scene.images


def dots(scene: SwarmScene, column: int, slots: SwarmSlots, high: float, ratio: float) -> QImage | None:
    """Return the dots of a column, remembered; None where there is no room."""
    found, schema = scene.found, scene.schema
    if found is None or schema is None or slots.end - slots.dots < 20:
        return None
    key = _key(column, slots, high, ratio)
    if key not in scene.images:
        if len(scene.images) > 100:
            scene.images.clear()
        some = np.linspace(0, len(found.shares) - 1, min(len(found.shares), MOST_DOTS)).astype(int)
        x = np.array([slots.x(0.0)]) + found.shares[some, column] * (slots.x(1.0) - slots.x(0.0)) - slots.dots
        x = x.clip(DOT, slots.end - slots.dots - DOT)
        feature = schema.features[column]
        shares = value_shares(found.rows.features[some, column], len(feature.categories))
        y = high / 2 + swarm(x, high / 2 - 5, STEP)
        wide = int(slots.end - slots.dots)
        scene.images[key] = dots_image(x, y, share_colors(shares), wide, int(high), DOT, ratio)
    return scene.images[key]


class SwarmHead(QWidget):
    """What bars and dots are, and the axis of the dots."""

    def __init__(self, model: SwarmModel) -> None:
        super().__init__()
        self._model = model
        self.setFixedHeight(px(HEAD))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint(painter, self.width())
        painter.end()

    def paint(self, painter: QPainter, room: float) -> None:
        """Paint it; also for a picture file."""
        scene = self._model.scene
        if scene.found is None:
            return
        slots = SwarmSlots(scene, room)
        write(painter, "Mean |SHAP|", slots.bars, px(12), pixels=NOTE, token="text2", most=px(BARS))
        taken = write(painter, "SHAP values", slots.dots, px(12), pixels=NOTE, bold=True, token="text2")
        self._paint_key(painter, slots, slots.dots + taken + 16)
        for tick in ticks(*scene.span, 6):
            x = slots.x(tick)
            write(painter, short(tick), x, px(HEAD) - 8, align="centre")

    def _paint_key(self, painter: QPainter, slots: SwarmSlots, begin: float) -> None:
        """Say what the colours mean, as far as there is room."""
        if slots.end - begin < px(150):
            return
        x = slots.end - write(painter, "high", slots.end, px(12), align="right") - 6
        bar = px(60)
        colors = share_colors(np.linspace(0, 1, bar))
        row = np.ascontiguousarray((colors | np.uint32(0xFF000000))[None, :])
        painter.drawImage(QRectF(x - bar, px(12) - 4, bar, 8),
                          QImage(row.data, bar, 1, 4 * bar, QImage.Format.Format_RGB32))
        x -= bar + 6
        x -= write(painter, "value low", x, px(12), align="right")


class SwarmList(QWidget):
    """A head over lines; says what to do while there are none."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.model = SwarmModel()
        self.head, self.list = SwarmHead(self.model), _SwarmLines(self.model)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.list, 1)
        self.list.selectionModel().currentChanged.connect(self._choose)
        self._ahead = InTurns(self.list.draw_ahead, self, self)

    def _choose(self, index: Index) -> None:
        if index.isValid():
            self.chosen.emit(self.model.name(index.row()))

    def show_found(self, found: ShapFound, schema: DataSchema) -> None:
        """Show other values."""
        if found is not self.model.scene.found:
            with QSignalBlocker(self.list.selectionModel()):
                self.model.show(SwarmScene.of(found, schema))
            self._ahead.start_soon()
            self.head.update()
            self.list.viewport().update()

    def show_nothing(self, sentence: str) -> None:
        """Say what to do."""
        self.list.sentence = sentence
        with QSignalBlocker(self.list.selectionModel()):
            self.model.show(SwarmScene())
        self.head.update()
        self.list.viewport().update()

    def mark(self, column: int) -> None:
        """Show which column is chosen."""
        found = self.model.scene.found
        row = -1 if found is None or column < 0 else int(np.flatnonzero(found.order == column)[0])
        if row == self.list.currentIndex().row():
            return
        with QSignalBlocker(self.list.selectionModel()):
            if row < 0:
                self.list.selectionModel().clear()
            else:
                self.list.setCurrentIndex(self.model.index(row))
        self.list.viewport().update()

    def shown_rows(self, most: int) -> int:
        """How many lines a picture has."""
        return min(self.model.rowCount(), most)


class _SwarmLines(LineList):
    def __init__(self, model: SwarmModel) -> None:
        super().__init__(model, ROW, "SHAP values by column")
        self._model = model
        self._lines = SwarmDelegate(self)
        self.setItemDelegate(self._lines)
        self._waits = False  # for the next of them

    def draw_ahead(self) -> Iterator[None]:
        """Draw the dots of the lines that are seen, a line a step; anew where others come meanwhile."""
        drawn = None
        for _ in range(ANSWERS):
            if drawn is self._model.scene:
                return
            drawn, ratio, viewport = self._model.scene, self.devicePixelRatioF(), self.viewport()
            first, last = (self.indexAt(QPoint(0, y)).row() for y in (0, viewport.height() - 1))
            slots = SwarmSlots(drawn, viewport.width())
            for row in range(max(first, 0), last + 1 if last >= 0 else self._model.rowCount()):
                if drawn is not self._model.scene:
                    break
                dots(drawn, self._model.column(row), slots, float(px(ROW)), ratio)
                yield

    def _paint_next(self) -> None:
        """Paint the dots of a line in an event of its own: those of all lines take longer than a frame."""
        row = next(iter(self._lines.missing))
        ratio, index = self._lines.missing.pop(row), self._model.index(row)
        self._waits = bool(self._lines.missing)
        if self._waits:
            in_own_event(self._paint_next, self)
        rect = self.visualRect(index)
        if row < self._model.rowCount() and self.viewport().rect().intersects(rect):
            slots = SwarmSlots(self._model.scene, rect.width())
            if dots(self._model.scene, self._model.column(row), slots, rect.height(), ratio) is not None:
                self.update(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._lines.missing and not self._waits:
            self._waits = True
            in_own_event(self._paint_next, self)
