"""Excel workbooks: the first sheet that holds something."""

from __future__ import annotations

import datetime
import warnings
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.data.compression import ZIP_MAGIC
from workbench.data.readers.as_text import table_of_rows
from workbench.data.readers.base import READERS, missing_package
from workbench.data.table import Note
from workbench.errors import WorkbenchError
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.readers.base import Cancelled, Progress, Source
    from workbench.data.table import Table


_DAMAGE = (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, SyntaxError)


class ExcelReader:
    """Reads .xlsx and .xlsm: values, not formulas; a formula that was never computed is missing."""

    name = "excel"
    order = 10

    def accepts(self, source: Source) -> bool:
        """Whether the file is a zip archive with a workbook in it."""
        if not source.head.startswith(ZIP_MAGIC):
            return False
        try:
            with zipfile.ZipFile(source.path) as archive:
                return "xl/workbook.xml" in archive.namelist()
        except (zipfile.BadZipFile, OSError, ValueError):
            return False

    def read(
        self, source: Source, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> Table:
        """Read the sheet; see `read_table`."""
        try:
            import openpyxl
        except ImportError as error:
            raise missing_package(source, "an Excel workbook", "openpyxl") from error
        with zipfile.ZipFile(source.path) as archive:
            expanded = sum(info.file_size for info in archive.infolist())
        ask_for(4 * expanded, source.name, "an Excel workbook as it is unpacked")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl's, about styles and extensions
            try:
                book = openpyxl.load_workbook(source.path, read_only=True, data_only=True)
                return self._first_sheet(book, source, progress, cancelled)
            except _DAMAGE as error:
                raise WorkbenchError(
                    f"'{source.name}' is a damaged Excel workbook. Save it again in a spreadsheet program."
                ) from error

    def _first_sheet(
        self, book: Any, source: Source, progress: Progress | None, cancelled: Cancelled | None
    ) -> Table:
        names = [sheet.title for sheet in book.worksheets]
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # what a file says of its size may be anything
            rows = _rows(sheet)
            first = next(rows, None)
            if first is None:
                continue
            table = table_of_rows(source, _joined(first, rows), progress, cancelled)
            if len(names) == 1:
                return table
            others = ", ".join(f"'{name}'" for name in names if name != sheet.title)
            note = Note(f"Sheet '{sheet.title}' is read; the workbook also has {others}.", severity="warning")
            return replace(table, notes=(note, *table.notes))
        raise WorkbenchError(f"'{source.name}' has no sheet with cells in it. Choose another file.")


READERS.register(ExcelReader())


def _rows(sheet: Any) -> Iterator[list[str]]:
    """Yield the rows that hold something, without the empty cells behind the last."""
    for values in sheet.iter_rows(values_only=True):
        cells = [_text(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield cells


def _joined(first: list[str], rest: Iterator[list[str]]) -> Iterator[list[str]]:
    """Fill every row up to the width of the first."""
    yield first
    for row in rest:
        yield row + [""] * (len(first) - len(row))


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    text = str(value)
    return "" if text.startswith("#") and text.endswith(("!", "?", "#N/A")) else text
