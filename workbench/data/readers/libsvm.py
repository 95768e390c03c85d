"""libsvm's text, packed or not: a label and `index:value` pairs a line; what is not listed is 0."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.readers.as_text import file_hash
from workbench.data.readers.base import READERS
from workbench.data.readers.options import GUESS_ALL
from workbench.data.remarks import column_remarks, table_remarks
from workbench.data.room import MOST_COLUMNS, check_unfolding
from workbench.data.table import Table, TableNote
from workbench.data.text.stream.compression import chunks_inside, is_packed, unpacked_head
from workbench.data.values import numerals
from workbench.data.values.columns import number_column, vanished_notes
from workbench.data.values.places import Places
from workbench.errors import WorkbenchError, leave_if
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled, Progress, Source

_NUMBER = rb"[-+]?(?:(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d+)?|(?i:nan|inf(?:inity)?))"
_LINE = re.compile(rb"\s*" + _NUMBER + rb"(\s+qid:\d+)?(\s+\d+:" + _NUMBER + rb")*\s*(#.*)?")
_SEVERAL_LABELS = re.compile(rb"(?:\d+(,\d+)*)?(?:\s+\d+:" + _NUMBER + rb")+\s*(?:#.*)?")
LOOKED_AT = 20  # lines
BEGINNING = 1 << 16  # bytes of packed text, in which these stand
LONGEST_LINE = 1 << 26
MOST_UNLISTED = 100_000  # of columns: a short file could name any number
ASK_EVERY = 10_000  # lines
SMALL = 1e-44  # above it a number stays one in float32


class LibsvmReader:
    """Reads labels as `target`, queries as `qid` and the pairs as columns by their index."""

    name = "libsvm"
    kind = "a libsvm file"
    uses = frozenset({"unpacks_all"})
    order = 30

    def accepts(self, source: Source) -> bool:
        """Whether the first lines all are labels with pairs, or lists of labels with them."""
        lines = _first_lines(source)
        found = [_LINE.fullmatch(line) for line in lines]
        if all(found):
            return any(line is not None and line[2] for line in found)
        several = [_SEVERAL_LABELS.fullmatch(line) for line in lines]
        return all(several) and any(line is not None and line[1] for line in several)

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Table:  # fmt: skip
        """Read the file twice: once for its size, once for its values; see `read_table`."""
        rows = first = last = listed = 0
        has_queries = False
        for number, (_, query, pairs) in enumerate(_records(source, options)):
            if number % ASK_EVERY == 0:
                leave_if(cancelled)
            if rows == 0:
                first = min(pairs, default=1)
            rows, first = rows + 1, min(first, *pairs) if pairs else first
            last, has_queries = max(last, *pairs) if pairs else last, has_queries or query is not None
            listed += len(pairs)
        count = last - first + 1
        most = min(MOST_COLUMNS, listed + MOST_UNLISTED)
        if count > most:
            words = f"'{source.name}' has {count:,} columns, and {listed:,} values in them"
            raise WorkbenchError(f"{words}; {most:,} columns can be read. Correct the largest index.")
        ask_for(8 * rows * (count + 2), source.name, f"{rows:,} rows of {count:,} columns")
        matrix = np.zeros((count + 2, rows), np.float32)
        vanished: dict[int, list[int]] = defaultdict(list)
        for row, (label, query, pairs) in enumerate(_records(source, options)):
            if row % ASK_EVERY == 0:
                leave_if(cancelled)
                if progress is not None:
                    progress(row, rows)
            given = {0: label, 1: math.nan if query is None else query}
            given |= {index - first + 2: value for index, value in pairs.items()}
            with np.errstate(over="ignore"):  # what is infinite is set missing, and said
                matrix[list(given), row] = list(given.values())
            for place, value in given.items():
                if -SMALL < value < SMALL and value and not matrix[place, row]:
                    vanished[place].append(row)
        places = {place: Places(len(found), found[0] + 1) for place, found in vanished.items()}
        return _table(source, matrix, first, places, has_queries=has_queries)


READERS.register(LibsvmReader())


def _first_lines(source: Source) -> list[bytes]:
    """Return the first whole lines in which something stands; none of a file that cannot be unpacked."""
    try:
        head = unpacked_head(source.path, source.head, BEGINNING)
    except WorkbenchError:  # another reader says what is wrong
        return []
    is_cut = len(head) >= BEGINNING if is_packed(source.head) else len(head) < source.size
    lines = [line for line in head.split(b"\n")[:LOOKED_AT] if line.split(b"#", 1)[0].strip()]
    return lines[:-1] if is_cut and len(lines) > 1 else lines


def _records(
    source: Source, options: ReadOptions
) -> Iterator[tuple[float, float | None, dict[int, float]]]:  # fmt: skip
    for number, line in enumerate(_lines(source, options), start=1):
        text = line.split(b"#", 1)[0]
        body = text.split()
        if not body:
            continue
        if b"," in body[0]:
            shown = body[0][:40].decode("utf-8", "replace")
            words = f"'{source.name}' has several labels in a line ({shown} in line {number})"
            raise WorkbenchError(f"{words}; one can be predicted. Write one label a line.")
        try:
            query = float(body[1][4:]) if len(body) > 1 and body[1].startswith(b"qid:") else None
            fields = [field.split(b":") for field in body[1 if query is None else 2 :]]
            pairs = {int(index): float(value) or _zero(value) for index, value in fields}
            label = float(body[0]) or _zero(body[0])
        except ValueError:
            raise _wrong(source, number, line, "no label with index:value pairs") from None
        if len(pairs) < len(fields):
            raise _wrong(source, number, line, "wrong: it has an index twice")
        if b"_" in text or min(pairs, default=0) < 0:  # Python reads 1_000
            raise _wrong(source, number, line, "no label with index:value pairs")
        yield label, query, pairs


def _lines(source: Source, options: ReadOptions) -> Iterator[bytes]:
    held, given = b"", 0
    is_bounded = options.bears_much or not is_packed(source.head)
    for chunk in chunks_inside(source.path, source.head):
        given += len(chunk)
        if not is_bounded:
            check_unfolding(source.name, source.size, given, 1.0)
        *lines, held = (held + chunk).split(b"\n")
        yield from lines
        if len(held) > LONGEST_LINE:
            words = f"'{source.name}' has a line of more than {LONGEST_LINE >> 20} MB"
            raise WorkbenchError(f"{words}. Choose a file with shorter ones.")
    if held:
        yield held


def _zero(text: bytes) -> float:
    """Return what a text says that Python takes for 0."""
    return numerals.plain_value(text.decode("ascii", "replace"))


def _wrong(source: Source, number: int, line: bytes, what: str) -> WorkbenchError:
    shown = line[:60].decode("utf-8", "replace").strip()
    return WorkbenchError(f"'{source.name}' line {number} is {what}: {shown}. Correct it.")


def _table(
    source: Source, matrix: NDArray[np.float32], first: int, vanished: Mapping[int, Places], *,
    has_queries: bool,
) -> Table:  # fmt: skip
    names = ["target", "qid", *(f"f{first + place}" for place in range(len(matrix) - 2))]
    columns, notes = [], [TableNote("Values that libsvm's lines do not list are 0.")]
    for place, (name, values) in enumerate(zip(names, matrix, strict=True)):
        if name == "qid" and not has_queries:
            continue
        if place in vanished:
            notes += vanished_notes(name, vanished[place])
        column, more = number_column(name, values.astype(np.float64))
        columns.append(column)
        notes += more + column_remarks(column)
    return Table(source.name, tuple(columns), (*table_remarks(columns), *notes), str(source.path),
                 file_hash(source.path))
