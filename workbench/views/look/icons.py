"""Phosphor icons from resources/icons, tinted with a token."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from workbench.resources import resource_path
from workbench.views.look.theme import theme

SCALE = 2  # drawn at twice the size, sharp on dense screens


def icon(name: str, token: str = "text1", pixels: int = 16, gap: int = 0) -> QIcon:
    """Return icon `name` in the colour of `token`, pale when disabled; `gap` pixels part it from words."""
    drawn = QIcon(_pixmap(name, theme().tokens[token], pixels, gap))
    drawn.addPixmap(_pixmap(name, theme().tokens["disabled"], pixels, gap), QIcon.Mode.Disabled)
    return drawn


def icon_pixmap(name: str, token: str = "text1", pixels: int = 16) -> QPixmap:
    """Return icon `name` as a picture of `pixels` square."""
    return _pixmap(name, theme().tokens[token], pixels)


@lru_cache(maxsize=512)
def _pixmap(name: str, color: str, pixels: int, gap: int = 0) -> QPixmap:
    svg = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", color)
    pixmap = QPixmap((pixels + gap) * SCALE, pixels * SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, pixels * SCALE, pixels * SCALE))
    painter.end()
    pixmap.setDevicePixelRatio(SCALE)
    return pixmap
