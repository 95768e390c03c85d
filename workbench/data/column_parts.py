"""Columns that grow block by block while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.cell_rules import USUAL
from workbench.data.column_types import infer
from workbench.data.columns import (
    LARGEST,
    LARGEST_WHOLE,
    collapse_notes,
    count_collapsed,
    needs_exact,
    refused_note,
)
from workbench.data.growing_array import GrowingArray
from workbench.data.labels import Labels
from workbench.data.table import Column, Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.cell_rules import CellRules
    from workbench.data.table import Kind
    from workbench.mapped import MappedSpace

ROWS_COUNTED = 50_000  # of a column, for values that become equal in float32


class NumberParts:
    """A column of numbers, kept as float32.

    From the first block with whole numbers that float32 changes, float64 is kept too, to be shown. Distinct
    values that become equal are counted over all rows where all are known so, else over the first
    `ROWS_COUNTED`.

    Parameters
    ----------
    expected : int
        Rows for which there should be room.
    space : MappedSpace, optional
        Where the columns stand instead of in memory.
    """

    def __init__(self, expected: int = 0, space: MappedSpace | None = None) -> None:
        self._expected, self._space = expected, space
        self._single = GrowingArray(np.float32, expected, space)
        self._first = GrowingArray(np.float64, min(expected, ROWS_COUNTED), space)
        self._exact: GrowingArray | None = None
        self._is_rounded = False  # whether float32 changed a value before float64 was kept
        self._counts_all = False
        self._refused = 0
        self._first_refused = 0

    def add(self, values: NDArray[np.float64]) -> None:
        """Append a block."""
        largest = max(np.fmax.reduce(values, initial=0.0), -np.fmin.reduce(values, initial=0.0))
        if largest > LARGEST:
            values = self._without_infinite(values)
        if self._exact is None and largest > LARGEST_WHOLE and needs_exact(values, values.astype(np.float32)):
            self._exact = GrowingArray(np.float64, self._expected, self._space)
            is_in_first = len(self._first) == len(self._single)
            self._exact.add(self._first.values if is_in_first else self._single.values)
            self._counts_all = is_in_first or not self._is_rounded
        if self._exact is not None:
            self._exact.add(values)
        elif not self._is_rounded:
            self._is_rounded = bool(np.any((values.astype(np.float32) != values) & ~np.isnan(values)))
        if len(self._first) < ROWS_COUNTED:
            self._first.add(values[: ROWS_COUNTED - len(self._first)])
        self._single.add(values)

    def _without_infinite(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        infinite = np.abs(values) > LARGEST
        if not self._refused:
            self._first_refused = len(self._single) + int(np.argmax(infinite)) + 1
        self._refused += int(infinite.sum())
        return np.where(infinite, np.nan, values)

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Leave out all but the chosen rows."""
        self._single.keep(chosen)
        if self._exact is not None:
            self._exact.keep(chosen)

    def finish(self, name: str, missing_codes: Sequence[str] = ()) -> tuple[Column, list[Note]]:
        """Return the column, and notes on what was changed."""
        exact = None if self._exact is None else self._exact.finish()
        values = self._single.finish()
        counted = self._first.values if exact is None or not self._counts_all else exact
        collapsed = count_collapsed(counted)
        column = Column(name, "number", values, collapsed=collapsed, exact=exact)
        notes = [refused_note(name, self._refused, self._first_refused)] if self._refused else []
        if missing_codes and column.missing:
            text = f"Column '{name}': {column.missing:,} cells are missing (code {' '.join(missing_codes)})."
            notes.append(Note(text, name, column.missing))
        return column, notes + collapse_notes(name, collapsed, len(counted), len(values))


class TextParts:
    """A column of text: distinct labels, and codes block by block; with room for the `expected` rows."""

    def __init__(self, expected: int = 0, space: MappedSpace | None = None) -> None:
        self._index: dict[str, int] = {}
        self._codes = GrowingArray(np.int32, expected, space)

    def add(self, texts: Sequence[str], codes: NDArray[np.integer]) -> None:
        """Append a block with its own distinct texts; -1 is missing."""
        recode = [self._index.setdefault(text, len(self._index)) for text in texts]
        self._codes.add(np.array([*recode, -1], dtype=np.int32)[codes])

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Leave out all but the chosen rows, and texts that stand in none of them."""
        kept = Labels(tuple(self._index), self._codes.values).of_rows(chosen)
        self._index = {text: code for code, text in enumerate(kept.texts)}
        self._codes.keep(chosen)
        self._codes.values[:] = kept.codes

    def finish(
        self, name: str, rules: CellRules = USUAL, kind: Kind | None = None
    ) -> tuple[Column, list[Note]]:
        """Return the column in the kind that is wanted, or that its labels show, and notes."""
        return infer(name, Labels(tuple(self._index), self._codes.finish()), rules, kind)
