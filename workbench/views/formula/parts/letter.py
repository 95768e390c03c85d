"""A letter of the formula, with an index below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from workbench.views.formula.parts.base import Box, FormulaPart
from workbench.views.formula.parts.writing import advance, write
from workbench.views.look.fonts import FORMULA, NOTE, plain_maths_font

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

DROP = 4.0


@dataclass(frozen=True)
class Letter(FormulaPart):
    """A quantity by its letter, in maths italic: G with the index L."""

    name: str
    index: str = ""
    names: ClassVar[dict[str, tuple[str, str]]] = {  # letter: (LaTeX, Python)
        "λ": (r"\lambda", "lambda_"), "α": (r"\alpha", "alpha"), "γ": (r"\gamma", "gamma"),
        "η": (r"\eta", "eta"), "w*": ("w^*", "w"), "step": (r"\mathrm{step}", "step"),
        "Δ": (r"\Delta", "delta"), "gain": (r"\mathrm{gain}", "gain"),
        "score": (r"\mathrm{score}", "score"),
        "Ω": (r"\Omega", "omega"), "Obj": (r"\mathrm{Obj}", "obj"), "Obj*": (r"\mathrm{Obj}^*", "obj"),
        "ŷ": (r"\hat{y}", "y_hat"), "ŷ′": (r"\hat{y}'", "y_hat_new"), "p′": ("p'", "p_new"),
    }

    @property
    def whole(self) -> Letter:
        """The letter without its index: all of them."""
        return Letter(self.name)

    @cached_property
    def box(self) -> Box:
        width = advance(plain_maths_font(FORMULA), self.name)
        if self.index:
            width += advance(plain_maths_font(NOTE), self.index)
        return Box(width + 1, 12.0, 4.0 + (DROP - 2 if self.index else 0))

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_maths_font(FORMULA), self.name, x, y)
        if self.index:
            x += advance(plain_maths_font(FORMULA), self.name)
            write(painter, plain_maths_font(NOTE), self.index, x, y + DROP)

    @property
    def latex(self) -> str:
        name = self.names.get(self.name, (self.name, ""))[0]
        return f"{name}_{{{self.index}}}" if self.index else name

    @property
    def python(self) -> str:
        name = self.names.get(self.name, ("", self.name))[1]
        return f"{name}_{self.index}" if self.index else name

    @property
    def text(self) -> str:
        return f"{self.name}_{self.index}" if self.index else self.name
