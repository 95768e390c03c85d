"""Rows drawn at random while a file goes by, each as likely as any other; the same ones for the same seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.growing_array import GrowingArray
from workbench.data.table import TableNote

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 0


class RowSample:
    """Gives every row a random number from 0 to 1 and keeps those with the least, or those below a share.

    Parameters
    ----------
    most : int, optional
        Rows that are kept at the end, without replacement; in between up to twice as many.
    share : float
        Share of the rows, where `most` does not say how many.
    """

    def __init__(self, most: int | None, share: float = 1.0, seed: int = SEED) -> None:
        self._most = most
        self._below = share if most is None else 1.0
        self._seed = seed
        self._random = np.random.default_rng(seed)
        self._numbers = GrowingArray(np.float64)
        self._rows = GrowingArray(np.int64)
        self.seen = 0

    @property
    def rows(self) -> NDArray[np.int64]:
        """The kept rows so far, counted from 0."""
        return self._rows.values

    def draw(self, n_rows: int) -> NDArray[np.intp]:
        """Return which of the next rows are kept for now."""
        numbers = self._random.random(n_rows)
        places = np.flatnonzero(numbers < self._below)
        self._numbers.add(numbers[places])
        self._rows.add(self.seen + places)
        self.seen += n_rows
        return places

    def keeping(self, *, at_end: bool = False) -> NDArray[np.bool_] | None:
        """Return which of the kept rows stay where they have become too many, and forget the others."""
        if self._most is None or len(self._rows) <= (self._most if at_end else 2 * self._most):
            return None
        numbers = self._numbers.values
        chosen = np.zeros(len(numbers), np.bool_)
        chosen[np.argpartition(numbers, self._most - 1)[: self._most]] = True
        self._below = min(self._below, float(numbers[chosen].max()))
        self._numbers.keep(chosen)
        self._rows.keep(chosen)
        return chosen

    def places_in(self, first_row: int, n_rows: int) -> NDArray[np.int64]:
        """Return which of the rows from `first_row` on are kept."""
        begin, end = np.searchsorted(self.rows, (first_row, first_row + n_rows))
        return self.rows[begin:end] - first_row

    def note(self, n_rows: int) -> TableNote:
        """Say how many of the rows were drawn, and how."""
        kept = len(self.rows)
        text = f"A sample: {kept:,} of {n_rows:,} rows, drawn at random (seed {self._seed})."
        return TableNote(text, count=kept, severity="warning")
