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
    QTableView,
    QWidget,
)

from workbench.views.curves.ink import font, width, write
from workbench.views.inspector.why.candidates_model import (
    BAR,
    GAIN,
    HEADS,
    HOLD_OUT,
    MARGIN,
    TEST,
    TONE,
    CandidatesModel,
)
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.tree.paint.fitted_question import fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.explain.candidates import Candidate
    from workbench.views.rows_model import Index

WIDTHS = {GAIN: 54, BAR: 46, MARGIN: 66, HOLD_OUT: 62}  # pixels, at least
BESIDE_TEXT = 14
LEAST_TEST = 124  # pixels that the question keeps: the bar goes first, then the margin
ROW_HEIGHT = 26
MEASURED = 200  # rows at the top whose numbers are measured, beside the largest and the smallest


class CandidateTable(QTableView):
    """`picked` tells the feature of the row that a person chooses, `menu_wanted` where a menu is to open."""

    picked = Signal(int)
    menu_wanted = Signal(QPoint)  # of the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = CandidatesModel()
        self.setModel(self._model)
        self.setAccessibleName("Best split of every column")
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
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
        self.selectionModel().currentChanged.connect(self._pick)

    def show_candidates(self, ranked: Sequence[Candidate], feature: int) -> None:
        """Show other candidates, with the row of `feature` current."""
        blocked = self.blockSignals(True)
        self._model.show(ranked)
        self._fit()
        places = [row for row, candidate in enumerate(ranked) if candidate.feature == feature]
        if places:
            self.setCurrentIndex(self._model.index(places[0], TEST))
        self.blockSignals(blocked)

    @property
    def feature(self) -> int:
        """The feature of the current row; −1 where there is none."""
        row = self.currentIndex().row()
        return self._model.candidates[row].feature if row >= 0 else -1

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self.menu_wanted.emit(event.globalPos())
        elif self.currentIndex().isValid():
            middle = self.visualRect(self.currentIndex()).center()
            self.menu_wanted.emit(self.viewport().mapToGlobal(middle))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give numbers their room; drop the bar, then the margin, where questions would have too little."""
        room = self.viewport().width() - WIDTHS[BAR] - WIDTHS[MARGIN]
        for column in (GAIN, HOLD_OUT):
            texts = [self._model.text(row, column) for row in self._measured(column)]
            longest = max((width(text, NOTE) for text in texts), default=0.0)
            own = max(WIDTHS[column], round(longest) + BESIDE_TEXT)
            self.horizontalHeader().resizeSection(column, own)
            room -= own
        self.setColumnHidden(BAR, room < LEAST_TEST)
        self.setColumnHidden(MARGIN, room + WIDTHS[BAR] < LEAST_TEST)

    def _measured(self, column: int) -> Sequence[int]:
        """Rows in which the longest number of a column stands, as a rule."""
        candidates = self._model.candidates
        rows = range(len(candidates))
        if len(rows) <= MEASURED:
            return rows
        numbers = [one.gain if column == GAIN else one.holdout_gain for one in candidates]
        return [*rows[:MEASURED], max(rows, key=numbers.__getitem__), min(rows, key=numbers.__getitem__)]

    @property
    def text(self) -> str:
        """The table as tab-separated lines."""
        shown = (TEST, GAIN, MARGIN, HOLD_OUT)
        rows = range(len(self._model.candidates))
        lines = [[HEADS[column] for column in shown]]
        lines += [[self._model.text(row, column) for column in shown] for row in rows]
        return "\n".join("\t".join(cells) for cells in lines)

    def _pick(self, index: Index) -> None:
        if index.isValid():
            self.picked.emit(self._model.candidates[index.row()].feature)


class _CandidateDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, model, rect = self.parent(), index.model(), QRectF(option.rect)
        if not isinstance(table, CandidateTable) or not isinstance(model, CandidatesModel):
            return
        if table.currentIndex().row() == index.row():
            painter.fillRect(rect, theme().color("tint"))
            if index.column() == TEST:
                painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
        painter.setPen(QPen(theme().color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        text, tone, middle = index.data(), index.data(TONE), rect.center().y()
        if index.column() == TEST:
            _write_test(painter, rect, model.candidates[index.row()])
        elif index.column() == BAR:
            painter.fillRect(QRectF(rect.left() + 8, middle - 3, (rect.width() - 10) * tone, 6),
                             theme().color("train"))
        elif tone == "badge":
            _paint_badge(painter, rect, text)
        else:
            write(painter, text, rect.right() - 4, middle, pixels=NOTE, token=tone, align="right")


def _write_test(painter: QPainter, rect: QRectF, candidate: Candidate) -> None:
    bold = candidate.is_chosen
    text = fitted(candidate.test, QFontMetricsF(font(NOTE, bold)), rect.width() - 14)
    write(painter, text, rect.left() + 9, rect.center().y(), pixels=NOTE, token="text1", bold=bold)


def _paint_badge(painter: QPainter, rect: QRectF, text: str) -> None:
    wide = width(text) + 12
    box = QRectF(rect.right() - wide, rect.center().y() - 9, wide, 18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme().color("warning_ground")))
    painter.drawRoundedRect(box, 3, 3)
    write(painter, text, box.center().x(), box.center().y(), token="warning", align="centre")
