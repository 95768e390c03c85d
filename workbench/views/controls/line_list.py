"""A list of lines of one height, that says what to do while there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView

from workbench.views.curves.ink import write
from workbench.views.look.fonts import BODY
from workbench.views.look.scale import px

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QPaintEvent, QResizeEvent

MARGIN = 16  # pixels beside the sentence


class LineList(QListView):
    """Scrolls through thousands of lines; at its ends there are whole ones."""

    def __init__(self, model: QAbstractItemModel, line: int, name: str) -> None:
        super().__init__()
        self.sentence = ""
        self._line = line  # pixels as set
        self.setModel(model)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave free what would show a part of a line."""
        super().resizeEvent(event)
        self.setViewportMargins(0, 0, 0, self.contentsRect().height() % px(self._line))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.model().rowCount():
            painter = QPainter(self.viewport())
            centre = self.viewport().rect().center()
            write(painter, self.sentence, centre.x(), centre.y(), pixels=BODY, token="text2", align="centre",
                  most=self.viewport().width() - 2 * MARGIN)
            painter.end()
