"""How wide words are; kept, for each frame asks for the same again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QFontMetricsF

from workbench.views.look.fonts import plain_font
from workbench.views.look.scale import px

if TYPE_CHECKING:
    from PySide6.QtCore import Qt

KEPT = 4096  # lines of one font


class Ruler:
    """Measures lines in one size of the interface font, as QFontMetricsF does."""

    def __init__(self, pixels: int, *, bold: bool) -> None:
        self._metrics = QFontMetricsF(plain_font(pixels, bold=bold))
        self._kept = lru_cache(KEPT)(self._measured)
        self._elided = lru_cache(KEPT)(self._shortened)

    def horizontalAdvance(self, text: str, /) -> float:
        """Pixels that `text` takes."""
        return self._kept(text)

    def elidedText(self, text: str, mode: Qt.TextElideMode, room: float, /) -> str:
        """As much of `text` as has room."""
        return text if self._kept(text) <= room else self._elided(text, mode, room)

    def _shortened(self, text: str, mode: Qt.TextElideMode, room: float) -> str:
        return self._metrics.elidedText(text, mode, room)

    def _measured(self, text: str) -> float:
        return self._metrics.horizontalAdvance(text)


def ruler(pixels: int, *, bold: bool = False) -> Ruler:
    """Return what measures in this size of the present scale; made once."""
    return plain_ruler(px(pixels), bold=bold)


@lru_cache(maxsize=32)
def plain_ruler(pixels: int, *, bold: bool = False) -> Ruler:
    """Return what measures in just so many pixels; made once."""
    return Ruler(pixels, bold=bold)
