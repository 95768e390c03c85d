"""Rows as the text of a CSV file, on request without formulas; and as the clipboard has them."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from workbench.data.values import numerals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BREAKS_OUT = re.compile(r'^"|[\t\n\r]')
BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def harmless(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: text that begins like one gets an apostrophe.

    Numbers stay, also those that are written as text.
    """
    if isinstance(cell, str) and cell.startswith(BEGIN_FORMULAS) and not numerals.is_number(cell):
        return "'" + cell
    return cell


def tab_separated(rows: Iterable[Sequence[Any]], *, neutralise: bool = False) -> str:
    """Return rows as a spreadsheet takes them from the clipboard, with `neutralise` without formulas.

    Tabs and line ends in a cell stay in it.
    """
    rows = _without_formulas(rows) if neutralise else rows
    return "\n".join("\t".join(_quoted(str(cell)) for cell in row) for row in rows)


def _without_formulas(rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    return (list(map(harmless, row)) for row in rows)


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _BREAKS_OUT.search(cell) else cell


def csv_text(rows: Iterable[Sequence[Any]], *, neutralise: bool = False) -> bytes:
    """Return rows as UTF-8 CSV, with `neutralise` without formulas."""
    stream = io.StringIO(newline="")
    rows = _without_formulas(rows) if neutralise else rows
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8", "replace")
