"""JSON lines: an object a line, or an array of objects; its keys are the columns."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from workbench.data.compression import unpacked
from workbench.data.readers.as_text import preview_of_rows, table_of_rows
from workbench.data.readers.base import READERS
from workbench.data.readers.options import CELL_OPTIONS, GUESS_ALL
from workbench.data.readers.preview import PREVIEW_ROWS
from workbench.errors import WorkbenchError
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.data.readers.base import Cancelled, Progress, Source
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.table import Table

MOST_COLUMNS = 100_000
LONGEST_LINE = 1 << 26
AS_OBJECTS = 12  # bytes of memory to a byte of JSON


class JsonLinesReader:
    """Reads objects whose values are numbers, text, truth values or null; others as their JSON."""

    name = "json_lines"
    kind = "a file of JSON lines"
    uses = CELL_OPTIONS
    order = 20

    def accepts(self, source: Source) -> bool:
        """Whether the first line is an object, or the file an array of them."""
        start = source.head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if start.startswith(b"["):
            return start[1:].lstrip().startswith(b"{")
        line = start.split(b"\n", 1)[0]
        try:
            return line.startswith(b"{") and isinstance(json.loads(line), dict)
        except (ValueError, RecursionError):
            return False

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Table:  # fmt: skip
        """Read the file twice: once for the names of the columns, once for the rows; see `read_table`."""
        names = _names(source, _records(source))
        rows = _rows(names, _records(source))
        return table_of_rows(source, rows, replace(options, header=True), progress, cancelled)

    def preview(self, source: Source, options: ReadOptions) -> Preview:
        """Read the first objects."""
        records = list(islice(_records(source), PREVIEW_ROWS + 1))
        rows = _rows(_names(source, records), records)
        return preview_of_rows(source, rows, replace(options, header=True), len(records) <= PREVIEW_ROWS)


READERS.register(JsonLinesReader())


def _names(source: Source, records: Iterable[dict[str, Any]]) -> list[str]:
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(record))
        if len(names) > MOST_COLUMNS:
            raise WorkbenchError(f"'{source.name}' has more than {MOST_COLUMNS:,} different keys.")
    if not names:
        raise WorkbenchError(f"'{source.name}' has no keys in its objects. Choose another file.")
    return list(names)


def _rows(names: list[str], records: Iterable[dict[str, Any]]) -> Iterator[list[str]]:
    yield names
    for record in records:
        yield [_text(record.get(name)) for name in names]


def _records(source: Source) -> Iterator[dict[str, Any]]:
    start = source.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    found = _of_array(source) if start.startswith(b"[") else _of_lines(source)
    for where, record in found:
        if not isinstance(record, dict):
            raise WorkbenchError(f"'{source.name}' {where} holds no object. Remove it, or save as CSV.")
        yield record


def _of_lines(source: Source) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(_lines(source), start=1):
        text = line.strip()
        if text:
            try:
                yield f"line {number}", json.loads(text)
            except (ValueError, RecursionError):
                shown = text[:60].decode("utf-8", "replace")
                raise WorkbenchError(
                    f"'{source.name}' line {number} is no JSON: {shown}. Correct it or remove it."
                ) from None


def _of_array(source: Source) -> Iterator[tuple[str, Any]]:
    ask_for(AS_OBJECTS * source.size, source.name, "an array of JSON objects")
    try:
        records = json.loads(source.path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        raise WorkbenchError(f"'{source.name}' is no complete JSON: {error}. Save it again.") from None
    return ((f"entry {number}", record) for number, record in enumerate(records, start=1))


def _lines(source: Source) -> Iterator[bytes]:
    held = b""
    for chunk in unpacked(_raw(source), source.name):
        *lines, held = (held + chunk).split(b"\n")
        yield from lines
        if len(held) > LONGEST_LINE:
            raise WorkbenchError(f"'{source.name}' has a line of more than {LONGEST_LINE >> 20} MB.")
    yield held


def _raw(source: Source) -> Iterable[bytes]:
    with source.path.open("rb") as file:
        while chunk := file.read(1 << 22):
            yield chunk


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
