"""A button that opens or turns something: words, and a caret at its right end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.views.look.icons import icon_pixmap
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

CARET, MARGIN = 12, 8


class CaretButton(QPushButton):
    """A tool button with room for the caret; without frame where it is `flat`."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, flat: bool = False) -> None:
        super().__init__(text, parent)
        set_look(self, fit="tool", caret=True, flat=flat)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.menu() is not None:
            return  # the style sheet's own
        painter = QPainter(self)
        place = QPoint(self.width() - CARET - MARGIN, (self.height() - CARET) // 2)
        token = "text2" if self.isEnabled() else "disabled"
        painter.drawPixmap(place, icon_pixmap("caret-down", token, CARET))
