"""The first screen: drop a table, take up a recent one, or start with a sample."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.data.samples import SAMPLES
from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.drop_zone import DropZone
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.label import Label
from workbench.views.controls.layout_items import empty_layout
from workbench.views.controls.sample_list import SampleList
from workbench.views.controls.welcome_rows import RecentRow, SittingRow
from workbench.views.look.fonts import HERO, NOTE, TITLE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from workbench.session.opening.recent import RecentFile
    from workbench.session.project.sittings import Sitting

LEFT_WIDTH, WIDEST = 416, 1440
MARGIN, GUTTER, TOP = 62, 56, 60  # with the inset of 2 px: 64
MOST_RECENT, MOST_SITTINGS = 4, 2
INSET = 2
LONGEST_NAME = 40  # of what is open, on the button that goes back to it
PROMISE = "Load a table, watch gradient boosting build its trees, and see the numbers behind every split."
FORMATS = "CSV, Excel, Parquet, JSON lines …; a model; a project"
NO_RECENT = "Files that you open are listed here."


class Welcome(QWidget):
    """Says what was asked for; the window opens it."""

    open_requested = Signal()
    file_chosen = Signal(str)
    sample_chosen = Signal(str)
    tour_requested = Signal()
    playground_requested = Signal()
    back_requested = Signal()
    sitting_dropped = Signal(object)  # the path of one that nobody wants

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drop_active = False
        self._zone = DropZone(FORMATS)
        self._zone.open_requested.connect(self.open_requested)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        self._tour = self._build_way("Watch a sample being trained", "play", self.tour_requested)
        self._playground = self._build_way(
            "Draw points in the playground", "pencil-simple", self.playground_requested
        )
        self._back = self._build_back()
        self._way_back = _above(self._back)
        self._samples = SampleList(SAMPLES)
        self._samples.chosen.connect(self.sample_chosen)
        self._build()
        self.set_recent([])
        set_look(self, ground="data")

    def set_recent(self, files: Sequence[RecentFile]) -> None:
        """List the files opened last."""
        empty_layout(self._recent)
        for file in files[:MOST_RECENT]:
            row = RecentRow(file)
            row.clicked.connect(lambda _=False, path=file.path: self.file_chosen.emit(path))
            self._recent.addWidget(row)
        if not files:
            empty = _line(NO_RECENT, NOTE, "3")
            empty.setContentsMargins(0, 8, 0, 0)
            self._recent.addWidget(empty)
        self._order_tabs()

    def show_more(self, sittings: Sequence[Sitting], pictures: Mapping[str, bytes]) -> None:
        """Put sittings that can be gone on with before the files, and pictures beside projects."""
        for row in self._rows:
            if isinstance(row, RecentRow) and row.file.path in pictures:
                row.show_picture(pictures[row.file.path])
        for old in self._rows:
            if isinstance(old, SittingRow):
                self._recent.removeWidget(old)
                old.deleteLater()
        for place, sitting in enumerate(sittings[:MOST_SITTINGS]):
            made = SittingRow(sitting)
            made.row.clicked.connect(partial(self.file_chosen.emit, str(sitting.path)))
            made.dropped.connect(partial(self._drop, made))
            self._recent.insertWidget(place, made)
        files = [row for row in self._rows if isinstance(row, RecentRow)]
        for spare in files[MOST_RECENT - len(sittings[:MOST_SITTINGS]) :]:
            spare.hide()  # there is room for so many in all
        self._order_tabs()

    @property
    def _rows(self) -> list[QWidget | None]:
        items = (self._recent.itemAt(index) for index in range(self._recent.count()))
        return [item.widget() for item in items if item is not None]

    def _drop(self, row: SittingRow) -> None:
        self._recent.removeWidget(row)
        row.hide()
        row.deleteLater()
        self.sitting_dropped.emit(row.sitting.path)

    def set_open(self, name: str) -> None:
        """Offer the way back to what is open; "" where nothing is."""
        self._way_back.setVisible(bool(name))
        shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        self._back.setText(f" Back to {shown.replace('&', '&&')}")
        self._back.setAccessibleName(f"Back to {name}")
        if name:
            self._back.setFocus()

    def _order_tabs(self) -> None:
        """Let the keyboard go in reading order."""
        recent: list[QWidget] = []
        for row in self._rows:
            recent += [row.row, row.drop] if isinstance(row, SittingRow) else []
            recent += [row] if isinstance(row, RecentRow) else []
        buttons = (self._back, *self._zone.findChildren(QPushButton))
        chain = [*buttons, *recent, self._tour, self._playground, *self._samples.buttons]
        for before, after in pairwise(chain):
            QWidget.setTabOrder(before, after)

    def set_drop_active(self, active: bool) -> None:
        """Show that the window would take what is held over it."""
        self._drop_active = active
        self._zone.set_active(active)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._samples.show_within(self.height() - 2 * INSET - TOP)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self._way_back.isHidden():
            self.back_requested.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tour.setIcon(icon("play", "text1", 14))
            self._playground.setIcon(icon("pencil-simple", "text1", 14))
            self._back.setIcon(icon("caret-left", "text1", 14))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._drop_active:
            painter = QPainter(self)
            painter.setPen(QPen(theme().color("accent"), 2 * INSET))
            painter.drawRect(self.rect())

    def _build(self) -> None:
        columns = QWidget()
        columns.setMaximumWidth(px(WIDEST))
        row = QHBoxLayout(columns)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GUTTER)
        row.addWidget(self._build_left())
        row.addWidget(self._samples, 1)
        content = QWidget()
        holder = QHBoxLayout(content)
        holder.setContentsMargins(MARGIN, TOP, MARGIN, 24)
        holder.addWidget(columns)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(INSET, INSET, INSET, INSET)
        outer.addWidget(DockScroll(content))

    def _build_left(self) -> QWidget:
        left = QWidget()
        left.setFixedWidth(px(LEFT_WIDTH))
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._way_back)
        column.addWidget(_line("Grow trees you can question", TITLE, bold=True))
        column.addSpacing(8)
        column.addWidget(_line(PROMISE, HERO, "2"))
        column.addSpacing(24)
        column.addWidget(self._zone, 50)
        column.addSpacing(32)
        column.addWidget(Heading("Recent"))
        column.addSpacing(8)
        column.addWidget(rule())
        column.addLayout(self._recent)
        column.addSpacing(32)
        column.addWidget(Heading("No data at hand"))
        column.addSpacing(10)
        column.addWidget(self._tour, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(8)
        column.addWidget(self._playground, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return left

    def _build_back(self) -> QPushButton:
        button = QPushButton()
        set_look(button, fit="tool")
        button.setIcon(icon("caret-left", "text1", 14))
        button.setIconSize(QSize(14, 14))
        set_tip(button, "What is open, with its runs, as it was left (Esc)")
        button.clicked.connect(self.back_requested)
        return button

    def _build_way(self, words: str, picture: str, signal: SignalInstance) -> QPushButton:
        button = QPushButton(f" {words}")
        set_look(button, fit="tool")
        button.setAccessibleName(words)
        button.setIcon(icon(picture, "text1", 14))
        button.setIconSize(QSize(14, 14))
        button.clicked.connect(signal)
        return button


def _above(button: QPushButton) -> QWidget:
    """Put a button at the left, with room below it; hidden until it is wanted."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 20)
    row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    holder.hide()
    return holder


def _line(text: str, pixels: int, tone: str = "1", *, bold: bool = False) -> Label:
    label = Label(text)
    label.setFont(ui_font(pixels, bold=bold))
    label.setWordWrap(True)
    set_look(label, tone=tone)
    return label
