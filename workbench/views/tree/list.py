"""All trees of a run as rows: number, shape, gain and bar; five thousand of them cost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.views.fonts import BODY, NOTE, ui_font
from workbench.views.theme import theme
from workbench.views.tree.scene import gain_text
from workbench.views.tree.shape import HEIGHT, WIDTH, paint_shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.run import Run
    from workbench.trees.tree import Tree

Index = QModelIndex | QPersistentModelIndex

ROW, HEADER = 29, 20
NUMBER_RIGHT, SHAPE_LEFT, GAIN_RIGHT, BAR_LEFT, MARGIN = 42, 56, 172, 184, 14
BAR_HEIGHT, ACCENT_BAR = 6, 3
MOST_SHAPES, DENSITY = 256, 2
TREE_ROLE = Qt.ItemDataRole.UserRole


class TreeListModel(QAbstractListModel):
    """The trees of one class of a run, by round or by gain."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: Run | None = None
        self._class = 0
        self._gains: list[float] = []
        self._order: NDArray[np.int64] = np.empty(0, np.int64)
        self.by_gain = False
        self.weight_limit = 1.0

    @property
    def largest_gain(self) -> float:
        """The longest bar."""
        return max(max(self._gains, default=0.0), 1e-300)

    def show_run(self, run: Run | None, class_index: int) -> None:
        """Show another run, or the rounds that were added to this one."""
        if run is not self._run or class_index != self._class or (run and len(run.rounds) < len(self._gains)):
            self.beginResetModel()
            self._run, self._class, self._gains = run, class_index, []
            self._gains = self._new_gains()
            self._sort()
            self.endResetModel()
            return
        more = self._new_gains()
        if more and not self.by_gain:
            self.beginInsertRows(QModelIndex(), len(self._gains), len(self._gains) + len(more) - 1)
            self._gains += more
            self._sort()
            self.endInsertRows()
        elif more:
            self.beginResetModel()
            self._gains += more
            self._sort()
            self.endResetModel()

    def sort_by_gain(self, by_gain: bool) -> None:
        """Order by gain, the largest first, or by round."""
        self.beginResetModel()
        self.by_gain = by_gain
        self._sort()
        self.endResetModel()

    def row_of(self, round: int) -> int:
        """Return the row of a round, −1 where there is none."""
        rows = np.flatnonzero(self._order == round - 1)
        return int(rows[0]) if len(rows) else -1

    def round_at(self, row: int) -> int:
        """Return the round of a row."""
        return int(self._order[row]) + 1

    def tree_at(self, row: int) -> Tree | None:
        """Return the tree of a row."""
        return self._run.trees(self.round_at(row))[self._class] if self._run is not None else None

    def rowCount(self, parent: Index | None = None) -> int:
        return len(self._order)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        round_ = self.round_at(index.row())
        gain = self._gains[round_ - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{round_}  {gain_text(gain)}"
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"Tree {round_}, gain {gain_text(gain)}"
        return gain if role == TREE_ROLE else None

    def _new_gains(self) -> list[float]:
        if self._run is None:
            return []
        added = self._run.rounds[len(self._gains):]
        gains = [r.trees[min(self._class, len(r.trees) - 1)].total_gain for r in added]
        return [gain if gain == gain else 0.0 for gain in gains]  # a file may not know it

    def _sort(self) -> None:
        gains = np.array(self._gains)
        self._order = np.argsort(-gains, kind="stable") if self.by_gain else np.arange(len(gains))


class TreeListHeader(QWidget):
    """The names of the columns, over the rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEADER)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, font = QPainter(self), ui_font(NOTE)
        painter.setFont(font)
        painter.setPen(theme().color("text3"))
        metrics = QFontMetricsF(font)
        gain = GAIN_RIGHT - MARGIN - metrics.horizontalAdvance("Gain")
        for x, word in ((0, "Tree"), (SHAPE_LEFT - MARGIN, "Shape"), (gain, "Gain")):
            painter.drawText(QPointF(x, (HEADER + metrics.capHeight()) / 2), word)


class TreeDelegate(QStyledItemDelegate):
    """Paints a row; shapes are drawn when they first come into sight."""

    def __init__(self, model: TreeListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._shapes: dict[tuple[int, str, float], QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(240, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, theme().color("tint"))
            bar = QRectF(rect.left(), rect.top(), ACCENT_BAR, rect.height())
            painter.fillRect(bar, theme().color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme().color("hover"))
        gain = float(index.data(TREE_ROLE))
        font = ui_font(BODY, bold=chosen)
        painter.setFont(font)
        painter.setPen(theme().color("text1"))
        metrics, number = QFontMetricsF(font), str(self._model.round_at(index.row()))
        for right, text in ((NUMBER_RIGHT, number), (GAIN_RIGHT, gain_text(gain))):
            x = rect.left() + right - metrics.horizontalAdvance(text)
            painter.drawText(QPointF(x, rect.center().y() + metrics.capHeight() / 2), text)
        top = rect.top() + (ROW - HEIGHT) / 2
        painter.drawPixmap(QPointF(rect.left() + SHAPE_LEFT, top), self._shape(index.row()))
        length = max((rect.width() - BAR_LEFT - MARGIN) * max(gain, 0.0) / self._model.largest_gain, 1.0)
        middle = rect.center().y() - BAR_HEIGHT / 2
        painter.fillRect(QRectF(rect.left() + BAR_LEFT, middle, length, BAR_HEIGHT), theme().color("train"))

    def _shape(self, row: int) -> QPixmap:
        tree = self._model.tree_at(row)
        key = (id(tree), theme().name, self._model.weight_limit)
        if key not in self._shapes:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            self._shapes[key] = _draw(tree, self._model.weight_limit)
        return self._shapes[key]

    def forget_shapes(self) -> None:
        """Let the pictures of another run go."""
        self._shapes.clear()


def _draw(tree: Tree | None, weight_limit: float) -> QPixmap:
    pixmap = QPixmap(WIDTH * DENSITY, HEIGHT * DENSITY)
    pixmap.setDevicePixelRatio(DENSITY)
    pixmap.fill(Qt.GlobalColor.transparent)
    if tree is not None:
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_shape(painter, QRectF(1, 0, WIDTH - 2, HEIGHT), tree, weight_limit)
        painter.end()
    return pixmap
