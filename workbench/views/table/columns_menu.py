"""Which columns the table shows: a button that opens a list with check marks, however long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QListView, QPushButton, QVBoxLayout

from workbench.errors import one_line
from workbench.number_text import count
from workbench.views.controls.caret_button import CaretButton
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.views.rows_model import Index

WIDTH, LONGEST_LIST = 248, 340
ROW = 28


class ColumnsButton(CaretButton):
    """Says "Columns: 9 of 14"; `chosen` carries the names that are hidden from now on."""

    chosen = Signal(frozenset)

    def __init__(self) -> None:
        super().__init__("Columns")
        self._names: tuple[str, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        set_tip(self, "Show or hide columns of the table")
        self.clicked.connect(self._open)
        self.setAccessibleName("Columns")

    def show_columns(self, names: Sequence[str], hidden: frozenset[str]) -> None:
        """Count the columns."""
        self._names, self._hidden = tuple(names), hidden
        shown = len(self._names) - len(hidden)
        text = f"Columns: {count(shown)} of {count(len(self._names))}" if names else "Columns"
        self.setText(text)
        self.setAccessibleName(text)
        self.setEnabled(bool(names))

    def _open(self) -> None:
        popup = ColumnsPopup(self._names, self._hidden, self)
        popup.chosen.connect(self.chosen)
        corner = self.mapToGlobal(QPoint(self.width() - WIDTH, self.height() + 2))
        popup.move(corner)
        popup.show()


class ColumnChecks(RowsModel):
    """Names with check marks: those that hold what is typed."""

    changed = Signal()

    def __init__(self, names: Sequence[str], hidden: frozenset[str]) -> None:
        super().__init__()
        self._names, self._found = names, names
        self.hidden = hidden
        self.show_rows(len(names))

    def narrow(self, text: str) -> None:
        """Show the names that hold a text."""
        wanted = text.casefold()
        self._found = [name for name in self._names if wanted in name.casefold()]
        self.show_rows(len(self._found))

    def check_all(self, *, checked: bool) -> None:
        """Check or uncheck all names that are shown."""
        self._check(self._found, checked)

    def _check(self, names: Sequence[str], checked: bool) -> None:
        self.hidden = self.hidden.difference(names) if checked else self.hidden.union(names)
        self.tell_changed()
        self.changed.emit()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        name = self._found[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(name)
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Unchecked if name in self.hidden else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(0, px(ROW))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self._check([self._found[index.row()]], Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable


class ColumnsPopup(QFrame):
    """The list; typing narrows it, Space checks, Escape closes."""

    chosen = Signal(frozenset)

    def __init__(self, names: Sequence[str], hidden: frozenset[str], parent: ColumnsButton) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_look(self, popup=True)
        self.setFixedWidth(px(WIDTH))
        self._checks = ColumnChecks(names, hidden)
        self._build(len(names))
        self._checks.changed.connect(lambda: self.chosen.emit(self._checks.hidden))

    def _build(self, n_names: int) -> None:
        field, names = QLineEdit(), QListView()
        field.setPlaceholderText("find a column")
        field.setAccessibleName("Find a column")
        field.textEdited.connect(self._checks.narrow)
        names.setModel(self._checks)
        names.setUniformItemSizes(True)
        names.setAccessibleName("Columns that are shown")
        names.setFixedHeight(min(LONGEST_LIST, ROW * n_names + 2))
        buttons = QHBoxLayout()
        for word, checked in (("Show all", True), ("Hide all", False)):
            button = QPushButton(word)
            set_look(button, fit="tool")
            button.clicked.connect(lambda _=False, checked=checked: self._checks.check_all(checked=checked))
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addWidget(field)
        column.addWidget(names)
        column.addLayout(buttons)
        field.setFocus()
