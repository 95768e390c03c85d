"""What stays of a plot while a hand moves one point is one picture: Qt gives way at each of many calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEngine, QPainter, QPixmap

from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Callable


class KeptLayer:
    """Painted anew only where what it is made of is another."""

    def __init__(self) -> None:
        self._known: tuple[object, ...] = ()
        self._layer = QPixmap()

    def forget(self) -> None:
        """Paint it anew the next time."""
        self._known = ()

    def paint(
        self, painter: QPainter, size: QSize, made_of: tuple[object, ...], paint: Callable[[QPainter], None]
    ) -> None:
        """Show what `paint` paints on a plot of that size, as lines where it goes to paper."""
        if painter.paintEngine().type() != QPaintEngine.Type.Raster:
            paint(painter)
            return
        ratio = painter.device().devicePixelRatioF()
        known = (QSize(size), ratio, px(1000), theme().name, *made_of)
        if known != self._known:
            self._known, self._layer = known, QPixmap(size * ratio)
            self._layer.setDevicePixelRatio(ratio)
            self._layer.fill(Qt.GlobalColor.transparent)
            hand = QPainter(self._layer)
            paint(hand)
            hand.end()
        painter.drawPixmap(0, 0, self._layer)
