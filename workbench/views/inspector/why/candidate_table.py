"""The best split of every column at a node: gain, a bar, margin to the winner, gain on hold-out rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from workbench.explain.node_text import gain_text
from workbench.number_text import count, percent
from workbench.views.curves.ink import font, width, write
from workbench.views.inspector.why.question_delegate import WAY_ROLE
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip
from workbench.views.tree.paint.fitted_question import fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.explain.candidates import Candidate
    from workbench.explain.node_figures import Test
    from workbench.views.rows_model import Index

HEADS = ("Best cut", "Gain", "", "Margin", "Hold-out")
TEST, GAIN, BAR, MARGIN, HOLD_OUT = range(5)
WIDTHS = {GAIN: 54, BAR: 46, MARGIN: 66, HOLD_OUT: 62}  # pixels, at least
BESIDE_TEXT = 14
LEAST_TEST = 124  # pixels that the question keeps: the bar goes first, then the margin
ROW_HEIGHT = 26
LEAST_MORE, MOST_MARGIN = 0.0005, 99.99  # margins that show as more than 0.0 %, and that are written out
MIDDLE = Qt.AlignmentFlag.AlignVCenter
ROLE = Qt.ItemDataRole.UserRole
TONE = ROLE + 1


class CandidateTable(QTableWidget):
    """`picked` tells the feature of the row that a person chooses, `menu_wanted` where a menu is to open."""

    picked = Signal(int)
    menu_wanted = Signal(QPoint)  # of the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(HEADS), parent)
        self.setAccessibleName("Best split of every column")
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        self._delegate = _CandidateDelegate(self)
        self.setItemDelegate(self._delegate)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(TEST, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(24)
        for column, pixels in WIDTHS.items():
            header.resizeSection(column, px(pixels))
        for column, head in enumerate(HEADS):
            item, side = QTableWidgetItem(head), Qt.AlignmentFlag.AlignRight
            item.setTextAlignment((Qt.AlignmentFlag.AlignLeft if column == TEST else side) | MIDDLE)
            self.setHorizontalHeaderItem(column, item)
        self.currentCellChanged.connect(self._pick)

    def show_candidates(self, ranked: Sequence[Candidate], feature: int) -> None:
        """Show other candidates, with the row of `feature` current."""
        blocked = self.blockSignals(True)
        self.setRowCount(len(ranked))
        highest = max((candidate.gain for candidate in ranked), default=0.0)
        for row, candidate in enumerate(ranked):
            self._fill(row, candidate, highest)
        self._fit()
        places = [row for row, candidate in enumerate(ranked) if candidate.feature == feature]
        self.setCurrentCell(places[0] if places else -1, TEST)
        self.blockSignals(blocked)

    @property
    def feature(self) -> int:
        """The feature of the current row; −1 where there is none."""
        item = self.item(self.currentRow(), TEST)
        return -1 if item is None else int(item.data(ROLE))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self.menu_wanted.emit(event.globalPos())
        elif self.currentItem() is not None:
            middle = self.visualItemRect(self.currentItem()).center()
            self.menu_wanted.emit(self.viewport().mapToGlobal(middle))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give numbers their room; drop the bar, then the margin, where questions would have too little."""
        room = self.viewport().width() - WIDTHS[BAR] - WIDTHS[MARGIN]
        for column in (GAIN, HOLD_OUT):
            texts = [self.model().index(row, column).data() or "" for row in range(self.rowCount())]
            longest = max((width(text, NOTE) for text in texts), default=0.0)
            own = max(WIDTHS[column], round(longest) + BESIDE_TEXT)
            self.horizontalHeader().resizeSection(column, own)
            room -= own
        self.setColumnHidden(BAR, room < LEAST_TEST)
        self.setColumnHidden(MARGIN, room + WIDTHS[BAR] < LEAST_TEST)

    @property
    def text(self) -> str:
        """The table as tab-separated lines."""
        lines = ["\t".join((HEADS[TEST], HEADS[GAIN], HEADS[MARGIN], HEADS[HOLD_OUT]))]
        for row in range(self.rowCount()):
            cells = [self.model().index(row, column).data() for column in (TEST, GAIN, MARGIN, HOLD_OUT)]
            lines.append("\t".join(cells))
        return "\n".join(lines)

    def _fill(self, row: int, candidate: Candidate, highest: float) -> None:
        margin = _margin(candidate) if row else "chosen" if candidate.is_chosen else "best"
        texts = {
            TEST: candidate.test.text, GAIN: gain_text(candidate.gain), BAR: "", MARGIN: margin,
            HOLD_OUT: gain_text(candidate.holdout_gain),
        }
        for column, text in texts.items():
            item = QTableWidgetItem(text)
            if column == TEST:
                set_tip(item, text)
                item.setData(WAY_ROLE, ((candidate.test, ""),))
            item.setData(ROLE, candidate.feature)
            item.setData(TONE, self._tone(row, column, candidate))
            if column == BAR:
                item.setData(TONE, max(candidate.gain, 0.0) / highest if highest > 0 else 0.0)
            shown = self.font()
            shown.setBold(column == TEST and candidate.is_chosen)
            item.setFont(shown)
            self.setItem(row, column, item)

    def _tone(self, row: int, column: int, candidate: Candidate) -> str:
        if column == HOLD_OUT:
            return "validation"
        if column == MARGIN:
            return "badge" if row and candidate.is_near_tie else "text2"
        return "text1"

    def _pick(self, row: int, *_: int) -> None:
        item = self.item(row, TEST)
        if item is not None:
            self.picked.emit(int(item.data(ROLE)))


class _CandidateDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, rect = self.parent(), QRectF(option.rect)
        if isinstance(table, CandidateTable) and table.currentRow() == index.row():
            painter.fillRect(rect, theme().color("tint"))
            if index.column() == TEST:
                painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
        painter.setPen(QPen(theme().color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        text, tone, middle = str(index.data() or ""), index.data(TONE), rect.center().y()
        if index.column() == TEST:
            ((test, _),) = index.data(WAY_ROLE)
            _write_test(painter, rect, test, bold=index.data(Qt.ItemDataRole.FontRole).bold())
        elif index.column() == BAR:
            painter.fillRect(QRectF(rect.left() + 8, middle - 3, (rect.width() - 10) * tone, 6),
                             theme().color("train"))
        elif tone == "badge":
            _paint_badge(painter, rect, text)
        else:
            write(painter, text, rect.right() - 4, middle, pixels=NOTE, token=tone, align="right")


def _write_test(painter: QPainter, rect: QRectF, test: Test, *, bold: bool) -> None:
    text = fitted(test, QFontMetricsF(font(NOTE, bold)), rect.width() - 14)
    write(painter, text, rect.left() + 9, rect.center().y(), pixels=NOTE, token="text1", bold=bold)


def _paint_badge(painter: QPainter, rect: QRectF, text: str) -> None:
    wide = width(text) + 12
    box = QRectF(rect.right() - wide, rect.center().y() - 9, wide, 18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme().color("warning_ground")))
    painter.drawRoundedRect(box, 3, 3)
    write(painter, text, box.center().x(), box.center().y(), token="warning", align="centre")


def _margin(candidate: Candidate) -> str:
    """How far it is from the split that was made; "+" where it gains more, as a forced one need not win."""
    margin = candidate.margin
    if candidate.is_near_tie:
        sign = "+" if margin >= LEAST_MORE else ""
        return f"tie {sign}{percent(abs(margin), 1)}"
    if abs(margin) > MOST_MARGIN:
        return f"{'>' if margin > 0 else '< −'}{count(100 * MOST_MARGIN)} %"
    return f"{'+' if margin > 0 else ''}{count(100 * margin)} %"
