"""The splits of one tree, those that die first at the top."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.number_text import fixed, short
from workbench.views.curves.ink import font, write
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.tree.paint.fitted_question import fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.explain.node_figures import Test
    from workbench.views.rows_model import Index

ROW = 25
EDGE, GAP, BAR = 16.0, 10.0, 9.0
NAME_SHARE, FIGURE = 0.44, 82.0  # of the width; pixels
LAMBDA_ROOM = 66.0  # pixels, where the list is wide enough for a column more
WIDE = 376


@dataclass(frozen=True)
class SplitRow:
    """One split; λ is infinite where it lives with any, NaN where nobody knows. `ask` tells its question."""

    node: int
    ask: Callable[[int], Test]
    critical_gamma: float
    critical_lambda: float
    stays: bool

    @cached_property
    def test(self) -> Test:
        """Its question; of those that are seen."""
        return self.ask(self.node)

    @property
    def gamma_words(self) -> str:
        """Its critical γ: "dies, 0.399"."""
        text = fixed(self.critical_gamma)
        return text if self.stays else f"dies, {text}"

    @property
    def lambda_words(self) -> str:
        """Its critical λ; "" where there is none."""
        value = self.critical_lambda
        if math.isnan(value) or math.isinf(value):
            return ""
        return f"λ {fixed(value, 1 if value < 100 else 0) if value < 1e5 else short(value)}"


class SplitModel(QAbstractListModel):
    """Rows, and the γ and the scale that they share."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[SplitRow] = ()
        self.gamma, self.largest, self.has_lambdas = 0.0, 1.0, False

    def show_rows(self, rows: Sequence[SplitRow], gamma: float) -> None:
        """Take over the splits of a tree."""
        same = [row.node for row in rows] == [row.node for row in self.rows]
        if not same:
            self.beginResetModel()
        self.rows, self.gamma = rows, gamma
        finite = [row.critical_gamma for row in rows if math.isfinite(row.critical_gamma)]
        self.largest = max([*finite, gamma, 1e-9])
        self.has_lambdas = any(row.lambda_words for row in rows)
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own signature)
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.test.text
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            words = f"{row.test.text}, critical γ {row.gamma_words}"
            words = f"{words}, critical {row.lambda_words}" if row.lambda_words else words
            return as_it_stands(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None


class SplitDelegate(QStyledItemDelegate):
    """Paints one split: its question, a bar as long as its critical γ, the figure."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(240, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, SplitModel):
            return
        rect, row = QRectF(option.rect), model.rows[index.row()]
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme().color("tint"))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
        self._paint_row(painter, rect, row, model)
        painter.restore()

    def _paint_row(self, painter: QPainter, rect: QRectF, row: SplitRow, model: SplitModel) -> None:
        names = rect.width() * NAME_SHARE - EDGE
        metrics = QFontMetricsF(font(BODY))
        y, ink = rect.center().y(), "text1" if row.stays else "text3"
        write(painter, fitted(row.test, metrics, names), rect.left() + EDGE, y, pixels=BODY, token=ink)
        right = rect.right() - EDGE
        write(painter, row.gamma_words, right, y, pixels=BODY, align="right", bold=row.stays,
              token="text1" if row.stays else "warning")
        right -= FIGURE
        if rect.width() >= WIDE and model.has_lambdas:
            write(painter, row.lambda_words, right, y, pixels=NOTE, align="right")
            right -= LAMBDA_ROOM
        left = rect.left() + EDGE + names + GAP
        if right - left > 20:
            self._paint_bar(painter, QRectF(left, y - BAR / 2, right - left, BAR), row, model)

    def _paint_bar(self, painter: QPainter, track: QRectF, row: SplitRow, model: SplitModel) -> None:
        long = max(min(row.critical_gamma / model.largest, 1.0), 0.0) * track.width()
        bar = QRectF(track.left(), track.top(), max(long, 2.0), track.height())
        if row.stays:
            painter.fillRect(bar, theme().color("train"))
        else:
            painter.setPen(QPen(theme().color("warning"), 1.25))
            painter.drawRect(bar.adjusted(0.5, 0.5, 0, -0.5))
        x = track.left() + model.gamma / model.largest * track.width()
        painter.setPen(QPen(theme().color("text2"), 1, Qt.PenStyle.DotLine))
        middle = track.center().y()
        painter.drawLine(round(x), round(middle - ROW / 2), round(x), round(middle + ROW / 2))


class SplitList(QListView):
    """Scrolls; a split that is chosen is selected in the tree."""

    def __init__(self) -> None:
        super().__init__()
        self.splits = SplitModel()
        self.setModel(self.splits)
        self.setItemDelegate(SplitDelegate(self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Splits of this tree, weakest first")
