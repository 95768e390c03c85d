"""Parquet and Feather files and Arrow streams, from which some columns are read some rows at a time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from workbench.data.readers.arrow.parquet_parts import groups_of
from workbench.data.readers.arrow.parts import MARK, begins_stream, parts_of, parts_of_stream
from workbench.data.readers.chunks import CHUNK_ROWS
from workbench.data.room import check_columns
from workbench.data.table import TableNote
from workbench.data.text.stream.long_cells import LONGEST_CELL, too_long
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.source import Source

PARQUET_MAGIC, FIRST_FEATHER = b"PAR1", b"FEA1"
FEATHER_MAGICS = (b"ARROW1", FIRST_FEATHER)
TEXT_BYTES = 1 << 26  # of rows that are read at once
BESIDE_CELL = 64  # bytes that tell its length, and whether it is missing
PASSES = 8  # over a stream, at most, of which every column is read with all others
FEW_ROWS = 64  # where nothing says how long their texts are


class File(Protocol):
    """Columns by their place: several may have one name.

    Attributes
    ----------
    schema : pyarrow.Schema
    rows : int
    unpacked : int
        Bytes of the largest part that is unpacked as a whole.
    most_passes : int, optional
        How often it may be gone through, where that takes as long for few columns as for all.
    notes : tuple of TableNote
        What should be known of it.
    """

    schema: Any
    rows: int
    unpacked: int
    most_passes: int | None
    notes: tuple[TableNote, ...]

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        """Return some rows at a time: how many, and the columns, texts as dictionaries where they can be.

        Nothing was checked yet; see `Checks`.
        """


def kind_of_file(source: Source) -> str | None:
    """Return what pyarrow reads such a file as; None where it reads none."""
    if is_parquet(source):
        return "Parquet file"
    if source.head.startswith(FEATHER_MAGICS):
        return "Feather file"
    return "Arrow stream" if begins_stream(source.head) else None


def is_parquet(source: Source) -> bool:
    """Whether the file begins as Parquet does."""
    return source.head.startswith(PARQUET_MAGIC)


def opened(source: Source) -> File:
    """Open a file; WorkbenchError where it has too many columns, or there is no memory to unpack it."""
    kinds: dict[bytes, Callable[[Source], File]] = {
        PARQUET_MAGIC: _ParquetFile, FIRST_FEATHER: _FirstFeatherFile, MARK: _Stream,
    }  # fmt: skip
    begun = (kind for magic, kind in kinds.items() if source.head.startswith(magic))
    file = next(begun, _FeatherFile)(source)
    check_columns(source.name, len(file.schema.names))
    ask_for(file.unpacked, source.name, "its largest part as it is unpacked")
    return file


def is_text(kind: Any) -> bool:
    """Whether the cells of a type are texts, each by itself."""
    import pyarrow as pa

    kind = getattr(kind, "storage_type", kind)  # of a type of its own
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


def is_same(one: Any, other: Any) -> bool:
    """Whether two arrays are the same bytes of memory."""
    return one is not None and len(one) == len(other) and _places(one) == _places(other)


def _places(values: Any) -> list[tuple[int, int] | None]:
    return [buffer and (buffer.address, buffer.size) for buffer in values.buffers()] + [(values.offset, 0)]


class Checks:
    """Looks at lengths and offsets, which may be anything in a file; at a dictionary only once."""

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}  # dictionaries

    def check(self, place: int, values: Any) -> None:
        """Raise ValueError where an array of the column at a place leads out of its buffers."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not pa.types.is_dictionary(values.type):
            values.validate(full=True)
            return
        if not is_same(self._known.get(place), values.dictionary):
            values.dictionary.validate(full=True)
            self._known[place] = values.dictionary
        values.indices.validate(full=True)
        ends = pc.min_max(values.indices).as_py()
        if ends["min"] is not None and not 0 <= ends["min"] <= ends["max"] < len(values.dictionary):
            raise ValueError(f"codes of column {place + 1} lie outside its dictionary")


class _ParquetFile:
    most_passes: int | None = None
    notes: tuple[TableNote, ...] = ()

    def __init__(self, source: Source) -> None:
        import pyarrow.parquet as pq

        whole = pq.ParquetFile(source.path)
        about = whole.metadata
        self.schema, self.rows = whole.schema_arrow, about.num_rows
        self._names = self.schema.names
        counts: Counter[str] = Counter()
        self._nth: list[int] = []  # of the columns of the same name
        for name in self._names:
            self._nth.append(counts[name])
            counts[name] += 1
        self.unpacked = 0
        self._bytes_of_row: dict[int, float] = {}  # by the place of a column of text
        leaves = _leaves(self.schema)
        texts = {p: leaf for p, leaf in leaves.items() if is_text(self.schema.field(p).type)}
        own = {place for place in texts if not _is_plain(self.schema.field(place).type)}
        shared = set(own)
        first = 1
        for rows, parts in groups_of(source.path):
            self.unpacked = max([self.unpacked, *(part.largest_page for part in parts)])
            for place, leaf in texts.items():
                part = parts[leaf]
                if part.mean_cell > LONGEST_CELL + BESIDE_CELL:
                    raise too_long(f"row {first:,} or below, column '{self._names[place]}'")
                self.unpacked = max(self.unpacked, part.unpacked)
                in_row = part.unpacked / max(rows, 1)
                if place in own or part.has_shared:
                    shared.add(place)
                    in_row = TEXT_BYTES / FEW_ROWS
                self._bytes_of_row[place] = max(self._bytes_of_row.get(place, 0), in_row)
            first += rows
        coded = [leaf for place, leaf in texts.items() if place not in shared]
        self._file = pq.ParquetFile(source.path, metadata=about, read_dictionary=coded)

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        names = [*{self._names[place]: None for place in places}] or self._names[:1]
        size = sum(self._bytes_of_row.get(place, 0) for place in places)
        at_once = max(min(CHUNK_ROWS, int(TEXT_BYTES / max(size, 1))), 1)
        for batch in self._file.iter_batches(at_once, columns=names):
            yield batch.num_rows, self._picked(batch, places)

    def _picked(self, read: Any, places: list[int]) -> list[Any]:
        """Return columns from among those that were read with all of the same names."""
        found: dict[str, list[int]] = {}
        for which, name in enumerate(read.schema.names):
            found.setdefault(name, []).append(which)
        return [read.column(found[self._names[place]][self._nth[place]]) for place in places]


def _is_plain(kind: Any) -> bool:
    import pyarrow as pa

    return not isinstance(kind, pa.BaseExtensionType)


def _leaves(schema: Any) -> dict[int, int]:
    """Return by the place of a column which of Parquet's is its first; lists and records have more."""
    places, leaf = {}, 0
    for place, kind in enumerate(schema.types):
        places[place] = leaf
        leaf += _leaves_of(kind)
    return places


def _leaves_of(kind: Any) -> int:
    kind = getattr(kind, "storage_type", kind)
    return sum(_leaves_of(kind.field(inner).type) for inner in range(kind.num_fields)) or 1


class _FeatherFile:
    """Read without mapping the file into memory: one that is cut meanwhile would end the program."""

    most_passes: int | None = None
    notes: tuple[TableNote, ...] = ()

    def __init__(self, source: Source) -> None:
        from pyarrow import ipc

        self._path = source.path
        with self._path.open("rb") as stream, ipc.open_file(stream) as file:
            self.schema = file.schema
        parts = parts_of(self._path)
        self.rows, self.unpacked = parts.rows, parts.unpacked

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        ascending, order = _ascending(places)
        for written in self._written(ascending):
            yield from _slices(written, order)

    def _written(self, places: list[int]) -> Iterator[Any]:
        """Read columns in batches as they were written."""
        from pyarrow import ipc

        only = ipc.IpcReadOptions(included_fields=places)
        with self._path.open("rb") as stream, ipc.open_file(stream, options=only) as file:
            for number in range(file.num_record_batches):
                yield file.get_batch(number)


class _Stream:
    """An Arrow stream: batches one behind the other, without a footer that says where they are."""

    most_passes: int | None = PASSES

    def __init__(self, source: Source) -> None:
        from pyarrow import ipc

        self._path = source.path
        parts = parts_of_stream(self._path)
        self.rows, self.unpacked = parts.rows, parts.unpacked
        told = "The stream has no mark at its end: rows may be missing."
        self.notes: tuple[TableNote, ...] = () if parts.has_end else (TableNote(told, severity="warning"),)
        with self._path.open("rb") as stream, ipc.open_stream(stream) as file:
            self.schema = file.schema

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        from pyarrow import ipc

        ascending, order = _ascending(places)
        only = ipc.IpcReadOptions(included_fields=ascending)
        with self._path.open("rb") as stream, ipc.open_stream(stream, options=only) as file:
            for batch in file:
                yield from _slices(batch, order)


class _FirstFeatherFile:
    """The first version of Feather, which packs nothing: columns are views of the bytes of the file."""

    most_passes: int | None = None
    notes: tuple[TableNote, ...] = ()

    def __init__(self, source: Source) -> None:
        import pyarrow as pa
        from pyarrow import feather

        self.unpacked = source.size
        ask_for(self.unpacked, source.name, "all of it, as it is of the first version of Feather")
        self._whole = feather.read_table(pa.BufferReader(source.path.read_bytes()))
        self.schema, self.rows = self._whole.schema, self._whole.num_rows

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        for batch in self._whole.to_batches(CHUNK_ROWS):
            yield batch.num_rows, [batch.column(place) for place in places]


def _ascending(places: list[int]) -> tuple[list[int], list[int]]:
    """Return places in order, one at least, and which of these each of the given ones is."""
    ascending = sorted(places) or [0]
    placed = {place: which for which, place in enumerate(ascending)}
    return ascending, [placed[place] for place in places]


def _slices(batch: Any, order: list[int]) -> Iterator[tuple[int, list[Any]]]:
    for begin in range(0, batch.num_rows, CHUNK_ROWS):
        rows = batch.slice(begin, CHUNK_ROWS)
        yield rows.num_rows, [rows.column(which) for which in order]
