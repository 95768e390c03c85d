"""Workbooks of Excel 97 to 2003: the chosen sheet, or the one most like a table."""

from __future__ import annotations

import io
import struct
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.data.readers.base import READERS
from workbench.data.readers.source import missing_package
from workbench.data.readers.workbooks.merged_cells import MergedRange
from workbench.data.readers.workbooks.sheets import Sheet, check_sheets
from workbench.data.readers.workbooks.workbook import WorkbookReader
from workbench.errors import WorkbenchError
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.readers.source import Source

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
BEGIN, END, MERGED = 0x809, 0x0A, 0xE5  # kinds of records
AS_OBJECTS = 20  # bytes of memory to a byte of the file
_DAMAGE = (struct.error, AssertionError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError,
           OSError, EOFError, NotImplementedError, RuntimeError)  # fmt: skip


class OldExcelReader(WorkbookReader):
    """Reads .xls: values, not formulas."""

    name = "old_excel"
    kind = "an old Excel workbook"
    order = 12

    def accepts(self, source: Source) -> bool:
        """Whether the file begins as those of old Office programs."""
        return source.head.startswith(MAGIC)

    @contextmanager
    def opened(self, source: Source) -> Iterator[list[Sheet]]:
        """Open the workbook; see `WorkbookReader`."""
        yield _sheets(source)


READERS.register(OldExcelReader())


def _sheets(source: Source) -> list[Sheet]:
    try:
        import xlrd
    except ImportError as error:
        raise missing_package(source, "an old Excel workbook", "xlrd") from error
    ask_for(AS_OBJECTS * source.size, source.name, "an old Excel workbook")
    with _damage_said(source):
        content = source.path.read_bytes()
        book = xlrd.open_workbook(file_contents=content, logfile=io.StringIO(), on_demand=True,
                                  ragged_rows=True)
        check_sheets(source.name, book.nsheets)
        return [
            Sheet(
                name, partial(_rows, source, book, name),
                merged=partial(_merged, source, book.mem, book._sh_abs_posn[place]),
            )
            for place, name in enumerate(book.sheet_names())
        ]  # fmt: skip


@contextmanager
def _damage_said(source: Source) -> Iterator[None]:
    """Say in one line whatever xlrd raises."""
    from xlrd import XLRDError
    from xlrd.compdoc import CompDocError
    from xlrd.formula import FormulaError

    try:
        yield
    except (XLRDError, CompDocError, FormulaError, *_DAMAGE) as error:
        raise WorkbenchError(
            f"'{source.name}' is a damaged Excel workbook, one with a password, or another file of Office. "
            "Save it as .xlsx."
        ) from error


def _rows(source: Source, book: Any, name: str) -> Iterator[list[str]]:
    with _damage_said(source):
        sheet = book.sheet_by_name(name)
        for row in range(sheet.nrows):
            yield [_text(cell, book.datemode) for cell in sheet.row(row)]


def _merged(source: Source, stream: bytes, place: int) -> list[MergedRange]:
    """Return the merged ranges of several rows, which xlrd tells only together with all formats."""
    found, depth = [], 0
    with _damage_said(source):
        while place < len(stream):
            kind, length = struct.unpack_from("<HH", stream, place)
            begin, place = place + 4, place + 4 + length
            depth += (kind == BEGIN) - (kind == END)
            if not depth:
                break
            if kind == MERGED:
                count = struct.unpack_from("<H", stream, begin)[0]
                ranges = struct.iter_unpack("<4H", stream[begin + 2 : min(begin + 2 + 8 * count, place)])
                found += [MergedRange(*one) for one in ranges if one[1] > one[0] and one[3] >= one[2]]
    return found


def _text(cell: Any, datemode: int) -> str:
    import xlrd

    value = cell.value
    if cell.ctype == xlrd.XL_CELL_TEXT:
        return str(value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "true" if value else "false"
    if cell.ctype == xlrd.XL_CELL_DATE:
        moment = xlrd.xldate_as_datetime(value, datemode)
        return str(moment.time()) if value < 1 else moment.isoformat(" ").removesuffix(" 00:00:00")
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
    return str(xlrd.error_text_from_code.get(value, "")) if cell.ctype == xlrd.XL_CELL_ERROR else ""
