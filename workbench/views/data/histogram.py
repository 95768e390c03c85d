"""Rows by value, stacked by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent

from workbench.data.values.labels import iso_day
from workbench.isolation import isolated
from workbench.number_text import count, counted
from workbench.views.data.axes import SmallPlot
from workbench.views.data.axis_text import brief
from workbench.views.data.class_marks import class_color
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import show_tip

if TYPE_CHECKING:
    from workbench.views.data.breakdown import Breakdown

HEIGHT = 170


class HistogramPlot(SmallPlot):
    """Bars; of two classes the positive one stands on top."""

    def __init__(self) -> None:
        super().__init__(HEIGHT)
        self._shown: Breakdown | None = None
        self.setAccessibleName("Rows by value")

    def show_breakdown(self, shown: Breakdown | None) -> None:
        """Show another column."""
        self._shown = shown
        if shown is not None:
            histogram = shown.histogram
            totals = histogram.counts.sum(axis=0)
            self.set_y(0, max(float(totals.max(initial=0)), 1), from_zero=True)
            if histogram.values:
                self.set_x_names(histogram.values)
            else:
                self.set_x(histogram.edges[0], histogram.edges[-1], shown.column.kind)
            self.setAccessibleDescription("; ".join(self._words(k) for k in range(len(totals))))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_axes(painter)
        if self._shown is None:
            return
        base = np.zeros(len(self._shown.histogram.edges) - 1)
        rows = self._shown.histogram.counts
        for index, row in enumerate(rows):
            color = theme().color("ctl") if len(rows) == 1 else class_color(index, len(rows))
            for place, (low, height) in enumerate(zip(base, row, strict=True)):
                if height:
                    painter.fillRect(self._bar(place, low, low + height), color)
            base = base + row

    def _bar(self, place: int, low: float, high: float) -> QRectF:
        """One px of ground stays between neighbours, above and beside."""
        edges = self._shown.histogram.edges if self._shown else np.array([0.0, 1.0])
        left, right = self.across(edges[place]), self.across(edges[place + 1])
        inset = 0.2 * (right - left) if self._shown and self._shown.histogram.values else 0.0
        bottom, top = round(self.up(low)), round(self.up(high))
        left, right = round(left + inset), round(right - inset)
        return QRectF(left, top, max(1, right - left - 1), max(1, bottom - top - (1 if low else 0)))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._shown is not None:
            place = self._place_at(event.pos().x())
            show_tip(event.globalPos(), self._words(place) if place >= 0 else "", self)
            return True
        return super().event(event)

    def _place_at(self, x: int) -> int:
        edges = self._shown.histogram.edges if self._shown else np.empty(0)
        inside = [i for i in range(len(edges) - 1) if self.across(edges[i]) <= x < self.across(edges[i + 1])]
        return inside[0] if inside else -1

    def _words(self, place: int) -> str:
        if self._shown is None:
            return ""
        histogram, classes = self._shown.histogram, self._shown.classes
        rows = histogram.counts[:, place]
        name = histogram.values[place] if histogram.values else self._span(place)
        text = f"{isolated(name)}: {counted(rows.sum(), 'row')}"
        if classes is not None and len(rows) > 1:
            labels = map(isolated, classes.labels)
            parts = [f"{count(n)} {label}" for n, label in zip(rows, labels, strict=True) if n]
            text += f" ({', '.join(parts)})" if parts else ""
        return text

    def _span(self, place: int) -> str:
        low, high = self._shown.histogram.edges[place : place + 2] if self._shown else (0.0, 0.0)
        if self._shown and self._shown.column.kind == "date":
            return f"{iso_day(low)} to {iso_day(high)}"
        if (low + 0.5).is_integer() and high - low == 1:
            return brief(low + 0.5, 6)
        return f"{brief(low, 6)} to {brief(high, 6)}"
