"""How much larger than set everything is: as set, or for the last row of a lecture hall."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

PROJECTOR = 1.4


@cache  # asked for a thousand times a picture
def scale() -> float:
    """1, or that of a projector."""
    app = QGuiApplication.instance()
    return float((app.property("scale") if app is not None else None) or 1.0)


def set_scale(app: QCoreApplication, wanted: float) -> None:
    """Let `scale` return another one from now on."""
    app.setProperty("scale", wanted)
    scale.cache_clear()


def px(pixels: float) -> int:
    """A length as set in the present scale, in whole pixels."""
    return round(pixels * scale())


def rescaled(pixels: int, ratio: float) -> int:
    """A length of whole pixels in a scale `ratio` times the one before; there and back it is the same."""
    return round(pixels * ratio)
