"""Columns that grow block by block while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.growing_array import GrowingArray
from workbench.data.room import bytes_of_texts
from workbench.data.table import Column, TableNote
from workbench.data.values.columns import (
    LARGEST_READ,
    LARGEST_WHOLE,
    are_vanished,
    collapse_notes,
    first_merged,
    merged_values,
    needs_exact,
    refused_notes,
    vanished_notes,
)
from workbench.data.values.compact_dates import are_days, day_column
from workbench.data.values.labels import Labels
from workbench.data.values.leading_zeros import example_of, leading_zero_notes
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
        self._refused: GrowingArray | None = None
        self._vanished: GrowingArray | None = None
        self._digits: GrowingArray | None = None  # of cells that begin with zeros

    def add(self, values: NDArray[np.float64], digits: NDArray[np.uint8] | None = None) -> None:
        """Append a block, with how many digits those cells have that begin with zeros."""
        begin, is_in_first = len(self._single), len(self._first) == len(self._single)
        largest = max(np.fmax.reduce(values, initial=0.0), -np.fmin.reduce(values, initial=0.0))
        if largest > LARGEST_READ or self._refused is not None:
            refused = np.abs(values) > LARGEST_READ
            self._refused = self._marked(self._refused, refused, begin)
            values = np.where(refused, np.nan, values)
        self._single.add(values)
        single = self._single.values[begin:]
        if self._vanished is not None or _has_vanished(values, single):
            self._vanished = self._marked(self._vanished, are_vanished(values, single), begin)
        if self._digits is not None or digits is not None:
            of_all = np.zeros(len(values), np.uint8) if digits is None else digits
            self._digits = self._marked(self._digits, np.where(np.isnan(values), 0, of_all), begin)
        if self._exact is None and largest > LARGEST_WHOLE and needs_exact(values, single):
            self._exact = GrowingArray(np.float64, self._expected, self._space)
            self._exact.add(self._first.values if is_in_first else self._single.values[:begin])
            self._counts_all = is_in_first or not self._is_rounded
        if self._exact is not None:
            self._exact.add(values)
        elif not self._is_rounded:
            self._is_rounded = bool(np.any((single != values) & ~np.isnan(values)))
        if is_in_first:
            self._first.add(values[: ROWS_COUNTED - begin])

    def _marked(self, marks: GrowingArray | None, cells: NDArray[Any], begin: int) -> GrowingArray:
        """Return marks of all rows so far, with those of a block; they begin where the first is needed."""
        if marks is None:
            marks = GrowingArray(cells.dtype, self._expected, self._space)
            marks.add(np.zeros(begin, cells.dtype))
        marks.add(cells)
        return marks

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Leave out all but the chosen rows."""
        self._first.keep(chosen[: len(self._first)])
        for part in (self._single, self._exact, self._refused, self._vanished, self._digits):
            if part is not None:
                part.keep(chosen)

    def finish(
        self, name: str, missing_codes: Sequence[str] = (), *, as_numbers: bool = False
    ) -> tuple[Column, list[TableNote]]:
        """Return the column, and notes on what was changed; days are dates, if not wanted `as_numbers`."""
        exact = None if self._exact is None else self._exact.finish()
        values = self._single.finish()
        missing = self._missing_notes(name, values, missing_codes) if missing_codes else []
        has_fractions = exact is None and self._is_rounded
        if not (as_numbers or has_fractions) and are_days(values if exact is None else exact):
            column, notes = day_column(Column(name, "number", values, exact=exact))
            return column, missing + notes
        counted = self._first.values if exact is None or not self._counts_all else exact
        merged = merged_values(counted)
        column = Column(name, "number", values, collapsed=len(merged), exact=exact)
        notes = refused_notes(name, _places(self._refused)) + vanished_notes(name, _places(self._vanished))
        notes += missing
        cells = first_merged(counted, merged)
        notes += collapse_notes(name, len(merged), cells, len(counted), len(values))
        return column, notes + self._zero_notes(name, values if exact is None else exact)

    def _zero_notes(self, name: str, values: NDArray[np.floating]) -> list[TableNote]:
        if self._digits is None:
            return []
        digits = self._digits.values
        first = int(np.argmax(digits > 0))
        return leading_zero_notes(name, Places.of(digits > 0), example_of(values[first], digits[first]))

    def _missing_notes(self, name: str, values: NDArray[np.float32], codes: Sequence[str]) -> list[TableNote]:
        refused = False if self._refused is None else self._refused.values
        places = Places.of(np.isnan(values) & ~np.asarray(refused))
        text = f"Column '{name}': {places.are} missing (code {' '.join(codes)}, or empty), {places.first}."
        return [TableNote(text, name, places.count)] if places else []


def _has_vanished(values: NDArray[np.float64], single: NDArray[np.float32]) -> bool:
    """Whether there are more zeros in float32."""
    zeros = np.count_nonzero(single == 0)
    return bool(zeros) and zeros != np.count_nonzero(values == 0)


def _places(marks: GrowingArray | None) -> Places:
    return Places(0, 0) if marks is None else Places.of(marks.values)


class TextParts:
    """A column of text: distinct labels, and codes block by block; with room for the `expected` rows.

    Attributes
    ----------
    text_bytes : int
        Memory that the labels take.
    """

    def __init__(self, expected: int = 0, space: MappedSpace | None = None) -> None:
        self.text_bytes = 0
        self._index: dict[str, int] = {}
        self._codes = GrowingArray(np.int32, expected, space)

    def add(self, texts: Sequence[str], codes: NDArray[np.integer]) -> None:
        """Append a block with its own distinct texts; -1 is missing."""
        known = len(self._index)
        recode = [self._index.setdefault(text, len(self._index)) for text in texts]
        self.text_bytes += bytes_of_texts(
            [text for text, code in zip(texts, recode, strict=True) if code >= known]
        )
        self._codes.add(np.array([*recode, -1], dtype=np.int32)[codes])

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Leave out all but the chosen rows, and texts that stand in none of them."""
        kept = Labels(tuple(self._index), self._codes.values).of_rows(chosen)
        self._index = {text: code for code, text in enumerate(kept.texts)}
        self.text_bytes = bytes_of_texts(kept.texts)
        self._codes.keep(chosen)
        self._codes.values[:] = kept.codes

    def finish(self) -> Labels:
        """Return the column as it stands in the file."""
        return Labels(tuple(self._index), self._codes.finish())
