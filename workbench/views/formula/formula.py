"""A formula: symbols, then values, then the result; painted, and as LaTeX, Python and text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.views.formula.parts.base import Box
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.formula.parts.writing import advance, write
from workbench.views.look.fonts import HERO, plain_font
from workbench.views.look.scale import px, scale

if TYPE_CHECKING:
    from workbench.views.formula.parts.base import FormulaPart
    from workbench.views.formula.parts.letter import Letter

LINE_GAP, EQUALS_AT, EQUALS_GAP = 8.0, 42.0, 7.0
DENSE = 0.4  # of a gap is left where the window is low


@dataclass(frozen=True)
class Formula:
    """A quantity and the steps to its value, one a line with their = signs aligned, or all `inline`.

    `values` gives the number of each letter, so that the Python text runs.
    """

    left: FormulaPart
    steps: tuple[FormulaPart, ...]
    values: tuple[tuple[Letter, FormulaPart], ...] = ()
    inline: bool = False

    @cached_property
    def _lines(self) -> tuple[FormulaPart, ...]:
        if not self.inline:
            return self.steps
        first, *others = self.steps
        return (Row((first, *(part for step in others for part in (Sign("="), step)))),)

    def measure(self, gap: float = LINE_GAP) -> Box:
        """Return the room it takes, lines `gap` apart; all of it under its upper edge."""
        boxes = [line.box for line in self._lines]
        height = sum(b.up + b.down + gap for b in boxes) - gap
        return Box(self._right + max(b.width for b in boxes), 0.0, height)

    @property
    def _equals(self) -> float:
        return max(EQUALS_AT, self.left.box.width + EQUALS_GAP)

    @property
    def _right(self) -> float:
        return self._equals + advance(plain_font(HERO), "=") + EQUALS_GAP

    def paint(self, painter: QPainter, x: float, y: float, gap: float = LINE_GAP) -> None:
        """Paint it with its upper left corner at (x, y)."""
        for index, line in enumerate(self._lines):
            box = line.box
            base = y + box.up
            if not index:
                self.left.paint(painter, x, base)
            write(painter, plain_font(HERO), "=", x + self._equals, base)
            line.paint(painter, x + self._right, base)
            y = base + box.down + gap

    @property
    def latex(self) -> str:
        """As an aligned block."""
        lines = " \\\\\n".join(f"&= {line.latex}" for line in self._lines)
        return f"\\begin{{aligned}}\n{self.left.latex} {lines}\n\\end{{aligned}}"

    @property
    def python(self) -> str:
        """As statements that give the value, with what is shown as a comment."""
        given = [f"{letter.python} = {number.python}" for letter, number in self.values]
        shown = self.text.rpartition("= ")[2]
        return "\n".join([*given, f"{self.left.python} = {self.steps[0].python}  # {shown}"])

    @property
    def text(self) -> str:
        """One step a line."""
        return self.left.text + "\n".join(f" = {line.text}" for line in self._lines)


class FormulaView(QWidget):
    """Shows formulas under each other; where there is too little room they shrink."""

    def __init__(self, parent: QWidget | None = None, gap: float = 14.0) -> None:
        super().__init__(parent)
        self._gap, self._tightness = gap, 1.0
        self._boxes: list[Box] = []  # the room that each formula takes
        self.formulas: tuple[Formula, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Formula")

    def show_formulas(self, *formulas: Formula) -> None:
        """Show other formulas."""
        if formulas != self.formulas:
            self.formulas = formulas
            self.setAccessibleDescription("\n".join(formula.text for formula in formulas))
            self._measure()

    def set_dense(self, dense: bool) -> None:
        """Put lines and formulas nearer to each other, or apart again."""
        self._tightness = DENSE if dense else 1.0
        self._measure()

    @property
    def _gaps(self) -> tuple[float, float]:
        """Between lines of a formula, and between formulas."""
        return LINE_GAP * self._tightness, self._gap * self._tightness

    def _measure(self) -> None:
        self._boxes = [formula.measure(self._gaps[0]) for formula in self.formulas]
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        between = self._gaps[1]
        height = sum(box.down + between for box in self._boxes) - between + 2
        width = max((box.width for box in self._boxes), default=0.0)
        return QSize(px(width) + 2, max(px(height), 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shrink = scale() * min(1.0, self.width() / max(self.sizeHint().width(), 1))
        painter.scale(shrink, shrink)
        y, (within, between) = 1.0, self._gaps
        for formula, box in zip(self.formulas, self._boxes, strict=True):
            formula.paint(painter, 0.0, y, within)
            y += box.down + between
