"""Long sentences in tool tips: in lines, so that they stay on the screen."""

from __future__ import annotations

from textwrap import wrap

LINE, MOST_LINES = 100, 30


def on_one_line(words: str) -> str:
    """Return the words with spaces for line ends, which names of columns may hold."""
    return " ".join(words.splitlines())


def in_lines(words: str) -> str:
    """Return the words in lines of 100 letters; what takes more than thirty ends in dots."""
    return "\n".join(wrap(words, LINE, max_lines=MOST_LINES, placeholder=" …", break_on_hyphens=False))
