"""The colours of nodes with their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from workbench.explain.node_text import SHARE
from workbench.isolation import isolated
from workbench.number_text import counted, figure, fixed
from workbench.views.look.fonts import AXIS, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.weight_limits import WeightScale
from workbench.views.tree.colouring import COLOURINGS, LEAF_LABELS, Colouring

if TYPE_CHECKING:
    from collections.abc import Sequence

HEIGHT, BAR, LINE, SWATCH = 30, 11, 17, 11


class ColourRamp(QWidget):
    """A ramp from its lower to its upper limit, or the features with their colours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colouring = COLOURINGS["weight"]
        self._scale, self._ends = WeightScale(), ("", "")
        self._features: tuple[str, ...] = ()
        self.setFixedHeight(px(HEIGHT))
        self.setAccessibleName("Colours of nodes")

    def show_scale(self, colouring: Colouring, scale: WeightScale, ends: tuple[str, str]) -> None:
        """Show a ramp; `ends` are the classes to which the two sides of the weights push."""
        self._show(colouring, scale, ends if colouring.name == "weight" else ("", ""), ())

    def show_features(self, colouring: Colouring, names: Sequence[str], others: int) -> None:
        """Show the features that have colours of their own, and how many have none."""
        rest = (counted(others, "other feature"),) if others else ()
        self._show(colouring, WeightScale(), ("", ""), (*names, *rest))

    def _show(
        self, colouring: Colouring, scale: WeightScale, ends: tuple[str, str], features: tuple[str, ...]
    ) -> None:
        shown = (colouring, scale, ends, features)
        if shown != (self._colouring, self._scale, self._ends, self._features):
            self._colouring, self._scale, self._ends, self._features = shown
            self.setFixedHeight(LINE * ((len(features) + 1) // 2) + 2 if features else HEIGHT)
            said = ", ".join(map(isolated, features)) if features else " to ".join(self.words()[::2])
            self.setAccessibleDescription(said)
            self.update()

    def words(self) -> tuple[str, str, str]:
        """What stands below the ramp: at its left end, in its middle, at its right end."""
        middle, limit = self._scale
        number = fixed(limit, 1) if 0.95 <= limit < 1000 else figure(limit, 2)
        if self._from_zero:
            return "0", "", f"1 {self._ends[1]}".strip()
        if middle:
            low, high = (figure(end, 3) for end in (middle - limit, middle + limit))
            return f"{low} {self._ends[0]}".strip(), figure(middle, 3), f"{high} {self._ends[1]}".strip()
        if self._colouring.ramp == "weight":
            return f"−{number} {self._ends[0]}".strip(), "0", f"+{number} {self._ends[1]}".strip()
        return ("≤ 0" if self._colouring.ramp == "holdout" else "0"), "", number

    @property
    def _from_zero(self) -> bool:
        """Whether only the upper half of the weight ramp is used: shares of one of several classes."""
        return self._colouring.label == LEAF_LABELS[SHARE] and not self._scale.middle

    def sizeHint(self) -> QSize:
        return QSize(200, px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(ui_font(AXIS))
        if self._features:
            self._paint_features(painter)
        else:
            self._paint_ramp(painter)

    def _paint_features(self, painter: QPainter) -> None:
        half = self.width() / 2
        for place, name in enumerate(self._features):
            row = QRectF(half * (place % 2), LINE * (place // 2), half, LINE)
            color = theme().category(place)
            painter.fillRect(QRectF(row.left(), row.center().y() - SWATCH / 2, SWATCH, SWATCH), color)
            painter.setPen(theme().color("text1"))
            words = row.adjusted(SWATCH + 6, 0, -6, 0)
            shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(words.width()))
            painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter), shown)

    def _paint_ramp(self, painter: QPainter) -> None:
        diverging = self._colouring.ramp == "weight"
        bar = QRectF(0.5, 0.5, self.width() - 1, BAR)
        ramp = QLinearGradient(bar.topLeft(), bar.topRight())
        stops = 9
        for index in range(stops):
            share = index / (stops - 1)
            at = share if self._from_zero else 2 * share - 1
            ramp.setColorAt(share, theme().weight(at) if diverging else theme().gain_mark(share))
        painter.fillRect(bar, ramp)
        if self._colouring.ramp == "holdout":
            painter.fillRect(QRectF(bar.left(), bar.top(), 2 * BAR, BAR), theme().color("validation"))
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawRect(bar)
        painter.setPen(theme().color("text3"))
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        room = QRectF(0, BAR + 3, self.width(), HEIGHT - BAR - 3)
        widest = round(room.width() * 0.42)
        for side, words in zip(sides, self.words(), strict=True):
            shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, widest)
            painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
