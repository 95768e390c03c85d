"""A class to draw with: its mark in its colour, and its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QPushButton

from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import BODY
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.playground.inks import class_color, paint_mark

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

MARK, GAP, EDGE = 5.5, 8, 4


class ClassSwatch(QPushButton):
    """Bold while it is the one that a click adds."""

    def __init__(self, label: int) -> None:
        super().__init__()
        self.label = label
        self.setCheckable(True)
        self.setFixedHeight(px(24))
        set_look(self, flat=True, fit="bare")
        self.setAccessibleName(f"Draw class {label}")
        set_tip(self, f"A click adds class {label}, a right-click the other")

    def sizeHint(self) -> QSize:
        return QSize(round(width(f"class {self.label}", BODY, True) + 2 * MARK + GAP + 2 * EDGE), 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(class_color(self.label, 2))
        middle = self.height() / 2
        paint_mark(painter, EDGE + MARK, middle, MARK, self.label)
        write(painter, f"class {self.label}", EDGE + 2 * MARK + GAP, middle, pixels=BODY,
              token="text1" if self.isChecked() else "text2", bold=self.isChecked())
