"""JSON: an object a line, an array of objects, or one object that is a table; keys are the columns."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from workbench.data.readers.as_text import preview_of_rows, table_of_rows
from workbench.data.readers.base import READERS
from workbench.data.readers.json_object import rows_of
from workbench.data.readers.options import CELL_OPTIONS, GUESS_ALL, SIZE_OPTIONS
from workbench.data.readers.preview import PREVIEW_ROWS
from workbench.data.table import TableNote
from workbench.data.text.blocks.line_tally import LineTally
from workbench.data.text.notes import encoding_notes
from workbench.data.text.stream.compression import chunks_inside, unpacked_head
from workbench.data.text.stream.text_encoding import find_encoding, to_utf8
from workbench.data.values import numerals
from workbench.errors import WorkbenchError
from workbench.memory import ask_for
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.readers.source import Cancelled, Progress, Source
    from workbench.data.table import Table

MOST_COLUMNS = 100_000
MOST_INNER = 500  # keys of inner objects; where there are more, they are no names of columns
MOST_OF_ALL_INNER = 1_000_000  # with those that are no names
LONGEST_LINE = 1 << 26
MOST_SHOWN = 60
AS_OBJECTS = 12  # bytes of memory to a byte of JSON
BEGINNING = 1 << 16  # bytes, in which the encoding is seen and what a file holds
_BEGINS_AS_OBJECT = re.compile(rb'\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})')


class _LongLineError(WorkbenchError):
    """A line is too long to be one of many."""


class JsonLinesReader:
    """Reads objects; what is no single value in them is parted by key, or read as its JSON."""

    name = "json_lines"
    kind = "a file of JSON lines"
    uses = CELL_OPTIONS | SIZE_OPTIONS
    order = 20

    def accepts(self, source: Source) -> bool:
        """Whether the first line is an object, or the file is one value, a table; inside, where packed."""
        try:
            start = _start(source)
            if start.startswith(b"["):
                return start[1:].lstrip().startswith(b"{")
            if _BEGINS_AS_OBJECT.match(start) is None:
                return False
            return _rows_of_object(source) is not None or isinstance(next(_of_lines(source))[1], dict)
        except WorkbenchError:  # another reader says what is wrong
            return False

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Table:  # fmt: skip
        """Read the file twice: once for the names of the columns, once for the rows; see `read_table`."""
        blank, twice = LineTally(), _Twice()
        keys = _Keys(source, _records(source, blank, twice))
        rows = keys.rows(_records(source))
        table = table_of_rows(source, rows, _with_header(options), progress, cancelled)
        notes = (*_file_notes(source, blank), *table.notes, *keys.notes(), *twice.notes())
        return replace(table, notes=notes)

    def preview(
        self, source: Source, options: ReadOptions, cancelled: Cancelled | None = None
    ) -> Preview:
        """Read the first objects."""
        records = list(islice(_records(source), PREVIEW_ROWS + 1))
        keys = _Keys(source, records)
        seen = preview_of_rows(
            source, keys.rows(records), _with_header(options), len(records) <= PREVIEW_ROWS, cancelled
        )
        return replace(seen, table=replace(seen.table, notes=(*seen.table.notes, *keys.notes())))


READERS.register(JsonLinesReader())


def _file_notes(source: Source, blank: LineTally) -> Iterator[TableNote]:
    """Say which encoding the file is read in where nothing says so, and which lines hold nothing."""
    head = unpacked_head(source.path, source.head, BEGINNING)
    yield from encoding_notes(find_encoding(head) or "utf-8", chosen=False)
    if blank:
        text = f"{counted(blank.count, 'line')} left out as blank (first line {blank.first})."
        yield TableNote(text, count=blank.count, severity="warning")


def _with_header(options: ReadOptions) -> ReadOptions:
    return replace(options, header=True, units=False, first_line=1, footer=False)


class _Twice:
    """Makes objects, and counts those in which a key stands twice: the last value counts."""

    def __init__(self) -> None:
        self._count, self._key = 0, ""
        self._read = json.JSONDecoder(object_pairs_hook=self._object)
        self._read_small = json.JSONDecoder(object_pairs_hook=self._object, parse_float=numerals.plain_value)

    def value_of(self, text: bytes | bytearray) -> Any:
        """Read JSON, as `_value_of` does."""
        reader = self._read_small if _has_small(text) else self._read
        return reader.decode(text.decode("utf-8", "surrogatepass"))

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            if not self._count:
                self._key = Counter(key for key, _ in pairs).most_common(1)[0][0]
            self._count += 1
        return found

    def notes(self) -> Iterator[TableNote]:
        """Say so, where there are any."""
        if self._count:
            objects = counted(self._count, "object")
            text = f"A key stands twice in {objects}, as '{self._key[:MOST_SHOWN]}': its last value is read."
            yield TableNote(text, count=self._count, severity="warning")


class _Keys:
    """The keys of all objects; a key that holds objects only is a column for each of theirs, as `pos.x`."""

    def __init__(self, source: Source, records: Iterable[dict[str, Any]]) -> None:
        self._keys: dict[str, dict[str, None]] = {}  # with those of the objects in it
        self._objects: Counter[str] = Counter()
        self._lists: Counter[str] = Counter()
        self._deep: Counter[str] = Counter()  # by the name of the column
        self._first: dict[str, int] = {}  # row of a key, or of a column, in which no single value stands
        self._others: set[str] = set()
        self._n_inner = 0
        for row, record in enumerate(records, start=1):
            before = len(self._keys)
            for key, value in record.items():
                self._add(key, value, row)
            if len(self._keys) != before and len(self._keys) > MOST_COLUMNS:
                raise WorkbenchError(f"'{source.name}' has more than {MOST_COLUMNS:,} different keys.")
            if self._n_inner > MOST_OF_ALL_INNER:
                words = f"'{source.name}' has more than {MOST_OF_ALL_INNER:,} different keys in inner objects"
                raise WorkbenchError(f"{words}. Leave some of these objects out.")
        if not self._keys:
            raise WorkbenchError(f"'{source.name}' has no keys in its objects. Choose another file.")

    def _add(self, key: str, value: Any, row: int) -> None:
        inner = self._keys.setdefault(key, {})
        if isinstance(value, dict | list):
            self._first.setdefault(key, row)
        if isinstance(value, dict) and value:
            self._objects[key] += 1
            if len(inner) <= MOST_INNER:
                known = len(inner)
                inner.update(dict.fromkeys(value))
                self._n_inner += len(inner) - known
                deep = [f"{key}.{name}" for name, one in value.items() if isinstance(one, dict | list)]
                self._deep.update(deep)
                for name in deep:
                    self._first.setdefault(name, row)
        elif isinstance(value, list):
            self._lists[key] += 1
        elif value not in (None, {}):
            self._others.add(key)

    def _is_parted(self, key: str) -> bool:
        alone = key not in self._others and not self._lists[key]
        return alone and 0 < len(self._keys[key]) <= MOST_INNER

    def rows(self, records: Iterable[dict[str, Any]]) -> Iterator[list[str]]:
        """Yield the names, and the cells of each object."""
        parted = {key: inner if self._is_parted(key) else None for key, inner in self._keys.items()}
        yield [name for key, inner in parted.items() for name in _names(key, inner)]
        for record in records:
            cells: list[str] = []
            for key, inner in parted.items():
                value = record.get(key)
                if inner is None:
                    cells.append(_text(value))
                else:
                    cells += [_text((value or {}).get(name)) for name in inner]
            yield cells

    def notes(self) -> Iterator[TableNote]:
        """Say what held no single values, and what was made of it."""
        for key, count in self._objects.items():
            if self._is_parted(key):
                names = _names(key, self._keys[key])
                said = f"'{key}' holds objects in {self._rows(key, count)}"
                yield TableNote(f"{said}; their keys are columns, as '{names[0]}'.", key, count)
                yield from (self._as_text(name, self._deep[name]) for name in names if name in self._deep)
            else:
                yield self._as_text(key, count)
        yield from (self._as_text(key, count) for key, count in self._lists.items())

    def _as_text(self, name: str, count: int) -> TableNote:
        text = f"Column '{name}' holds lists or objects in {self._rows(name, count)}, read as text."
        return TableNote(text, name, count, "warning")

    def _rows(self, name: str, count: int) -> str:
        return f"row {self._first[name]}" if count == 1 else f"{count:,} rows, first {self._first[name]}"


def _names(key: str, inner: Iterable[str] | None) -> list[str]:
    return [key] if inner is None else [f"{key}.{name}" for name in inner]


def _start(source: Source) -> bytes:
    """Return the first bytes of the text, from the first that is no space on."""
    head = unpacked_head(source.path, source.head, BEGINNING)
    return b"".join(to_utf8([head], find_encoding(head) or "utf-8")).lstrip()


def _text_of(source: Source) -> Iterator[bytes]:
    """Yield the file unpacked and in UTF-8."""
    head = unpacked_head(source.path, source.head, BEGINNING)
    return to_utf8(chunks_inside(source.path, head=source.head), find_encoding(head) or "utf-8")


def _records(
    source: Source, blank: LineTally | None = None, twice: _Twice | None = None
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Yield the objects; lines between them in which nothing stands and keys that stand twice are counted."""
    if _start(source).startswith(b"["):
        found = _entries(_loaded(source, twice))
    else:
        rows = _rows_of_object(source)
        found = _of_lines(source, blank, twice) if rows is None else _entries(rows)
    for where, record in found:
        if not isinstance(record, dict):
            shown = _text(record)[:MOST_SHOWN]
            words = f"'{source.name}' {where} holds no object: {shown}"
            raise WorkbenchError(f"{words}. Remove it, or save as CSV.")
        yield record


def _of_lines(
    source: Source, blank: LineTally | None = None, twice: _Twice | None = None
) -> Iterator[tuple[str, Any]]:  # fmt: skip
    last, read = 0, _value_of if twice is None else twice.value_of
    for number, line in enumerate(_lines(source), start=1):
        text = line.strip()
        if text:
            if blank is not None and number > last + 1:
                blank.add(last + 1, number - last - 1)
            last = number
            try:
                yield f"line {number}", read(text)
            except (ValueError, RecursionError):
                shown = text[:MOST_SHOWN].decode("utf-8", "replace")
                raise WorkbenchError(
                    f"'{source.name}' line {number} is no JSON: {shown}. Correct it or remove it."
                ) from None


def _entries(records: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"entry {number}", record) for number, record in enumerate(records, start=1))


def _rows_of_object(source: Source) -> Iterator[dict[str, Any]] | None:
    """Return the rows of a file that is one object; None where it is no table, or one of several lines."""
    try:
        lines = filter(bytes.strip, _lines(source))
        found = _value_of(next(lines))
        if next(lines, None) is not None:
            return None
    except (ValueError, RecursionError, StopIteration, _LongLineError):
        try:
            found = _loaded(source)
        except WorkbenchError:
            return None
    return rows_of(found) if isinstance(found, dict) else None


def _loaded(source: Source, twice: _Twice | None = None) -> Any:
    """Return the whole file as one value."""
    text = bytearray()
    for chunk in _text_of(source):
        size = max(len(text) + len(chunk), source.size)
        ask_for(AS_OBJECTS * size, source.name, "JSON that is one value")
        text += chunk
    try:
        return _value_of(text) if twice is None else twice.value_of(text)
    except (ValueError, RecursionError) as error:
        raise WorkbenchError(f"'{source.name}' is no complete JSON: {error}. Save it again.") from None


def _value_of(text: bytes | bytearray) -> Any:
    """Read JSON; numbers too near to 0 for Python stay other than 0, so that they are told."""
    return json.loads(text, parse_float=numerals.plain_value) if _has_small(text) else json.loads(text)


def _has_small(text: bytes | bytearray) -> bool:
    return b"e-" in text or b"E-" in text


def _lines(source: Source) -> Iterator[bytes]:
    held = b""
    for chunk in _text_of(source):
        *lines, held = (held + chunk).split(b"\n")
        yield from lines
        if len(held) > LONGEST_LINE:
            raise _LongLineError(f"'{source.name}' has a line of more than {LONGEST_LINE >> 20} MB.")
    yield held


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
