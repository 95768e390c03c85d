"""What stays of a plot while a hand moves is one picture: Qt lets other threads in at each of many calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEngine, QPainter, QPixmap

from workbench.views.look.scale import scale
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Callable


class KeptLayer:
    """Painted anew only where what it is made of is another; on the ground of a token, "" for none."""

    def __init__(self, ground: str = "data") -> None:
        self._ground = ground
        self._known: tuple[object, ...] = ()
        self._layer = QPixmap()

    def forget(self) -> None:
        """Paint it anew the next time."""
        self._known = ()

    def paint(
        self, painter: QPainter, size: QSize, made_of: tuple[object, ...], paint: Callable[[QPainter], None]
    ) -> None:
        """Show what `paint` paints on the ground, of that size; on paper the lines themselves."""
        if painter.paintEngine().type() != QPaintEngine.Type.Raster:
            paint(painter)
            return
        painter.drawPixmap(0, 0, self.picture(painter.device().devicePixelRatioF(), size, made_of, paint))

    def picture(
        self, ratio: float, size: QSize, made_of: tuple[object, ...], paint: Callable[[QPainter], None]
    ) -> QPixmap:
        """Return it, also before it is shown, with so many pixels of the device to one."""
        known = (QSize(size), ratio, scale(), theme().name, *made_of)
        if known != self._known:
            self._known = known
            if self._layer.size() != size * ratio:
                self._layer = QPixmap(size * ratio)
            self._layer.setDevicePixelRatio(ratio)
            clear = Qt.GlobalColor.transparent
            self._layer.fill(theme().color(self._ground) if self._ground else clear)
            with QPainter(self._layer) as once:
                paint(once)
        return self._layer
