"""Cells of a column that something is said of: how many, and in which row the first stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from workbench.data.values.labels import Labels


@dataclass(frozen=True)
class Places:
    """How many cells, and the row of the first one, counted from 1; false where there is none."""

    count: int
    row: int

    @classmethod
    def of(cls, cells: NDArray[np.bool_]) -> Places:
        """Return the places of the rows that are true."""
        count = int(np.count_nonzero(cells))
        return cls(count, int(np.argmax(cells)) + 1 if count else 0)

    @classmethod
    def of_labels(cls, labels: Labels, chosen: NDArray[np.bool_]) -> Places:
        """Return the places of the rows whose label is chosen."""
        return cls.of(np.append(chosen, False)[labels.codes])

    @classmethod
    def of_texts(cls, labels: Labels, texts: Collection[str]) -> Places:
        """Return the places of the rows that hold one of the texts."""
        wanted = frozenset(texts)
        return cls.of_labels(labels, np.array([text in wanted for text in labels.texts], bool))

    def __bool__(self) -> bool:
        return self.count > 0

    @property
    def are(self) -> str:
        """Begins a sentence about them: 3 cells are."""
        return "1 cell is" if self.count == 1 else f"{self.count:,} cells are"

    @property
    def first(self) -> str:
        """Says where they are: first in row 4."""
        return f"in row {self.row}" if self.count == 1 else f"first in row {self.row}"

    @property
    def within(self) -> str:
        """Ends a clause about them: in 3 cells, first in row 4."""
        return f"in 1 cell, row {self.row}" if self.count == 1 else f"in {self.count:,} cells, {self.first}"
