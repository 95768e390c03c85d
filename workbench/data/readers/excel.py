"""Excel workbooks: the chosen sheet, or the first that holds something."""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
import zlib
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from workbench.data.compression import ZIP_MAGIC
from workbench.data.guess import Guess, chosen
from workbench.data.readers.as_text import ASK_EVERY, leave_if, preview_of_rows, table_of_rows
from workbench.data.readers.base import HEAD_BYTES, READERS, missing_package
from workbench.data.readers.options import CELL_OPTIONS, EDGE_OPTIONS, GUESS_ALL
from workbench.data.readers.preview import PREVIEW_ROWS
from workbench.data.table import Note
from workbench.errors import WorkbenchError
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.readers.base import Cancelled, Progress, Source
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.table import Table

MOST_ROWS = 1 << 20
MOST_PREVIEWED = 20_000  # rows of a sheet, empty ones too
MOST_MEASURED = 1000  # rows, the widest of which is how wide the table is
_STRICT = b"http://purl.oclc.org/ooxml/"
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, KeyError, IndexError, ValueError, TypeError, AttributeError, SyntaxError,
    OSError, EOFError, NotImplementedError, RuntimeError, ArithmeticError,
)  # fmt: skip


class ExcelReader:
    """Reads .xlsx and .xlsm: values, not formulas; a formula that was never computed is missing."""

    name = "excel"
    kind = "an Excel workbook"
    uses = CELL_OPTIONS | EDGE_OPTIONS | {"part"}
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

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Table:  # fmt: skip
        """Read the sheet; see `read_table`."""
        with _opened(source) as book:
            name, rows, others = _chosen_sheet(book, source, options.part, cancelled=cancelled)
            table = table_of_rows(source, rows, options, progress, cancelled)
        if not others or options.part is not None:
            return table
        listed = ", ".join(f"'{other}'" for other in others)
        note = Note(f"Sheet '{name}' is read; the workbook also has {listed}.", severity="warning")
        return replace(table, notes=(note, *table.notes))

    def preview(self, source: Source, options: ReadOptions) -> Preview:
        """Read the first rows of the sheet."""
        with _opened(source) as book:
            name, rows, _ = _chosen_sheet(book, source, options.part, most=MOST_PREVIEWED)
            first = list(islice(rows, PREVIEW_ROWS + 1))
            parts = tuple(sheet.title for sheet in book.worksheets if _has_cells(source, sheet))
        seen = preview_of_rows(source, first, options, len(first) <= PREVIEW_ROWS)
        reason = f"'{name}' is the first of {len(parts)} sheets with something in them."
        guess = Guess("part", name, reason, len(parts) > 1) if options.part is None else chosen("part", name)
        return replace(seen, guesses=(guess, *seen.guesses), parts=parts)


READERS.register(ExcelReader())


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    """Open the workbook; what is wrong with it is said in one line."""
    try:
        import openpyxl
    except ImportError as error:
        raise missing_package(source, "an Excel workbook", "openpyxl") from error
    with _damage_said(source), zipfile.ZipFile(source.path) as archive:
        expanded = sum(info.file_size for info in archive.infolist())
        with archive.open("xl/workbook.xml") as about:
            is_strict = _STRICT in about.read(HEAD_BYTES)
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


def _chosen_sheet(
    book: Any, source: Source, part: str | None, *, most: int | None = None,
    cancelled: Cancelled | None = None,
) -> tuple[str, Iterator[list[str]], tuple[str, ...]]:  # fmt: skip
    """Return name and rows of the wanted sheet, or of the first with cells in it, and the other names."""
    names = tuple(sheet.title for sheet in book.worksheets)
    if part is not None and part not in names:
        listed = ", ".join(f"'{name}'" for name in names)
        raise WorkbenchError(f"'{source.name}' has no sheet '{part}'. It has {listed}.")
    for sheet in book.worksheets:
        if part in (None, sheet.title):
            sheet.reset_dimensions()  # what a file says of its size may be anything
            rows = _rows(source, sheet, most, cancelled)
            first = list(islice(rows, MOST_MEASURED))
            if first:
                others = tuple(name for name in names if name != sheet.title)
                return sheet.title, _filled(first, rows), others
    empty = "no sheet with cells in it" if part is None else f"no cells in its sheet '{part}'"
    raise WorkbenchError(f"'{source.name}' has {empty}. Choose another one.")


def _has_cells(source: Source, sheet: Any) -> bool:
    sheet.reset_dimensions()
    return next(_rows(source, sheet, MOST_PREVIEWED), None) is not None


def _rows(
    source: Source, sheet: Any, most: int | None, cancelled: Cancelled | None = None
) -> Iterator[list[str]]:
    """Yield the rows that hold something, of all or the first, without the empty cells behind the last."""
    found = _values(source, sheet)
    for number in range(MOST_ROWS if most is None else most):
        if number % ASK_EVERY == 0:  # also where there are only empty rows
            leave_if(cancelled)
        values = next(found, None)
        if values is None:
            return
        cells = [_text(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield cells
    if most is not None or next(found, None) is None:
        return
    last = f"{MOST_ROWS:,}, the last that a sheet can have"
    raise WorkbenchError(f"'{source.name}' names a row beyond {last}. Save it again.")


def _values(source: Source, sheet: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of every row."""
    with _damage_said(source):
        yield from sheet.iter_rows(values_only=True)


def _filled(first: list[list[str]], rest: Iterator[list[str]]) -> Iterator[list[str]]:
    """Fill every row up to the widest of the first ones, or above it: also a header without a last name."""
    width = max(map(len, first))
    for row in chain(first, rest):
        width = max(width, len(row))
        yield row + [""] * (width - len(row))


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
