"""Notices lie over the window's lower edge: nothing moves when one comes or goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.views.controls.notice_strip import NoticeStrip


class StripStack(QWidget):
    """Strips on top of each other, as wide as the parent, over its last pixels."""

    def __init__(self, parent: QWidget, strips: Sequence[NoticeStrip]) -> None:
        super().__init__(parent)
        self._over, self._strips = parent, tuple(strips)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for strip in self._strips:
            column.addWidget(strip)

    def place(self) -> None:
        """Follow the parent's size and the strips' heights."""
        room = self._over.rect()
        height = sum(strip.height() for strip in self._strips if not strip.isHidden())
        self.setGeometry(0, room.height() - height, room.width(), height)
        self.raise_()

    def event(self, event: QEvent) -> bool:
        """Make room for a strip that came, went or needs another line."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.place()
        return super().event(event)
