"""Several parts, named one after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.word import FormulaWord

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from workbench.views.formula.parts.number import Number


@dataclass(frozen=True)
class Listing(FormulaPart):
    """The numbers of a letter that there is one of for each j."""

    numbers: tuple[Number, ...]

    @cached_property
    def box(self) -> Box:
        return FormulaWord(self.text).box

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        FormulaWord(self.text).paint(painter, x, y)

    @property
    def latex(self) -> str:
        return rf"\left({', '.join(number.latex for number in self.numbers)}\right)"

    @property
    def python(self) -> str:
        return f"[{', '.join(number.python for number in self.numbers)}]"

    @property
    def text(self) -> str:
        return f"({', '.join(number.text for number in self.numbers)})"
