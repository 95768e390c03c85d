"""The target's mean or share in groups of rows, along the column's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF

from workbench.data.values.labels import iso_day
from workbench.isolation import isolated
from workbench.number_text import counted, fixed
from workbench.views.data.axes import SmallPlot
from workbench.views.data.axis_text import brief
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import show_tip

if TYPE_CHECKING:
    from workbench.views.data.breakdown import Breakdown

HEIGHT = 128
DOT = 3.5


class GroupPlot(SmallPlot):
    """A dot a group, joined where values have an order; the mean of all rows is dashed."""

    def __init__(self) -> None:
        super().__init__(HEIGHT)
        self._shown: Breakdown | None = None

    def show_breakdown(self, shown: Breakdown | None) -> None:
        """Show another column, on the horizontal axis of its histogram."""
        self._shown = shown
        if shown is not None and shown.groups is not None:
            groups, histogram = shown.groups, shown.histogram
            if groups.is_share:
                self.set_y(0, 1, from_zero=True)
            else:
                values = [*groups.means, groups.overall]
                low, high = float(min(values)), float(max(values))
                if groups.is_date:
                    self.set_y_days(low, high)
                else:
                    self.set_y(low, high, from_zero=False)
            if histogram.values:
                self.set_x_names(histogram.values)
            else:
                self.set_x(histogram.edges[0], histogram.edges[-1], shown.column.kind)
            self.setAccessibleName(groups.title)
            self.setAccessibleDescription("; ".join(self._words(k) for k in range(len(groups.means))))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_axes(painter)
        if self._shown is None or self._shown.groups is None:
            return
        groups = self._shown.groups
        y = round(self.up(groups.overall)) + 0.5
        painter.setPen(QPen(theme().color("ctl"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(self.plot_rect.left(), y), QPointF(self.plot_rect.right(), y))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dots = self._dots()
        if not self._shown.histogram.values:
            painter.setPen(QPen(theme().color("text2"), 1.25))
            painter.drawPolyline(QPolygonF(dots))
        painter.setPen(QPen(theme().color("data"), 1))
        painter.setBrush(theme().color("text1"))
        for dot in dots:
            painter.drawEllipse(dot, DOT, DOT)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._shown is not None:
            near = [k for k, dot in enumerate(self._dots()) if abs(dot.x() - event.pos().x()) < 9]
            show_tip(event.globalPos(), "\n".join(self._words(k) for k in near), self)
            return True
        return super().event(event)

    def _dots(self) -> list[QPointF]:
        groups = self._shown.groups if self._shown else None
        if groups is None:
            return []
        return [QPointF(self.across(x), self.up(y)) for x, y in zip(groups.places, groups.means, strict=True)]

    def _words(self, k: int) -> str:
        if self._shown is None or self._shown.groups is None:
            return ""
        groups, histogram = self._shown.groups, self._shown.histogram
        mean = fixed(groups.means[k], 2) if groups.is_share else brief(groups.means[k])
        mean = iso_day(groups.means[k]) if groups.is_date else mean
        if histogram.values:
            place = isolated(histogram.values[int(groups.places[k])])
        elif self._shown.column.kind == "date":
            place = iso_day(groups.places[k])
        else:
            place = f"about {brief(groups.places[k])}"
        return f"{place}: {mean} of {counted(groups.sizes[k], 'row')}"
