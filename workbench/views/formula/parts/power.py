"""A part to the power of another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

RAISE = 6.0
SMALL = 0.78  # of an exponent


@dataclass(frozen=True)
class Power(FormulaPart):
    """A base with a part as its exponent: e to the −ŷ."""

    base: FormulaPart
    exponent: FormulaPart

    @cached_property
    def box(self) -> Box:
        base, raised = self.base.box, self.exponent.box
        return Box(base.width + SMALL * raised.width + 1, base.up + SMALL * raised.up - 2, base.down)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self.base.paint(painter, x, y)
        painter.save()
        painter.translate(x + self.base.box.width, y - RAISE - 1)
        painter.scale(SMALL, SMALL)
        self.exponent.paint(painter, 0.0, 0.0)
        painter.restore()

    @property
    def latex(self) -> str:
        return f"{self.base.latex}^{{{self.exponent.latex}}}"

    @property
    def python(self) -> str:
        return f"{self.base.python}**({self.exponent.python})"

    @property
    def text(self) -> str:
        return f"{self.base.text}^({self.exponent.text})"
