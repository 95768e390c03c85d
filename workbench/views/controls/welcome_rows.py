"""The rows of the welcome screen: a sample with its target's distribution, and a recent file."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QPointF, QRectF

from workbench.isolation import isolated
from workbench.number_text import count, counted
from workbench.views.controls.list_button import ListButton, write
from workbench.views.controls.sparkline import paint_distribution
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter
    from PySide6.QtWidgets import QWidget

    from workbench.data.samples import Sample
    from workbench.session.opening.recent import RecentFile

SAMPLE_HEIGHT, RECENT_HEIGHT = 78, 56
CHART_WIDTH, CHART_HEIGHT = 108, 34
DAYS_OF_A_WEEK = 7


class SampleRow(ListButton):
    """Name, size and task, what it shows, and the real distribution of its target."""

    def __init__(self, sample: Sample, parent: QWidget | None = None) -> None:
        self.sample = sample
        size = f"{count(sample.rows)} × {count(sample.columns)}"
        self._facts = f"{size}, {sample.task}: {isolated(sample.target)}"
        super().__init__(SAMPLE_HEIGHT, f"{sample.title}: {self._facts}. {sample.shows}", parent)

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        top = rect.top() + (rect.height() + 1 - SAMPLE_HEIGHT) // 2
        chart = QRectF(rect.right() - 8 - CHART_WIDTH, top + 22, CHART_WIDTH, CHART_HEIGHT)
        room = chart.left() - 4 - 16
        write(painter, QRectF(4, top + 14, room, 18), self.sample.title, bold=True)
        write(painter, QRectF(4, top + 32, room, 16), self._facts, "text2", NOTE)
        write(painter, QRectF(4, top + 48, room, 16), self.sample.shows, "text3", NOTE)
        classes = self.sample.classes
        paint_distribution(painter, chart, self.sample.counts, self._colors(classes), 2 if classes else 1,
                           align_right=True)

    def _colors(self, classes: bool) -> list[QColor]:
        """Classes fade from the first to the last; numbers are of one pale blue."""
        count = len(self.sample.counts)
        fading = [1 - 0.4 * index / max(count - 1, 1) for index in range(count)]
        return [theme().color("train", share if classes else 0.75) for share in fading]


class RecentRow(ListButton):
    """File, its kind, size and target, and when it was opened."""

    def __init__(self, file: RecentFile, parent: QWidget | None = None) -> None:
        self.file = file
        size = f"{count(file.rows)} × {count(file.columns)}"
        self._facts = size if file.rounds is None else f"model of {counted(file.rounds, 'round')}"
        if file.target is not None:
            self._facts += f", target {isolated(file.target)}"
        self._when = when(file.opened.astimezone().date(), date.today())
        super().__init__(RECENT_HEIGHT, f"{isolated(file.name)}: {self._facts}, {self._when}", parent)
        set_tip(self, file.path)

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        glyph = "tree-structure" if self.file.is_model else "table"
        painter.drawPixmap(QPointF(0, rect.center().y() - 8), icon_pixmap(glyph, "text2", 16))
        room = rect.width() - 26 - 80
        write(painter, QRectF(26, 11, room, 18), self.file.name, pixels=BODY)
        write(painter, QRectF(26, 29, room, 16), self._facts, "text3", NOTE)
        write(painter, QRectF(rect.right() - 76, 11, 76, 34), self._when, "text3", NOTE, right=True)


def when(day: date, today: date) -> str:
    """Say a day as people do: "today", "yesterday", "Tuesday", "12 Nov", "12 Nov 2025"."""
    ago = (today - day).days
    if 0 <= ago <= 1:
        return ("today", "yesterday")[ago]
    form = "d MMM" if day.year == today.year else "d MMM yyyy"
    if 0 < ago < DAYS_OF_A_WEEK:
        form = "dddd"
    return QLocale.c().toString(QDate(day.year, day.month, day.day), form)
