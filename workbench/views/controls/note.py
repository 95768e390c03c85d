"""A line below a control, as high as its words need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.views.controls.label import Label
from workbench.views.fonts import NOTE, ui_font

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget


class Note(Label):
    """Plain text that wraps; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
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

    def _fit(self) -> None:
        if not self.text():
            return
        self.setMinimumHeight(0)  # or no height below it would be wanted
        self.setFixedHeight(self.heightForWidth(self.width()))
