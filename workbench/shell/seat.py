"""Where a view of a dock or the status line stands: what changes within lays nothing out anew around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent


class Sizes(NamedTuple):
    """What a widget was last found to want, and to need at least."""

    hint: QSize
    least: QSize


class Seat(QWidget):
    """Gives its widget all room; who stands around hears of another size only where the least one changes."""

    def __init__(self, view: QWidget) -> None:
        super().__init__()
        self._view = view
        self.measured = Sizes(QSize(), QSize())
        self.setSizePolicy(view.sizePolicy())
        self.setMaximumSize(view.maximumSize())
        view.setParent(self)
        view.show()
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._view.resize(event.size())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._measure()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Measure what changed while nobody saw it, of which Qt tells nothing."""
        super().showEvent(event)
        self._measure()

    def _measure(self) -> None:
        before = self.measured.least
        least = self._view.minimumSizeHint().expandedTo(self._view.minimumSize())
        self.measured = Sizes(self._view.sizeHint(), least)
        if least != before:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """What it was when last measured: who stands around asks again and again."""
        return self.measured.hint

    def minimumSizeHint(self) -> QSize:
        """The least one, likewise."""
        return self.measured.least
