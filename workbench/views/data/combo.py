"""A combo box whose closed face is a phrase: strong and quiet words side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QSize, QStringListModel, Qt
from PySide6.QtGui import QFontMetrics, QPaintEvent
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from workbench.errors import one_line
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.elision import elided_name
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

LEFT, RIGHT = 9, 28  # of the words, inside the box
LEAST = 60  # pixels of the last words; quiet ones before them that leave less are left out


class Words(NamedTuple):
    """A part of a phrase."""

    text: str
    token: str = "text1"
    bold: bool = False


class WordCombo(PhraseCombo):
    """Shows its current text, or the phrase it was given; words that do not fit are elided."""

    def __init__(self, name: str, items: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[Words, ...] = ()
        self._items = QStringListModel(list(items), self)
        self._shown: Sequence[str] = items
        self.setModel(self._items)
        self.setAccessibleName(name)
        self.setMinimumWidth(px(88))
        self.setMaxVisibleItems(16)
        view = self.view()
        if isinstance(view, QListView):
            view.setUniformItemSizes(True)  # of thousands of items, none is measured alone

    @property
    def said(self) -> str:
        """The words on its face."""
        return " ".join(part.text for part in self._words) if self._words else self.currentText()

    def say(self, *words: Words) -> None:
        """Show other words on its face."""
        if words != self._words:
            self._words = words
            self.setAccessibleDescription(self.said)
            self.update()

    def show_items(self, items: Sequence[str], current: str) -> None:
        """Offer other items, and show one of them."""
        if items is not self._shown or self.count() != len(items):
            self._shown = items
            if self.count() != len(items) or self._items.stringList() != list(items):
                self._items.setStringList(items)
        place = items.index(current) if current in items else -1
        if place != self.currentIndex():
            self.setCurrentIndex(place)

    def sizeHint(self) -> QSize:
        return QSize(120, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = QRect(LEFT, 0, self.width() - LEFT - RIGHT, self.height())
        parts = self._words or (Words(self.currentText()),)
        last = QFontMetrics(ui_font(BODY, bold=parts[-1].bold)).horizontalAdvance(parts[-1].text)
        for place, part in enumerate(parts):
            font = ui_font(BODY, bold=part.bold)
            metrics = QFontMetrics(font)
            taken = metrics.horizontalAdvance(part.text + " ")
            is_aside = place + 1 < len(parts) and part.token != "text1"
            if is_aside and room.width() - taken < min(last, LEAST):
                continue
            text, wide = one_line(part.text), max(room.width(), 0)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, wide) if self._words else (
                elided_name(text, metrics, wide))
            painter.setFont(font)
            painter.setPen(theme().color(part.token if self.isEnabled() else "disabled"))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
            room.setLeft(room.left() + taken)
