"""Which columns the table shows: a button that opens a list with check marks, however long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QListView, QPushButton, QVBoxLayout

from workbench.number_text import count
from workbench.views.controls.caret_button import CaretButton
from workbench.views.style import set_look
from workbench.views.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class ColumnsPopup(QFrame):
    """The list; typing narrows it, Space checks, Escape closes."""

    chosen = Signal(frozenset)

    def __init__(self, names: Sequence[str], hidden: frozenset[str], parent: ColumnsButton) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_look(self, popup=True)
        self.setFixedWidth(WIDTH)
        self._items = QStandardItemModel(self)
        for name in names:
            item = QStandardItem(name)
            item.setEditable(False)
            item.setSizeHint(QSize(0, ROW))
            item.setCheckable(True)
            item.setCheckState(Qt.CheckState.Unchecked if name in hidden else Qt.CheckState.Checked)
            self._items.appendRow(item)
        self._found = QSortFilterProxyModel(self)
        self._build(len(names))
        self._items.itemChanged.connect(self._tell)

    def _build(self, n_names: int) -> None:
        field = QLineEdit()
        field.setPlaceholderText("find a column")
        field.setAccessibleName("Find a column")
        self._found.setSourceModel(self._items)
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        field.textEdited.connect(self._found.setFilterFixedString)
        self._list = QListView()
        self._list.setModel(self._found)
        self._list.setUniformItemSizes(True)
        self._list.setAccessibleName("Columns that are shown")
        self._list.setFixedHeight(min(LONGEST_LIST, ROW * n_names + 2))
        buttons = QHBoxLayout()
        for word, state in (("Show all", Qt.CheckState.Checked), ("Hide all", Qt.CheckState.Unchecked)):
            button = QPushButton(word)
            set_look(button, fit="tool")
            button.clicked.connect(lambda _=False, state=state: self._check_all(state))
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addWidget(field)
        column.addWidget(self._list)
        column.addLayout(buttons)
        field.setFocus()

    def _check_all(self, state: Qt.CheckState) -> None:
        """Check or uncheck what the list shows; told once."""
        blocked = self._items.blockSignals(True)
        for row in range(self._found.rowCount()):
            source = self._found.mapToSource(self._found.index(row, 0))
            self._items.itemFromIndex(source).setCheckState(state)
        self._items.blockSignals(blocked)
        self._list.viewport().update()
        self._tell()

    def _tell(self) -> None:
        items = (self._items.item(row) for row in range(self._items.rowCount()))
        self.chosen.emit(frozenset(i.text() for i in items if i.checkState() == Qt.CheckState.Unchecked))
