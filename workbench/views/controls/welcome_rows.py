"""The rows of the welcome screen: a sample with its target's distribution, and a recent file."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QPointF, QRectF, Signal
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.isolation import isolated
from workbench.number_text import count, counted
from workbench.views.controls.list_button import ListButton, write
from workbench.views.controls.sparkline import paint_distribution
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from workbench.data.samples import SampleTable
    from workbench.session.opening.recent import RecentFile
    from workbench.session.project.sittings import Sitting

SAMPLE_HEIGHT, RECENT_HEIGHT = 78, 56
DROP_HEIGHT = 26
CHART_WIDTH, CHART_HEIGHT = 108, 34
DAYS_OF_A_WEEK = 7


class SampleRow(ListButton):
    """Name, size and task, what it shows, and the real distribution of its target."""

    def __init__(self, sample: SampleTable, parent: QWidget | None = None) -> None:
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
        if file.is_project:
            self._facts = f"project, {self._facts}"
        self._picture = QPixmap()
        self._when = when(file.opened.astimezone().date(), date.today())
        super().__init__(RECENT_HEIGHT, f"{isolated(file.name)}: {self._facts}, {self._when}", parent)
        set_tip(self, file.path)

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        left = self._paint_glyph(painter, rect)
        room = rect.width() - left - 80
        write(painter, QRectF(left, 11, room, 18), self.file.name, pixels=BODY)
        write(painter, QRectF(left, 29, room, 16), self._facts, "text3", NOTE)
        write(painter, QRectF(rect.right() - 76, 11, 76, 34), self._when, "text3", NOTE, right=True)


    def show_picture(self, data: bytes) -> None:
        """Show how the project looked, in place of the icon."""
        self._picture.loadFromData(data)
        self.update()

    def _paint_glyph(self, painter: QPainter, rect: QRectF) -> float:
        """Paint what stands before the name; return where that begins."""
        if not self._picture.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRectF(0, rect.center().y() - 20, 64, 40).toRect(), self._picture)
            return 74
        glyph = "git-branch" if self.file.is_project else "tree-structure" if self.file.is_model else "table"
        painter.drawPixmap(QPointF(0, rect.center().y() - 8), icon_pixmap(glyph, "text2", 16))
        return 26


class SittingRow(QWidget):
    """A sitting that was not saved: what was open, how far, when; to go on with, or to be dropped."""

    dropped = Signal()

    def __init__(self, sitting: Sitting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sitting = sitting
        self.row = _SittingButton(sitting)
        self.drop = QPushButton("Discard")
        self.drop.setAccessibleName(f"Discard what was not saved of {isolated(sitting.name)}")
        self.drop.clicked.connect(self.dropped)
        self.drop.setFixedHeight(px(DROP_HEIGHT))
        self.setFixedHeight(px(RECENT_HEIGHT))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.row, 1)
        layout.addWidget(self.drop)


class _SittingButton(ListButton):
    def __init__(self, sitting: Sitting) -> None:
        self._name = sitting.name
        how = "not saved" if sitting.closed else "not closed properly"
        self._facts = f"{counted(sitting.runs, 'run')}, {counted(sitting.rounds, 'round')}, {how}"
        self._when = f"{when(sitting.when.date(), date.today())} {sitting.when:%H:%M}"
        spoken = f"Go on with {isolated(self._name)}: {self._facts}, {self._when}"
        super().__init__(RECENT_HEIGHT, spoken, None)

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        glyph = icon_pixmap("arrow-counter-clockwise", "accent", 16)
        painter.drawPixmap(QPointF(0, rect.center().y() - 8), glyph)
        room = rect.width() - 26
        write(painter, QRectF(26, 11, room - 110, 18), f"Go on with {self._name}", pixels=BODY)
        write(painter, QRectF(26, 29, room, 16), self._facts, "text3", NOTE)
        write(painter, QRectF(rect.right() - 106, 11, 106, 18), self._when, "text3", NOTE, right=True)


def when(day: date, today: date) -> str:
    """Say a day as people do: "today", "yesterday", "Tuesday", "12 Nov", "12 Nov 2025"."""
    ago = (today - day).days
    if 0 <= ago <= 1:
        return ("today", "yesterday")[ago]
    form = "d MMM" if day.year == today.year else "d MMM yyyy"
    if 0 < ago < DAYS_OF_A_WEEK:
        form = "dddd"
    return QLocale.c().toString(QDate(day.year, day.month, day.day), form)
