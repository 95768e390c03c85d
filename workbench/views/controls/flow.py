"""A layout that wraps its widgets like words in a line."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Left to right, then the next line; the last widget fills its line where it can grow."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width, as long as no item changes
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the items in lines as wide as `rect`, on the middle of each; return the height they take."""
        x, y = rect.x(), rect.y()
        line: list[tuple[QLayoutItem, int, QSize]] = []
        for item in self._items:
            hint = item.sizeHint()
            if x > rect.x() and x + hint.width() > rect.x() + rect.width():
                x, y, line = rect.x(), y + self._place(line, y, move=move) + self.spacing(), []
            if item is self._items[-1] and item.expandingDirections() & Qt.Orientation.Horizontal:
                hint.setWidth(max(hint.width(), rect.x() + rect.width() - x))
            line.append((item, x, hint))
            x += hint.width() + self.spacing()
        return y + self._place(line, y, move=move) - rect.y()

    def _place(self, line: list[tuple[QLayoutItem, int, QSize]], y: int, *, move: bool) -> int:
        """Place the items of a line that begins at `y`; return its height."""
        height = max((hint.height() for _, _, hint in line), default=0)
        for item, x, hint in line if move else ():
            item.setGeometry(QRect(QPoint(x, y + (height - hint.height()) // 2), hint))
        return height
