"""The soft threshold of L1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.bracket import Bracket
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.word import FormulaWord

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


@dataclass(frozen=True)
class Soft(FormulaPart):
    """soft(G, α): G brought towards 0 by α, and 0 where it is nearer."""

    g: FormulaPart
    alpha: FormulaPart

    @cached_property
    def _parts(self) -> Row:
        return Row((FormulaWord("soft"), Bracket(Row((self.g, FormulaWord(", "), self.alpha)))))

    @cached_property
    def box(self) -> Box:
        return self._parts.box

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self._parts.paint(painter, x, y)

    @property
    def latex(self) -> str:
        return rf"\operatorname{{soft}}({self.g.latex}, {self.alpha.latex})"

    @property
    def python(self) -> str:
        g, alpha = self.g.python, self.alpha.python
        return f"{g} - max(-{alpha}, min({g}, {alpha}))"

    @property
    def text(self) -> str:
        return f"soft({self.g.text}, {self.alpha.text})"
