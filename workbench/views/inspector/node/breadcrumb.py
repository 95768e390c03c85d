"""The way from the tree to a node in words; the beginning goes where there is too little room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.errors import one_line
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

JOINT = "  ›  "
WISH, INDENT = 280, 16  # room beside the tabs, and what it keeps free at its left
LEGIBLE = 90.0  # pixels of the last word that are worth more than the words before it


class Breadcrumb(QWidget):
    """Words joined by ›, the last one strong."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Path of the node")

    def show_words(self, words: Sequence[str]) -> None:
        """Show another way."""
        self._words = tuple(words)
        self.setAccessibleDescription(self.text)
        set_tip(self, self.text)
        self.update()

    @property
    def text(self) -> str:
        """The whole way."""
        return " › ".join(one_line(word) for word in self._words)

    def sizeHint(self) -> QSize:
        return QSize(WISH, 24)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, px(24))

    @property
    def _last(self) -> str:
        return self._words[-1] if self._words else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        plain, _ = _metrics()
        before, last = self.fitted(float(self.width() - 2 * INDENT))
        x = float(INDENT)
        base = (self.height() + plain.capHeight()) / 2
        painter = QPainter(self)
        for font, tone, text in ((ui_font(NOTE), "text2", before), (ui_font(NOTE, bold=True), "text1", last)):
            painter.setFont(font)
            painter.setPen(theme().color(tone))
            painter.drawText(QPointF(x, base), text)
            x += plain.horizontalAdvance(before)

    def fitted(self, room: float) -> tuple[str, str]:
        """What is written in so many pixels: the words before the last, and the last, maybe shortened."""
        plain, bold = _metrics()
        least = self._least(room - min(bold.horizontalAdvance(self._last), LEGIBLE))
        left = max(room - plain.horizontalAdvance(least), 0.0)
        last = bold.elidedText(self._last, Qt.TextElideMode.ElideRight, left)
        return self._before(plain, room - bold.horizontalAdvance(last), least), last

    def _least(self, room: float) -> str:
        """What stands before the last word: the tree, and that there are more; "…" where that has no room."""
        if len(self._words) < 2:
            return ""
        whole = self._whole_least
        return whole if _metrics()[0].horizontalAdvance(whole) <= room else JOINT.join(["…", ""])

    @property
    def _whole_least(self) -> str:
        return JOINT.join([self._words[0], *(["…"] if len(self._words) > 2 else []), ""])

    def _before(self, metrics: QFontMetricsF, room: float, least: str) -> str:
        """As many of the words before the last as there is room for, and `least` where there is for none."""
        for skipped in range(1, len(self._words)):
            kept = [self._words[0], *(["…"] if skipped > 1 else []), *self._words[skipped:-1], ""]
            text = JOINT.join(kept)
            if metrics.horizontalAdvance(text) <= room:
                return text
        return least


def _metrics() -> tuple[QFontMetricsF, QFontMetricsF]:
    return QFontMetricsF(ui_font(NOTE)), QFontMetricsF(ui_font(NOTE, bold=True))
