"""A sum over something."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.writing import advance, write
from workbench.views.look.fonts import FIGURE, NOTE, plain_font, plain_maths_font

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from workbench.views.formula.parts.letter import Letter

SUM_GAP = 2.0  # beside a Σ


@dataclass(frozen=True)
class Sum(FormulaPart):
    """Σ over j of what depends on it; `over` are the letters of which there is one for each j."""

    inner: FormulaPart
    over: tuple[Letter, ...]

    @cached_property
    def box(self) -> Box:
        inner = self.inner.box
        return Box(self._sign + inner.width, max(inner.up, 15.0), max(inner.down, 13.0))

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_font(FIGURE), "Σ", x + SUM_GAP, y + 2)
        index = self.over[0].index
        middle = x + SUM_GAP + (advance(plain_font(FIGURE), "Σ") - advance(plain_maths_font(NOTE), index)) / 2
        write(painter, plain_maths_font(NOTE), index, middle, y + 12)
        self.inner.paint(painter, x + self._sign, y)

    @property
    def _sign(self) -> float:
        return advance(plain_font(FIGURE), "Σ") + 2 * SUM_GAP

    @property
    def latex(self) -> str:
        return rf"\sum_{{{self.over[0].index}}} {self.inner.latex}"

    @property
    def python(self) -> str:
        each = ", ".join(letter.python for letter in self.over)
        lists = ", ".join(letter.whole.python for letter in self.over)
        return f"sum({self.inner.python} for {each} in {f'zip({lists})' if ', ' in lists else lists})"

    @property
    def text(self) -> str:
        return f"Σ_{self.over[0].index} {self.inner.text}"
