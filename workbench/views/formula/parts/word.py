"""A word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.writing import advance, write
from workbench.views.look.fonts import BODY, plain_font

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


@dataclass(frozen=True)
class FormulaWord(FormulaPart):
    """Upright letters: the name of a function, a comma."""

    word: str

    @cached_property
    def box(self) -> Box:
        return Box(advance(plain_font(BODY), self.word), 10.0, 3.0)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_font(BODY), self.word, x, y)

    @property
    def latex(self) -> str:
        return rf"\text{{{self.word}}}"

    @property
    def python(self) -> str:
        return self.word

    @property
    def text(self) -> str:
        return self.word
