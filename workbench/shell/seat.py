"""Where a view of a dock or the status line stands: what changes within lays nothing out anew around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class Seat(QWidget):
    """Gives its widget all room; who stands around hears of another size only where the least one changes."""

    def __init__(self, view: QWidget) -> None:
        super().__init__()
        self._view = view
        self._least = QSize()
        self.setSizePolicy(view.sizePolicy())
        self.setMaximumSize(view.maximumSize())
        view.setParent(self)
        view.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._view.resize(event.size())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self.minimumSizeHint() != self._least:
            self._least = self.minimumSizeHint()
            self.updateGeometry()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return self._view.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._view.minimumSizeHint().expandedTo(self._view.minimumSize())
