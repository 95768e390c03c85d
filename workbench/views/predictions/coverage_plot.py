"""Quantiles that were promised beside the shares of answers that lie below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from workbench.number_text import percent, short
from workbench.views.curves.ink import width, write
from workbench.views.look.theme import theme
from workbench.views.predictions.plot import NO_ROWS, PredictionPlot, paint_dashed

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from workbench.explain.predictions.coverage import Coverage
    from workbench.views.predictions.plot import Cells

BESIDE = 18  # pixels between the lines and the names of the levels, and after them


class CoveragePlot(PredictionPlot):
    """Along what is predicted, tenth by tenth; dashed, what each level promises."""

    title = "Coverage"

    def __init__(self) -> None:
        super().__init__()
        self.coverage: Coverage | None = None
        self.caption = "tenths of what is predicted, lowest first"

    def show_coverage(self, coverage: Coverage) -> None:
        """Show other rows."""
        self.coverage = coverage
        self.set_y_span(0.0, 1.0, 5)
        self.fit_left()
        self._leave_room()
        told = ", ".join(self._levels_told)
        crossed = f"{percent(coverage.crossed, 1)} of rows cross; " if coverage.crossed > 0 else ""
        self.phrase = f"{crossed}share of answers at or below: {told}"  # as the labels say
        self.say("" if np.isfinite(coverage.shares).all() else NO_ROWS)

    @property
    def _levels_told(self) -> list[str]:
        """The levels, and what lies below them."""
        found = self.coverage
        if found is None:
            return []
        pairs = zip(found.levels.tolist(), found.shares.tolist(), strict=True)
        return [f"{short(level)}: {percent(share, 1)}" for level, share in pairs]

    def _leave_room(self) -> None:
        """Leave room at the right for the names."""
        if self.coverage is not None:
            room = max(map(width, self._levels_told), default=0.0) + BESIDE
            share = min(0.5, room / self.plot_rect.width())
            self.set_x(0.0, self.coverage.by_bin.shape[1] / (1.0 - share))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._leave_room()

    def paint_content(self, painter: QPainter) -> None:
        self.paint_framed(painter, self._paint_levels)

    def _x_marks(self, metrics: object) -> list[tuple[float, str]]:
        bins = 10 if self.coverage is None else self.coverage.by_bin.shape[1]
        return [(place + 0.5, str(place + 1)) for place in range(bins)]

    def _paint_levels(self, painter: QPainter) -> None:
        found = self.coverage
        if found is None:
            return
        bins = found.by_bin.shape[1]
        levels = zip(found.levels.tolist(), found.shares.tolist(), strict=True)
        for place, (level, share) in enumerate(levels):
            ink = theme().category(place)
            y = self.up(level)
            paint_dashed(painter, QPointF(self.across(0), y), QPointF(self.across(bins), y), "ctl")
            known = np.isfinite(found.by_bin[place])
            across = (np.arange(bins) + 0.5)[known]
            painter.setPen(QPen(ink, 2))
            painter.drawPolyline(self.line(across, found.by_bin[place][known]))
            painter.setPen(QPen(theme().color("data"), 1))
            painter.setBrush(ink)
            for point in self.points(across, found.by_bin[place][known]):
                painter.drawEllipse(point, 3.5, 3.5)
            painter.setPen(QPen(ink, 2))
            x = self.across(bins) + 4
            painter.drawLine(QLineF(x, self.up(share), x + 8, self.up(share)))
            write(painter, self._levels_told[place], x + 12, self.up(share), token="text1", halo="data")

    def values(self) -> Cells:
        found = self.coverage
        if found is None or self.sentence:
            return []
        tenths = [f"tenth {place + 1}" for place in range(found.by_bin.shape[1])]
        lines = zip(found.levels.tolist(), found.shares.tolist(), found.by_bin.tolist(), strict=True)
        return [("level", "share", *tenths), *((level, share, *bins) for level, share, bins in lines)]
