"""How many splits survive as γ rises, as stored and with what is asked; dragging the line asks for a γ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.explain.critical_values import Survivors
from workbench.views.curves.ink import width, write
from workbench.views.fonts import NOTE
from workbench.views.numbers import count
from workbench.views.theme import theme
from workbench.views.what_if.gamma_axis import GammaAxis
from workbench.views.what_if.scales import nice_ceiling, nice_ticks

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from workbench.explain.rescoring import Rescored

LEFT, RIGHT, TOP, BOTTOM = 68.0, 24.0, 42.0, 46.0
TICK_TOP, TICK_HEIGHT = 2.0, 9.0
PIXELS_A_POINT = 2
NAMED_AT = {True: 0.4, False: 0.24}  # of the height of the plot


class SurvivorsPlot(QWidget):
    """Two falling curves, a tick below the axis for each critical γ, and the line at the γ of now."""

    gamma_chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._stored = self._asked = Survivors(np.empty(0))
        self._stored_of: NDArray[np.float64] | None = None
        self._words = ("", "")
        self._gamma, self._stays, self._trees = 0.0, 0, 0
        self._axis, self._top = GammaAxis(), 1.0
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAccessibleName("Splits that survive, against γ")
        self.setToolTip("Drag to try another γ")

    def show_rescored(self, stored: Rescored, asked: Rescored, gamma: float, words: tuple[str, str]) -> None:
        """Show both curves; `words` name them at their ends."""
        if stored.critical is not self._stored_of:
            self._stored_of, self._stored = stored.critical, Survivors(stored.critical)
        self._asked = Survivors(asked.critical)
        self._words, self._gamma, self._trees = words, gamma, stored.sums.n_trees
        self._stays = asked.n_splits
        self._axis = GammaAxis.over(self._stored.critical, gamma)
        self._top = nice_ceiling(max(len(self._stored.critical), 1))
        total = len(self._stored.critical)
        said = f"At γ {gamma:g}, {count(self._stays)} of {count(total)} splits survive."
        self.setAccessibleDescription(said)
        self.update()

    # --- the hand ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._rect.height() > 0:
            self._choose(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose(event)

    def _choose(self, event: QMouseEvent) -> None:
        share = (event.position().x() - self._rect.left()) / self._rect.width()
        self.gamma_chosen.emit(self._axis.at(min(max(share, 0.0), 1.0)))

    # --- the picture ------------------------------------------------------------------------

    @property
    def _rect(self) -> QRectF:
        return QRectF(self.rect()).adjusted(LEFT, TOP, -RIGHT, -BOTTOM)

    def sizeHint(self) -> QSize:
        return QSize(640, 220)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 120)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = self._rect
        taken = write(painter, "Splits that survive", rect.left(), 14, pixels=NOTE, token="text2", bold=True)
        trees = f"against γ, all {count(self._trees)} trees" if self._trees != 1 else "against γ"
        write(painter, trees, rect.left() + taken + 12, 14)
        self._paint_axes(painter, rect)
        self._paint_ticks(painter, rect)
        self._paint_curves(painter, rect)
        self._paint_line(painter, rect)

    def _paint_axes(self, painter: QPainter, rect: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for tick in nice_ticks(self._top, max(2, int(rect.height() / 34))):
            y = round(self._y(rect, tick))
            painter.setPen(QPen(theme().color("line2" if tick == 0 else "grid"), 1))
            painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
            write(painter, count(tick), rect.left() - 8, y, align="right")
        for tick in self._axis.ticks(max(2, int(rect.width() / 80))):
            text = f"{tick:g}"
            write(painter, text, self._x(rect, tick), rect.bottom() + 22, align="centre")
        kind = "γ, log axis" if self._axis.first else "γ"
        note = f"{kind}; one tick below the axis is the critical γ of one split"
        write(painter, note, rect.right(), rect.bottom() + 38, align="right", most=rect.width())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_ticks(self, painter: QPainter, rect: QRectF) -> None:
        """Ticks by pixel: those of splits that are gone are grey."""
        critical = self._asked.critical
        shown = critical[(critical >= 0) & (critical <= self._axis.end)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        top = rect.bottom() + TICK_TOP
        for stays, token in ((False, "text3"), (True, "accent")):
            own = shown[(shown >= self._gamma) == stays]
            pixels = np.unique(np.rint(rect.left() + self._axis.shares(own) * rect.width()))
            painter.setPen(QPen(theme().color(token, 0.75), 1))
            painter.drawLines([QLineF(x, top, x, top + TICK_HEIGHT) for x in pixels.tolist()])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_curves(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the stored curve dashed, where it is another, and the one that is asked for."""
        shares = np.linspace(0, 1, max(int(rect.width() / PIXELS_A_POINT), 2))
        gammas = self._axis.gammas(shares)
        stored, asked = self._stored.count(gammas), self._asked.count(gammas)
        differ = not np.array_equal(stored, asked)
        if differ:
            dashed = QPen(theme().color("text3"), 1.25, Qt.PenStyle.DashLine)
            self._paint_curve(painter, rect, shares, stored, dashed)
        self._paint_curve(painter, rect, shares, asked, QPen(theme().color("accent"), 2.25))
        if differ:
            upper = bool(stored.sum() >= asked.sum())
            self._name_curve(painter, rect, (shares, stored), 0, above=upper)
            self._name_curve(painter, rect, (shares, asked), 1, above=not upper)

    def _name_curve(
        self, painter: QPainter, rect: QRectF, curve: tuple[NDArray[np.float64], NDArray[np.int64]],
        which: int, *, above: bool,
    ) -> None:
        """Write a curve's name where it has fallen to some height: right of the upper, left of the lower."""
        shares, counts = curve
        place = int(np.argmax(counts <= NAMED_AT[above] * self._top))
        x, y = rect.left() + float(shares[place]) * rect.width(), self._y(rect, float(counts[place]))
        right = above or x - width(self._words[which]) - 12 < rect.left()
        write(painter, self._words[which], x + (10 if right else -8), y + (-7 if above else 9), halo="data",
              align="left" if right else "right", token=("text2", "accent")[which], bold=which == 1)

    def _paint_curve(
        self, painter: QPainter, rect: QRectF, shares: NDArray[np.float64], counts: NDArray[np.int64],
        pen: QPen,
    ) -> None:
        x = rect.left() + shares * rect.width()
        y = rect.bottom() - counts * (rect.height() / self._top)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF([QPointF(*at) for at in zip(x.tolist(), y.tolist(), strict=True)]))

    def _paint_line(self, painter: QPainter, rect: QRectF) -> None:
        x = self._x(rect, self._gamma)
        painter.setPen(QPen(theme().color("text1"), 1.5))
        painter.drawLine(QPointF(x, rect.top() - 16), QPointF(x, rect.bottom() + TICK_HEIGHT + 2))
        painter.setPen(QPen(theme().color("accent"), 2))
        painter.setBrush(theme().color("data"))
        painter.drawEllipse(QPointF(x, self._y(rect, self._stays)), 5, 5)
        total = count(len(self._stored.critical))
        said = f"γ {self._gamma:g}: {count(self._stays)} of {total} splits survive"
        right = x + 12 + width(said, NOTE, True) <= self.width() - 4
        write(painter, said, x + 12 if right else x - 12, rect.top() - 10, pixels=NOTE, token="text1",
              bold=True, align="left" if right else "right", halo="data")

    def _x(self, rect: QRectF, gamma: float) -> float:
        return rect.left() + float(self._axis.shares(gamma)) * rect.width()

    def _y(self, rect: QRectF, splits: float) -> float:
        return rect.bottom() - splits / self._top * rect.height()
