"""Whether survivors are drawn against γ or against λ: two small buttons in the corner of the plot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from workbench.parameters.training import BY_NAME
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

NAMES = ("gamma", "reg_lambda")


class PenaltySwitch(QWidget):
    """Stands at the upper right of the widget it is given."""

    chosen = Signal()

    def __init__(self, plot: QWidget) -> None:
        super().__init__(plot)
        self.name = NAMES[0]
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for place, name in enumerate(NAMES):
            button = QPushButton(BY_NAME[name].symbol)
            button.setCheckable(True)
            button.setChecked(place == 0)
            button.setAccessibleName(f"Survivors against {BY_NAME[name].symbol}")
            set_tip(button, button.accessibleName())
            set_look(button, fit="tool")
            self._group.addButton(button, place)
            row.addWidget(button)
        self._group.idClicked.connect(self._choose)
        self.adjustSize()
        plot.installEventFilter(self)

    @property
    def symbol(self) -> str:
        """Symbol of the parameter."""
        return BY_NAME[self.name].symbol

    def button(self, name: str) -> QPushButton:
        """The button of a parameter."""
        found = self._group.button(NAMES.index(name))
        assert isinstance(found, QPushButton)
        return found

    def _choose(self, place: int) -> None:
        self.name = NAMES[place]
        self.chosen.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange) and isinstance(watched, QWidget):
            self.adjustSize()
            self.move(watched.width() - self.width() - 16, 4)
        return False
