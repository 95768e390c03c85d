"""The absolute value of a part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.word import FormulaWord

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


@dataclass(frozen=True)
class Size(FormulaPart):
    """What a part is without its sign: |w|."""

    inner: FormulaPart

    @cached_property
    def _parts(self) -> Row:
        return Row((FormulaWord("|"), self.inner, FormulaWord("|")))

    @cached_property
    def box(self) -> Box:
        return self._parts.box

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self._parts.paint(painter, x, y)

    @property
    def latex(self) -> str:
        return f"|{self.inner.latex}|"

    @property
    def python(self) -> str:
        return f"abs({self.inner.python})"

    @property
    def text(self) -> str:
        return f"|{self.inner.text}|"
