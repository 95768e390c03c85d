"""The shipped tables, in two columns where there is room, and the simulated ones as buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.views.controls.flow import FlowLayout
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.layout_items import leave_layouts
from workbench.views.controls.welcome_rows import SAMPLE_HEIGHT, SampleRow
from workbench.views.look.fonts import HERO, NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.data.samples import SampleTable

COLUMN_GAP, BELOW_HEADLINE = 40, 16
HIGHEST = 92  # of a row
NARROWEST = 280  # of a column


class SampleList(QWidget):
    """`chosen` carries the name of a sample."""

    chosen = Signal(str)

    def __init__(self, samples: Sequence[SampleTable], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = [self._row(sample) for sample in samples if not sample.simulated]
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(COLUMN_GAP)
        self._grid.setVerticalSpacing(0)
        self._columns, self._room = 0, 0
        self._simulated: list[QPushButton] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._headline = _headline()
        column.addLayout(self._headline)
        column.addSpacing(BELOW_HEADLINE)
        column.addLayout(self._grid)
        simulated = [sample for sample in samples if sample.simulated]
        if simulated:
            column.addSpacing(32)
            column.addWidget(Heading("Simulated, with a seed"))
            column.addSpacing(8)
            column.addWidget(self._buttons(simulated))
        column.addStretch(1)
        self._arrange(2)

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """All that can be pressed, in reading order."""
        return (*self._rows, *self._simulated)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(2 if self.width() >= 2 * NARROWEST + COLUMN_GAP else 1)
        self.show_within(self._room)

    def show_within(self, room: int) -> None:
        """Where so many pixels from the top do not show all rows, let the last that is seen be whole."""
        self._room = room
        room -= self._headline.sizeHint().height() + BELOW_HEADLINE
        lines, whole = -(-len(self._rows) // self._columns), room // SAMPLE_HEIGHT
        height = SAMPLE_HEIGHT if whole < 1 or whole >= lines else min(room // whole, HIGHEST)
        for row in self._rows:
            row.set_height(height)

    def _arrange(self, columns: int) -> None:
        """Put the rows into so many columns, row by row."""
        if columns == self._columns:
            return
        self._columns = columns
        for index, row in enumerate(self._rows):
            leave_layouts(row, self._grid)
            self._grid.addWidget(row, index // columns, index % columns)
            row.set_first(index < columns)
        for index in range(2):
            self._grid.setColumnStretch(index, 1 if index < columns else 0)
        self._grid.setHorizontalSpacing(COLUMN_GAP if columns > 1 else 0)

    def _row(self, sample: SampleTable) -> SampleRow:
        row = SampleRow(sample)
        row.clicked.connect(lambda _=False: self.chosen.emit(sample.name))
        return row

    def _buttons(self, samples: Sequence[SampleTable]) -> QWidget:
        holder = QWidget()
        flow = FlowLayout(holder)
        for sample in samples:
            button = QPushButton(sample.title)
            set_look(button, fit="tool")
            set_tip(button, sample.shows)
            button.clicked.connect(lambda _=False, name=sample.name: self.chosen.emit(name))
            flow.addWidget(button)
            self._simulated.append(button)
        return holder


def _headline() -> QHBoxLayout:
    title, phrase = Label("Samples"), Label("real data, one click; the small chart is the target")
    title.setFont(ui_font(HERO, bold=True))
    phrase.setFont(ui_font(NOTE))
    set_look(phrase, tone="3")
    row = QHBoxLayout()
    row.setSpacing(10)
    row.addWidget(title)
    row.addWidget(phrase, 1)
    return row
