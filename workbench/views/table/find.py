"""The field that finds the next cell with a text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy

from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

WIDTH = 132


class FindField(QLineEdit):
    """Enter asks for the next cell; Escape gives up the search."""

    keeps_typing = True
    wanted = Signal(str)
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lens = QAction(self)
        self.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self.setPlaceholderText("find in table")
        self.setAccessibleName("Find in table")
        set_tip(self, "Next cell that contains the text: Enter (Ctrl+F comes here)")
        self.setFixedWidth(px(WIDTH))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setTextMargins(-6, 0, 0, 0)  # the words stand nearer to the lens than Qt puts them
        self.setMinimumHeight(px(26))
        self.returnPressed.connect(self._ask)
        self.textEdited.connect(lambda: self.show_found(True))
        self._restyle()

    def show_found(self, found: bool) -> None:
        """Outline the text where no cell contains it."""
        set_look(self, wrong=not found)
        self.setAccessibleDescription("" if found else "No cell contains it.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def _ask(self) -> None:
        if self.text().strip():
            self.wanted.emit(self.text().strip())

    def _restyle(self) -> None:
        self._lens.setIcon(icon("magnifying-glass", "text2", 14))
