"""Blocks of records made into columns: fast where every record is regular, carefully elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.text.blocks.no_rows import NoRows, is_comment
from workbench.data.text.blocks.record_block import RecordBlock
from workbench.data.text.blocks.record_frame import RecordFrame
from workbench.data.text.blocks.record_scan import RecordScan
from workbench.data.text.blocks.shown_record import shown
from workbench.data.text.layout.header import is_rule
from workbench.data.text.layout.separators import reader_of, spaces_to_tabs
from workbench.data.text.stream.long_cells import LONGEST_CELL, too_long
from workbench.data.values import numerals
from workbench.data.values.cell_rules import USUAL
from workbench.data.values.labels import Labels
from workbench.data.values.leading_zeros import digits_by_place
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.text.layout.layout import TextLayout
    from workbench.data.values.cell_rules import CellRules


@dataclass(frozen=True)
class BlockParser:
    """Makes columns of blocks of one layout.

    Attributes
    ----------
    layout : TextLayout
    numbers, texts : frozenset of int
        Places of the columns wanted as numbers and as text.
    missing_codes : tuple of str
        Codes that stand for missing among the numbers, beside an empty field.
    rules : CellRules
    by_kernel : bool
        Whether regular records are taken apart by the kernels, which gives the same and is faster.
    """

    layout: TextLayout
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

    @cached_property
    def _no_rows(self) -> NoRows:
        return NoRows(self.layout, self._separator)

    def parse(
        self, data: bytes, first_line: int, n_lines: int, *, careful: bool = False,
        emptied: Sequence[int] = (),
    ) -> RecordBlock:  # fmt: skip
        """Parse a block of so many lines, whose first record stands in line `first_line` of the file.

        The `emptied` lines, some perhaps beyond the block, have nothing in them and are not told as blank.
        """
        if self.layout.separator == " ":
            data = spaces_to_tabs(data)
        careful = careful or self._no_rows.has_comment(data)
        if len(data) > LONGEST_CELL:
            self._check_fields(data, first_line)
        block = None if careful else self._quick(data, n_lines)
        block = block or self._without_no_rows(data, first_line, n_lines) or self._careful(data, first_line)
        if len(data) > LONGEST_CELL:
            self._check_lengths(block, first_line)
        known = block.n_rows + block.repairs.comments.count + block.repairs.headers.count
        no_gaps = {line for line in emptied if first_line <= line < first_line + n_lines}
        block.repairs.blank = self._no_rows.are_blank(data, first_line, n_lines - known, no_gaps)
        return block

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

    def _check_lengths(self, block: RecordBlock, first_line: int) -> None:
        """Refuse a long text in quotes, in which separators stand."""
        for place, labels in block.texts.items():
            code = next((code for code, text in enumerate(labels.texts) if len(text) > LONGEST_CELL), None)
            if code is not None:
                row = int(np.argmax(labels.codes == code)) + 1
                name = shown(self.layout.names[place], 20)
                raise too_long(f"column '{name}', row {row:,} from line {first_line:,} on")

    @cached_property
    def _stops_at_header(self) -> bool:
        """Whether the kernels find a cell that is no number where the header stands once more."""
        header, gaps = self.layout.header or (), {"", *self.missing_codes}
        names = [header[place].strip() for place in self.numbers if place < len(header)]
        return self.by_kernel and any(not (numerals.is_plain(n, self._decimal) or n in gaps) for n in names)

    def _quick(self, data: bytes, n_lines: int) -> RecordBlock | None:
        """Parse all records at once; None where one of them is irregular."""
        stops = self._stops_at_header
        if not stops and self._no_rows.has_header(data):
            return None
        wanted = (len(self.layout.names), self.numbers, self.texts, self._separator, self._decimal,
                  self.missing_codes)  # fmt: skip
        found = RecordScan(*wanted).columns(data, n_lines) if self.by_kernel else None
        if found is None and stops and self._no_rows.has_header(data):
            return None
        found = found or RecordFrame(*wanted).columns(data)
        if found is None:
            return None
        numbers, texts, digits, n_rows = found
        without = self.rules.without_missing
        without_missing = {place: without(values) for place, values in numbers.items()}
        return RecordBlock(n_rows, without_missing, texts, digits)

    def _without_no_rows(self, data: bytes, first_line: int, n_lines: int) -> RecordBlock | None:
        """Parse without comments and repeated headers; None where there are none, or others are irregular."""
        if b'"' in data:
            return None
        left, repairs = self._no_rows.blanked(data, first_line)
        if not (repairs.comments or repairs.headers) or self._no_rows.has_comment(left):
            return None
        block = self._quick(left, n_lines)
        return block and replace(block, repairs=repairs)

    def _careful(self, data: bytes, first_line: int) -> RecordBlock:
        block = RecordBlock(careful=True)
        rows = self._records(data, first_line, block)
        block.n_rows = len(rows)
        for place in self.numbers | self.texts:
            labels = Labels.of(row[place] for row in rows)
            if place in self.texts:
                block.texts[place] = labels
            elif (values := self._plain_numbers(labels)) is not None:
                block.numbers[place] = values
                block.digits |= digits_by_place({place: labels})
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

    def _records(self, data: bytes, first_line: int, block: RecordBlock) -> list[list[str]]:
        reader = reader_of(data.decode("utf-8"), self._separator)
        rows = []
        start = first_line
        is_below_header = False
        for fields in reader:
            if is_below_header and is_rule(" ".join(fields)):
                block.repairs.headers.add(start)
            elif self._keep(fields, start, block):
                rows.append(fields)
            is_below_header = tuple(fields) == self.layout.header
            start = first_line + reader.line_num
        return rows

    def _keep(self, fields: list[str], line: int, block: RecordBlock) -> bool:
        """Whether a record is a row; a short one is filled up in place."""
        width = len(self.layout.names)
        if self._no_rows.is_blank(fields):
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
        quotes = "straight quotes" if any("“" in text or "„" in text for text in fields) else "quotes"
        return (
            f"Line {line} has {len(fields)} fields where {wanted} expected (behind column "
            f"'{shown(names[-1], 20)}': '{shown(extra, 20)}'). Correct the line, or put text that holds the "
            f"separator into {quotes}: {shown(self.layout.separator.join(fields))}"
        )
