"""The residuals in their order: how large they are, and how many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from workbench.number_text import figure, percent
from workbench.views.curves.ink import width, write
from workbench.views.look.theme import theme
from workbench.views.predictions.plot import NO_ROWS, PredictionPlot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.views.predictions.plot import Cells

WRITTEN = (0.05, 0.25, 0.5, 0.75, 0.95)
SIDES = (0.005, 0.995)  # of the rows, beyond which the axis need not reach


class QuantilePlot(PredictionPlot):
    """Residuals over the share of rows up to them."""

    title = "Residual quantiles"
    brush = "x"
    hint = "Drag to select the rows with such residuals."

    def __init__(self) -> None:
        super().__init__()
        self.quantiles: NDArray[np.float64] = np.empty(0)
        self.token = "validation"
        self.caption = "share of rows, lowest residual first"
        self.set_x(0.0, 1.0)

    def show_quantiles(self, quantiles: NDArray[np.float64], token: str) -> None:
        """Show other rows."""
        self.quantiles, self.token = quantiles, token
        if not np.isfinite(quantiles).all():
            self.say(NO_ROWS)
            return
        low, high = (self._at(share) for share in SIDES)
        low, high = min(low, 0.0), max(high, 0.0)
        room = 0.08 * ((high - low) or 1.0)
        self.set_y_span(low - room, high + room, 5)
        self.fit_left()
        self.phrase = f"half of the rows between {figure(self._at(0.25))} and {figure(self._at(0.75))}"
        self.say("")

    def _at(self, share: float) -> float:
        return float(np.interp(share, np.linspace(0, 1, len(self.quantiles)), self.quantiles))

    def residuals_between(self, left: float, right: float) -> tuple[float, float]:
        """The residuals of a part of the axis."""
        return (-np.inf if left <= 0 else self._at(left)), (np.inf if right >= 1 else self._at(right))

    def point(self, place: tuple[float, float] | None) -> None:
        self.reading = ""
        if place is not None and len(self.quantiles):
            self.reading = f"{percent(place[0])} of the rows up to {figure(self._at(place[0]))}"

    def paint_content(self, painter: QPainter) -> None:
        self.paint_framed(painter, self._paint_line)

    def _paint_line(self, painter: QPainter) -> None:
        plot, zero = self.plot_rect, self.up(0.0)
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.drawLine(QLineF(plot.left(), zero, plot.right(), zero))
        painter.setPen(QPen(theme().color(self.token), 2.25))
        painter.drawPolyline(self.line(np.linspace(0, 1, len(self.quantiles)), self.quantiles))
        for share in WRITTEN:
            place = QPointF(self.across(share), self.up(self._at(share)))
            painter.setPen(QPen(theme().color("data"), 1.25))
            painter.setBrush(theme().color(self.token))
            painter.drawEllipse(place, 4.0, 4.0)
            words = f"{percent(share)}: {figure(self._at(share), 3)}"
            is_right = place.x() + 10 + width(words) > plot.right()
            x, y = (place.x() - 9, place.y() - 10) if is_right else (place.x() + 9, place.y() + 10)
            write(painter, words, x, y, token="text2", align="right" if is_right else "left", halo="data")

    def values(self) -> Cells:
        if self.sentence or not len(self.quantiles):
            return []
        shares = np.linspace(0, 1, len(self.quantiles)).tolist()
        return [("share of rows", "residual"), *zip(shares, self.quantiles.tolist(), strict=True)]
