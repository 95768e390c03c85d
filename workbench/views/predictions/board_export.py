"""The plots of predictions taken away: pictures, and their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.formats.bytes.csv_text import csv_text, tab_separated
from workbench.formats.bytes.files import atomic_write
from workbench.views.export.pictures import save_picture

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.session.session import Session
    from workbench.views.predictions.board import Board


class BoardExport:
    """What is shown of a board."""

    def __init__(self, board: Board, session: Session) -> None:
        self._board, self._session = board, session

    def save_picture(self, path: Path) -> None:
        """Write the plots that are shown as PNG or SVG."""
        save_picture(path, self._board.size(), self._board.paint_picture, "Predictions")

    def save_csv(self, path: Path) -> None:
        """Write the figures of the plots that are shown."""
        atomic_write(path, csv_text(self._rows(), neutralise=self._session.harmless_formulas))

    def values_text(self) -> str:
        """The same for a spreadsheet."""
        return tab_separated(self._rows(), neutralise=self._session.harmless_formulas) + "\n"

    def fail(self, text: str) -> None:
        """Say what could not be done."""
        self._session.notices.say(text, "error", "export")

    def _rows(self) -> list[tuple[Any, ...]]:
        """The figures of one plot as they are; of several below one another, each under its title."""
        shown = [plot for plot in self._board.shown if plot.values()]
        if len(shown) == 1:
            return shown[0].values()
        return [line for plot in shown for line in ((plot.title,), *plot.values(), ())]
