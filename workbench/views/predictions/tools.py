"""What is chosen at the top of the tab: rows, class, plot, column, and the ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from workbench.views.controls.label import Label
from workbench.views.controls.phrase_combo import NAME_LETTERS, PhraseCombo
from workbench.views.export.export_menu import icon_button
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from collections.abc import Sequence


class Choice(PhraseCombo):
    """Remembers what it offers: Qt takes long to tell what is in a long list."""

    def __init__(self) -> None:
        super().__init__()
        self._offered: tuple[tuple[str, Any], ...] = ()

    def offer(self, items: Sequence[tuple[str, Any]], chosen: Any) -> None:
        """Offer these where they are not offered yet, and show the chosen one."""
        offered = tuple(items)
        values = [value for _, value in offered]
        with QSignalBlocker(self):
            if offered != self._offered:
                self._offered = offered
                self.clear()
                self.addItems([text for text, _ in offered])
            at = values.index(chosen) if chosen in values else -1
            if at != self.currentIndex():
                self.setCurrentIndex(at)

    def value(self, at: int) -> Any:
        """What the item at a place stands for."""
        return self._offered[at][1]


class PredictionTools(QObject):
    """Boxes and buttons; each says what the person chose."""

    part_chosen = Signal(str)
    class_chosen = Signal(int)
    plot_chosen = Signal(str)
    column_chosen = Signal(str)

    def __init__(self, export: QPushButton, parent: QObject) -> None:
        super().__init__(parent)
        self.parts, self.classes, self.plots, self.columns = (Choice() for _ in range(4))
        named = {"Rows": self.parts, "Class": self.classes, "Plot": self.plots,
                 "Residuals along": self.columns}
        for name, box in named.items():
            set_look(box, fit="tool")
            box.setAccessibleName(name)
            box.setMinimumContentsLength(NAME_LETTERS)
        self.plots.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.column_label = Label("Residuals along")
        self.column_label.setFont(ui_font(NOTE))
        set_look(self.column_label, tone="2")
        self.reset = icon_button("Reset", "Go back to all plots and the usual threshold")
        self.export = export
        told = {self.part_chosen: self.parts, self.class_chosen: self.classes, self.plot_chosen: self.plots,
                self.column_chosen: self.columns}
        for signal, box in told.items():
            box.activated.connect(lambda at, signal=signal, box=box: signal.emit(box.value(at)))

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """All of them, in order."""
        boxes = (self.parts, self.classes, self.plots, self.column_label, self.columns)
        return (*boxes, self.reset, self.export)

    def enable(self, on: bool) -> None:
        """Let them be used; the rows can be chosen wherever there is a choice."""
        for widget in self.widgets:
            widget.setEnabled(on)
        self.parts.setEnabled(self.parts.count() > 0)
        if not on:
            for box in (self.classes, self.plots):
                box.hide()

    def show_columns(self, shown: bool) -> None:
        """Offer columns where residuals are seen."""
        for widget in (self.column_label, self.columns):
            widget.setVisible(shown)

    def restyle(self) -> None:
        """Tint the icons anew."""
        self.reset.setIcon(icon("arrow-counter-clockwise", pixels=14))
        self.export.setIcon(icon("download-simple", pixels=14))

