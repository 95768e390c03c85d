"""A part with a number or sign above, as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.bracket import Bracket
from workbench.views.formula.parts.writing import advance, write
from workbench.views.look.fonts import AXIS, plain_font

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

RAISE = 6.0


@dataclass(frozen=True)
class Superscript(FormulaPart):
    """A square: base and exponent; a negative number gets brackets."""

    base: FormulaPart
    exponent: str = "2"

    @cached_property
    def box(self) -> Box:
        base = self._shown.box
        return Box(base.width + advance(plain_font(AXIS), self.exponent) + 1, base.up + 5, base.down)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self._shown.paint(painter, x, y)
        write(painter, plain_font(AXIS), self.exponent, x + self._shown.box.width + 1, y - RAISE)

    @cached_property
    def _shown(self) -> FormulaPart:
        return Bracket(self.base) if self.base.text.startswith("−") else self.base

    @property
    def latex(self) -> str:
        return f"{{{self._shown.latex}}}^{self.exponent}"

    @property
    def python(self) -> str:
        return f"{self._shown.python}**{self.exponent}"

    @property
    def text(self) -> str:
        return self._shown.text + {"2": "²"}.get(self.exponent, f"^{self.exponent}")
