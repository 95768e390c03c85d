"""How many splits survive as γ or λ rises, stored and asked for; dragging the line asks for a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.explain.what_if.critical_values import Survivors
from workbench.number_text import count, short
from workbench.round_numbers import axis_end, ticks_from_zero
from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import NOTE
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip
from workbench.views.what_if.penalty_axis import PenaltyAxis

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent

LEFT, RIGHT, TOP, BOTTOM = 68.0, 24.0, 42.0, 46.0
SWITCH = 96.0  # pixels at the right that the buttons take beside the words
TICK_TOP, TICK_HEIGHT = 2.0, 9.0
PIXELS_A_POINT = 2
NAME_HEIGHT = 14.0
NAMED_AT = {True: (0.4, 0.3, 0.5, 0.2, 0.6, 0.7, 0.1, 0.8), False: (0.24, 0.35, 0.45, 0.15, 0.55, 0.65, 0.75)}
OUTSIDE = 3  # other faults that a name outside the plot weighs
NAMED_ASIDE = (5.0, 9.0, 14.0, 22.0)  # pixels between a curve and its name

Line: TypeAlias = "tuple[NDArray[np.float64], NDArray[Any]]"  # pixels across and down, from left to right


@dataclass(frozen=True, eq=False)
class Survival:
    """What is shown: two curves over one parameter, and where it stands.

    Attributes
    ----------
    symbol : str
        "γ" or "λ".
    stored, asked : Survivors
    value : float
        Of the parameter, now.
    stays, trees : int
        Splits that survive now, of so many trees.
    words : tuple of str
        Names of the two curves.
    tick : str
        What a tick below the axis stands for.
    mixed : str
        What the trees stand at, where it is not one value: on neither curve. "" otherwise.
    """

    symbol: str = "γ"
    stored: Survivors = field(default_factory=lambda: Survivors(np.empty(0)))
    asked: Survivors = field(default_factory=lambda: Survivors(np.empty(0)))
    value: float = 0.0
    stays: int = 0
    trees: int = 0
    words: tuple[str, str] = ("", "")
    tick: str = ""
    mixed: str = ""

    @property
    def likeness(self) -> tuple[Any, ...]:
        """What is equal for two that look alike."""
        curves = (self.stored.critical.tobytes(), self.asked.critical.tobytes())
        return (*curves, self.symbol, self.value, self.stays, self.trees, self.words, self.tick, self.mixed)

    @property
    def sentence(self) -> str:
        """How many survive, and where."""
        at = self.mixed or f"{self.symbol} {self.value:g}"
        return f"{at}: {count(self.stays)} of {count(len(self.stored.critical))} splits survive"


class SurvivorsPlot(QWidget):
    """Two falling curves, a tick below the axis for each critical value, and the line at the value of now."""

    chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._shown = Survival()
        self._axis, self._top = PenaltyAxis(), 1.0
        self.setCursor(Qt.CursorShape.SizeHorCursor)

    def show_survival(self, shown: Survival) -> None:
        """Show both curves."""
        if shown.likeness == self._shown.likeness:
            return
        self._shown = shown
        stored = shown.stored.critical
        most_die = 2 * np.isfinite(stored).sum() > len(stored)
        self._axis = PenaltyAxis.over(stored if most_die else shown.asked.critical, shown.value)
        self._top = axis_end(max(len(shown.stored.critical), 1))
        self.setAccessibleName(f"Splits that survive, against {shown.symbol}")
        self.setAccessibleDescription(shown.sentence)
        set_tip(self, f"Drag to try another {shown.symbol}")
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
        self.chosen.emit(self._axis.at(min(max(share, 0.0), 1.0)))

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
        trees = f", all {count(self._shown.trees)} trees" if self._shown.trees != 1 else ""
        write(painter, f"against {self._shown.symbol}{trees}", rect.left() + taken + 12, 14)
        self._paint_axes(painter, rect)
        self._paint_ticks(painter, rect)
        self._paint_curves(painter, rect)
        self._paint_line(painter, rect)

    def _paint_axes(self, painter: QPainter, rect: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for tick in ticks_from_zero(self._top, max(2, int(rect.height() / 34))):
            y = round(self._y(rect, tick))
            painter.setPen(QPen(theme().color("line2" if tick == 0 else "grid"), 1))
            painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
            if float(tick).is_integer():
                write(painter, count(tick), rect.left() - 8, y, align="right")
        for tick in self._axis.ticks(max(2, int(rect.width() / 80))):
            text = count(tick) if 1000 <= tick < 1e6 else short(tick)
            write(painter, text, self._x(rect, tick), rect.bottom() + 22, align="centre")
        kind = f"{self._shown.symbol}, log axis" if self._axis.first else self._shown.symbol
        note = f"{kind}; {self._shown.tick}"
        write(painter, note, rect.right(), rect.bottom() + 38, align="right", most=rect.width())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_ticks(self, painter: QPainter, rect: QRectF) -> None:
        """Ticks by pixel: those of splits that are gone are grey."""
        critical = self._shown.asked.critical
        shown = critical[(critical >= 0) & (critical <= self._axis.end)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        top = rect.bottom() + TICK_TOP
        for stays, token in ((False, "text3"), (True, "accent")):
            own = shown[(shown >= (0.0 if self._shown.mixed else self._shown.value)) == stays]
            pixels = np.unique(np.rint(rect.left() + self._axis.shares(own) * rect.width()))
            painter.setPen(QPen(theme().color(token, 0.75), 1))
            painter.drawLines([QLineF(x, top, x, top + TICK_HEIGHT) for x in pixels.tolist()])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_curves(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the stored curve dashed, where it is another, and the one that is asked for."""
        shares = np.linspace(0, 1, max(int(rect.width() / PIXELS_A_POINT), 2))
        values = self._axis.values(shares)
        stored, asked = self._shown.stored.count(values), self._shown.asked.count(values)
        differ = not np.array_equal(stored, asked)
        if differ:
            dashed = QPen(theme().color("text3"), 1.25, Qt.PenStyle.DashLine)
            self._paint_curve(painter, rect, shares, stored, dashed)
        self._paint_curve(painter, rect, shares, asked, QPen(theme().color("accent"), 2.25))
        if differ:
            x = rect.left() + shares * rect.width()
            lines = [(x, rect.bottom() - counts * (rect.height() / self._top)) for counts in (stored, asked)]
            upper = bool(stored.sum() >= asked.sum())
            first = self._name_curve(painter, rect, lines, 0, QRectF(), above=upper)
            self._name_curve(painter, rect, lines, 1, first, above=not upper)

    def _name_curve(
        self, painter: QPainter, rect: QRectF, lines: list[Line], which: int, taken: QRectF, *, above: bool
    ) -> QRectF:
        """Write a name beside its curve, on neither curve nor the line of the value; return where."""
        name, bold = self._shown.words[which], which == 1
        size = QSizeF(width(name, bold=bold), NAME_HEIGHT)
        now = self._x(rect, self._shown.value)

        def faults(box: QRectF) -> int:
            wide = box.adjusted(-3, -1, 3, 1)
            crossed = sum(_crosses(line, wide) for line in lines)
            out = wide.intersects(taken) + OUTSIDE * (not rect.contains(box))
            return crossed + out + (wide.left() < now < wide.right())

        sides = (above, not above)
        box = min((box for side in sides for box in _boxes_beside(lines[which], rect, size, above=side)),
                  key=faults)
        write(painter, name, box.left(), box.center().y(), halo="data", token=("text2", "accent")[which],
              bold=bold)
        return box

    def _paint_curve(
        self, painter: QPainter, rect: QRectF, shares: NDArray[np.float64], counts: NDArray[np.int64],
        pen: QPen,
    ) -> None:
        x = rect.left() + shares * rect.width()
        y = rect.bottom() - counts * (rect.height() / self._top)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF([QPointF(*at) for at in zip(x.tolist(), y.tolist(), strict=True)]))

    def _paint_line(self, painter: QPainter, rect: QRectF) -> None:
        shown = self._shown
        if shown.mixed:
            write(painter, shown.sentence, rect.left() + 12, rect.top() - 10, pixels=NOTE, token="text1",
                  bold=True, halo="data")
            return
        x = self._x(rect, shown.value)
        painter.setPen(QPen(theme().color("text1"), 1.5))
        painter.drawLine(QPointF(x, rect.top() - 16), QPointF(x, rect.bottom() + TICK_HEIGHT + 2))
        painter.setPen(QPen(theme().color("accent"), 2))
        painter.setBrush(theme().color("data"))
        painter.drawEllipse(QPointF(x, self._y(rect, shown.stays)), 5, 5)
        write(painter, shown.sentence, self.sentence_left(x), rect.top() - 10, pixels=NOTE, token="text1",
              bold=True, halo="data")

    def sentence_left(self, x: float) -> float:
        """Where the sentence begins: right of the line at `x`, else left of it, and beside the buttons."""
        taken, limit = width(self._shown.sentence, NOTE, True), self.width() - SWITCH
        if x + 12 + taken <= limit:
            return x + 12
        return min(x - 12, limit) - taken if x - 12 > taken else limit - taken

    def _x(self, rect: QRectF, value: float) -> float:
        return rect.left() + float(self._axis.shares(value)) * rect.width()

    def _y(self, rect: QRectF, splits: float) -> float:
        return rect.bottom() - splits / self._top * rect.height()


def _boxes_beside(line: Line, rect: QRectF, size: QSizeF, *, above: bool) -> list[QRectF]:
    """Places for a name: right of a falling curve and above it, or left and below, the usual ones first."""
    x, y = line
    boxes = []
    for part in NAMED_AT[above]:
        fallen = np.flatnonzero(y >= rect.bottom() - part * rect.height())
        place = int(fallen[0]) if len(fallen) else len(y) * 2 // 3
        point = QPointF(float(x[place]), float(y[place]))
        for aside in NAMED_ASIDE:
            step = QPointF(aside, -aside - size.height()) if above else QPointF(-aside - size.width(), aside)
            boxes.append(QRectF(point + step, size))
    return boxes


def _crosses(line: Line, box: QRectF) -> bool:
    """Whether a curve that only falls runs through a box."""
    x, y = line
    first = max(int(np.searchsorted(x, box.left())) - 1, 0)
    last = min(int(np.searchsorted(x, box.right())), len(x) - 1)
    return bool(y[first] < box.bottom() and y[last] > box.top())
