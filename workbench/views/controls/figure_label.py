"""A sentence whose figure stands out in a colour of the theme."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from workbench.views.look.theme import theme


class FigureLabel(QLabel):
    """`words` is the sentence without markup."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = ""
        self._said = "", "", "", "text1"
        self.setTextFormat(Qt.TextFormat.RichText)

    def say(self, before: str, figure: str, after: str, token: str) -> None:
        """Show a sentence with its figure in the colour of `token`."""
        self.words = before + figure + after
        self._said = before, figure, after, token
        self._color()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._color()

    def _color(self) -> None:
        before, figure, after, token = self._said
        color = theme().color(token).name()
        strong = f'<b style="color:{color}">{escape(figure)}</b>' if figure else ""
        self.setText(f"{escape(before)}{strong}{escape(after)}")
