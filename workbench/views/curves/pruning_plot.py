"""How a single tree is pruned: its error against the number of leaves, with the α from which each is best."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.number_text import counted, figure, short
from workbench.round_numbers import axis_end, ticks_from_zero
from workbench.views.curves.ink import paint_diamond, width, write
from workbench.views.look.fonts import NOTE
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from workbench.explain.pruning_path import PruningPath

LEFT, RIGHT, TOP, BOTTOM = 68.0, 150.0, 64.0, 58.0
BAND = 0.16  # of the opacity of the error's colour
NEAR_LEAVES, NEAR_ALPHAS = 34.0, 56.0  # pixels between labels of an axis
NAME_GAP = 26.0  # between the name of an axis and its first label
WAITING = "Cutting the tree back, and growing ten more for cross-validation…"


class PruningPlot(QWidget):
    """A click takes the α of the tree that is nearest."""

    chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path: PruningPath | None = None
        self._alpha, self._error, self._problem = 0.0, "", ""
        self._hovered = -1
        self.setMouseTracking(True)
        self.setAccessibleName("Cost-complexity pruning")
        set_tip(self, "Click a tree to take its α; Train cuts the tree back to it")

    def show_path(self, path: PruningPath | None, alpha: float, error: str, problem: str = "") -> None:
        """Show a path, or that it is waited for, or why there is none.

        Parameters
        ----------
        alpha : float
            That the next run is to have.
        error : str
            What the error of held-out rows is called.
        """
        self._path, self._alpha, self._error, self._problem = path, alpha, error, problem
        self.setAccessibleDescription(self.sentence)
        self.update()

    @property
    def sentence(self) -> str:
        """What the plot says."""
        path = self._path
        if path is None:
            return self._problem or WAITING
        whole = counted(int(path.leaves[0]), "leaf", "leaves")
        words = [f"{counted(len(path.alphas), 'tree')}, from {whole} to 1."]
        if np.isfinite(path.error[path.best]):
            words += [self._told(path, path.best, "Least error"),
                      self._told(path, path.one_deviation, "Within one standard error")]
        return " ".join(words)

    def _told(self, path: PruningPath, place: int, what: str) -> str:
        leaves = counted(int(path.leaves[place]), "leaf", "leaves")
        return f"{what}: {leaves}, α {path.alphas[place]:.3g}, error {figure(path.error[place])}."

    # --- the hand ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._path is not None:
            self.chosen.emit(self._taken(self._nearest(event.position().x())))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = -1 if self._path is None else self._nearest(event.position().x())
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = -1
        self.update()

    def _taken(self, place: int) -> float:
        """An α for which this tree is the best: a round one between its own and the next."""
        assert self._path is not None
        low = float(self._path.alphas[place])
        if place + 1 == len(self._path.alphas):
            return float(f"{low * 1.1:.2g}") if low else 0.0
        high = float(self._path.alphas[place + 1])
        middle = math.sqrt(low * high) if low else 0.0
        rounded = float(f"{middle:.3g}")
        return rounded if low <= rounded < high else low

    def _nearest(self, x: float) -> int:
        assert self._path is not None
        places = np.array([self._x(leaves) for leaves in self._path.leaves])
        return int(np.argmin(np.abs(places - x)))

    # --- the picture ------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(700, 420)

    @property
    def _rect(self) -> QRectF:
        return QRectF(self.rect()).adjusted(LEFT, TOP, -RIGHT, -BOTTOM)

    def _x(self, leaves: float) -> float:
        """Large trees at the left, as they are cut back to the right; equal ratios are equally wide."""
        assert self._path is not None
        rect, most = self._rect, math.log(max(int(self._path.leaves[0]), 2))
        return rect.right() - rect.width() * math.log(max(leaves, 1)) / most

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect, path = self._rect, self._path
        taken = write(painter, "Pruning", rect.left(), 18, pixels=NOTE, token="text1", bold=True)
        about = f"{self._error}, ten-fold cross-validated; fewer leaves to the right"
        write(painter, about, rect.left() + taken + 10, 18, most=rect.width() + RIGHT - taken - 20)
        if path is None:
            write(painter, self._problem or WAITING, rect.center().x(), rect.center().y(), token="text2",
                  align="centre", most=rect.width())
            return
        highest = np.nanmax(np.append(path.error + path.deviation, path.impurities.max()))
        top = axis_end(float(highest))
        self._paint_axes(painter, rect, path, top)
        self._paint_band(painter, rect, path, top)
        self._paint_line(painter, rect, path.impurities, top, "train", 1.5)
        self._paint_line(painter, rect, path.error, top, "validation", 2.25)
        self._paint_marks(painter, rect, path, top)

    def _y(self, rect: QRectF, value: float, top: float) -> float:
        return rect.bottom() - rect.height() * value / top

    def _paint_axes(self, painter: QPainter, rect: QRectF, path: PruningPath, top: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for tick in ticks_from_zero(top, max(2, int(rect.height() / 60))):
            y = round(self._y(rect, tick, top))
            painter.setPen(QPen(theme().color("line2" if tick == 0 else "grid"), 1))
            painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
            write(painter, short(tick), rect.left() - 8, y, align="right")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        write(painter, "leaves", rect.left() - NAME_GAP, rect.bottom() + 16, align="right")
        write(painter, "α from", rect.left() - NAME_GAP, rect.bottom() + 36, align="right")
        last_leaves, last_alpha = math.inf, math.inf
        for place in range(len(path.leaves) - 1, -1, -1):
            x = self._x(path.leaves[place])
            if last_leaves - x >= NEAR_LEAVES:
                write(painter, f"{path.leaves[place]:,}", x, rect.bottom() + 16, align="centre")
                last_leaves = x
            if last_alpha - x >= NEAR_ALPHAS:
                write(painter, f"{path.alphas[place]:.2g}", x, rect.bottom() + 36, align="centre")
                last_alpha = x

    def _known(self, path: PruningPath) -> list[int]:
        return np.flatnonzero(np.isfinite(path.error)).tolist()

    def _paint_band(self, painter: QPainter, rect: QRectF, path: PruningPath, top: float) -> None:
        known = self._known(path)
        sides = [
            [QPointF(self._x(path.leaves[k]), self._y(rect, path.error[k] + sign * path.deviation[k], top))
             for k in known]
            for sign in (1, -1)
        ]  # fmt: skip
        color = theme().color("validation")
        color.setAlphaF(BAND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([*sides[0], *reversed(sides[1])]))

    def _paint_line(
        self, painter: QPainter, rect: QRectF, values: NDArray[np.float64], top: float, token: str,
        thick: float,
    ) -> None:
        path = self._path
        assert path is not None
        points = [QPointF(self._x(path.leaves[k]), self._y(rect, values[k], top))
                  for k in np.flatnonzero(np.isfinite(values))]  # fmt: skip
        painter.setPen(QPen(theme().color(token), thick))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(points)
        painter.setBrush(theme().color(token))
        for point in points:
            painter.drawEllipse(point, 1.6, 1.6)

    def _paint_marks(self, painter: QPainter, rect: QRectF, path: PruningPath, top: float) -> None:
        chosen = max(int(np.searchsorted(path.alphas, self._alpha, side="right")) - 1, 0)
        x = self._x(path.leaves[chosen])
        painter.setPen(QPen(theme().color("text1"), 1.5))
        painter.drawLine(QLineF(x, rect.top() - 8, x, rect.bottom()))
        words = f"α {short(self._alpha)}: {counted(int(path.leaves[chosen]), 'leaf', 'leaves')}"
        aside = width(words, NOTE, True) / 2
        at = min(max(x, rect.left() + aside), rect.right() - aside)
        write(painter, words, at, rect.top() - 18, pixels=NOTE, token="text1", bold=True, align="centre")
        right, last = rect.right() + 12, len(path.leaves) - 1
        y = rect.top() + 6
        write(painter, "Held-out error", right, y, pixels=NOTE, token="validation", bold=True)
        write(painter, "± one standard error", right, y + 16)
        write(painter, "Impurity of the leaves", right, y + 38, pixels=NOTE, token="train", bold=True)
        if np.isfinite(path.error[path.best]):
            found = ((path.best, "◆ least error", 72), (path.one_deviation, "◆ within one s.e.", 112))
            for place, name, shift in found:
                spot = QPointF(self._x(path.leaves[place]), self._y(rect, path.error[place], top))
                paint_diamond(painter, spot.x(), spot.y(), "validation" if place == path.best else "text1")
                leaves = counted(int(path.leaves[place]), "leaf", "leaves")
                token = "validation" if place == path.best else "text1"
                write(painter, name, right, y + shift, pixels=NOTE, token=token, bold=True)
                write(painter, f"{leaves}, {figure(path.error[place])}", right, y + shift + 16)
        if 0 <= self._hovered <= last:
            k = self._hovered
            held = f", {figure(path.error[k])}" if np.isfinite(path.error[k]) else ""
            leaves = counted(int(path.leaves[k]), "leaf", "leaves")
            write(painter, f"{leaves}, α {path.alphas[k]:.3g}{held}", right, rect.bottom() - 8)
