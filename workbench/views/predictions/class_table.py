"""Precision, recall, F1 and support of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget

from workbench.number_text import amount, fixed
from workbench.views.controls.label import Label
from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureTable
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.rows_model import NOWHERE

if TYPE_CHECKING:
    from workbench.explain.predictions.confusion import Confusion
    from workbench.views.predictions.plot import Cells
    from workbench.views.rows_model import Index

HEADS = ("class", "precision", "recall", "F1", "support", "taken for it")
WIDTHS = (110, 70, 62, 56, 66, 84)


class ClassModel(QAbstractTableModel):
    """A line a class."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[str, float, float, float, float, float]] = []

    def show_matrix(self, matrix: Confusion) -> None:
        """Show other figures."""
        figures = (matrix.precision, matrix.recall, matrix.f1, matrix.support, matrix.taken)
        lines = list(zip(matrix.labels, *(values.tolist() for values in figures), strict=True))
        if len(lines) == len(self.lines):
            self.lines = lines
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, len(HEADS) - 1))
            return
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def clear(self) -> None:
        """Show none."""
        self.beginResetModel()
        self.lines = []
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() else LEFT
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        value = self.lines[index.row()][index.column()]
        if isinstance(value, str):
            return value
        if index.column() < 4:
            return fixed(value)
        return amount(value)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section else LEFT
        return None


class ClassTable(QWidget):
    """A click on a class looks at it."""

    class_chosen = Signal(int)

    title = "Classes"

    def __init__(self) -> None:
        super().__init__()
        self.model, self.phrase = ClassModel(), Label()
        self.table = FigureTable(self.model, "Precision, recall and F1 by class")
        set_tip(self.table, "Click a class to look at it against the others.")
        self.setMinimumSize(190, 150)
        heading = Label(self.title)
        heading.setFont(ui_font(NOTE, bold=True))
        self.phrase.setFont(ui_font(NOTE))
        set_look(self.phrase, tone="3")
        for label in (heading, self.phrase):
            label.setContentsMargins(16, 0, 16, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 4)
        column.setSpacing(4)
        for widget in (heading, self.phrase, self.table):
            column.addWidget(widget)
        column.setStretch(2, 1)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for section, wide in enumerate(WIDTHS):
            header.resizeSection(section, wide)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.line_chosen.connect(self.class_chosen)

    def show_matrix(self, matrix: Confusion, k: int, remark: str) -> None:
        """Show other figures, with class k chosen."""
        self.model.show_matrix(matrix)
        self.phrase.setText(", ".join(filter(None, (f"accuracy {fixed(matrix.accuracy)}", remark))))
        self.table.choose(k if k < len(matrix.labels) else None)

    def wait(self, why: str) -> None:
        """Show no figures, and why."""
        self.model.clear()
        self.phrase.setText(why)

    def values(self) -> Cells:
        """The figures as a table."""
        return [HEADS, *self.model.lines] if self.model.lines else []
