"""A combo box whose choice is followed by a quiet phrase: "logistic  target disease, positive yes"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from workbench.errors import one_line
from workbench.views.elision import elided_name
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QWheelEvent

BEFORE, ROOM_BESIDE = 9, 33  # pixels before the words, and of all but them
MOST_MEASURED = 500  # items; lists of more are as wide as the box
ITEM_FRAME, WIDEST_LIST = 36, 560
NAME_LETTERS = 15  # of a choice of names, which may be long


class PhraseCombo(QComboBox):
    """Elides the phrase before the choice; the plain wheel scrolls the panel while it has no focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phrase = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumContentsLength(4)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    @property
    def phrase(self) -> str:
        """The quiet words after the choice."""
        return self._phrase

    def set_phrase(self, phrase: str) -> None:
        """Show other words after the choice."""
        if phrase != self._phrase:
            self._phrase = phrase
            self.setAccessibleDescription(phrase)
            self.update()

    def showPopup(self) -> None:
        if self.count() <= MOST_MEASURED:
            metrics = QFontMetrics(self.font())
            widths = (metrics.horizontalAdvance(self.itemText(i)) for i in range(self.count()))
            self.view().setMinimumWidth(min(max(widths, default=0) + ITEM_FRAME, WIDEST_LIST))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.rect().adjusted(BEFORE, 0, BEFORE - ROOM_BESIDE, 0)
        used = self._write(painter, room, self.currentText(), "text1")
        if self._phrase and room.width() - used > 48:
            self._write(painter, room.adjusted(used + 8, 0, 0, 0), self._phrase, "text3")

    def _write(self, painter: QStylePainter, room: QRect, text: str, token: str) -> int:
        metrics = QFontMetrics(self.font())
        shown = elided_name(one_line(text), metrics, room.width())
        painter.setPen(theme().color(token if self.isEnabled() else "disabled"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        return metrics.horizontalAdvance(shown)
