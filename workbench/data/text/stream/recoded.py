"""A file that is not UTF-8: why it is read otherwise, and the cells in which that shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import TableNote
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from workbench.data.values.labels import Labels

DAMAGED = "\ufffd"


class Recoded:
    """Counts cells column by column, block by block.

    Parameters
    ----------
    said : str
        What is done with the file, without a full stop.
    is_damaged : bool
        Whether the cells are those in which a character could not be read, else those beyond ASCII.
    """

    def __init__(self, said: str, *, is_damaged: bool) -> None:
        self._said, self._is_damaged = said, is_damaged
        self._count, self._first, self._column = 0, 0, ""

    def count(self, name: str, labels: Labels, rows_above: int = 0) -> None:
        """Count the cells of some rows of a column, and remember the first of all."""
        found = Places.of_labels(labels, np.array([self._shows(text) for text in labels.texts], bool))
        row = rows_above + found.row
        if found and (not self._count or row < self._first):
            self._first, self._column = row, name
        self._count += found.count

    def _shows(self, text: str) -> bool:
        return DAMAGED in text if self._is_damaged else not text.isascii()

    def note(self) -> TableNote:
        """Say what was done, in how many cells it shows and where first."""
        what = f"such a {DAMAGED}" if self._is_damaged else "letters beyond ASCII"
        if not self._count:
            return TableNote(f"{self._said}; no cell has {what}.", severity="warning")
        cells = Places(self._count, self._first)
        has = "1 cell has" if cells.count == 1 else f"{cells.count:,} cells have"
        text = f"{self._said}; {has} {what}, {cells.first}, column '{self._column}'."
        return TableNote(text, self._column, self._count, "warning")
