"""Factor tables as files: lines of CSV, or a workbook with a sheet of columns and a sheet of pairs."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.bytes.csv_text import csv_text
from workbench.formats.bytes.files import atomic_write, check_writable
from workbench.number_text import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Lines = Sequence[Sequence[Any]]

MOST_LINES = 1_048_575  # of a sheet
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def save_lines(
    path: str | Path, head: Sequence[str], lines: Lines, summary: Lines, *, neutralise: bool = False
) -> None:
    """Write tables completely or not at all; the suffix tells the format.

    The first field of a line says whether it belongs to the "main" tables or to those of a "pair".
    """
    check_writable(path)
    if Path(path).suffix.lower() in (".xlsx", ".xlsm"):
        atomic_write(path, workbook(head, lines, summary))
    else:
        atomic_write(path, csv_text([head, *lines], neutralise=neutralise))


def workbook(head: Sequence[str], lines: Lines, summary: Lines) -> bytes:
    """Return an Excel workbook: how the tables stand for the model, columns, and pairs."""
    try:
        from openpyxl import Workbook
    except ModuleNotFoundError as error:
        raise WorkbenchError(
            "Writing an Excel workbook needs the package openpyxl. Install it with: pip install openpyxl; "
            "or write CSV."
        ) from error
    book = Workbook(write_only=True)
    _fill(book, "Model", summary)
    for title, kind in (("Columns", "main"), ("Pairs", "pair")):
        own = [line[1:] for line in lines if line[0] == kind]
        if len(own) > MOST_LINES:
            raise WorkbenchError(
                f"The tables have {count(len(own))} lines, more than a sheet of Excel holds. Write CSV."
            )
        if own:
            _fill(book, title, [head[1:], *own])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _fill(book: Any, title: str, lines: Iterable[Sequence[Any]]) -> None:
    from openpyxl.cell import WriteOnlyCell

    sheet = book.create_sheet(title)
    for line in lines:
        cells = []
        for value in line:
            if not isinstance(value, str) or not value:
                cells.append(value if value != "" else None)
                continue
            cell = WriteOnlyCell(sheet, _NOT_IN_XML.sub(" ", value).lstrip("=") or " ")
            cell.value = _NOT_IN_XML.sub(" ", value)
            cell.data_type = "s"  # or text that begins with = would be a formula
            cells.append(cell)
        sheet.append(cells)
