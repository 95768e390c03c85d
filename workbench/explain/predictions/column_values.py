"""A column along which predictions are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import Feature

MISSING = "missing"


class Matrix(Protocol):
    """Columns by place."""

    def __getitem__(self, key: tuple[NDArray[np.int64], int]) -> NDArray[np.float32]:
        """Return some rows of a column."""


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """Its values by row; of categories codes, and their labels.

    Attributes
    ----------
    name : str
    values : ndarray of float, shape (n,)
        NaN is missing; a code beyond the labels is a category that nobody knew.
    categories : tuple of str
    """

    name: str
    values: NDArray[np.floating]
    categories: tuple[str, ...] = ()

    def is_one_of(self, names: Collection[str]) -> NDArray[np.bool_]:
        """Return which rows have one of these categories; what has none of the labels is missing."""
        codes = [code for code, label in enumerate(self.categories) if label in names]
        known = np.isfinite(self.values) & (self.values < len(self.categories))
        found = np.isin(self.values, codes)
        return found | ~known if MISSING in names else found


def column_of(
    columns: Sequence[Feature], features: Matrix, name: str, rows: NDArray[np.int64]
) -> ColumnValues | None:
    """Return the column called `name` of some rows; None where there is none."""
    place = next((place for place, column in enumerate(columns) if column.name == name), None)
    if place is None:
        return None
    categories = columns[place].categories if columns[place].is_categorical else ()
    return ColumnValues(name, features[rows, place], categories)
