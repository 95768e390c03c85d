"""Words in tool tips: every letter as it stands, in lines that stay on the screen.

Names of columns, files and categories may look like HTML, which Qt would take for markup, so every tool
tip goes through here.
"""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import Qt
from PySide6.QtWidgets import QToolTip

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

LINE, MOST_LINES = 100, 30


class HasTip(Protocol):
    """A widget, an action, or an item of a list or table."""

    def setToolTip(self, arg__1: str, /) -> None: ...


def in_lines(words: str) -> str:
    """Return the words with no line above 100 letters; what takes more than thirty lines ends in dots."""
    lines = [part for line in words.splitlines() for part in _parts(line)]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1][: LINE - 2]} …"]
    return "\n".join(lines)


def _parts(line: str) -> list[str]:
    return wrap(line, LINE, break_on_hyphens=False) if len(line) > LINE else [line]


def as_it_stands(words: str) -> str:
    """Return the words so that a tool tip shows every letter."""
    words = in_lines(words)
    if not Qt.mightBeRichText(words):
        return words
    return f'<span style="white-space: pre-wrap">{escape(words)}</span>'


def set_tip(shown: HasTip, words: str) -> None:
    """Give something a tool tip."""
    shown.setToolTip(as_it_stands(words))


def set_marked_tip(shown: HasTip, markup: str) -> None:
    """Give something a tool tip with markup of our own, in which every other word is escaped."""
    shown.setToolTip(markup)


def show_tip(place: QPoint, words: str, over: QWidget) -> None:
    """Show a tool tip now; none where there are no words."""
    QToolTip.showText(place, as_it_stands(words), over)
