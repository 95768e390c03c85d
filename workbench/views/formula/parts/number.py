"""A number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.writing import advance, write
from workbench.views.look.fonts import BODY, HERO, plain_font

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QPainter


@dataclass(frozen=True)
class Number(FormulaPart):
    """A number as it is shown; `result` is written large and bold, `tone` is its token."""

    shown: str
    tone: str = "text1"
    result: bool = False

    @property
    def _font(self) -> QFont:
        return plain_font(HERO, bold=True) if self.result else plain_font(BODY)

    @cached_property
    def box(self) -> Box:
        return Box(advance(self._font, self.shown), 10.0, 3.0)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, self._font, self.shown, x, y, self.tone)

    @property
    def latex(self) -> str:
        mantissa, _, exponent = self.shown.replace("−", "-").replace(",", "{,}").partition("e")
        return rf"{mantissa}\cdot 10^{{{int(exponent)}}}" if exponent else mantissa

    @property
    def python(self) -> str:
        return self.shown.replace("−", "-").replace(",", "")

    @property
    def text(self) -> str:
        return self.shown
