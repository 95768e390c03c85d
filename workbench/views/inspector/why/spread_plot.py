"""How values, g and h of a node's rows are spread: what goes left and right, stacked to the whole node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.data.values.labels import iso_day
from workbench.isolation import isolated
from workbench.number_text import counted
from workbench.views.curves.ink import write
from workbench.views.data.axis_text import brief
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from workbench.data.schema import Feature
    from workbench.explain.spread import ColumnSpread, Spread

TITLE, AXIS_ROOM, GAP = 16.0, 15.0, 6.0
MOST_BARS = 14  # categories


class SpreadPlot(QWidget):
    """Three small histograms under each other; the part that goes left is violet's, the rest gold's."""

    def __init__(self) -> None:
        super().__init__()
        self._spread: ColumnSpread | None = None
        self._feature: Feature | None = None
        self._is_split = False
        self.setMinimumHeight(120)
        self.setProperty("keeps_size", True)  # it is as high as there is room
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Distributions in this node")

    def show_spread(self, spread: ColumnSpread | None, feature: Feature | None, *, is_split: bool) -> None:
        """Show another column, of a node that was split or not."""
        self._spread, self._feature, self._is_split = spread, feature, is_split
        if spread is not None and feature is not None:
            rows = int(spread.values.yes.sum() + spread.values.no.sum())
            missing = f", {counted(spread.missing, 'row')} without a value" if spread.missing else ""
            self.setAccessibleDescription(f"{isolated(feature.name)} of {counted(rows, 'row')}{missing}.")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._spread is None or self._feature is None:
            return
        painter = QPainter(self)
        spread = self._spread
        self._paint_legend(painter)
        named = (
            (self._feature.name, spread.values), ("gradient g", spread.gradients),
            ("hessian h", spread.hessians),
        )
        top, height = TITLE, (self.height() - TITLE) / len(named)
        for title, one in named:
            self._paint(painter, QRectF(0, top, self.width(), height - GAP), title, one)
            top += height

    def _paint_legend(self, painter: QPainter) -> None:
        if not self._is_split:
            write(painter, "all rows of this leaf", self.width(), 7, token="text3", align="right")
            return
        x = float(self.width())
        for words, side in (("right, no", 1), ("left, yes", -1)):
            x -= write(painter, words, x, 7, token="text2", align="right") + 12
            painter.fillRect(QRectF(x, 3, 8, 8), theme().weight(0.7 * side))
            x -= 10

    def _paint(self, painter: QPainter, rect: QRectF, title: str, spread: Spread) -> None:
        write(painter, title, rect.left(), rect.top() + 7, token="text2", bold=True, most=rect.width() * 0.55)
        plot = rect.adjusted(0, TITLE, 0, -AXIS_ROOM)
        yes, no = spread.yes[: self._most(spread)], spread.no[: self._most(spread)]
        highest = max(int((yes + no).max(initial=0)), 1)
        wide = plot.width() / max(len(yes), 1)
        for place, (left, right) in enumerate(zip(yes.tolist(), no.tolist(), strict=True)):
            x, base = plot.left() + wide * place, plot.bottom()
            for count, side in ((left, -1), (right, 1)):
                tall = plot.height() * count / highest
                color = theme().weight(0.7 * side) if self._is_split else theme().color("train", 0.75)
                painter.fillRect(QRectF(x, base - tall, max(wide - 1, 1), tall), color)
                base -= tall
        painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), theme().color("line2"))
        self._paint_ends(painter, plot, spread, wide)
        if len(spread.codes) > MOST_BARS:
            more = f"the {MOST_BARS} most frequent of {len(spread.codes)}"
            write(painter, more, rect.right(), rect.top() + 7, align="right")

    def _most(self, spread: Spread) -> int:
        return MOST_BARS if len(spread.codes) else len(spread.yes)

    def _paint_ends(self, painter: QPainter, plot: QRectF, spread: Spread, wide: float) -> None:
        y = plot.bottom() + 9
        if not len(spread.codes):
            is_date = spread is self._spread_values and self._feature_kind == "date"
            words = [iso_day(e) if is_date else brief(float(e)) for e in (spread.edges[0], spread.edges[-1])]
            write(painter, words[0], plot.left(), y)
            write(painter, words[1], plot.right(), y, align="right")
            return
        for place, code in enumerate(spread.codes[:MOST_BARS].tolist()):
            middle = plot.left() + wide * (place + 0.5)
            write(painter, self._label(code), middle, y, align="centre", most=wide - 4)

    @property
    def _spread_values(self) -> Spread | None:
        return None if self._spread is None else self._spread.values

    @property
    def _feature_kind(self) -> str:
        return "" if self._feature is None else self._feature.kind

    def _label(self, code: int) -> str:
        labels = () if self._feature is None else self._feature.categories
        return labels[code] if 0 <= code < len(labels) else "missing"


