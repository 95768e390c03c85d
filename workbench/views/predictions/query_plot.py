"""How well each query of a ranking is ordered: how many queries have which figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPen

from workbench.number_text import counted, fixed
from workbench.views.curves.ink import write
from workbench.views.look.theme import theme
from workbench.views.predictions.plot import PredictionPlot

if TYPE_CHECKING:
    from workbench.explain.predictions.query_metrics import QueryMetrics
    from workbench.views.predictions.plot import Cells

BINS = 25


class QueryPlot(PredictionPlot):
    """A histogram over queries."""

    title = "NDCG by query"
    brush = "x"
    hint = "Drag to select the rows of such queries."

    def __init__(self) -> None:
        super().__init__()
        self.queries: QueryMetrics | None = None
        self.token = "validation"
        self._heights = np.zeros(BINS)
        self.caption = "NDCG of a query"

    def show_queries(self, queries: QueryMetrics, token: str) -> None:
        """Show other queries."""
        self.queries, self.token = queries, token
        known = queries.ndcg[np.isfinite(queries.ndcg)]
        low = min(0.8, float(np.floor(10 * known.min()) / 10)) if len(known) else 0.0
        self._heights, self._edges = np.histogram(known, BINS, (low, 1.0))
        self.set_x(low, 1.0)
        self.set_y(0.0, max(1.0, float(self._heights.max())), from_zero=True)
        self.fit_left()
        self.phrase = counted(len(known), "query", "queries")
        self.say("" if len(known) else "No query has relevances from 0 to 31, so there is no NDCG.")

    def point(self, place: tuple[float, float] | None) -> None:
        self.reading = ""
        if place is not None:
            at = min(max(int(np.searchsorted(self._edges, place[0], side="right")) - 1, 0), BINS - 1)
            n = counted(float(self._heights[at]), "query", "queries")
            self.reading = f"{n} from {fixed(self._edges[at], 2)} to {fixed(self._edges[at + 1], 2)}"

    def paint_content(self, painter: QPainter) -> None:
        self.paint_framed(painter, self._paint_bars)

    def _paint_bars(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for place, high in enumerate(self._heights.tolist()):
            left, right = self.across(self._edges[place]), self.across(self._edges[place + 1])
            top = self.up(high)
            bar = QRectF(left + 1, top, max(1.0, right - left - 1), self.plot_rect.bottom() - top)
            painter.fillRect(bar, theme().on_data(self.token, 0.7))
        if self.queries is not None and len(self.queries.ndcg):
            mean = float(np.nanmean(self.queries.ndcg))
            x = self.across(mean)
            painter.setPen(QPen(theme().color("text1"), 1.5))
            painter.drawLine(QLineF(x, self.plot_rect.top(), x, self.plot_rect.bottom()))
            y = self.plot_rect.top() + 8
            write(painter, f"mean {fixed(mean)}", x - 6, y, token="text1", align="right", halo="data")

    def values(self) -> Cells:
        found = self.queries
        if found is None or self.sentence:
            return []
        figures = (found.group, found.rows, found.ndcg, found.average_precision)
        lines = zip(*(values.tolist() for values in figures), strict=True)
        return [("query", "rows", "ndcg", "average precision"), *lines]
