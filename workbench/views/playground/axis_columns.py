"""The columns that can be an axis, as Qt sees them: no name is written before its line is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, Qt

from workbench.isolation import isolated
from workbench.views.rows_model import NOWHERE, Index

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema

AS_THE_TREES_ASK = "as the trees ask"


class AxisColumns(QAbstractListModel):
    """What the trees ask about, then each column of numbers; a line's data is its name, "" the first's."""

    def __init__(self) -> None:
        super().__init__()
        self._schema: DataSchema | None = None
        self._names: list[str] = []

    def follow(self, schema: DataSchema | None) -> None:
        """List the columns of a schema, where it is another one."""
        if schema is self._schema:
            return
        self.beginResetModel()
        features = schema.features if schema is not None else ()
        self._schema, self._names = schema, [f.name for f in features if not f.is_categorical]
        self.endResetModel()

    def line_of(self, name: str) -> int:
        """Return the line of a column; the first where it has none."""
        return 1 + self._names.index(name) if name and name in self._names else 0

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else 1 + len(self._names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return isolated(self._names[line - 1]) if line else AS_THE_TREES_ASK
        if role == Qt.ItemDataRole.UserRole:
            return self._names[line - 1] if line else ""
        return None
