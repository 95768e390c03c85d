"""The readout above the plots: a label, a figure and a note in each column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import FIGURE, HERO, NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

HEIGHT = 58
PAD, TIGHT_PAD = 16, 10
LABEL_Y, FIGURE_Y = 16, 37


@dataclass(frozen=True)
class Cell:
    """One column: what it is, also in fewer words, the figure, and a note that goes first."""

    label: str
    figure: str
    note: str = ""
    token: str = "text1"
    short: str = ""  # the label where room is short


@dataclass(frozen=True)
class Widths:
    """Width of a column in pixels: as pictured, and the least."""

    wide: int
    least: int


class KpiStrip(QWidget):
    """Columns keep their widths while figures change."""

    def __init__(self, columns: Sequence[Widths]) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self._cells: tuple[Cell, ...] = ()
        self.setFixedHeight(px(HEIGHT))
        self.setAccessibleName("Figures of the round")

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What is shown."""
        return self._cells

    def show_cells(self, cells: Sequence[Cell]) -> None:
        """Show these figures."""
        if tuple(cells) == self._cells:
            return
        self._cells = tuple(cells)
        self.setAccessibleDescription(". ".join(f"{c.label}: {c.figure} {c.note}".strip() for c in cells))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(sum(column.wide for column in self._columns), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(sum(column.least for column in self._columns), HEIGHT)

    def lefts(self) -> list[float]:
        """Left edge of each column, and the right edge of the last."""
        wide, least = sum(c.wide for c in self._columns), sum(c.least for c in self._columns)
        share = min(1.0, max(0.0, (self.width() - least) / max(wide - least, 1)))
        stretch = max(1.0, self.width() / wide)
        edges = [0.0]
        for column in self._columns:
            edges.append(edges[-1] + (column.least + share * (column.wide - column.least)) * stretch)
        return edges

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("data"))
        painter.setPen(QPen(theme().color("line"), 1))
        painter.drawLine(0, HEIGHT - 1, self.width(), HEIGHT - 1)
        edges = self.lefts()
        for index, cell in enumerate(self._cells[: len(self._columns)]):
            if index:
                painter.setPen(QPen(theme().color("line"), 1))
                painter.drawLine(round(edges[index]), 0, round(edges[index]), HEIGHT - 2)
            self._paint_cell(painter, cell, edges[index], edges[index + 1])
        painter.end()

    def _paint_cell(self, painter: QPainter, cell: Cell, left: float, right: float) -> None:
        pad = PAD if right - left > width(cell.figure, FIGURE, True) + 2 * PAD else TIGHT_PAD
        x, room = left + pad, right - left - pad - 4
        label = cell.short if cell.short and width(cell.label, NOTE) > room else cell.label
        write(painter, label, x, LABEL_Y, pixels=NOTE, token="text2", most=room)
        pixels = FIGURE if width(cell.figure, FIGURE, True) <= room else HERO
        end = x + write(
            painter, cell.figure, x, FIGURE_Y, pixels=pixels, token=cell.token, bold=True, most=room)
        if cell.note and end + 8 + width(cell.note, NOTE) <= right - 8:
            write(painter, cell.note, end + 8, FIGURE_Y + 2, pixels=NOTE, token="text3")
