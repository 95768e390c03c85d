"""The field that finds nodes: typing marks them, Enter goes to the next."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from workbench.number_text import count
from workbench.views.look.fonts import AXIS, ui_font
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

HINT = "feature, threshold, node"
ICON, LEAST, MOST = 14, 88, 230
NOTHING = "nothing found"


class NodeSearch(QLineEdit):
    """Says what is typed, and which of the nodes that were found is wanted."""

    keeps_typing = True
    wanted = Signal(int)  # node to go to
    left = Signal()  # the tree is to be walked again

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found = np.empty(0, np.int64)
        self._place = -1
        self.setPlaceholderText(HINT)
        self.setAccessibleName("Find nodes")
        set_tip(self, "Find a feature, a threshold, a category or a node's number. Enter goes to the next, "
                        "Shift+Enter back. Ctrl+F")
        self.setMinimumWidth(px(LEAST))
        self.setMaximumWidth(px(MOST))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_look(self, fit="tool")
        self.setTextMargins(ICON + 8, 0, 0, 0)
        self.textChanged.connect(self._make_room)

    def show_found(self, nodes: np.ndarray) -> None:
        """Take over what was found."""
        if not np.array_equal(nodes, self._found):
            self._place = -1
        self._found = nodes
        self.setAccessibleDescription(self.words)
        self._make_room()
        self.update()

    @property
    def words(self) -> str:
        """How many were found, and which of them is shown."""
        if not self.text().strip():
            return ""
        if not len(self._found):
            return NOTHING
        place = f"{count(self._place + 1)} of " if self._place >= 0 else ""
        return f"{place}{count(len(self._found))}"

    def go(self, step: int) -> None:
        """Want the next node, or the one before."""
        if len(self._found):
            begin = self._place if self._place >= 0 else min(-step, 0)
            self._place = (begin + step) % len(self._found)
            self.setAccessibleDescription(self.words)
            self.update()
            self.wanted.emit(int(self._found[self._place]))

    def sizeHint(self) -> QSize:
        return QSize(MOST, super().sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.go(-1 if back else 1)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.go(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.drawPixmap(8, (self.height() - ICON) // 2, icon_pixmap("magnifying-glass", "text3", ICON))
        painter.setFont(ui_font(AXIS))
        painter.setPen(theme().color("warning" if self.words == NOTHING else "text3"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect().adjusted(0, 0, -8, 0), int(right), self.words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Keep the text off the words; other margins would lay out the whole window anew."""
        room = self.fontMetrics().horizontalAdvance(self.words)
        if self.textMargins().right() != room:
            self.setTextMargins(ICON + 8, 0, room, 0)
