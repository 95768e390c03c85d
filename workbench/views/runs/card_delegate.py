"""Paints the card of a run, and lets its name be written over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.theme import text_on, theme
from workbench.views.runs.strokes import dash_of, token_of

if TYPE_CHECKING:
    from workbench.session.run import Run
    from workbench.views.rows_model import Index
    from workbench.views.runs.cards import Card, CardsModel

CARD, MARGIN, INDENT, DEEPEST = 78, 14, 14, 5  # pixels; deeper branches stand no further in
SWATCH, TEXT_LEFT, ACCENT_BAR = 13, 38, 3
ROWS = 19, 37, 59  # middles of the three lines of text
LONGEST_NAME = 200  # letters
CURVE_WIDTH, CURVE_HEIGHT = 68, 22


class CardDelegate(QStyledItemDelegate):
    """One card a run, 78 pixels high."""

    def __init__(self, model: CardsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(CARD))

    def indent(self, row: int) -> int:
        """How far in a card stands."""
        return INDENT * min(self._model.places[row].depth, DEEPEST)

    def swatch(self, rect: QRect, row: int) -> QRect:
        """Where the tick of a card is."""
        return QRect(rect.left() + MARGIN + self.indent(row), rect.top() + ROWS[0] - 7, SWATCH, SWATCH)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, rect = index.row(), QRectF(option.rect)
        run = self._model.run_at(row)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, run, hovered=bool(option.state & QStyle.StateFlag.State_MouseOver))
        self._paint_branch(painter, rect, row)
        self._paint_swatch(painter, QRectF(self.swatch(option.rect, row)), run)
        left = rect.left() + TEXT_LEFT + self.indent(row)
        self._paint_words(painter, rect, left, run)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRectF, run: Run, *, hovered: bool) -> None:
        session = self._model.session
        pair = (session.shown.run, session.overlay.partner)
        if run in pair:
            painter.fillRect(rect, theme().color("tint"))
        elif hovered:
            painter.fillRect(rect, theme().color("hover"))
        if run is pair[0]:
            bar = QRectF(rect.left(), rect.top(), ACCENT_BAR, rect.height())
            painter.fillRect(bar, theme().color("accent"))
        painter.fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), theme().color("line"))

    def _paint_branch(self, painter: QPainter, rect: QRectF, row: int) -> None:
        """Paint the way from the card above that this one stands on."""
        if not self._model.places[row].depth or not self.indent(row):
            return
        x, y = rect.left() + MARGIN + self.indent(row) - 8, rect.top() + ROWS[0]
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.drawPolyline(QPolygonF([QPointF(x, rect.top()), QPointF(x, y), QPointF(x + 6, y)]))

    def _paint_swatch(self, painter: QPainter, box: QRectF, run: Run) -> None:
        color = theme().color(token_of(run))
        ticked = self._model.session.overlay.is_ticked(run)
        painter.setPen(QPen(color, 1.5))
        painter.setBrush(color if ticked else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), 3, 3)
        if ticked:
            pen = QPen(text_on(color), 1.6)
            painter.setPen(pen)
            corners = ((0.27, 0.52), (0.43, 0.68), (0.74, 0.33))
            painter.drawPolyline(QPolygonF([
                QPointF(box.left() + x * box.width(), box.top() + y * box.height()) for x, y in corners]))
        if dash_of(run):
            pen = QPen(color, 2)
            pen.setDashPattern([part / 2 for part in dash_of(run)])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            y = box.bottom() + 6
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right() + 1, y))

    def _paint_words(self, painter: QPainter, rect: QRectF, left: float, run: Run) -> None:
        card, right, top = self._model.card(run), rect.right() - MARGIN, rect.top()
        taken = width(card.best, BODY, True) + 10 if card.best else 0
        write(painter, card.best, right, top + ROWS[0], pixels=BODY, token="text1", bold=True, align="right")
        pin = 18 if run.card.pinned else 0
        named = write(painter, card.name, left, top + ROWS[0], pixels=BODY, token="text1", bold=True,
                      most=right - left - taken - pin)
        if pin:
            place = QPointF(left + named + 5, top + ROWS[0] - 7)
            painter.drawPixmap(place, icon_pixmap("push-pin-fill", pixels=14))
        room = right - left - (CURVE_WIDTH + 8 if len(card.curve) else 0)
        write(painter, card.differs, left, top + ROWS[1], pixels=NOTE, token="text2", most=room)
        write(painter, card.facts, left, top + ROWS[2], pixels=NOTE, token="text3", most=right - left)
        if len(card.curve) > 1:
            box = QRectF(right - CURVE_WIDTH, top + ROWS[0] + 9, CURVE_WIDTH, CURVE_HEIGHT)
            paint_curve(painter, box, card, run)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = QLineEdit(parent)
        field.setAccessibleName("Name of the run")
        field.setMaxLength(LONGEST_NAME)
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        left = option.rect.left() + TEXT_LEFT + self.indent(index.row()) - 6
        editor.setGeometry(left, option.rect.top() + 4, option.rect.right() - left - MARGIN + 6, 28)


def paint_curve(painter: QPainter, box: QRectF, card: Card, run: Run) -> None:
    """Paint the small curve of a card, and its best point."""
    values = card.curve
    known = values[np.isfinite(values)]
    if not len(known):
        return
    low, high = float(known.min()), float(known.max())
    heights = box.bottom() - (values - low) / ((high - low) or 1.0) * box.height()
    xs = np.linspace(box.left(), box.right(), len(values))
    points = [QPointF(x, y) for x, y in zip(xs.tolist(), heights.tolist(), strict=True) if y == y]
    painter.setPen(QPen(theme().color(token_of(run)), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))
    if 0 <= card.best_point < len(values) and heights[card.best_point] == heights[card.best_point]:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(token_of(run)))
        painter.drawEllipse(QPointF(xs[card.best_point], heights[card.best_point]), 2.5, 2.5)
