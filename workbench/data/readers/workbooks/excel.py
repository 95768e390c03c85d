"""Excel workbooks: the chosen sheet, or the one most like a table."""

from __future__ import annotations

import datetime
import io
import re
import warnings
import zipfile
import zlib
from contextlib import contextmanager, redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.data.readers.base import READERS
from workbench.data.readers.source import HEAD_BYTES, missing_package
from workbench.data.readers.workbooks.sheet_xml import formula_notes, merged_ranges
from workbench.data.readers.workbooks.sheets import Sheet, check_sheets
from workbench.data.readers.workbooks.unpacking import check_unpacking
from workbench.data.readers.workbooks.workbook import WorkbookReader
from workbench.data.text.stream.compression import ZIP_MAGIC
from workbench.data.text.stream.long_cells import LONGEST_CELL
from workbench.errors import WorkbenchError
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from workbench.data.readers.source import Source
    from workbench.data.readers.workbooks.merged_cells import MergedRange
    from workbench.data.table import TableNote

_SHEET = re.compile(rb"<(?:\w+:)?sheet[ >/]")
_STRICT = b"http://purl.oclc.org/ooxml/"
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, KeyError, IndexError, ValueError, TypeError, AttributeError, SyntaxError,
    OSError, EOFError, NotImplementedError, RuntimeError, ArithmeticError,
)  # fmt: skip


class ExcelReader(WorkbookReader):
    """Reads .xlsx and .xlsm: values, not formulas; a formula that was never computed is missing."""

    name = "excel"
    kind = "an Excel workbook"
    order = 10

    def accepts(self, source: Source) -> bool:
        """Whether the file is a zip archive with a workbook in it."""
        if not source.head.startswith(ZIP_MAGIC):
            return False
        try:
            with zipfile.ZipFile(source.path) as archive:
                return "xl/workbook.xml" in archive.namelist()
        except _DAMAGE:
            return False

    @contextmanager
    def opened(self, source: Source) -> Iterator[list[Sheet]]:
        """Open the workbook; see `WorkbookReader`."""
        with _opened(source) as book:
            yield [
                Sheet(
                    sheet.title, partial(_rows, source, sheet), partial(_remarks, source, sheet),
                    partial(_merged, source, sheet),
                )
                for sheet in book.worksheets
            ]


READERS.register(ExcelReader())


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    """Open the workbook; what is wrong with it is said in one line."""
    try:
        import openpyxl
    except ImportError as error:
        raise missing_package(source, "an Excel workbook", "openpyxl") from error
    with _damage_said(source), zipfile.ZipFile(source.path) as archive:
        expanded = check_unpacking(archive, source.name)
        with archive.open("xl/workbook.xml") as about:
            text = about.read(LONGEST_CELL)
            is_strict = _STRICT in text[:HEAD_BYTES]
            check_sheets(source.name, len(_SHEET.findall(text)))
    if is_strict:
        raise WorkbenchError(
            f"'{source.name}' is a workbook in the form Strict Open XML, which cannot be read here. Save it "
            "as an ordinary Excel workbook."
        )
    ask_for(4 * expanded, source.name, "an Excel workbook as it is unpacked")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl's, about styles and extensions
        with source.path.open("rb") as stream:
            with _damage_said(source), redirect_stdout(io.StringIO()):  # openpyxl prints what styles lack
                book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            yield book


@contextmanager
def _damage_said(source: Source) -> Iterator[None]:
    """Say in one line whatever openpyxl raises."""
    try:
        yield
    except _DAMAGE as error:
        raise WorkbenchError(
            f"'{source.name}' is a damaged Excel workbook. Save it again in a spreadsheet program."
        ) from error


def _rows(source: Source, sheet: Any) -> Iterator[list[str]]:
    """Yield all rows; what is wrong with them is said in one line."""
    sheet.reset_dimensions()  # what a file says of its size may be anything
    with _damage_said(source):
        for values in sheet.iter_rows(values_only=True):
            yield [_text(value) for value in values]


def _remarks(source: Source, sheet: Any) -> tuple[TableNote, ...]:
    with _as_it_lies(source, sheet) as stream:
        return formula_notes(stream)


def _merged(source: Source, sheet: Any) -> list[MergedRange]:
    with _as_it_lies(source, sheet) as stream:
        return list(merged_ranges(stream))


@contextmanager
def _as_it_lies(source: Source, sheet: Any) -> Iterator[IO[bytes]]:
    """Open the XML, which tells what openpyxl does not where a sheet is read row by row."""
    with _damage_said(source), sheet.parent._archive.open(sheet._worksheet_path) as stream:
        yield stream


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    return str(value)
