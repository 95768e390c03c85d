"""The first row: menu, document title in the middle, layout toggles and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QMenuBar, QPushButton, QWidget

from workbench.shell.document_title import DocumentTitle
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

HEIGHT = 36
ICON_GAP = 4  # between icon and words


class TopBar(QWidget):
    """Menu at the left, title centred on the window, buttons at the right."""

    def __init__(self, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(HEIGHT))
        set_look(self, ground="window")
        self.menu_bar = QMenuBar()
        self.title = DocumentTitle()
        self.export_button = _button("Export model", actions["export"])
        self.left_button = _button("", actions["left"])
        self.bottom_button = _button("", actions["bottom"])
        self._build()

    def _build(self) -> None:
        right = QWidget()
        row = QHBoxLayout(right)
        row.setContentsMargins(0, 0, 12, 0)
        row.setSpacing(6)
        for button in (self.left_button, self.bottom_button, self.export_button):
            row.addWidget(button)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(self.menu_bar, 0, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self.title, 0, 1, Qt.AlignmentFlag.AlignCenter)
        grid.addWidget(right, 0, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column in (0, 2):
            grid.setColumnStretch(column, 1)

    def restyle(self) -> None:
        """Tint the icons with the present theme."""
        self.left_button.setIcon(icon("columns", "text2"))
        self.bottom_button.setIcon(icon("layout", "text2"))
        self.export_button.setIcon(icon("export", gap=ICON_GAP))

    def set_workbench(self, shown: bool) -> None:
        """Show or hide the buttons that mean nothing on the welcome screen."""
        for button in (self.left_button, self.bottom_button, self.export_button):
            button.setVisible(shown)


def _button(text: str, action: QAction) -> QPushButton:
    button = QPushButton(text)
    button.setIconSize(QSize(16 + ICON_GAP if text else 16, 16))
    set_tip(button, action.toolTip())
    button.setAccessibleName(action.text())
    button.clicked.connect(action.trigger)
    if text:
        set_look(button, fit="tool")
        action.enabledChanged.connect(button.setEnabled)
    else:
        set_look(button, flat=True, fit="icon")
        button.setFixedWidth(px(30))
    return button
