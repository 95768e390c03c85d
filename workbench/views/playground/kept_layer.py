"""The part of a picture that stays while the rest changes: painted once, into pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

FEWEST = 300  # marks, from which on it takes less time to show a layer than to paint them


class KeptLayer:
    """Of one widget; on other paper than its own, such as a vector page, everything is painted anew."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._known: tuple[Any, ...] = ()
        self._pixels = QPixmap()

    def paint(
        self, painter: QPainter, marks: int, key: tuple[Any, ...], draw: Callable[[QPainter], None]
    ) -> None:
        """Show so many marks; `draw` is called where the last ones had another key, size or theme."""
        widget = self._widget
        if marks < FEWEST or painter.device() is not widget:
            draw(painter)
            return
        ratio, size = widget.devicePixelRatioF(), widget.size()
        known = (*key, ratio, size.width(), size.height(), theme().name)
        if known != self._known:
            self._pixels = QPixmap(size * ratio)
            self._pixels.setDevicePixelRatio(ratio)
            self._pixels.fill(Qt.GlobalColor.transparent)
            with QPainter(self._pixels) as own:
                own.setRenderHint(QPainter.RenderHint.Antialiasing)
                draw(own)
            self._known = known
        painter.drawPixmap(0, 0, self._pixels)
