"""What was repaired or noticed while the table was read: one line that opens into a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton

from workbench.number_text import counted
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.table import TableNote

TALLEST, MOST_NOTES = 132, 500


class ReadingNotes(QListWidget):
    """The list; its `button` stands elsewhere and opens it, and is hidden where there is nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self._notes: tuple[TableNote, ...] = ()
        self.button = QPushButton("Notes on reading")
        self._build()

    def _build(self) -> None:
        set_look(self.button, link=True)
        self.button.setCheckable(True)
        self.button.setMinimumHeight(px(24))
        self.button.setIconSize(QSize(12, 12))
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the caret stands after the words
        self.button.toggled.connect(self._open)
        set_look(self, ground="panel")
        self.setWordWrap(True)
        self.setFont(ui_font(NOTE))
        self.setIconSize(QSize(14, 14))
        self.setMaximumHeight(px(TALLEST))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Notes on reading")
        self.button.hide()
        self.hide()

    def show_notes(self, notes: Sequence[TableNote]) -> None:
        """Show the notes of another table, warnings first; closed."""
        if tuple(notes) == self._notes:
            return
        self._notes = tuple(notes)
        self.button.setVisible(bool(notes))
        self.button.setText(f"{counted(len(notes), 'note')} on reading")
        self.button.setChecked(False)
        self.clear()
        self._restyle()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def _open(self, opened: bool) -> None:
        if opened and not self.count():
            self._list()
        self.setVisible(opened)
        self._restyle()

    def _list(self) -> None:
        for note in sorted(self._notes, key=lambda note: note.severity != "warning")[:MOST_NOTES]:
            item = QListWidgetItem(note.text)
            item.setData(Qt.ItemDataRole.UserRole, note.severity)
            set_tip(item, note.text)
            self.addItem(item)

    def _restyle(self) -> None:
        self.button.setIcon(icon("caret-up" if self.button.isChecked() else "caret-down", "accent", 12))
        for row in range(self.count()):
            item = self.item(row)
            warned = item.data(Qt.ItemDataRole.UserRole) == "warning"
            item.setIcon(icon("warning" if warned else "info", "warning" if warned else "text3", 14))
