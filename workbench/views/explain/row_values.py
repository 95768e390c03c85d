"""The values of a row, and what they might be: a table whose last column is typed into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QLineEdit, QWidget

from workbench.errors import WorkbenchError
from workbench.explain.node_figures import threshold_text
from workbench.isolation import isolated
from workbench.number_text import MINUS
from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureDelegate, FigureTable
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import NOWHERE, Index

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtWidgets import QStyleOptionViewItem

    from workbench.data.schema import DataSchema, Feature

HEADS = ("Column", "Row", "What if")
NAME, OWN, OTHER = range(3)
MISSING = "missing"
VALUE_WIDTH = 104
READ = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
TYPED = READ | Qt.ItemFlag.ItemIsEditable


def value_text(value: float, feature: Feature) -> str:
    """Return an encoded value as its column writes it."""
    if np.isnan(value):
        return MISSING
    if feature.is_categorical:
        code = int(value)
        return feature.categories[code] if code < len(feature.categories) else "another category"
    return threshold_text(np.float32(value), feature)


def value_of(text: str, feature: Feature) -> np.float32:
    """Return what a person typed, encoded; nothing typed is missing.

    Raises WorkbenchError where the column cannot have it.
    """
    text = text.strip()
    if text in ("", MISSING):
        return np.float32(np.nan)
    if feature.is_categorical:
        if text not in feature.categories:
            raise WorkbenchError(f"{isolated(feature.name)} has no category {isolated(text)}.")
        return np.float32(feature.categories.index(text))
    try:
        if feature.kind == "date":
            moment = np.datetime64(text.replace(" ", "T"), "s")
            return np.float32(moment.astype(np.int64) / 86_400)
        number = np.float32(float(text.replace(MINUS, "-").replace(",", "")))
    except (ValueError, OverflowError) as error:
        hint = "a date such as 2024-05-31" if feature.kind == "date" else "a number, such as 3.5"
        raise WorkbenchError(f"{isolated(feature.name)} needs {hint}; nothing at all is missing.") from error
    if not np.isfinite(number):
        raise WorkbenchError(f"{isolated(feature.name)} needs a finite number.")
    return number


class RowValuesModel(QAbstractTableModel):
    """One row of the matrix, and other values of some of its columns."""

    edited = Signal()
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._schema: DataSchema | None = None
        self.own: NDArray[np.float32] = np.empty(0, np.float32)
        self.other: NDArray[np.float32] = np.empty(0, np.float32)
        self.order: NDArray[np.int64] = np.empty(0, np.int64)  # the column of each line

    def show(self, schema: DataSchema, own: NDArray[np.float32]) -> None:
        """Show a row as it is."""
        self.beginResetModel()
        self._schema, self.own, self.other = schema, own.copy(), own.copy()
        self.order = np.arange(len(own))
        self.endResetModel()

    def arrange(self, amounts: NDArray[np.float64]) -> None:
        """Let those columns stand first that say most of the row."""
        order = np.argsort(-np.abs(amounts), kind="stable")
        if not np.array_equal(order, self.order):
            self.beginResetModel()
            self.order = order
            self.endResetModel()

    def forget(self) -> None:
        """Show no row."""
        self.beginResetModel()
        self._schema, self.own, self.other = None, np.empty(0, np.float32), np.empty(0, np.float32)
        self.order = np.empty(0, np.int64)
        self.endResetModel()

    def put(self, column: int, value: np.float32) -> None:
        """Give a column another value."""
        self.other[column] = value
        line = int(np.flatnonzero(self.order == column)[0])
        self.dataChanged.emit(self.index(line, NAME), self.index(line, OTHER))
        self.edited.emit()

    def put_back(self) -> None:
        """Take the row as it is."""
        self.other = self.own.copy()
        self.dataChanged.emit(self.index(0, NAME), self.index(max(len(self.own) - 1, 0), OTHER))
        self.edited.emit()

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Which columns have another value."""
        return ~((self.own == self.other) | (np.isnan(self.own) & np.isnan(self.other)))

    def is_changed(self, line: int) -> bool:
        """Whether the column of a line has another value."""
        own, other = (float(values[self.order[line]]) for values in (self.own, self.other))
        return not (own == other or (np.isnan(own) and np.isnan(other)))

    def feature(self, line: int) -> Feature:
        """The column of a line."""
        assert self._schema is not None
        return self._schema.features[int(self.order[line])]

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.own)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return TYPED if index.column() == OTHER else READ

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if section == NAME else RIGHT
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, column = index.row(), index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            feature = self.feature(line)
            if column == NAME:
                return feature.name
            values = self.own if column == OWN else self.other
            return value_text(float(values[self.order[line]]), feature)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if column == NAME else RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(self.feature(line).name) if column == NAME else None
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() != OTHER:
            return False
        try:
            encoded = value_of(str(value), self.feature(index.row()))
        except WorkbenchError as error:
            self.refused.emit(str(error))
            return False
        self.put(int(self.order[index.row()]), encoded)
        return True


class _ValueDelegate(FigureDelegate):
    """A field for numbers and dates, a list for categories; other values than the row's stand out."""

    def ink(self, index: Index) -> tuple[str, bool]:
        model: Any = index.model()
        return ("accent", True) if model.is_changed(index.row()) else super().ink(index)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        model: Any = index.model()
        feature: Feature = model.feature(index.row())
        if not feature.is_categorical:
            field = QLineEdit(parent)
            field.setAlignment(RIGHT)
            field.setAccessibleName(f"{feature.name}, what if")
            return field
        box = QComboBox(parent)
        box.setAccessibleName(f"{feature.name}, what if")
        box.addItems([*feature.categories, MISSING])
        box.activated.connect(lambda _place: self._commit(box))
        return box

    def _commit(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        text = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, QComboBox):
            editor.setCurrentText(text)
        elif isinstance(editor, QLineEdit):
            editor.setText("" if text == MISSING else text)
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: Any, index: Index) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentText())
        elif isinstance(editor, QLineEdit):
            model.setData(index, editor.text())


class RowValues(FigureTable):
    """A click into the last column types another value."""

    def __init__(self) -> None:
        self.values = RowValuesModel()
        super().__init__(self.values, "Values of the row")
        self.setItemDelegateForColumn(OTHER, _ValueDelegate(self))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.SelectedClicked | triggers.EditKeyPressed
            | triggers.AnyKeyPressed
        )
        header = self.horizontalHeader()
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column in (OWN, OTHER):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(column, VALUE_WIDTH)
        self.clicked.connect(self._edit_at_once)
        self.line_opened.connect(lambda line: self.edit(self.values.index(line, OTHER)))

    def _edit_at_once(self, index: Index) -> None:
        if index.column() == OTHER:
            self.edit(self.values.index(index.row(), OTHER))
