"""What a Python file says, and whether it may be run; no box that stops the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from workbench.isolation import isolated
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.window_title import set_window_title

if TYPE_CHECKING:
    from workbench.session.own_file import OwnKind

SIZE = (680, 520)
WHAT = {
    "objective": "functions loss and gradients, which training makes small",
    "metric": "the function metric, which is reported",
}


class Consent(QDialog):
    """Path and text of one file; accepted where the person lets it run, and they may read on meanwhile."""

    def __init__(self, kind: OwnKind, path: str, code: str, *, changed: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.path, self.code = path, code
        name = Path(path).name
        set_window_title(self, f"Run {isolated(name)}?")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        words = f"This runs the code in {isolated(name)}; it can do whatever a program can. Run it?"
        self.question = Label(words)
        self.note = Label(_note(kind, name, changed))
        self.text = self._build_text(code)
        self.run_button, self.cancel_button = QPushButton("Run it"), QPushButton("Cancel")
        self._build()

    def _build(self) -> None:
        self.question.setFont(ui_font(BODY, bold=True))
        self.note.setFont(ui_font(NOTE))
        for label in (self.question, self.note):
            label.setWordWrap(True)
        set_look(self.note, tone="2")
        path = ElidedLabel(self.path, mode=Qt.TextElideMode.ElideMiddle)
        path.setAccessibleName("Path")
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button, call in ((self.cancel_button, self.reject), (self.run_button, self.accept)):
            button.setAutoDefault(button is self.cancel_button)
            button.clicked.connect(call)
            buttons.addWidget(button)
        self.cancel_button.setDefault(True)
        set_look(self.run_button, primary=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for part in (self.question, path, self.note):
            column.addWidget(part)
        column.addWidget(self.text, 1)
        column.addLayout(buttons)
        self.cancel_button.setFocus()

    def _build_text(self, code: str) -> QPlainTextEdit:
        text = QPlainTextEdit(code)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(BODY)
        text.setFont(font)
        text.setReadOnly(True)
        text.setTabChangesFocus(True)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        text.setAccessibleName("The file's text")
        return text


def _note(kind: OwnKind, name: str, changed: bool) -> str:
    again = f"{isolated(name)} has changed since it was run. " if changed else ""
    return f"{again}It should have {WHAT[kind]}. Model files hold none of it."
