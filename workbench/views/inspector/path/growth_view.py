"""A row's raw prediction over the rounds, on the ruler's axis, with the figures of one round above."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.views.curves.board import CurveBoard
from workbench.views.curves.kpi_strip import KpiStrip
from workbench.views.inspector.path.growth_plot import COLUMNS, cells, marks, plot
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.row_growth import RowGrowth
    from workbench.session.run import Run

LEAST_HEIGHT = 110


class GrowthView(QWidget):
    """As wide as the centre, so that a round stands where the ruler has it."""

    picked = Signal(int)  # round

    def __init__(self) -> None:
        super().__init__()
        set_look(self, ground="data")
        self.figures, self.board = KpiStrip(COLUMNS), CurveBoard()
        self.board.setMinimumHeight(px(LEAST_HEIGHT))
        self.board.setAccessibleName("Raw prediction of the row over rounds")
        self._growth: RowGrowth | None = None
        self._schema: DataSchema | None = None
        self._names: tuple[str, ...] = ()
        self._class, self._shown, self._pinned = 0, 0, False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.figures)
        column.addWidget(self.board, 1)
        self.board.hovered.connect(self._show_figures)
        self.board.picked.connect(self.picked)

    def show_growth(
        self, run: Run, schema: DataSchema, growth: RowGrowth, row: int, *,
        class_index: int, shown: int, pinned: bool, held_out: bool,
    ) -> None:
        """Show a growth; `shown` is the selected round, else the newest, where none is `pinned`."""
        self._growth, self._schema = growth, schema
        self._class, self._names = class_index, run.output_names
        self._shown, self._pinned = min(shown, growth.rounds), pinned
        content = plot(growth, schema, class_index, row, run.output_names, held_out=held_out)
        self.board.show_contents([content], marks(run, growth.rounds, self._shown if pinned else 0))
        self._show_figures(self.board.hover_round)

    def _show_figures(self, hovered: int) -> None:
        if self._growth is None or self._schema is None or not self._shown:
            return
        when = "Cursor" if hovered else "Selected" if self._pinned else "Now"
        number = min(hovered, self._growth.rounds) or self._shown
        self.figures.show_cells(cells(self._growth, self._schema, self._class, self._names, number, when))
