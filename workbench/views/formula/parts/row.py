"""Parts beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.views.formula.parts.base import Box, FormulaPart

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


@dataclass(frozen=True)
class Row(FormulaPart):
    """Parts side by side."""

    parts: tuple[FormulaPart, ...]

    @cached_property
    def box(self) -> Box:
        boxes = [part.box for part in self.parts]
        return Box(sum(b.width for b in boxes), max(b.up for b in boxes), max(b.down for b in boxes))

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        for part in self.parts:
            part.paint(painter, x, y)
            x += part.box.width

    @property
    def latex(self) -> str:
        return "".join(part.latex for part in self.parts)

    @property
    def python(self) -> str:
        return "".join(part.python for part in self.parts)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)
