"""The tools of the tab "Path of a row": which row, what of it, and where it goes from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QSizePolicy, QWidget

from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.export.export_menu import icon_button
from workbench.views.inspector.path.row_chooser import RowChooser
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGES = (
    ("tree", "This tree", "The questions that the shown tree asks the row"),
    ("rounds", "All rounds", "How the row's raw prediction grows, round by round"),
    ("leaves", "Leaves", "The leaf that the row reaches in every tree"),
)


class PathTools(QObject):
    """A row's number, its truth, the choice of page, and export."""

    page_chosen = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.chooser, self.truth = RowChooser(), ElidedLabel(lines=2)
        self.truth.setFont(ui_font(NOTE))
        self.truth.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        set_look(self.truth, tone="2")
        self.pages = {name: _toggle(title, tip) for name, title, tip in PAGES}
        self._group = QButtonGroup(self)
        for name, button in self.pages.items():
            self._group.addButton(button)
            button.clicked.connect(lambda _=False, name=name: self.page_chosen.emit(name))
        self.pages["tree"].setChecked(True)
        self.export = icon_button("Export", "Copy or save what is known of the row's rounds")
        self.restyle()

    @property
    def widgets(self) -> Sequence[QWidget]:
        """All of them, in order."""
        return (self.chooser, self.truth, *self.pages.values(), self.export)

    @property
    def page(self) -> str:
        """Name of the page that is wanted."""
        return next(name for name, button in self.pages.items() if button.isChecked())

    def restyle(self) -> None:
        """Tint the icons anew."""
        self.chooser.restyle()
        self.export.setIcon(icon("download-simple", pixels=14))


def _toggle(title: str, tip: str) -> QPushButton:
    button = QPushButton(title)
    button.setCheckable(True)
    set_tip(button, tip)
    button.setAccessibleName(title)
    set_look(button, fit="tool")
    return button
