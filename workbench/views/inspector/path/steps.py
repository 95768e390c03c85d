"""The questions a row is asked, a line each, and the leaf it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from workbench.number_text import signed
from workbench.views.inspector.why.question_delegate import WAY_ROLE, QuestionDelegate
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.scale import px
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.node_figures import Test

HEADS = ("Question", "Value", "Answer")
ROW_HEIGHT = 26
VALUE_SHARE = 0.4  # of the width, at most, for a row's values
NODE_ROLE = Qt.ItemDataRole.UserRole


class StepLine(NamedTuple):
    """One question: its node, its words, the row's value and the answer."""

    node: int
    question: Test
    value: str
    answer: str


class PathSteps(QTableWidget):
    """A table of the steps; choosing one picks its node."""

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(HEADS), parent)
        self.setHorizontalHeaderLabels(HEADS)
        self.setAccessibleName("Path of the row")
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.setItemDelegate(QuestionDelegate(self))
        self.clicked.connect(self._pick)
        self.activated.connect(self._pick)

    def show_steps(
        self, steps: Sequence[StepLine], leaf: int, leaf_value: float, *, averages: bool = False
    ) -> None:
        """Show another way; leaves of trees that are averaged add a part only."""
        self.clearSelection()
        self.setRowCount(len(steps) + 1)
        for index, step in enumerate(steps):
            self._fill(index, step.node, (step.question.text, step.value, step.answer), step.question)
        words = "Leaf: its value goes into the mean" if averages else "Leaf: adds η·w* to the raw prediction"
        end = (words, "", signed(leaf_value, 4))
        self._fill(len(steps), leaf, end, bold=True)

    def _fill(
        self, row: int, node: int, texts: tuple[str, ...], question: Test | None = None, *, bold: bool = False
    ) -> None:
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setData(NODE_ROLE, node)
            if question is not None and column == 0:
                item.setData(WAY_ROLE, ((question, ""),))
            set_tip(item, text)
            item.setFont(ui_font(BODY, bold=bold or column == 1))
            self.setItem(row, column, item)

    def sizeHintForColumn(self, column: int) -> int:
        wanted, most = super().sizeHintForColumn(column), round(VALUE_SHARE * self.viewport().width())
        return min(wanted, most) if column == 1 else wanted

    def _pick(self, index: QModelIndex) -> None:
        self.picked.emit(int(index.data(NODE_ROLE)))
