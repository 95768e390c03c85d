"""A fraction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPen

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.look.theme import theme

AXIS_HEIGHT = 4.5  # of fraction bars over the base line
BAR_GAP, BAR_REACH = 3.0, 4.0


@dataclass(frozen=True)
class Fraction(FormulaPart):
    """Numerator over denominator."""

    upper: FormulaPart
    lower: FormulaPart

    @cached_property
    def box(self) -> Box:
        upper, lower = self.upper.box, self.lower.box
        width = max(upper.width, lower.width) + 2 * BAR_REACH + 2
        return Box(width, AXIS_HEIGHT + BAR_GAP + upper.up + upper.down,
                   lower.up + lower.down + BAR_GAP - AXIS_HEIGHT)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        upper, lower, width = self.upper.box, self.lower.box, self.box.width
        axis = y - AXIS_HEIGHT
        painter.setPen(QPen(theme().color("text1"), 1))
        painter.drawLine(QPointF(x + 1, axis), QPointF(x + width - 1, axis))
        self.upper.paint(painter, x + (width - upper.width) / 2, axis - BAR_GAP - upper.down)
        self.lower.paint(painter, x + (width - lower.width) / 2, axis + BAR_GAP + lower.up)

    @property
    def latex(self) -> str:
        return rf"\frac{{{self.upper.latex}}}{{{self.lower.latex}}}"

    @property
    def python(self) -> str:
        return f"{_grouped(self.upper.python)} / {_grouped(self.lower.python)}"

    @property
    def text(self) -> str:
        return f"{_grouped(self.upper.text)}/{_grouped(self.lower.text)}"


def _grouped(text: str) -> str:
    return f"({text})" if " " in text or text[0] in "−-" else text
