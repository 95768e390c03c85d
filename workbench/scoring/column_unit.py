"""The units of a column of numbers held against the one of the table that a model was trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values.labels import stripped_text
from workbench.data.values.units import factor_between
from workbench.scoring.tally import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.values.labels import Labels


class ColumnUnit:
    """Brings numbers to the unit trained on, and counts those that had another one, or none.

    Attributes
    ----------
    trained : str
        The unit; "" where none is known.
    converted, refused, bare, left_out : Tally
        Numbers in a unit that can be brought to this one, in one that cannot and counts as missing, without
        one, and with one where the model knows none.
    """

    def __init__(self, trained: str) -> None:
        self.trained = trained
        self.converted, self.refused, self.bare, self.left_out = Tally(), Tally(), Tally(), Tally()
        self._tallies: dict[str, Tally] = {}  # by text

    def value(self, text: str, value: float, unit: str) -> float:
        """Return the number of a text in the unit trained on, and remember how it came to it."""
        factor, tally = self._judged(unit)
        if tally is not None and (unit or value):  # 0 needs no unit
            self._tallies[text] = tally
        return value * factor

    def join(self, other: ColumnUnit, rows_before: int) -> None:
        """Count the numbers of rows that come after so many."""
        for name in ("converted", "refused", "bare", "left_out"):
            getattr(self, name).join(getattr(other, name), rows_before)

    def forget_texts(self) -> None:
        """Forget texts that are to be read again."""
        self._tallies.clear()

    def count(self, labels: Labels, first_row: int) -> None:
        """Count the cells of texts that were read."""
        if not self._tallies:
            return
        found = [self._tallies.get(stripped_text(text)) for text in labels.texts]
        for tally in (self.converted, self.refused, self.bare, self.left_out):
            tally.add_labels(labels, np.array([one is tally for one in found] + [False]), first_row)

    def of_numbers(self, numbers: NDArray[np.float64], unit: str, first_row: int) -> NDArray[np.float64]:
        """Return numbers that all have a unit, or none, in the unit trained on."""
        factor, tally = self._judged(unit)
        if tally is not None:
            counted = ~np.isnan(numbers) & (bool(unit) | (numbers != 0))
            tally.add_numbers(numbers, counted, first_row)
        return numbers if factor == 1 else numbers * factor

    def _judged(self, unit: str) -> tuple[float, Tally | None]:
        """Return by what numbers in a unit are multiplied, and what they are counted as."""
        if unit == self.trained:
            return 1.0, None
        if not unit or not self.trained:
            return 1.0, self.left_out if unit else self.bare
        factor = factor_between(unit, self.trained)
        return (np.nan, self.refused) if factor is None else (factor, self.converted)
