"""What every part of a formula is."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter


class Box(NamedTuple):
    """Pixels: width, and height over and under the base line."""

    width: float
    up: float
    down: float


class FormulaPart:
    """A piece of a formula."""

    @cached_property
    def box(self) -> Box:
        """The room it takes, measured once."""
        raise NotImplementedError

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        """Paint it with its base line at y."""
        raise NotImplementedError

    @property
    def latex(self) -> str:
        """As LaTeX."""
        raise NotImplementedError

    @property
    def python(self) -> str:
        """As Python."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """On one line, as it is read aloud."""
        raise NotImplementedError
