"""Cells that are not as a model expects them, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.values.labels import Labels

MOST_LISTED = 1000  # different texts


@dataclass
class Tally:
    """Cells that were not what the model expects.

    Attributes
    ----------
    cells : int
    first : str
        The first of them, as it stands.
    first_row : int
        Its row, from 1.
    texts : Counter of str
        How often each stands; of many different ones the first.
    is_cut : bool
        Whether there are more different ones.
    """

    cells: int = 0
    first: str = ""
    first_row: int = 0
    texts: Counter[str] = field(default_factory=Counter)
    is_cut: bool = False

    def add(self, texts: Sequence[str], codes: NDArray[np.int64], first_row: int) -> None:
        """Count cells with a code from 0, the place of their text; others are as expected."""
        wrong = np.flatnonzero(codes >= 0)
        if not len(wrong):
            return
        if not self.cells:
            self.first, self.first_row = texts[codes[wrong[0]]], first_row + int(wrong[0]) + 1
        self.cells += len(wrong)
        counts = np.bincount(codes[wrong], minlength=len(texts))
        for place in np.flatnonzero(counts).tolist():
            if texts[place] in self.texts or len(self.texts) < MOST_LISTED:
                self.texts[texts[place]] += int(counts[place])
            else:
                self.is_cut = True

    def join(self, other: Tally, rows_before: int) -> None:
        """Count the cells of rows that come after so many."""
        if other.cells and not self.cells:
            self.first, self.first_row = other.first, other.first_row + rows_before
        self.cells += other.cells
        self.is_cut |= other.is_cut
        for text, n in other.texts.items():
            if text in self.texts or len(self.texts) < MOST_LISTED:
                self.texts[text] += n
            else:
                self.is_cut = True

    def add_numbers(self, numbers: NDArray[np.float64], wrong: NDArray[np.bool_], first_row: int) -> None:
        """Count the numbers that are wrong, as texts."""
        if not wrong.any():
            return
        distinct, places = np.unique(numbers[wrong], return_inverse=True)
        codes = np.full(len(numbers), -1, np.int64)
        codes[wrong] = places
        self.add([f"{value:.15g}" for value in distinct], codes, first_row)

    def add_labels(self, labels: Labels, wrong: NDArray[np.bool_], first_row: int) -> None:
        """Count the cells whose label is wrong; the last of `wrong` is for those that are missing."""
        if wrong.any():
            self.add(labels.texts, np.where(wrong[labels.codes], labels.codes, -1), first_row)
