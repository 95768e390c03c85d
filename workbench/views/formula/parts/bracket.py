"""A part in brackets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.writing import write
from workbench.views.look.fonts import BODY, plain_font
from workbench.views.look.theme import theme


@dataclass(frozen=True)
class Bracket(FormulaPart):
    """Round brackets, or square ones as high as what they hold."""

    inner: FormulaPart
    square: bool = False

    @cached_property
    def box(self) -> Box:
        inner = self.inner.box
        return Box(inner.width + (20 if self.square else 10), inner.up + 2, inner.down + 2)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        box = self.box
        self.inner.paint(painter, x + (10 if self.square else 5), y)
        if not self.square:
            write(painter, plain_font(BODY), "(", x, y)
            write(painter, plain_font(BODY), ")", x + box.width - 5, y)
            return
        painter.setPen(QPen(theme().color("text1"), 1.25))
        frame = QRectF(x + 2, y - box.up, box.width - 4, box.up + box.down)
        for side, inward in ((frame.left(), 4), (frame.right(), -4)):
            painter.drawPolyline([QPointF(side + inward, frame.top()), QPointF(side, frame.top()),
                                  QPointF(side, frame.bottom()), QPointF(side + inward, frame.bottom())])

    @property
    def latex(self) -> str:
        left, right = ("[", "]") if self.square else ("(", ")")
        return rf"\left{left}{self.inner.latex}\right{right}"

    @property
    def python(self) -> str:
        return f"({self.inner.python})"

    @property
    def text(self) -> str:
        return f"[{self.inner.text}]" if self.square else f"({self.inner.text})"
