"""Titles of windows, as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import one_line

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

CHANGED_MARK = "[*]"  # of which Qt makes a star or nothing, unless it stands there twice


def set_window_title(window: QWidget, words: str) -> None:
    """Give a window a title, every letter as it stands."""
    window.setWindowTitle(one_line(words).replace(CHANGED_MARK, 2 * CHANGED_MARK))
