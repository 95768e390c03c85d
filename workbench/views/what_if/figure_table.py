"""The table of the three columns in the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.number_text import counted
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.what_if.figures import (
    FigureColumn,
    other_metric,
    retrained_column,
    stored_column,
    what_if_column,
)

if TYPE_CHECKING:
    from workbench.session.run import Run

PADDING = 14
HEAD_HEIGHT, ROW_HEIGHT = 24, 24
COLUMNS = ("Stored", "What if", "Retrained")
ROWS = 6
WIDEST = "−1,118.6"  # a figure for which every column has room


class WhatIfTable(QWidget):
    """Always three columns, so that a guess never stands without the exact answer's place beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.names = [ElidedLabel() for _ in range(ROWS)]
        self.head = ElidedLabel()
        self.cells = [[_cell(bold=column == 1) for column in range(3)] for _ in range(ROWS)]
        grid = QGridLayout(self)
        grid.setContentsMargins(PADDING, 0, PADDING, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        self._build_head(grid)
        for row, (name, cells) in enumerate(zip(self.names, self.cells, strict=True)):
            name.setFont(ui_font(NOTE))
            name.setFixedHeight(px(ROW_HEIGHT))
            set_look(name, tone="1")
            grid.addWidget(name, 2 * row + 2, 0)
            for column, cell in enumerate(cells):
                grid.addWidget(cell, 2 * row + 2, column + 1)
            if row < ROWS - 1:
                grid.addWidget(rule(), 2 * row + 3, 0, 1, 4)

    def _build_head(self, grid: QGridLayout) -> None:
        for column, title in enumerate(("", *COLUMNS)):
            label = self.head if column == 0 else Label(title)
            label.setFont(ui_font(NOTE))
            label.setFixedHeight(px(HEAD_HEIGHT))
            set_look(label, tone="3")
            if column:
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(label, 0, column)
        grid.addWidget(rule(), 1, 0, 1, 4)

    def show_run(self, run: Run) -> None:
        """Show the figures of a run, of what is asked of it, and of what it was retrained to."""
        trees = sum(len(event.trees) for event in run.rounds)
        self.head.setText(counted(trees, "tree"))
        watched, other = run.watched, other_metric(run)
        names = ("Splits", "Leaves", "Structure", "Training", "Validation",
                 run.facts.metric(other).label if other else "–")
        for label, name in zip(self.names, names, strict=True):
            label.setText(name)
        self.names[-1].set_shorter(other)
        self.names[3].set_hint(f"{run.facts.metric(watched).label} on the training rows")
        self.names[4].set_hint(f"{run.facts.metric(watched).label} on the validation rows")
        self.names[2].set_hint("Structure score −½ Σ G²/(H+λ) + γT of all trees; smaller is better")
        for place, column in enumerate((stored_column(run), what_if_column(run), retrained_column(run))):
            self._show_column(place, column)

    def _show_column(self, place: int, column: FigureColumn) -> None:
        for row, text in enumerate(column.texts):
            cell = self.cells[row][place]
            cell.setText(text)
            cell.setAccessibleName(f"{self.names[row].text()}, {COLUMNS[place].lower()}")
            if place == 1:
                tone = "3" if column.is_old and row > 2 else "accent"
                if cell.property("tone") != tone:
                    set_look(cell, tone=tone)

    def texts(self, place: int) -> list[str]:
        """One column as written, from top to bottom."""
        return [cells[place].text() for cells in self.cells]


def _cell(*, bold: bool) -> Label:
    cell = Label()
    cell.setFont(ui_font(NOTE, bold=bold))
    cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    cell.setFixedHeight(px(ROW_HEIGHT))
    cell.setMinimumWidth(cell.fontMetrics().horizontalAdvance(WIDEST))
    return cell
