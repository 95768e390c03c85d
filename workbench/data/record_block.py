"""One block of records made into columns: fast where every record is regular, carefully elsewhere."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data import numerals
from workbench.data.cell_rules import USUAL
from workbench.data.labels import Labels
from workbench.data.leading_zeros import digits_of, may_have_leading_zeros
from workbench.data.line_repairs import LineRepairs
from workbench.data.line_tally import LineTally
from workbench.data.long_cells import LONGEST_CELL, too_long
from workbench.data.record_scan import RecordScan
from workbench.data.records import count_lines
from workbench.data.separators import reader_of, spaces_to_tabs
from workbench.data.shown_record import shown
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from workbench.data.cell_rules import CellRules
    from workbench.data.layout import Layout

WIDE = 2000  # columns, from which on it counts what is done for each
_NUMBER, _TEXT = np.dtype(np.float64), np.dtype(object)
COMMENT_MARKS = ("#", "//", "%%", "% ")  # of a line that is no whole record
_TINY = re.compile(rb"[eE]-0*+(?:3\d\d|[4-9]\d\d|\d{4})")
_BLANK_LINES = re.compile(rb"\n\n+")
_BLANK, _BLANK_OR_TAB = re.compile(rb"^ *+\n", re.MULTILINE), re.compile(rb"^[ \t]*+\n", re.MULTILINE)
_FIRST_LINE = re.compile(rb"(?: *\n)*+([^\n]*)")


@dataclass
class Block:
    """The columns of one block, by place, and what was repaired.

    Attributes
    ----------
    n_rows : int
    numbers : dict of int to ndarray of float64
    texts : dict of int to Labels
    digits : dict of int to ndarray of uint8
        Of columns of numbers with leading zeros, how many digits such cells have; 0 for the others.
    not_numbers : set of int
        Columns that were taken for numbers and hold something else.
    careful : bool
        Whether records were looked at one by one.
    repairs : LineRepairs
        Lines that were filled up, shortened or left out.
    """

    n_rows: int = 0
    numbers: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    texts: dict[int, Labels] = field(default_factory=dict)
    digits: dict[int, NDArray[np.uint8]] = field(default_factory=dict)
    not_numbers: set[int] = field(default_factory=set)
    careful: bool = False
    repairs: LineRepairs = field(default_factory=LineRepairs)

    def rows(self, places: NDArray[np.integer]) -> Block:
        """Return a block of some of the rows."""
        numbers = {place: values[places] for place, values in self.numbers.items()}
        texts = {place: found.of_rows(places) for place, found in self.texts.items()}
        digits = {place: values[places] for place, values in self.digits.items()}
        return replace(self, n_rows=len(places), numbers=numbers, texts=texts, digits=digits)


@dataclass(frozen=True)
class BlockParser:
    """Makes columns of blocks of one layout.

    Attributes
    ----------
    layout : Layout
    numbers, texts : frozenset of int
        Places of the columns wanted as numbers and as text.
    missing_codes : tuple of str
        Codes that stand for missing among the numbers, beside an empty field.
    rules : CellRules
    by_kernel : bool
        Whether regular records are taken apart by the kernels, which gives the same and is faster.
    """

    layout: Layout
    numbers: frozenset[int]
    texts: frozenset[int]
    missing_codes: tuple[str, ...] = ()
    rules: CellRules = USUAL
    by_kernel: bool = False

    @property
    def _decimal(self) -> str:
        return self.rules.decimal or "."

    @property
    def _separator(self) -> str:
        return "\t" if self.layout.separator == " " else self.layout.separator

    def parse(self, data: bytes, first_line: int, *, careful: bool = False) -> Block:
        """Parse a block whose first record stands in line `first_line` of the file."""
        if self.layout.separator == " ":
            data = spaces_to_tabs(data)
        careful = careful or (self.layout.has_comments and _has_comment(data))
        if len(data) > LONGEST_CELL:
            self._check_fields(data, first_line)
        block = None if careful else self._quick(data)
        block = block or self._without_no_rows(data, first_line) or self._careful(data, first_line)
        if len(data) > LONGEST_CELL:
            self._check_lengths(block, first_line)
        block.repairs.blank = self._blank_lines(data, first_line, block)
        return block

    def _blank_lines(self, data: bytes, first_line: int, block: Block) -> LineTally:
        """Count the lines outside quotes in which nothing stands; rules of a frame are such, too."""
        found = LineTally()
        more = count_lines(data) - block.n_rows - block.repairs.comments.count - block.repairs.headers.count
        if more <= 0 or self.layout.remark:
            return found
        first = (_BLANK_OR_TAB if self._separator != "\t" else _BLANK).search(data)
        if first is None:
            return found
        if b'"' not in data:
            found.add(first_line + data.count(b"\n", 0, first.start()), more)
            return found
        reader = reader_of(data.decode("utf-8", "replace"), self._separator)
        for fields in reader:
            if self._is_blank(fields):
                found.add(first_line + reader.line_num - 1)
        return found

    def _check_fields(self, data: bytes, first_line: int) -> None:
        """Refuse what has no separator and no line end for too long, before it is parsed."""
        mark, begin = self._separator.encode(), 0
        while len(data) - begin > LONGEST_CELL:
            last = max(data.rfind(one, begin, begin + LONGEST_CELL) for one in (mark, b"\n"))
            if last < 0:
                line = data.rfind(b"\n", 0, begin) + 1
                place = data.count(mark, line, begin) + 1
                number = first_line + data.count(b"\n", 0, begin)
                raise too_long(f"line {number:,}, column {place:,}")
            begin = last + 1

    def _check_lengths(self, block: Block, first_line: int) -> None:
        """Refuse a long text in quotes, in which separators stand."""
        for place, labels in block.texts.items():
            code = next((code for code, text in enumerate(labels.texts) if len(text) > LONGEST_CELL), None)
            if code is not None:
                row = int(np.argmax(labels.codes == code)) + 1
                name = shown(self.layout.names[place], 20)
                raise too_long(f"column '{name}', row {row:,} from line {first_line:,} on")

    def _quick(self, data: bytes) -> Block | None:
        """Parse all records at once; None where one of them is irregular."""
        return self._scanned(data) or self._fast(data)

    def _without_no_rows(self, data: bytes, first_line: int) -> Block | None:
        """Parse without comments and repeated headers; None where there are none, or others are irregular."""
        if b'"' in data:
            return None
        repairs = LineRepairs()
        left = _blanked(data, self._comment_lines, first_line, repairs.comments)
        left = _blanked(left, self._header_lines, first_line, repairs.headers)
        if not (repairs.comments or repairs.headers) or (self.layout.has_comments and _has_comment(left)):
            return None
        block = self._quick(left)
        return block and replace(block, repairs=repairs)

    @cached_property
    def _comment_lines(self) -> re.Pattern[bytes]:
        """Comments in which no separator stands, one below the other."""
        marks = COMMENT_MARKS if len(self.layout.names) > 1 else ("#",) if self.layout.has_comments else ()
        return _lines_like("|".join(f"{re.escape(m)}[^\\n{re.escape(self._separator)}]*+" for m in marks))

    @cached_property
    def _header_lines(self) -> re.Pattern[bytes]:
        return _lines_like(re.escape(self._separator.join(self.layout.header or ())))

    def _scanned(self, data: bytes) -> Block | None:
        if not self.by_kernel or self._has_header(data):
            return None
        scan = RecordScan(len(self.layout.names), self.numbers, self.texts, self._separator, self._decimal,
                          self.missing_codes)  # fmt: skip
        found = scan.columns(data)
        if found is None:
            return None
        numbers, texts, digits, n_rows = found
        without = self.rules.without_missing
        return Block(n_rows, {place: without(values) for place, values in numbers.items()}, texts, digits)

    def _fast(self, data: bytes) -> Block | None:
        if len(self.layout.names) > WIDE and self.numbers and self.texts:
            return self._fast_by_kind(data)
        if b"\n\n" in data and b'"' not in data:
            data = _BLANK_LINES.sub(b"\n", data)  # at which pandas is slow
        if not data.strip():
            return self._empty()
        left = self._begins_too_wide(data) or _has_tiny(data)
        frame = None if left else self._frame(data)
        if frame is None or not self._is_regular(data, len(frame)):
            return None
        block = Block(len(frame))
        without = self.rules.without_missing
        cells = self._cells(frame)
        block.numbers = {place: without(cells[place]) for place in self.numbers}
        block.texts = {place: _labels(cells[place]) for place in self.texts}
        if self.numbers and may_have_leading_zeros(data, self._separator):
            block.digits = self._digits(data)
        return block

    def _empty(self) -> Block:
        numbers = {place: np.empty(0) for place in self.numbers}
        return Block(0, numbers, {place: Labels.of(()) for place in self.texts})

    def _digits(self, data: bytes) -> dict[int, NDArray[np.uint8]]:
        """Parse columns of numbers as text, in which zeros in front are seen."""
        block = replace(self, numbers=frozenset(), texts=self.numbers)._fast(data)
        return {} if block is None else _digits_of(block.texts)

    def _fast_by_kind(self, data: bytes) -> Block | None:
        """Parse numbers and texts one after the other."""
        numbers = replace(self, texts=frozenset())._fast(data)
        texts = None if numbers is None else replace(self, numbers=frozenset())._fast(data)
        return None if numbers is None or texts is None else replace(numbers, texts=texts.texts)

    def _cells(self, frame: pd.DataFrame) -> dict[int, NDArray[Any]]:
        if self.numbers and self.texts:
            return {place: frame[place].to_numpy() for place in self.numbers | self.texts}
        return dict(zip(frame.columns.tolist(), frame.to_numpy().T, strict=True))

    def _frame(self, data: bytes) -> pd.DataFrame | None:
        """Parse with pandas; None where a record is too long or a number is none.

        Where all columns are of one kind, it is said once: pandas takes 8 KiB for each that it is told of.
        """
        import pandas as pd

        wanted = self.numbers | self.texts
        width = len(self.layout.names)
        missing = ["", *self.missing_codes]
        dtype: Any = {place: _NUMBER if place in self.numbers else _TEXT for place in wanted}
        na_values: Any = dict.fromkeys(self.numbers, missing)
        if not (self.numbers and self.texts):
            dtype, na_values = (_NUMBER, missing) if self.numbers else (_TEXT, [])
        try:
            frame = pd.read_csv(
                io.BytesIO(data),
                sep=self._separator,
                header=None,
                names=list(range(width)),
                usecols=sorted(wanted) if len(wanted) < width else None,
                dtype=dtype,
                keep_default_na=False,
                na_values=na_values,
                decimal=self._decimal,
                skipinitialspace=True,
                low_memory=False,
                encoding="utf-8",
                **_exact(pd.__version__),
            )
        except (ValueError, OverflowError):
            return None
        return frame if isinstance(frame.index, pd.RangeIndex) else None

    def _begins_too_wide(self, data: bytes) -> bool:
        """Whether the first line has more fields than there are columns: pandas makes an index of them."""
        first = _FIRST_LINE.match(data)
        return first is not None and self._separators(first[1]) >= len(self.layout.names)

    def _is_regular(self, data: bytes, n_rows: int) -> bool:
        """Whether the separators outside quotes are as many as complete records have, without a header."""
        return not self._has_header(data) and self._separators(data) == (len(self.layout.names) - 1) * n_rows

    def _separators(self, data: bytes) -> int:
        """Count the separators outside quotes."""
        outside = b"".join(data.split(b'"')[::2]) if b'"' in data else data
        return int(np.count_nonzero(np.frombuffer(outside, np.uint8) == ord(self._separator)))

    def _has_header(self, data: bytes) -> bool:
        header, mark = self.layout.header, self._separator
        if not header:
            return False
        lines = [mark.join(header)]
        if b'"' in data:  # one byte is sought many times faster than a line
            lines.append(mark.join(f'"{name}"' for name in header))
        if b" " in data:
            lines.append(f"{mark} ".join(header))
        begun = ((line + "\n").encode() for line in lines)
        return any(data.startswith(line) or b"\n" + line in data for line in begun)

    def _careful(self, data: bytes, first_line: int) -> Block:
        block = Block(careful=True)
        rows = self._records(data, first_line, block)
        block.n_rows = len(rows)
        for place in self.numbers | self.texts:
            labels = Labels.of(row[place] for row in rows)
            if place in self.texts:
                block.texts[place] = labels
            elif (values := self._plain_numbers(labels)) is not None:
                block.numbers[place] = values
                block.digits |= _digits_of({place: labels})
            else:
                block.not_numbers.add(place)
        return block

    def _plain_numbers(self, labels: Labels) -> NDArray[np.float64] | None:
        """Read plain numbers; None where a label is none."""
        tidy, decimal = labels.tidy(self.rules.is_missing), self._decimal
        if not all(numerals.is_plain(text, decimal) for text in tidy.texts):
            return None
        values = np.array([numerals.plain_value(text, decimal) for text in tidy.texts])
        return tidy.spread(values)

    def _records(self, data: bytes, first_line: int, block: Block) -> list[list[str]]:
        reader = reader_of(data.decode("utf-8"), self._separator)
        rows = []
        start = first_line
        for fields in reader:
            if self._keep(fields, start, block):
                rows.append(fields)
            start = first_line + reader.line_num
        return rows

    def _is_blank(self, fields: list[str]) -> bool:
        only_spaces = len(self.layout.names) > 1 and len(fields) == 1 and not fields[0].strip()
        return not fields or only_spaces

    def _keep(self, fields: list[str], line: int, block: Block) -> bool:
        """Whether a record is a row; a short one is filled up in place."""
        width = len(self.layout.names)
        if self._is_blank(fields):
            return False
        if is_comment(fields, self.layout):
            block.repairs.comments.add(line)
            return False
        if tuple(fields) == self.layout.header:
            block.repairs.headers.add(line)
            return False
        if len(fields) < width:
            block.repairs.short.add(line)
            fields += [""] * (width - len(fields))
        if len(fields) > width:
            if any(text.strip() for text in fields[width:]):
                raise WorkbenchError(self._too_many(fields, line))
            block.repairs.long.add(line)
        return True

    def _too_many(self, fields: list[str], line: int) -> str:
        """Say which record is too long, behind which column, and show it."""
        names = self.layout.names
        extra = next(text for text in fields[len(names) :] if text.strip())
        wanted = "1 is" if len(names) == 1 else f"{len(names)} are"
        return (
            f"Line {line} has {len(fields)} fields where {wanted} expected (behind column "
            f"'{shown(names[-1], 20)}': '{shown(extra, 20)}'). Correct the line, or put text that holds the "
            f"separator into quotes: {shown(self.layout.separator.join(fields))}"
        )


def is_comment(fields: Sequence[str], layout: Layout) -> bool:
    """Whether a record is a comment: no whole one, or in a table with comments above it."""
    if len(fields) == len(layout.names):
        return layout.has_comments and fields[0].startswith("#")
    return fields[0].startswith(COMMENT_MARKS)


def _lines_like(pattern: str) -> re.Pattern[bytes]:
    """Return what matches lines that a pattern matches, as many as stand one below the other; none of ""."""
    lines = rf"^(?:(?:{pattern})\n)++" if pattern else r"(?!)"
    return re.compile(lines.encode(), re.MULTILINE)


def _blanked(data: bytes, lines: re.Pattern[bytes], first_line: int, tally: LineTally) -> bytes:
    """Empty the lines that a pattern matches, and count them."""

    def blank(run: re.Match[bytes]) -> bytes:
        ends = run[0].count(b"\n")
        tally.add(tally.first or first_line + data.count(b"\n", 0, run.start()), ends)
        return b"\n" * ends

    return lines.sub(blank, data)


def _has_tiny(data: bytes) -> bool:
    """Whether a number may be too near to 0 for float64, which pandas does not tell."""
    return (b"e-" in data or b"E-" in data) and _TINY.search(data) is not None


def _has_comment(data: bytes) -> bool:
    return data.startswith(b"#") or b"\n#" in data


def _exact(version: str) -> dict[str, Any]:
    """Return what makes pandas read the nearest number: before 3.1 an option, since then nothing."""
    major, minor = map(int, version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def _digits_of(texts: dict[int, Labels]) -> dict[int, NDArray[np.uint8]]:
    """Return the digits of the columns in which zeros stand in front."""
    found = ((place, digits_of(labels)) for place, labels in texts.items())
    return {place: digits for place, digits in found if digits.any()}


def _labels(texts: NDArray[np.object_]) -> Labels:
    import pandas as pd

    codes, distinct = pd.factorize(texts)
    return Labels(tuple(distinct), codes.astype(np.int32))
