"""The importance of features in two runs: a circle and a square a feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from workbench.number_text import percent, short
from workbench.views.curves.ink import width, write
from workbench.views.curves.vertical_scales import Linear
from workbench.views.look.fonts import NOTE
from workbench.views.look.theme import theme
from workbench.views.runs.strokes import token_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from workbench.session.run import Run
    from workbench.views.runs.compare.findings import ShareFindings

HEAD, FOOT, ROW, MARGIN, MARK = 30, 22, 22, 16, 4.5
NAME_SHARE = 0.36  # of the width, at most
MEASURES = {
    "gain": "Share of gain, %", "count": "Share of splits, %", "weight": "Share of weights, %",
    "either": "Share of gain or weights, %",
}


class ShareDots(QWidget):
    """As many features as have room, the most important first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: ShareFindings | None = None
        self._runs: tuple[Run, Run] | None = None
        self.setAccessibleName("Importance in both runs")

    def show_shares(self, shares: ShareFindings | None, runs: tuple[Run, Run] | None) -> None:
        """Show other shares."""
        self._shares, self._runs = shares, runs
        if shares is not None:
            rows = zip(shares.names, shares.first.tolist(), shares.second.tolist(), strict=True)
            told = [f"{name} {percent(one, 1)} and {percent(other, 1)}" for name, one, other in rows]
            self.setAccessibleDescription("; ".join(told[:20]))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._shares is not None and self._runs is not None:
            self._paint(painter, self._shares, self._runs)
        painter.end()

    def _paint(self, painter: QPainter, shares: ShareFindings, runs: tuple[Run, Run]) -> None:
        rows = min(len(shares.names), int((self.height() - HEAD - FOOT) // ROW))
        more = len(shares.names) - rows
        write(painter, MEASURES[shares.measure], MARGIN, HEAD / 2, pixels=NOTE, token="text2")
        if more > 0:
            write(painter, f"{more} more", self.width() - MARGIN, HEAD / 2, pixels=NOTE, align="right")
        longest = max((width(name, NOTE) for name in shares.names[:rows]), default=0.0)
        names = min(longest, self.width() * NAME_SHARE)
        left, right = MARGIN + names + 10, self.width() - MARGIN - 14
        top = 100 * max(float(shares.first.max(initial=0)), float(shares.second.max(initial=0)), 1e-9)
        span = Linear(from_zero=True).fit(0.0, top, 4)
        bottom = HEAD + rows * ROW + 2

        def x(share: float) -> float:
            return left + 100 * share / span.high * (right - left)

        for tick in span.ticks:
            painter.setPen(QPen(theme().color("grid" if tick else "line2"), 1))
            painter.drawLine(QPointF(x(tick / 100), HEAD), QPointF(x(tick / 100), bottom))
            write(painter, short(tick), x(tick / 100), bottom + 10, align="centre")
        for row in range(rows):
            y = HEAD + (row + 0.5) * ROW
            name = shares.names[row]
            write(painter, name, left - 10, y, pixels=NOTE, token="text1", align="right", most=names)
            one, other = x(float(shares.first[row])), x(float(shares.second[row]))
            painter.setPen(QPen(theme().color("line2"), 1))
            painter.drawLine(QPointF(one, y), QPointF(other, y))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color(token_of(runs[0])))
            painter.drawEllipse(QPointF(one, y), MARK, MARK)
            painter.setBrush(theme().color(token_of(runs[1])))
            painter.drawRect(QRectF(other - MARK + 0.5, y - MARK + 0.5, 2 * MARK - 1, 2 * MARK - 1))
