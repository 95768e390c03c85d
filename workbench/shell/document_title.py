"""The title in the middle of the top bar: what is open, strong, and how it is looked at."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.look.fonts import BODY, ui_font


class DocumentTitle(QWidget):
    """A long name loses letters in its middle, so that the menu and the buttons keep their room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._rest = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle), Label()
        self._name.setFont(ui_font(BODY, bold=True))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._name)
        row.addWidget(self._rest)

    @property
    def text(self) -> str:
        """The whole title."""
        return f"{self._name.text()} {self._rest.text()}".strip()

    def show_words(self, name: str, rest: str) -> None:
        """Show another title."""
        self._name.setText(name)
        self._rest.setText(rest)
        self._rest.setVisible(bool(rest))
