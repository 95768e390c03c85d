"""Columns of Parquet and Feather, put together some rows at a time: few are held as Arrow has them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from workbench.data.column_parts import NumberParts, TextParts
from workbench.data.given.frames import (
    column_from_series,
    column_of_categories,
    column_of_texts,
    whole_column_notes,
    zone_notes,
)
from workbench.data.growing_array import GrowingArray
from workbench.data.readers.arrow.files import is_same, is_text
from workbench.data.text.stream.long_cells import LONGEST_CELL, check_cells, too_long
from workbench.data.values.column_types import infer
from workbench.data.values.columns import LARGEST_EXACT, number_column, rounded_note, whole_number_column
from workbench.data.values.labels import Labels
from workbench.data.values.places import Places
from workbench.data.values.value_labels import label_of
from workbench.data.values.writing import Writing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.table import Column, Kind, TableNote
    from workbench.mapped import MappedSpace

IN_SECONDS = Writing(unit="s")  # as durations are read
WHOLE_BYTES = 48  # of memory that a row takes of a column which is put together as a whole

Made = tuple["Column", list["TableNote"]]


class ColumnParts(Protocol):
    """A column that grows."""

    @property
    def needed(self) -> int:
        """Bytes for which there should be room: as much text again, or all of it in other types."""

    def add(self, values: Any) -> None:
        """Append rows, an array of Arrow."""

    def finish(self) -> Made:
        """Return the column, and notes on what was changed."""


def parts_for(
    name: str, kind: Any, rows: int, wanted: Kind | None, space: MappedSpace | None
) -> ColumnParts:  # fmt: skip
    """Return the parts for a column of a type of Arrow, with room for so many rows."""
    import pyarrow as pa

    is_whole_decimal = pa.types.is_decimal(kind) and kind.scale == 0
    if wanted == "category" and (pa.types.is_integer(kind) or is_whole_decimal):
        return _Texts(name, rows, space, wanted)  # not by way of numbers, which have fewer digits
    if is_whole_decimal:
        return _WholeDecimals(name, rows, space, as_numbers=wanted == "number")
    if pa.types.is_integer(kind):
        return _WholeNumbers(name, rows, space, kind.to_pandas_dtype(), as_numbers=wanted == "number")
    if is_number(kind):
        return _Numbers(name, rows, space, as_numbers=wanted == "number")
    if pa.types.is_dictionary(kind):
        return _Categories(name, rows, space)
    return _Texts(name, rows, space) if is_read_as_text(kind) else _Whole(name, rows)


def is_number(kind: Any) -> bool:
    """Whether the cells of a type are numbers."""
    import pyarrow as pa

    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def is_read_as_text(kind: Any) -> bool:
    """Whether the cells of a type are read as the texts that a file would hold."""
    import pyarrow as pa

    tests = (is_text, pa.types.is_boolean, pa.types.is_time, pa.types.is_null)
    return any(test(kind) for test in tests)


def doubles(values: Any) -> NDArray[np.float64]:
    """Return numbers in double precision; missing is NaN."""
    import pyarrow as pa

    made: NDArray[np.float64] = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return made


def has_long_numbers(values: Any) -> bool:
    """Whether integers would lose digits in double precision."""
    import pyarrow.compute as pc

    ends = pc.min_max(values)
    return any(abs(end.as_py() or 0) > LARGEST_EXACT for end in (ends["min"], ends["max"]))


def labels_of_texts(values: Any, name: str, first_row: int) -> Labels:
    """Return texts, or what is written as text, coded in order; WorkbenchError where one is too long."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = getattr(values, "storage", values)  # of types of their own
    if not pa.types.is_dictionary(values.type):
        kind = pa.large_string() if pa.types.is_string_view(values.type) else pa.string()
        values = (values if pa.types.is_large_string(values.type) else values.cast(kind)).dictionary_encode()
    coded = values.indices.dictionary_encode()
    texts, codes = values.dictionary.take(coded.dictionary), _codes(coded)
    lengths = pc.fill_null(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False)
    if lengths.max(initial=0) > LONGEST_CELL:
        row = first_row + int(np.argmax(codes == np.argmax(lengths > LONGEST_CELL)))
        raise too_long(f"row {row + 1:,}, column '{name}'")
    found = texts.to_pylist()
    labels = Labels(tuple(text or "" for text in found), codes)
    return Labels.of_recoded(labels, found) if None in found else labels


def _codes(coded: Any) -> NDArray[np.integer]:
    """Return the codes of a dictionary; -1 is missing."""
    codes: NDArray[np.integer] = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return codes


class _Numbers:
    def __init__(self, name: str, rows: int, space: MappedSpace | None, *, as_numbers: bool) -> None:
        self.needed = 0
        self._name, self._as_numbers = name, as_numbers
        self._parts = NumberParts(rows, space)

    @np.errstate(invalid="ignore")  # of a NaN that signals
    def add(self, values: Any) -> None:
        self._parts.add(doubles(values))

    @np.errstate(invalid="ignore")
    def finish(self) -> Made:
        return self._parts.finish(self._name, as_numbers=self._as_numbers)


class _WholeDecimals(_Numbers):
    """As numbers, where it is said that double precision has too few digits for some."""

    def __init__(self, name: str, rows: int, space: MappedSpace | None, *, as_numbers: bool) -> None:
        super().__init__(name, rows, space, as_numbers=as_numbers)
        self._seen, self._rounded, self._example = 0, Places(0, 0), ""

    def add(self, values: Any) -> None:
        super().add(values)
        rows = np.flatnonzero(np.abs(doubles(values)) > LARGEST_EXACT)
        whole = [int(value) for value in values.take(rows).to_pylist()]
        differ = [place for place, value in enumerate(whole) if value != int(float(value))]
        if differ:
            first = self._rounded.row or self._seen + int(rows[differ[0]]) + 1
            self._rounded = Places(self._rounded.count + len(differ), first)
            self._example = self._example or str(whole[differ[0]])
        self._seen += len(values)

    def finish(self) -> Made:
        column, notes = super().finish()
        told = [rounded_note(self._name, self._rounded, self._example)] if self._rounded else []
        return column, [*told, *notes]


class _WholeNumbers:
    """As numbers, up to the first that double precision cannot hold; from there on with all digits."""

    def __init__(
        self, name: str, rows: int, space: MappedSpace | None, dtype: type[np.integer], *, as_numbers: bool
    ) -> None:  # fmt: skip
        self.needed = 0
        self._name, self._rows, self._space, self._as_numbers = name, rows, space, as_numbers
        self._short: NumberParts | None = NumberParts(rows, space)
        self._long = GrowingArray(dtype)
        self._missing = GrowingArray(np.bool_)

    def add(self, values: Any) -> None:
        if self._short is not None and has_long_numbers(values):
            self._lengthen(self._short)
        if self._short is not None:
            self._short.add(doubles(values))
        else:
            self._missing.add(values.is_null().to_numpy(zero_copy_only=False))
            self._long.add(values.fill_null(0).to_numpy(zero_copy_only=False))

    def _lengthen(self, short: NumberParts) -> None:
        """Take what was added so far, which is exact, as whole numbers of the type in the file."""
        column, _ = short.finish(self._name, as_numbers=True)
        so_far = column.values if column.exact is None else column.exact
        missing = np.isnan(so_far)
        self._missing = GrowingArray(np.bool_, self._rows, self._space)
        self._long = GrowingArray(self._long.values.dtype, self._rows, self._space)
        self._missing.add(missing)
        self._long.add(np.where(missing, 0, so_far).astype(self._long.values.dtype))
        self._short, self.needed = None, WHOLE_BYTES * self._rows

    def finish(self) -> Made:
        if self._short is not None:
            return self._short.finish(self._name, as_numbers=self._as_numbers)
        return whole_number_column(self._name, self._long.values, self._missing.values)


class _Texts:
    def __init__(
        self, name: str, rows: int, space: MappedSpace | None, wanted: Kind | None = None
    ) -> None:  # fmt: skip
        self._name, self._wanted = name, wanted
        self._parts = TextParts(rows, space)
        self._rows = 0

    @property
    def needed(self) -> int:
        return self._parts.text_bytes

    def add(self, values: Any) -> None:
        labels = labels_of_texts(values, self._name, self._rows)
        self._parts.add(labels.texts, labels.codes)
        self._rows += len(values)

    def finish(self) -> Made:
        labels = self._parts.finish()
        if self._wanted is not None:
            return infer(self._name, labels, kind=self._wanted)
        return column_of_texts(self._name, labels)


class _Categories:
    """Those that are in no row count too."""

    def __init__(self, name: str, rows: int, space: MappedSpace | None) -> None:
        self._name = name
        self._parts = TextParts(rows, space)
        self._dictionary: Any = None
        self._texts: list[str] = []

    @property
    def needed(self) -> int:
        return self._parts.text_bytes

    def add(self, values: Any) -> None:
        if not is_same(self._dictionary, values.dictionary):
            self._dictionary = values.dictionary
            self._texts = [label_of(value) or "" for value in self._dictionary.to_pandas()]
            check_cells(self._texts, 1)
            self._parts.add(self._texts, np.empty(0, np.int64))
        coded = values.indices.dictionary_encode()
        self._parts.add([self._texts[code] for code in coded.dictionary.to_pylist()], _codes(coded))

    def finish(self) -> Made:
        return column_of_categories(self._name, self._parts.finish()), []


class _Whole:
    """Dates, durations and types of their own: held as Arrow has them."""

    def __init__(self, name: str, rows: int) -> None:
        self.needed = WHOLE_BYTES * rows
        self._name = name
        self._chunks: list[Any] = []

    def add(self, values: Any) -> None:
        self._chunks.append(values)

    def finish(self) -> Made:
        import pyarrow as pa

        values = pa.chunked_array(self._chunks)
        kind, self._chunks = values.type, []
        if pa.types.is_duration(kind):
            column, notes = number_column(self._name, values.to_pandas().dt.total_seconds().to_numpy())
            column = replace(column, writing=IN_SECONDS)
            return column, notes + whole_column_notes(column, "durations are read as seconds")
        if pa.types.is_date(kind):
            values = values.cast(pa.timestamp("ms"))
        elif pa.types.is_timestamp(kind):
            moments = values.cast(pa.timestamp(kind.unit))  # the moment itself; zones may be unknown here
            column, notes = column_from_series(self._name, moments.to_pandas())
            return column, notes + zone_notes(column, kind.tz)
        return column_from_series(self._name, values.to_pandas())
