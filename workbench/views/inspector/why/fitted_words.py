"""Where words stand on a scan, and what is left of them, so that they meet neither lines nor each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from workbench.views.curves.ink import font, width
from workbench.views.look.fonts import AXIS

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF

LEAST_LETTERS = 3  # of a name that is cut
BESIDE_STEM = 10  # pixels between the line of the marked cut and words, and at the plot's edge
LEVEL_WORDS = 18  # pixels under a level that its words take


def in_lines(words: str, room: float) -> list[str]:
    """Words in as many lines of `room` pixels as they need."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def reason_height(plot: QRectF, level: float | None, half: float) -> float:
    """The pixel about which a reason of twice `half` stands: the middle, or beside a level and its words."""
    middle = plot.center().y()
    if level is None:
        return middle
    above, below = level - half - 4, level + LEVEL_WORDS + half + 4
    if not above < middle < below:
        return middle
    return below if below + half <= plot.bottom() else above


def free_of_stem(plot: QRectF, stem: float | None, wanted: float) -> tuple[float, float]:
    """Where words of so many pixels begin that no line at `stem` is to cross, and their room.

    At the right where they have room there, else on the side that has more.
    """
    if stem is None or wanted <= plot.right() - stem - BESIDE_STEM:
        return plot.right() - wanted, plot.width() - 8
    before, behind = stem - plot.left() - BESIDE_STEM, plot.right() - stem - BESIDE_STEM
    return (plot.left(), before) if before > behind else (stem + BESIDE_STEM, behind)


def fitted_words(head: str, name: str, tail: str, room: float) -> str:
    """One sentence in `room` pixels: the name loses letters, or else the head goes, never the figure."""
    metrics = QFontMetricsF(font(AXIS))
    for lead in (head, ""):
        left = max(room - width(lead + tail), 0.0)
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, left)
        if shown == name or len(shown) > LEAST_LETTERS:
            return lead + shown + tail
    return tail.removeprefix(", ")
