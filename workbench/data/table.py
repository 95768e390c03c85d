"""A table as it was read: typed columns, and what was noticed on the way in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from workbench.data.stretches import missing, stretches
from workbench.data.values.writing import UNKNOWN, Writing
from workbench.errors import WorkbenchError, one_line
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")
Kind = Literal["number", "category", "boolean", "date"]
Severity = Literal["info", "warning"]
KINDS: tuple[Kind, ...] = ("number", "category", "boolean", "date")


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    name : str
    kind : Kind
        number: `values` are float32. date: float32 days since 1970-01-01.
        category and boolean: `values` are float32 codes into `categories`. NaN is missing.
    values : ndarray of float32, shape (n_rows,)
    categories : tuple of str
        Labels by code, in the order shown; numbers in natural order, text sorted. Empty for numbers.
    collapsed : int
        Distinct values of the file that became equal in float32 (identifiers above 2^24).
    exact : ndarray of float64, optional
        What stood in the file, to be shown: kept for dates with a time and for whole numbers that
        float32 cannot hold. Training uses `values`.
    writing : Writing
        How its cells are written, where the same text may mean something else.
    texts : tuple of str
        The cells as they are shown, where that is how a file gets them; empty where it follows from the rest.
    """

    name: str
    kind: Kind
    values: NDArray[np.float32]
    categories: tuple[str, ...] = ()
    collapsed: int = 0
    exact: NDArray[np.float64] | None = None
    writing: Writing = UNKNOWN
    texts: tuple[str, ...] = ()

    @property
    def is_categorical(self) -> bool:
        """Whether the values are codes into `categories`."""
        return self.kind in ("category", "boolean")

    @property
    def holds_whole_days(self) -> bool:
        """Whether it holds dates, and none with a time."""
        return self.kind == "date" and not any(np.any(days % 1 > 0) for days in stretches(self.values))

    @property
    def missing(self) -> int:
        """Number of missing values."""
        return missing(self.values)


@dataclass(frozen=True)
class TableNote:
    """Something that was repaired or should be known: one sentence, the column and how many cells."""

    text: str
    column: str | None = None
    count: int = 0
    severity: Severity = "info"

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", one_line(self.text))


@dataclass(frozen=True)
class Table:
    """Columns of equal length, the name of their source, and notes made while reading.

    `settled` is what a person settled about its cells: see `ReadOptions.of_cells`.
    """

    name: str
    columns: tuple[Column, ...]
    notes: tuple[TableNote, ...] = ()
    source: str | None = None
    sha256: str | None = None
    settled: tuple[tuple[str, Any], ...] = ()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].values) if self.columns else 0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(c.name for c in self.columns)

    @cached_property
    def places(self) -> dict[str, int]:
        """Where the column of a name stands, from 0; of those called the same the first."""
        places: dict[str, int] = {}
        for place, name in enumerate(self.names):
            places.setdefault(name, place)
        return places

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """Kinds of the columns by name."""
        return {column.name: column.kind for column in self.columns}

    def find_columns(self) -> None:
        """Have names, places and kinds at once from now on, which of very many columns takes a while."""
        _ = self.places, self.kinds

    def column(self, name: str) -> Column:
        """Return the column called `name`."""
        if (place := self.places.get(name)) is None:
            raise WorkbenchError(f"There is no column '{name}'. {nearest(name, self.names)}.")
        return self.columns[place]

    def columns_from(self, first: str | None) -> tuple[Column, ...]:
        """Return the columns, the one called `first` before all others."""
        return _led_by(self.columns, self._place(first))

    def names_from(self, first: str | None) -> tuple[str, ...]:
        """Return the names in the same order."""
        return _led_by(self.names, self._place(first))

    def _place(self, name: str | None) -> int:
        return self.places.get(name, 0) if name is not None else 0

    def shares_columns_with(self, other: Table) -> bool:
        """Whether it was made of the other one: some column is the same, not only called the same."""
        return bool({id(column) for column in self.columns} & {id(column) for column in other.columns})

    def with_column(self, column: Column) -> Table:
        """Return a table in which `column` stands in place of the one of the same name."""
        self.column(column.name)
        return replace(self, columns=tuple(column if c.name == column.name else c for c in self.columns))


def _led_by(values: tuple[T, ...], place: int) -> tuple[T, ...]:
    return values if place == 0 else (values[place], *values[:place], *values[place + 1 :])
