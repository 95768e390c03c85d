"""A quiet table of figures, of any length: hairlines, numbers at the right, one chosen row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QTableView

from workbench.views.curves.ink import write
from workbench.views.elision import elided_name
from workbench.views.inspector.why.question_delegate import WAY_ROLE, QuestionDelegate, fitted_way
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.scale import px
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractTableModel
    from PySide6.QtGui import QKeyEvent, QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from workbench.views.look.text_width import Ruler
    from workbench.views.rows_model import Index

ROW_HEIGHT, ACCENT_BAR, PADDING = 24, 3, 9
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
TIMES = " × "  # between the names of two columns
KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FigureTable(QTableView):
    """Says which line the person chose or opened; is told which one is chosen elsewhere."""

    line_chosen = Signal(int)
    line_opened = Signal(int)

    def __init__(self, model: QAbstractTableModel, name: str, pixels: int = BODY) -> None:
        super().__init__()
        self.pixels = pixels  # of its letters
        if pixels != BODY:
            self.setFont(ui_font(pixels))
        self.setHorizontalHeader(FigureHeads(Qt.Orientation.Horizontal, self))
        self.horizontalHeader().setSectionsClickable(True)
        self.setModel(model)
        self.setItemDelegate(FigureDelegate(self))
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.clicked.connect(lambda index: self.line_chosen.emit(index.row()))
        self.doubleClicked.connect(lambda index: self.line_opened.emit(index.row()))

    def choose(self, line: int | None) -> None:
        """Tint a line and bring it into view; None tints none."""
        present = self.currentIndex().row() if self.selectionModel().hasSelection() else None
        if line == present:
            return
        with QSignalBlocker(self.selectionModel()):
            if line is None:
                self.clearSelection()
                self.setCurrentIndex(self.rootIndex())
            else:
                flags = QItemSelectionModel.SelectionFlag
                place = self.model().index(line, max(self.currentIndex().column(), 0))
                self.selectionModel().setCurrentIndex(place, flags.ClearAndSelect | flags.Rows)
        self._reveal(line)
        self.viewport().update()

    def _reveal(self, line: int | None) -> None:
        """Scroll up and down only, and only where the line cannot be seen."""
        if line is None:
            return
        top, bar = line * ROW_HEIGHT, self.verticalScrollBar()
        room = self.viewport().height()
        if not bar.value() <= top <= bar.value() + room - ROW_HEIGHT:
            self.updateGeometries()  # the range of the bar follows the model a moment later by itself
            bar.setValue(top - room // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            event.ignore()  # the window's: train, pause, resume
            return
        before = self.currentIndex().row()
        if event.key() in KEYS and before >= 0:
            self.line_opened.emit(before)
            return
        super().keyPressEvent(event)
        line = self.currentIndex().row()
        if line >= 0 and line != before:
            self.line_chosen.emit(line)


class FigureHeads(QHeaderView):
    """As high as the first: Qt would measure four hundred, each time that one is fitted."""

    def sizeHint(self) -> QSize:
        return QSize(0, self.sectionSizeFromContents(0).height()) if self.count() else super().sizeHint()


class FigureDelegate(QuestionDelegate):
    """Paints what the style sheet says in a few calls: Qt asks model and sheet a dozen times for a cell."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, rect, colors = index.model(), option.rect, theme()
        table: Any = self.parent()
        pixels: int = table.pixels
        left, top, wide, high = rect.left(), rect.top(), rect.width(), rect.height()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        ground = colors.color("tint") if chosen else model.data(index, Qt.ItemDataRole.BackgroundRole)
        if ground is not None:
            painter.fillRect(left, top, wide, high, ground)
        painter.fillRect(left, top + high - 1, wide, 1, colors.color("line"))
        if chosen and left == 0:
            painter.fillRect(0, top, ACCENT_BAR, high, colors.color("accent"))
        room, y, way = wide - 2 * PADDING, top + (high - 1) / 2, model.data(index, WAY_ROLE)
        text = fitted_way(way, ruler(pixels), room) if way else model.data(index) or ""
        if TIMES in text and ruler(pixels).horizontalAdvance(text) > room:
            text = _pair(text, ruler(pixels), room)
        token, bold = self.ink(index)
        is_right = model.data(index, Qt.ItemDataRole.TextAlignmentRole) == RIGHT
        x = left + wide - PADDING if is_right else left + PADDING
        write(painter, text, x, y, pixels=pixels, token=token, bold=bold,
              align="right" if is_right else "left", most=room, is_name=not is_right)

    def ink(self, index: Index) -> tuple[str, bool]:
        """The token of a cell's text, and whether it is bold."""
        return "text1", False


def _pair(text: str, metrics: Ruler, room: float) -> str:
    """Shorten two names that stand together each on its own."""
    first, second = text.split(TIMES, 1)
    left = room - metrics.horizontalAdvance(TIMES)
    whole, other = (metrics.horizontalAdvance(name) + 1 for name in (first, second))
    begin = min(whole, max(left / 2, left - other))
    return f"{elided_name(first, metrics, begin)}{TIMES}{elided_name(second, metrics, left - begin)}"
