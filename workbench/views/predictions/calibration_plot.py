"""Probabilities that were predicted beside the shares that came true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QPushButton

from workbench.number_text import amount, percent
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip
from workbench.views.predictions.plot import NO_ROWS, PredictionPlot, paint_dashed

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from workbench.explain.predictions.calibration import Calibration
    from workbench.explain.predictions.findings import ClassFindings
    from workbench.views.predictions.plot import Cells

WAYS = {"uniform": "Equal width", "quantile": "Equal rows"}
RUG = 0.16  # of the height, for the weights of the bins


class CalibrationPlot(PredictionPlot):
    """Bins of equal width, or of equally many rows."""

    title = "Calibration"
    brush = "x"
    hint = "Drag to select the rows with such probabilities."

    def __init__(self) -> None:
        super().__init__()
        self.found: ClassFindings | None = None
        self.token = "validation"
        self.way = "uniform"
        self.set_x(0.0, 1.0)
        self.set_y_span(0.0, 1.0, 5)
        self.caption = "predicted probability"
        self.way_button = QPushButton(WAYS[self.way], self)
        set_look(self.way_button, fit="tool", flat=True)
        set_tip(self.way_button, "Bins of equal width, or with equally many rows in each")
        self.way_button.clicked.connect(self._turn)

    def show_found(self, found: ClassFindings, token: str) -> None:
        """Show another class or other rows."""
        self.found, self.token = found, token
        self.fit_left()
        self._tell()

    @property
    def bins(self) -> Calibration | None:
        """What is shown."""
        return None if self.found is None else getattr(self.found, self.way)

    def _turn(self) -> None:
        self.way = "quantile" if self.way == "uniform" else "uniform"
        self.way_button.setText(WAYS[self.way])
        self._tell()

    def _tell(self) -> None:
        bins = self.bins
        self.way_button.setVisible(bins is not None and len(bins.place) > 0)
        if bins is None:
            self.phrase = ""
            self.say("The scores are not probabilities, so nothing says how often they come true.")
        else:
            off = f", off by {percent(bins.error, 1)}" if len(bins.place) else ""
            self.phrase = f"share that came true{off}"
            self.say("" if len(bins.place) else NO_ROWS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide, high = self.way_button.sizeHint().width(), px(24)
        self.way_button.setGeometry(round(self.plot_rect.left()) - 8, self.height() - px(22), wide, high)

    def point(self, place: tuple[float, float] | None) -> None:
        bins = self.bins
        if place is None or bins is None or not len(bins.place):
            self.reading = ""
            return
        at = int(np.abs(bins.predicted - place[0]).argmin())
        weight = float(bins.weight[at])
        self.reading = f"{percent(bins.observed[at])} of {amount(weight)} at {percent(bins.predicted[at])}"

    def paint_content(self, painter: QPainter) -> None:
        self.paint_framed(painter, self._paint_bins)

    def _paint_bins(self, painter: QPainter) -> None:
        bins, plot = self.bins, self.plot_rect
        if bins is None:
            return
        paint_dashed(painter, QPointF(self.across(0), self.up(0)), QPointF(self.across(1), self.up(1)), "ctl")
        largest = float(bins.weight.max()) or 1.0
        painter.setPen(QPen(theme().color("data"), 1))
        for place, weight in zip(bins.place.tolist(), bins.weight.tolist(), strict=True):
            left, right = (self.across(float(edge)) for edge in bins.edges[place : place + 2])
            high = RUG * plot.height() * weight / largest
            painter.setBrush(theme().on_data(self.token, 0.22))
            painter.drawRect(QRectF(left, plot.bottom() - high, max(1.0, right - left), high))
        painter.setPen(QPen(theme().color(self.token), 2.25))
        painter.drawPolyline(self.line(bins.predicted, bins.observed))
        painter.setPen(QPen(theme().color("data"), 1.25))
        painter.setBrush(theme().color(self.token))
        for point in self.points(bins.predicted, bins.observed):
            painter.drawEllipse(point, 4.0, 4.0)

    def values(self) -> Cells:
        bins = self.bins
        if bins is None or self.sentence:
            return []
        edges = bins.edges[bins.place], bins.edges[bins.place + 1]
        lines = zip(*edges, bins.predicted, bins.observed, bins.weight, strict=True)
        heads = ("from", "to", "mean predicted", "share observed", "weight")
        return [heads, *(tuple(map(float, line)) for line in lines)]
