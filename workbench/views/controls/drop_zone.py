"""The place that says a table can be dropped, with the primary button for those who do not drop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.look.fonts import AXIS, HERO, NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

LOWEST, HIGHEST = 150, 222
RADIUS = 6


class DropZone(QWidget):
    """Dashed, 6 px round; in the accent while a file is held over the window."""

    open_requested = Signal()

    def __init__(self, formats: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._active = False
        self._button = self._build_button()
        self.setMinimumHeight(px(LOWEST))
        self.setMaximumHeight(px(HIGHEST))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._build(formats)

    def set_active(self, active: bool) -> None:
        """Show that a drop would be taken."""
        self._active = active
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(416, px(LOWEST))  # it grows where the window has room

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._button.setIcon(icon("folder-open", "on_accent", 16))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("accent" if self._active else "ctl"), 1, Qt.PenStyle.DashLine))
        painter.setBrush(theme().color("tint" if self._active else "panel"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _build_button(self) -> QPushButton:
        button = QPushButton(" Open a file")  # the space parts icon and words
        set_look(button, primary=True)
        button.setIcon(icon("folder-open", "on_accent", 16))
        button.setAccessibleName("Open a file")
        set_tip(button, "Open a file (Ctrl+O)")
        button.setFixedWidth(px(124))
        button.clicked.connect(self.open_requested)
        return button

    def _build(self, formats: str) -> None:
        title = Label("Drop a table here")
        title.setFont(ui_font(HERO, bold=True))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(title, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(_hint_row(formats))
        column.addStretch(1)


def _hint_row(formats: str) -> QHBoxLayout:
    hint = ElidedLabel(formats)
    hint.setFont(ui_font(NOTE))
    set_look(hint, tone="3")
    key = Label("Ctrl+O")
    key.setFont(ui_font(AXIS))
    set_look(key, tone="3", key=True)
    key.setIndent(0)
    row = QHBoxLayout()
    row.setSpacing(10)
    row.addStretch(1)
    row.addWidget(hint)
    row.addWidget(key)
    row.addStretch(1)
    return row
