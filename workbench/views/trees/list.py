"""All trees of a run as rows: number, shape, a figure and its bar; five thousand of them cost nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QAbstractScrollArea, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.explain.node_text import gain_text
from workbench.number_text import count, counted, figure
from workbench.views.look.fonts import AXIS, BODY, NOTE, ui_font
from workbench.views.look.kept_layer import KeptLayer
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.tree.colouring import Palette
from workbench.views.trees.shape import HEIGHT, WIDTH, paint_shape
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.own_events import in_own_event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.views.rows_model import Index


ROW, HEADER = 29, 20
NUMBER_RIGHT, SHAPE_LEFT, FIGURE_RIGHT, BAR_LEFT, MARGIN = 42, 56, 172, 184, 14
BAR_HEIGHT, ACCENT_BAR = 6, 3
BADGE_WIDTH, BADGE_HEIGHT = 28, 17
FIGURE_ROOM = FIGURE_RIGHT - SHAPE_LEFT - WIDTH - 6
MOST_SHAPES, DENSITY = 256, 2
MOST_NEW = 1  # shapes drawn in one paint; the others an event later
STATES = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver


@dataclass(frozen=True)
class Measure:
    """A figure of a tree by which the list can be ordered; `sign` −1 puts the largest first."""

    name: str
    title: str
    of: Callable[[Tree], float]
    text: Callable[[float], str]
    sign: int = -1


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("gain", "Gain", lambda tree: tree.total_gain, gain_text),
        Measure("leaves", "Leaves", lambda tree: tree.n_leaves, count),
        Measure("depth", "Depth", lambda tree: tree.depth, count),
        Measure("structure score", "Score", lambda tree: tree.structure_score, gain_text, 1),
    )
}
ORDERS = ("round", *MEASURES, "doubtful splits")


class TreeListModel(QAbstractListModel):
    """The trees of one class of a run, by round or by a figure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: Run | None = None
        self._class = 0
        self._figures: list[float] = []
        self._rows: NDArray[np.int64] = np.empty(0, np.int64)
        self._largest = 0.0
        self._doubts: tuple[tuple[int, ...], ...] = ()
        self.order = "round"
        self.palette = Palette()

    @property
    def measure(self) -> Measure:
        """The figure that is shown: the one by which the list is ordered, else the gain."""
        return MEASURES.get(self.order, MEASURES["gain"])

    @property
    def largest(self) -> float:
        """The figure of the longest bar."""
        return max(self._largest, 1e-300)

    def show_run(self, run: Run | None, class_index: int) -> None:
        """Show another run, or the rounds that were added to this one."""
        shrunk = run is not None and len(run.rounds) < len(self._figures)
        if run is not self._run or class_index != self._class or shrunk:
            self._run, self._class = run, class_index
            self._begin_anew()
            return
        more = self._new_figures()
        if more and self.order == "round":
            self.beginInsertRows(QModelIndex(), len(self._figures), len(self._figures) + len(more) - 1)
            self._take(more)
            self.endInsertRows()
        elif more:
            self.beginResetModel()
            self._take(more)
            self.endResetModel()

    def show_doubts(self, doubts: tuple[tuple[int, ...], ...]) -> None:
        """Show how many splits of each tree only fit noise; of the rounds of which it is known."""
        if doubts is not self._doubts:
            self._doubts = doubts
            if self.order == "doubtful splits":
                self._begin_anew()

    @property
    def knows_doubts(self) -> bool:
        """Whether anything is known of doubtful splits."""
        return bool(self._doubts)

    def doubts_of(self, round: int) -> int:
        """Return how many splits of a round's tree only fit noise, as far as it is known."""
        counts = self._doubts[round - 1] if round <= len(self._doubts) else ()
        return counts[self._place(len(counts))] if counts else 0

    def sort_by(self, order: str) -> None:
        """Order by round, or by a figure."""
        if order != self.order:
            self.order = order
            self._begin_anew()

    def row_of(self, round: int) -> int:
        """Return the row of a round, −1 where there is none."""
        rows = np.flatnonzero(self._rows == round - 1)
        return int(rows[0]) if len(rows) else -1

    def round_at(self, row: int) -> int:
        """Return the round of a row."""
        return int(self._rows[row]) + 1

    def figure_at(self, row: int) -> float:
        """Return the figure of a row."""
        return self._figures[self.round_at(row) - 1]

    def tree_at(self, row: int) -> Tree | None:
        """Return the tree of a row."""
        trees = self._run.trees(self.round_at(row)) if self._run is not None else ()
        return trees[self._place(len(trees))] if trees else None

    def rowCount(self, parent: Index | None = None) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        round_ = self.round_at(index.row())
        value = self.figure_at(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{round_}  {self.measure.text(value)}"
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            doubts = self.doubts_of(round_)
            said = f", {counted(doubts, 'doubtful split')}" if doubts else ""
            return f"Tree {round_}, {self.measure.title.lower()} {self.measure.text(value)}{said}"
        return None

    def _begin_anew(self) -> None:
        self.beginResetModel()
        self._figures, self._largest = [], 0.0
        self._take(self._new_figures())
        self.endResetModel()

    def _new_figures(self) -> list[float]:
        if self._run is None:
            return []
        added, of = self._run.rounds[len(self._figures):], self.measure.of
        return [float(of(r.trees[self._place(len(r.trees))])) for r in added]

    def _place(self, n_trees: int) -> int:
        """Return the place of the class's first tree in a round of so many."""
        n_classes = max(len(self._run.output_names), 1) if self._run is not None else 1
        return min(self._class, n_classes - 1) * (n_trees // n_classes)

    def _take(self, more: list[float]) -> None:
        self._figures += more
        values = np.array(self._figures)
        self._largest = float(np.nanmax(np.abs(values), initial=0.0))
        if self.order == "round":
            self._rows = np.arange(len(values))
        elif self.order == "doubtful splits":
            doubts = [self.doubts_of(place + 1) for place in range(len(values))]
            self._rows = np.argsort(-np.array(doubts, np.int64), kind="stable")
        else:
            self._rows = np.argsort(self.measure.sign * values, kind="stable")  # unknown ones last


class TreeListHeader(QWidget):
    """The names of the columns, over the rows."""

    def __init__(self, model: TreeListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setFixedHeight(px(HEADER))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, font = QPainter(self), ui_font(NOTE)
        painter.setFont(font)
        painter.setPen(theme().color("text3"))
        metrics, title = QFontMetricsF(font), self._model.measure.title
        start = FIGURE_RIGHT - MARGIN - metrics.horizontalAdvance(title)
        for x, word in ((0, "Tree"), (SHAPE_LEFT - MARGIN, "Shape"), (start, title)):
            painter.drawText(QPointF(x, (HEADER + metrics.capHeight()) / 2), word)
        if self._model.knows_doubts:
            right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(self.rect(), right, "Doubtful")


class TreeDelegate(QStyledItemDelegate):
    """Paints one row; shapes and whole rows are drawn once and kept for as long as they fit."""

    def __init__(self, model: TreeListModel, parent: QAbstractScrollArea | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._shapes: dict[tuple[object, ...], QPixmap] = {}
        self._rows: dict[int, KeptLayer] = {}
        self._drawn = 0  # shapes, in this event
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(240, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, size = index.row(), option.rect.size()
        drawn = self._drawn_of(row, option.state & STATES, size, self._shape_now(row))
        painter.translate(option.rect.topLeft())
        self._kept(row).paint(painter, size, *drawn)
        painter.translate(-option.rect.topLeft())

    def _kept(self, row: int) -> KeptLayer:
        if len(self._rows) >= MOST_SHAPES:
            self._rows.clear()
        return self._rows.setdefault(self._model.round_at(row), KeptLayer(""))

    def _drawn_of(
        self, row: int, state: QStyle.StateFlag, size: QSize, shape: QPixmap | None
    ) -> tuple[tuple[object, ...], Callable[[QPainter], None]]:
        """Return what the picture of a row is made of, and what paints it."""
        model = self._model
        made_of = (state, id(model.tree_at(row)), id(model.palette), model.order, model.largest,
                   model.doubts_of(model.round_at(row)), model.knows_doubts, id(shape))
        return made_of, partial(self._paint_row, row, state, QRectF(QPointF(), size), shape)

    def _paint_row(
        self, row: int, state: QStyle.StateFlag, rect: QRectF, shape: QPixmap | None, painter: QPainter
    ) -> None:
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, theme().color("tint"))
            bar = QRectF(rect.left(), rect.top(), ACCENT_BAR, rect.height())
            painter.fillRect(bar, theme().color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme().color("hover"))
        value, round_ = self._model.figure_at(row), self._model.round_at(row)
        font = ui_font(BODY, bold=chosen)
        painter.setFont(font)
        painter.setPen(theme().color("text1"))
        metrics, number = QFontMetricsF(font), str(round_)
        told = fitted_figure(self._model.measure.text(value), value, metrics, FIGURE_ROOM)
        for right, text in ((NUMBER_RIGHT, number), (FIGURE_RIGHT, told)):
            x = rect.left() + right - metrics.horizontalAdvance(text)
            painter.drawText(QPointF(x, rect.center().y() + metrics.capHeight() / 2), text)
        if shape is not None:
            top = rect.top() + (ROW - HEIGHT) / 2
            painter.drawPixmap(QPointF(rect.left() + SHAPE_LEFT, top), shape)
        badge = BADGE_WIDTH + 8 if self._model.knows_doubts else 0
        if not math.isnan(value):
            length = max((rect.width() - BAR_LEFT - MARGIN - badge) * abs(value) / self._model.largest, 1.0)
            middle = rect.center().y() - BAR_HEIGHT / 2
            color = theme().color("score" if self._model.order == "structure score" else "train")
            painter.fillRect(QRectF(rect.left() + BAR_LEFT, middle, length, BAR_HEIGHT), color)
        _paint_badge(painter, rect, self._model.doubts_of(round_))

    def draw_ahead(self, rows: range, chosen: int) -> Iterator[None]:
        """Draw rows that are about to be painted, a shape or a row a step; one of them is `chosen`."""
        for row in rows:
            shape = self._shape(row)
            yield
            if self._list is not None:
                size = QSize(self._list.viewport().width(), px(ROW))
                none, selected = QStyle.StateFlag.State_None, QStyle.StateFlag.State_Selected
                drawn = self._drawn_of(row, selected if row == chosen else none, size, shape)
                self._kept(row).picture(self._list.devicePixelRatioF(), size, *drawn)
                yield

    def _shape_now(self, row: int) -> QPixmap | None:
        """The shape of a row that is painted; None where many are new: they are painted an event later."""
        if self._key(row) not in self._shapes:
            if not self._drawn:
                in_own_event(self._go_on, self)
            self._drawn += 1
            if self._drawn > MOST_NEW:
                return None
        return self._shape(row)

    def _go_on(self) -> None:
        is_left, self._drawn = self._drawn > MOST_NEW, 0
        if is_left and self._list is not None:
            painted_in_own_event(self._list.viewport())

    def _key(self, row: int) -> tuple[object, ...]:
        return id(self._model.tree_at(row)), theme().name, id(self._model.palette)

    def _shape(self, row: int) -> QPixmap:
        key = self._key(row)
        if key not in self._shapes:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            self._shapes[key] = _draw(self._model.tree_at(row), self._model.palette)
        return self._shapes[key]

    def forget_shapes(self) -> None:
        """Let the pictures of another run go."""
        self._shapes.clear()
        self._rows.clear()


def fitted_figure(text: str, value: float, metrics: QFontMetricsF, room: float) -> str:
    """The text, or the value with fewer digits where that has no room: "1.74e10"."""
    texts = (text, *(figure(value, digits) for digits in (4, 3, 2)))
    return next((text for text in texts if metrics.horizontalAdvance(text) <= room), texts[-1])


def _paint_badge(painter: QPainter, rect: QRectF, doubts: int) -> None:
    """How many splits only fit noise, at the right end."""
    if doubts:
        place = QRectF(rect.right() - MARGIN - BADGE_WIDTH, rect.center().y() - BADGE_HEIGHT / 2, BADGE_WIDTH,
                       BADGE_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("warning_ground"))
        painter.drawRoundedRect(place, 3, 3)
        painter.setFont(ui_font(AXIS, bold=True))
        painter.setPen(theme().color("warning"))
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), badge_text(doubts))


def badge_text(doubts: int) -> str:
    """So many in three letters at most: "3 !", "128", "4k"."""
    if doubts < 100:
        return f"{doubts} !"
    return str(doubts) if doubts < 1000 else f"{doubts // 1000}k"


def _draw(tree: Tree | None, palette: Palette) -> QPixmap:
    pixmap = QPixmap(WIDTH * DENSITY, HEIGHT * DENSITY)
    pixmap.setDevicePixelRatio(DENSITY)
    pixmap.fill(Qt.GlobalColor.transparent)
    if tree is not None:
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_shape(painter, QRectF(1, 0, WIDTH - 2, HEIGHT), tree, palette)
        painter.end()
    return pixmap
