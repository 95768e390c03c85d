"""A curve that Qt draws quickly however much it zigzags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPen

from workbench.views.curves.thinning import finite_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPainter, QPolygonF

CALM = 700.0  # pixels up and down in all; a wide path that zigzags more takes Qt up to 200 ms
PIECE = 6  # strokes of a restless line that are joined
MOST_JOINED = 400  # points beyond which strokes are so short that joints do not show


class Stroke(pg.PlotCurveItem):
    """Drawn whole where it is calm, in short pieces where not, as single strokes where points lie dense."""

    def __init__(self) -> None:
        super().__init__(antialias=True)
        self.setSegmentedLineMode("on")
        self._pieces: list[QPolygonF] = []
        self._bounds = QRectF()
        self.shows: tuple[Any, ...] = ()  # what it was drawn from

    def set_points(self, x: NDArray[np.float64], y: NDArray[np.float64], pixels: float) -> None:
        """Show the line through these points; NaN leaves a gap. `pixels` is how tall a unit of y is."""
        finite = bool(np.isfinite(y).all())
        self._pieces = []
        if finite and 1 < len(x) <= MOST_JOINED:
            calm = float(np.abs(np.diff(y)).sum()) * pixels < CALM
            self._pieces = _pieces(x, y, len(x) if calm else PIECE)
        self._bounds = _bounds(x, y)
        self.setData(x, y, connect="all" if finite else "finite", skipFiniteCheck=finite)

    def boundingRect(self) -> QRectF:
        """Where the points lie; how wide the pen is does not matter, since nothing is cut off there."""
        return self._bounds

    def paint(self, painter: QPainter, option: Any, widget: Any) -> None:
        pens = {kind: self.opts[kind] for kind in ("shadowPen", "pen")}
        ratio = painter.device().devicePixelRatioF()
        self.opts.update({kind: _wider(pen, ratio) for kind, pen in pens.items()})
        if self._pieces:
            self._paint_pieces(painter)
        else:
            super().paint(painter, option, widget)
        self.opts.update(pens)

    def _paint_pieces(self, painter: QPainter) -> None:
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        for kind in ("shadowPen", "pen"):
            if self.opts[kind] is not None:
                painter.setPen(self.opts[kind])
                for piece in self._pieces:
                    painter.drawPolyline(piece)


def _bounds(x: NDArray[np.float64], y: NDArray[np.float64]) -> QRectF:
    ends = finite_ends(y)
    return QRectF() if ends is None else QRectF(x[0], ends[0], x[-1] - x[0], ends[1] - ends[0])


def _wider(pen: QPen | None, ratio: float) -> QPen | None:
    """A cosmetic pen counts the pixels of the screen; on dense ones it needs more of them."""
    if pen is None or ratio == 1:
        return pen
    wide = QPen(pen)
    wide.setWidthF(pen.widthF() * ratio)
    return wide


def _pieces(x: NDArray[np.float64], y: NDArray[np.float64], strokes: int) -> list[QPolygonF]:
    """Cut a line; neighbours share a point."""
    cut = range(0, len(x) - 1, strokes)
    return [pg.functions.arrayToQPolygonF(x[at : at + strokes + 1], y[at : at + strokes + 1]) for at in cut]
