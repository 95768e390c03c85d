"""A line below a control, as high as its words need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt

from workbench.views.controls.label import Label
from workbench.views.look.fonts import NOTE, ui_font

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

_NO_LIMIT = 1 << 16  # pixels


class NoteLabel(Label):
    """Plain text that wraps; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
        self.setProperty("keeps_size", True)  # it fits itself
        self.setFont(ui_font(NOTE))
        self.hide()

    def say(self, text: str) -> None:
        """Show a text, or nothing."""
        self.setText(text)
        self.setVisible(bool(text))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        if not self.text():
            return
        inside = self.contentsRect()
        room = QRect(0, 0, inside.width(), _NO_LIMIT)
        words = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self.text())
        wanted = words.height() + self.height() - inside.height()
        if wanted != self.height():  # heightForWidth never falls below the height last set
            self.setFixedHeight(wanted)
