"""Words in tool tips: as they stand, and long sentences in lines, so that they stay on the screen."""

from __future__ import annotations

from html import escape
from textwrap import wrap

from PySide6.QtGui import Qt

LINE, MOST_LINES = 100, 30


def on_one_line(words: str) -> str:
    """Return the words with spaces for line ends, which names of columns may hold."""
    return " ".join(words.splitlines())


def as_it_stands(words: str) -> str:
    """Return the words so that a tool tip shows every letter: names of columns may look like HTML."""
    if not Qt.mightBeRichText(words):
        return words
    return f'<span style="white-space: pre-wrap">{escape(words)}</span>'


def in_lines(words: str) -> str:
    """Return the words in lines of 100 letters; what takes more than thirty ends in dots."""
    lines = wrap(words, LINE, max_lines=MOST_LINES, placeholder=" …", break_on_hyphens=False)
    return as_it_stands("\n".join(lines))
