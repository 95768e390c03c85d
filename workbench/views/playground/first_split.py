"""What each cut of the shown columns would gain at the root of the shown tree: its first split's scan."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.curves.ink import write
from workbench.views.data.axes import SmallPlot
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from workbench.explain.split_scan import ColumnScan

HEIGHT = 150
WINNER = 4.5
LEAST_PART = 0.3  # of a shared axis that the cuts of a column take up


class GainCurve(NamedTuple):
    """The gain of each cut of a column, by threshold; the token is its colour."""

    name: str
    thresholds: NDArray[np.float64]
    gains: NDArray[np.float64]
    token: str = "train"

    @property
    def best(self) -> int:
        """The place of the best cut; −1 where there is none."""
        return int(np.nanargmax(self.gains)) if np.isfinite(self.gains).any() else -1


def gain_curve(name: str, scan: ColumnScan, token: str = "train") -> GainCurve:
    """Return the curve of a scan: of each threshold the better side for missing values."""
    possible = np.where(scan.is_possible & (scan.refused == 0), scan.gain, np.nan)
    with np.errstate(all="ignore"):
        gains = np.fmax(possible[0], possible[1])
    order = np.argsort(scan.thresholds, kind="stable")
    return GainCurve(name, scan.thresholds[order].astype(np.float64), gains[order], token)


class FirstSplitPlot(SmallPlot):
    """One thin line a column on one pair of axes; a drop line and a dot mark the best cut of all."""

    def __init__(self, height: int = HEIGHT) -> None:
        super().__init__(height)
        self._curves: tuple[GainCurve, ...] = ()
        self._level: float | None = None  # the best of a column on another scale
        self.sentence = ""
        self.setAccessibleName("Gain of each cut at the root")

    def sizeHint(self) -> QSize:
        return QSize(268, self.height())

    def show_curves(
        self, curves: Sequence[GainCurve], limits: tuple[float, float] | None = None
    ) -> None:
        """Show curves, over these limits or as far as they go."""
        self._curves = tuple(curve for curve in curves if len(curve.thresholds))
        known = [curve.thresholds[np.isfinite(curve.gains)] for curve in self._curves if curve.best >= 0]
        ends = [(float(some[0]), float(some[-1])) for some in known]
        self._level = None
        if limits is None and len(ends) > 1 and not _alike(*ends):
            best = max((c for c in self._curves if c.best >= 0), key=lambda c: c.gains[c.best])
            other = next(c for c in self._curves if c is not best)
            self._level, self._curves = float(other.gains[other.best]), (best,)
            ends = [(float(best.thresholds[0]), float(best.thresholds[np.isfinite(best.gains)][-1]))]
        low, high = limits or (min((e[0] for e in ends), default=0.0), max((e[1] for e in ends), default=1.0))
        self.set_x(low, high)
        tops = [self._level or 0.0, *(float(np.nanmax(c.gains)) for c in self._curves if c.best >= 0)]
        lows = [float(np.nanmin(c.gains)) for c in self._curves if c.best >= 0]
        self.set_y(min([0.0, *lows]), max([0.0, *tops]) or 1.0, from_zero=min(lows, default=0.0) >= 0)
        self._left = self.left_needed
        self.update()

    @property
    def shows_level(self) -> bool:
        """Whether the other column is only told by its best gain."""
        return self._level is not None

    @property
    def best(self) -> GainCurve | None:
        """The curve with the best cut of all."""
        known = [curve for curve in self._curves if curve.best >= 0]
        return max(known, key=lambda curve: curve.gains[curve.best], default=None)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint(QPainter(self))

    def paint(self, painter: QPainter) -> None:
        """Paint everything; also for a picture file."""
        self.paint_axes(painter)
        plot = self.plot_rect
        if self.sentence and not self._curves:
            write(painter, self.sentence, plot.center().x(), plot.center().y(), align="centre", token="text2",
                  most=plot.width())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(plot.adjusted(-6, -6, 6, 1))
        if self._level is not None:
            painter.setPen(QPen(theme().color("ctl"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(plot.left(), self.up(self._level), plot.right(), self.up(self._level)))
        best = self.best
        for curve in sorted(self._curves, key=lambda curve: curve is best):
            painter.setPen(QPen(theme().color(curve.token), 1.5 if curve is best else 1))
            known = np.isfinite(curve.gains)
            painter.drawPolyline(self.line(curve.thresholds[known], curve.gains[known]))
        if best is not None:
            x, y = self.across(best.thresholds[best.best]), self.up(best.gains[best.best])
            painter.setPen(QPen(theme().color("accent"), 1))
            painter.drawLine(QLineF(x, y, x, plot.bottom()))
            painter.setPen(QPen(theme().color("data"), 1.5))
            painter.setBrush(theme().color("accent"))
            painter.drawEllipse(QPointF(x, y), WINNER, WINNER)


def _alike(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two columns can share an axis: both take up a good part of it."""
    whole = max(one[1], other[1]) - min(one[0], other[0])
    return all(end - begin >= LEAST_PART * whole for begin, end in (one, other))
