"""The cells of a column as they came, before anybody decides what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.values.labels import Labels, date_label, number_label
from workbench.data.values.value_labels import day_label, label_of, labels_of_array

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from workbench.data.table import Column


@dataclass(frozen=True)
class Cells:
    """Cells of one column, either numbers or text.

    Attributes
    ----------
    numbers : ndarray of float64, shape (n,), or None
        NaN is missing; of dates the days since 1970-01-01.
    labels : Labels or None
        Text as it stands in the file.
    is_date : bool
    """

    numbers: NDArray[np.float64] | None = None
    labels: Labels | None = None
    is_date: bool = False

    def __len__(self) -> int:
        if self.numbers is not None:
            return len(self.numbers)
        return 0 if self.labels is None else len(self.labels.codes)

    def as_labels(self) -> Labels:
        """Return numbers and dates as the text of categories."""
        if self.labels is not None:
            return self.labels
        assert self.numbers is not None
        return labels_of_array(self.numbers, day_label if self.is_date else label_of)

    def texts(self) -> list[str]:
        """Return the cells as a text file holds them; nothing for missing ones."""
        if self.numbers is None:
            labels = self.as_labels()
            return np.array([*labels.texts, ""], object)[labels.codes].tolist()
        write = date_label if self.is_date else number_label
        return ["" if value != value else write(value) for value in self.numbers]

    def first(self, n: int) -> Cells:
        """Return the first so many cells."""
        if self.labels is not None:
            return Cells(labels=Labels(self.labels.texts, self.labels.codes[:n]))
        assert self.numbers is not None
        return Cells(self.numbers[:n], is_date=self.is_date)


def cells_of(column: Column, begin: int, end: int) -> Cells:
    """Return rows of a column of a table."""
    if column.is_categorical:
        values = column.values[begin:end]
        codes = np.where(np.isnan(values), -1, values).astype(np.int64)
        return Cells(labels=Labels(column.categories, codes))
    is_date = column.kind == "date"
    if column.exact is not None:
        return Cells(column.exact[begin:end], is_date=is_date)
    single: NDArray[Any] = column.values[begin:end]
    if not is_date:
        single = single.astype(str)  # what is 0.1 in single precision was 0.1 in the file
    return Cells(single.astype(np.float64), is_date=is_date)


@dataclass(frozen=True)
class Chunk:
    """Some rows of a table.

    Attributes
    ----------
    first_row : int
        From 0.
    n_rows : int
    cells : mapping of str to Cells
        The columns whose values are wanted, by name.
    kept : mapping of str to Cells
        The columns that are wanted as they stand.
    """

    first_row: int
    n_rows: int
    cells: Mapping[str, Cells]
    kept: Mapping[str, Cells]

    def first(self, n: int) -> Chunk:
        """Return the first so many rows."""
        cells, kept = ({name: c.first(n) for name, c in some.items()} for some in (self.cells, self.kept))
        return Chunk(self.first_row, min(n, self.n_rows), cells, kept)
