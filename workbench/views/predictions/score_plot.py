"""The scores of a class beside those of the others, with the threshold between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from workbench.number_text import amount, fixed
from workbench.views.curves.ink import write
from workbench.views.look.theme import theme
from workbench.views.predictions.plot import NO_ROWS, PredictionPlot, paint_dashed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.predictions.score_curve import ScoreCurve
    from workbench.explain.predictions.score_histogram import ScoreHistogram
    from workbench.views.predictions.plot import Cells

OTHERS, OWN = 0, 1  # colours of the categories, as everywhere of two classes


class ScorePlot(PredictionPlot):
    """Two histograms over one another, each with its own outline; both sides share the scale."""

    title = "Scores by class"
    brush = "x"
    hint = "Click to set the threshold. Drag to select the rows with such scores."

    def __init__(self) -> None:
        super().__init__()
        self.histogram: ScoreHistogram | None = None
        self.names = ("", "")
        self._threshold, self._best = 0.5, float("nan")
        self._marked: NDArray[np.float64] = np.empty(0)  # weights of the selected rows
        self.caption = "score"

    def show_scores(self, histogram: ScoreHistogram, curve: ScoreCurve, label: str, others: str) -> None:
        """Show other scores."""
        self.histogram, self.names, self._best = histogram, (others, label), float("nan")
        self.set_x(float(histogram.edges[0]), float(histogram.edges[-1]))
        highest = float(max(histogram.positive.max(), histogram.negative.max()))
        self.set_y(0.0, max(1e-9, highest), from_zero=True)
        self.fit_left()
        total = float(curve.positive[-1] + curve.negative[-1])
        weighs = total != int(total)
        self.phrase = "weight in each bin" if weighs else "rows in each bin"
        self.say("" if total > 0 else NO_ROWS)

    def mark(self, weights: NDArray[np.float64]) -> None:
        """Show the selected rows among the others; nothing of none."""
        self._marked = weights
        self.update()

    def set_threshold(self, threshold: float) -> None:
        """Move the line."""
        self._threshold = threshold
        self.update()

    def set_best(self, threshold: float) -> None:
        """Mark where errors cost least; NaN nowhere."""
        self._best = threshold
        self.update()

    def point(self, place: tuple[float, float] | None) -> None:
        if place is None or self.histogram is None:
            self.reading = ""
            return
        edges = self.histogram.edges
        at = int(np.searchsorted(edges, place[0], side="right") - 1)
        at = min(max(at, 0), len(edges) - 2)
        own, others = float(self.histogram.positive[at]), float(self.histogram.negative[at])
        self.reading = (
            f"{fixed(edges[at], 2)} to {fixed(edges[at + 1], 2)}: {amount(own)} {self.names[1]}, "
            f"{amount(others)} {self.names[0]}"
        )

    def paint_content(self, painter: QPainter) -> None:
        self.paint_framed(painter, self._paint_bars)
        self._paint_key(painter)

    def _paint_bars(self, painter: QPainter) -> None:
        histogram = self.histogram
        if histogram is None:
            return
        for values, colour, alpha in ((histogram.negative, OTHERS, 0.30), (histogram.positive, OWN, 0.42)):
            steps = self.points(np.repeat(histogram.edges, 2)[1:-1], np.repeat(values, 2))
            base = self.plot_rect.bottom()
            area = QPolygonF([QPointF(steps[0].x(), base), *steps, QPointF(steps[-1].x(), base)])
            ink = theme().category(colour)
            fill = theme().category(colour)
            fill.setAlphaF(alpha)
            painter.setBrush(fill)
            painter.setPen(QPen(ink, 0))
            painter.drawPolygon(area)
            painter.setPen(QPen(ink, 1.5))
            painter.drawPolyline(steps)

    def paint_marks(self, painter: QPainter) -> None:
        plot = self.plot_rect
        if self.histogram is not None and len(self._marked) == len(self.histogram.positive):
            painter.setPen(QPen(theme().color("accent"), 1.5))
            steps = self.points(np.repeat(self.histogram.edges, 2)[1:-1], np.repeat(self._marked, 2))
            feet = (QPointF(steps[place].x(), plot.bottom()) for place in (0, -1))
            painter.setBrush(theme().color("accent", 0.25))
            painter.drawPolygon(QPolygonF([next(feet), *steps, next(feet)]))
        if self._best == self._best:
            x = self.across(self._best)
            paint_dashed(painter, QPointF(x, plot.top()), QPointF(x, plot.bottom()), "accent", 1.5)
        x = self.across(self._threshold)
        painter.setPen(QPen(theme().color("accent"), 2))
        painter.drawLine(QLineF(x, plot.top() - 4, x, plot.bottom()))

    def _paint_key(self, painter: QPainter) -> None:
        """Name the two below the plot, at the left of the caption."""
        x, y = self.plot_rect.left(), self.height() - 9.0
        for name, colour in ((self.names[1], OWN), (self.names[0], OTHERS)):
            painter.fillRect(QRectF(x, y - 4, 9, 9), theme().category(colour))
            x += 14 + write(painter, name, x + 14, y, token="text2", most=self.plot_rect.width() * 0.34,
                            is_name=True) + 12

    def values(self) -> Cells:
        if self.histogram is None or self.sentence:
            return []
        edges, positive, negative = (values.tolist() for values in self.histogram)
        heads = ("from", "to", *reversed(self.names))
        return [heads, *zip(edges[:-1], edges[1:], positive, negative, strict=True)]
