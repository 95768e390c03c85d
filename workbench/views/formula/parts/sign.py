"""A sign between two parts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.writing import advance, write
from workbench.views.look.fonts import HERO, plain_font

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


@dataclass(frozen=True)
class Sign(FormulaPart):
    """An operator: +, −, ·, =, ½ before a letter, "½ ·" before a number; `before` is a sign of one term."""

    sign: str
    before: bool = False
    latexes: ClassVar[dict[str, str]] = {
        "−": "-", "·": r"\cdot", "½": r"\tfrac{1}{2}", "½ ·": r"\tfrac{1}{2} \cdot",
    }
    pythons: ClassVar[dict[str, str]] = {"−": "-", "·": "*", "½": "0.5 *", "½ ·": "0.5 *"}

    @property
    def _room(self) -> float:
        return 1.0 if self.before or self.sign == "½" else 3.0 if self.sign[0] == "½" else 5.0

    @cached_property
    def box(self) -> Box:
        return Box(advance(plain_font(HERO), self.sign) + 2 * self._room, 10.0, 3.0)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_font(HERO), self.sign, x + self._room, y)

    @property
    def latex(self) -> str:
        return self._spaced(self.latexes.get(self.sign, self.sign))

    @property
    def python(self) -> str:
        return self._spaced(self.pythons.get(self.sign, self.sign))

    @property
    def text(self) -> str:
        return self._spaced(self.sign)

    def _spaced(self, sign: str) -> str:
        if self.sign[0] == "½":
            return sign + " "
        return sign if self.before else f" {sign} "
