"""What is left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.word import FormulaWord

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


@dataclass(frozen=True)
class Dots(FormulaPart):
    """What is left out of a long sum."""

    @cached_property
    def box(self) -> Box:
        return FormulaWord("…").box

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        FormulaWord("…").paint(painter, x, y)

    @property
    def latex(self) -> str:
        return r"\dots"

    @property
    def python(self) -> str:
        return "..."

    @property
    def text(self) -> str:
        return "…"
