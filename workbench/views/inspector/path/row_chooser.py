"""A field for the number of a row or of a round, with steps to its neighbours."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QWidget

from workbench.number_text import count
from workbench.views.controls.label import Label
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip


class RowChooser(QWidget):
    """Rows are numbered from 1, as in the table; `chosen` counts from 0. `label` may name another thing."""

    chosen = Signal(int)

    def __init__(
        self, label: str = "Row", name: str = "Row of the table",
        hint: str = "as in the table; or click a row there",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._rows, self._hint = 0, hint
        self.field = _NumberField()
        self.previous, self.next = _button(f"Previous {label.lower()}"), _button(f"Next {label.lower()}")
        self._build(label, name)

    def _build(self, words: str, name: str) -> None:
        label = Label(words)
        label.setBuddy(self.field)
        self.field.setAccessibleName(name)
        self.field.setFixedWidth(px(72))
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 4, 0)
        row.setSpacing(6)
        for widget in (label, self.field, self.previous, self.next):
            row.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.restyle()
        self.field.editingFinished.connect(self._take)
        self.field.stepped.connect(self._step)
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))

    def show_row(self, row: int | None, rows: int) -> None:
        """Show the row that is chosen, of so many."""
        self._rows = rows
        self.setEnabled(rows > 0)
        self.field.setValidator(QIntValidator(1, max(rows, 1), self.field))
        text = "" if row is None else str(row + 1)
        if self.field.text() != text:
            self.field.setText(text)
        set_tip(self.field, f"1 to {count(rows)}, {self._hint}".removesuffix(", "))
        self.previous.setEnabled(row is None or row > 0)
        self.next.setEnabled(row is None or row + 1 < rows)

    def restyle(self) -> None:
        """Tint the icons anew."""
        for button, glyph in ((self.previous, "caret-left"), (self.next, "caret-right")):
            button.setIcon(icon(glyph, pixels=14))

    def _take(self) -> None:
        if self.field.hasAcceptableInput():
            self.chosen.emit(int(self.field.text()) - 1)

    def _step(self, rows: int) -> None:
        now = int(self.field.text()) if self.field.hasAcceptableInput() else 0
        if self._rows:
            self.chosen.emit(min(max(now + rows, 1), self._rows) - 1)


class _NumberField(QLineEdit):
    """A field that the arrow keys step."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        if event.key() in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def _button(name: str) -> QPushButton:
    button = QPushButton()
    set_look(button, fit="tool")
    button.setFixedWidth(px(28))
    button.setAccessibleName(name)
    set_tip(button, name)
    return button
