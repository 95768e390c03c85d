"""Rows as the text of a CSV file, on request without formulas."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from workbench.data import numerals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def harmless(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: text that begins like one gets an apostrophe.

    Numbers stay, also those that are written as text.
    """
    if isinstance(cell, str) and cell.startswith(BEGIN_FORMULAS) and not numerals.is_number(cell):
        return "'" + cell
    return cell


def csv_text(rows: Iterable[Sequence[Any]], *, neutralise: bool = False) -> bytes:
    """Return rows as UTF-8 CSV, with `neutralise` without formulas."""
    stream = io.StringIO(newline="")
    if neutralise:
        rows = (list(map(harmless, row)) for row in rows)
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8", "replace")
