"""Section headings and hairlines."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look

LEAST_LETTERS = 4  # of a note that is cut short


class Heading(QWidget):
    """A title of 12/600 with an optional quiet note at the right end."""

    def __init__(self, title: str, note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel(title)
        self._title.setFont(ui_font(NOTE, bold=True))
        set_look(self._title, tone="2")
        self._note = _HeadingNote(note)
        self._note.setFont(ui_font(NOTE))
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_look(self._note, tone="3")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addWidget(self._note, 1)

    @property
    def title(self) -> str:
        """The words at the left."""
        return self._title.text()

    @property
    def note(self) -> str:
        """The words at the right end."""
        return self._note.text()

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._title.setText(title)

    def set_note(self, note: str, shorter: str = "") -> None:
        """Show other words at the right end; `shorter` ones where these have no room."""
        self._note.setText(note)
        self._note.set_shorter(shorter)


class _HeadingNote(ElidedLabel):
    """Says nothing where no more than a letter of it would be seen."""

    @property
    def lines(self) -> list[str]:
        return [line if len(line) >= LEAST_LETTERS or line == self.text() else "" for line in super().lines]


def rule(vertical: bool = False) -> QFrame:
    """Return a hairline, across or down."""
    line = QFrame()
    set_look(line, rule="v" if vertical else "h")
    return line
