"""OpenDocument spreadsheets: the chosen sheet, or the one most like a table."""

from __future__ import annotations

import re
import zipfile
import zlib
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from workbench.data.readers.base import READERS
from workbench.data.readers.workbooks.merged_cells import MergedRange
from workbench.data.readers.workbooks.sheets import Sheet, check_sheets
from workbench.data.readers.workbooks.unpacking import CHUNK, MOST_FOLD, check_unpacking
from workbench.data.readers.workbooks.workbook import WorkbookReader
from workbench.data.text.stream.compression import ZIP_MAGIC
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from workbench.data.readers.source import Source

MOST_CELLS = 1 << 14  # of a row
MOST_ELEMENTS = 1 << 20  # of a row, or between two, twice each
MOST_REPEATED = 1 << 26  # cells; more where the file is large itself
LONGEST_COUNT = 8  # digits
LONGEST_SPAN = 64  # bytes, of what says so
_KIND = b"application/vnd.oasis.opendocument.spreadsheet"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_BLANKS = {f"{_TEXT}s": " ", f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
_SPANS = re.compile(rb'number-rows-spanned\s*=\s*["\'](?!1["\'])')
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_DAMAGE = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, OSError, EOFError, NotImplementedError,
           RuntimeError, RecursionError, ElementTree.ParseError)  # fmt: skip


class OpenDocumentReader(WorkbookReader):
    """Reads .ods: values, not formulas."""

    name = "opendocument"
    kind = "an OpenDocument spreadsheet"
    order = 11

    def accepts(self, source: Source) -> bool:
        """Whether the file is a zip archive that says to be a spreadsheet."""
        if not source.head.startswith(ZIP_MAGIC):
            return False
        try:
            with zipfile.ZipFile(source.path) as archive, archive.open("mimetype") as about:
                return about.read(len(_KIND)) == _KIND
        except _DAMAGE:
            return False

    @contextmanager
    def opened(self, source: Source) -> Iterator[list[Sheet]]:
        """Open the workbook; see `WorkbookReader`."""
        yield _sheets(source)


READERS.register(OpenDocumentReader())


def _sheets(source: Source) -> list[Sheet]:
    names = [element.get(f"{_TABLE}name", "") for is_sheet, element in _parts(source) if is_sheet]
    check_sheets(source.name, len(names))
    return [
        Sheet(name, partial(_rows, source, place), merged=partial(_merged, source, place))
        for place, name in enumerate(names)
    ]


def _parts(source: Source) -> Iterator[tuple[bool, Element]]:
    """Yield each sheet as it begins, and each of its rows; rows are forgotten after."""
    sheets: list[Element] = []  # and tables in cells
    with _damage_said(source), zipfile.ZipFile(source.path) as archive:
        check_unpacking(archive, source.name)
        with archive.open("content.xml") as file:
            held = 0  # elements since the last row
            for event, element in ElementTree.iterparse(file, ("start", "end")):
                held = 0 if element.tag == f"{_TABLE}table-row" else held + 1
                if held > MOST_ELEMENTS:
                    raise _too_wide(source)
                if element.tag == f"{_TABLE}table":
                    if event == "end":
                        sheets.pop()
                    else:
                        sheets.append(element)
                        if len(sheets) == 1:
                            yield True, element
                elif element.tag == f"{_TABLE}table-row" and event == "end" and len(sheets) == 1:
                    yield False, element
                    sheets[0].clear()


@contextmanager
def _damage_said(source: Source) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise WorkbenchError(
            f"'{source.name}' is a damaged OpenDocument spreadsheet, or one with a password. Save it again."
        ) from error


def _rows(source: Source, place: int) -> Iterator[list[str]]:
    """Yield the rows of the sheet at a place."""
    repeated = blank = 0
    for element in _elements(source, place):
        cells, count = _cells(source, element), _repeated(element, "rows")
        if not cells:
            blank += count
            continue
        for _ in range(blank):
            yield []
        blank = 0
        repeated += len(cells) * (count - 1)
        if repeated > max(MOST_REPEATED, MOST_FOLD * source.size):
            words = f"'{source.name}' repeats its cells {repeated:,} times, which no table needs"
            raise WorkbenchError(f"{words}. Save it again as CSV.")
        for _ in range(count):
            yield list(cells)


def _merged(source: Source, place: int) -> list[MergedRange]:
    """Return the merged ranges of several rows."""
    if not _has_spans(source):
        return []
    found, number = [], 0
    for element in _elements(source, place):
        column = 0
        for cell in element:
            if cell.tag in _CELLS:
                rows, columns = _count(cell, "rows-spanned"), _count(cell, "columns-spanned")
                if rows > 1 and columns <= MOST_CELLS:
                    found.append(MergedRange(number, number + rows - 1, column, column + columns - 1))
                column += _repeated(cell, "columns")
        number += _repeated(element, "rows")
    return found


def _has_spans(source: Source) -> bool:
    """Whether a cell spans several rows; in most workbooks none does, which is soon seen."""
    left = b""
    with _damage_said(source), zipfile.ZipFile(source.path) as archive, archive.open("content.xml") as file:
        while chunk := file.read(CHUNK):
            if _SPANS.search(left + chunk):
                return True
            left = chunk[-LONGEST_SPAN:]
    return False


def _elements(source: Source, place: int) -> Iterator[Element]:
    """Yield the rows of the sheet at a place, as they stand."""
    sheet = -1
    with _damage_said(source):
        for is_sheet, element in _parts(source):
            sheet += is_sheet
            if sheet > place:
                return
            if sheet == place and not is_sheet:
                yield element


def _cells(source: Source, row: Element) -> list[str]:
    """Return the texts of a row, without the empty cells behind the last."""
    texts: list[str] = []
    empty = 0
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        text, count = _text(cell), _repeated(cell, "columns")
        if not text:
            empty += count
            continue
        if len(texts) + empty + count > MOST_CELLS:
            raise _too_wide(source)
        texts += [""] * empty + [text] * count
        empty = 0
    return texts


def _too_wide(source: Source) -> WorkbenchError:
    words = f"'{source.name}' has a row of more than {MOST_CELLS:,} cells, or as much beside its rows"
    return WorkbenchError(f"{words}. Save it again.")


def _repeated(element: Element, what: str) -> int:
    return _count(element, f"{what}-repeated")


def _count(element: Element, what: str) -> int:
    count = element.get(f"{_TABLE}number-{what}", "1")
    return int(count) if count.isdecimal() and len(count) < LONGEST_COUNT else 1


def _text(cell: Element) -> str:
    """Return what a cell holds: its value where it has one, else its text."""
    kind = cell.get(f"{_OFFICE}value-type")
    if kind in ("float", "percentage", "currency"):
        return cell.get(f"{_OFFICE}value", "").removesuffix(".0")
    if kind == "date":
        return cell.get(f"{_OFFICE}date-value", "").replace("T", " ").removesuffix(" 00:00:00")
    if kind in ("time", "boolean"):
        return cell.get(f"{_OFFICE}{kind}-value", "")
    return "\n".join("".join(_words(part)) for part in cell if part.tag == f"{_TEXT}p")


def _words(part: Element) -> Iterator[str]:
    """Yield the pieces of a paragraph, however deep they stand; some blanks and line ends are elements."""
    waiting: list[Element | str] = [part]  # the next one last
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            yield piece
        elif piece.tag in _BLANKS:
            yield _BLANKS[piece.tag]
        elif not piece.tag.startswith(_OFFICE):  # a remark
            yield piece.text or ""
            for inner in reversed(piece):
                waiting += [inner.tail or "", inner]
