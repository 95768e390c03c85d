"""A label that ends in "…" where there is no room, and then tells the whole in its tooltip."""

from __future__ import annotations

from itertools import takewhile

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.errors import one_line
from workbench.views.controls.label import Label
from workbench.views.look.tool_tip import set_tip


class ElidedLabel(Label):
    """One line of plain text, or a few; `set_hint` gives a tooltip in place of the whole text."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None,
        *, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, lines: int = 1,
    ) -> None:
        super().__init__(text, parent)
        self._most = lines
        self._mode = mode
        self._hint = self._shorter = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def shown(self) -> str:
        """The text as it is painted."""
        return "\n".join(self.lines)

    @property
    def lines(self) -> list[str]:
        """The same, line by line."""
        rest, metrics, room = one_line(self.text()), self.fontMetrics(), self.contentsRect().width()
        if self._shorter and metrics.horizontalAdvance(rest) > room:
            rest = self._shorter
        lines: list[str] = []
        while len(lines) < self._most - 1 and metrics.horizontalAdvance(rest) > room:
            begin = _as_far_as_fits(rest, metrics, room)
            if not begin:
                break
            lines.append(begin)
            rest = rest[len(begin) :].lstrip()
        return [*lines, metrics.elidedText(rest, self._mode, room)]

    def set_hint(self, hint: str) -> None:
        """Show `hint` as the tooltip."""
        self._hint = hint

    def set_shorter(self, words: str) -> None:
        """Show `words` where the text has no room."""
        if words != self._shorter:
            self._shorter = words
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(min(24, self.sizeHint().width()), super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            cut = self.text() if " ".join(self.lines) != self.text() else ""
            set_tip(self, self._hint or cut)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.style().drawItemText(painter, self.contentsRect(), int(self.alignment()), self.palette(),
                                  self.isEnabled(), self.shown, self.foregroundRole())


def _as_far_as_fits(words: str, metrics: QFontMetrics, room: int) -> str:
    """As many whole words as stand in `room` pixels."""
    ends = (place for place, letter in enumerate(words) if letter == " ")
    fitting = takewhile(lambda end: metrics.horizontalAdvance(words[:end]) <= room, ends)
    return words[: max(fitting, default=0)]
