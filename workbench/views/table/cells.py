"""A table's cells as text: what is painted, copied and searched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values.value_labels import day_label
from workbench.formats.bytes.csv_text import tab_separated
from workbench.number_text import MINUS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.data.table import Column

MISSING = "missing"
_IN_NUMBERS = "0123456789.e+-:" + MINUS + " "
CHUNK = 4096  # rows looked at between two questions whether to go on


def cell_text(column: Column, row: int) -> str:
    """The cell as it is shown: a label, a date, or the number's shortest form; "missing" for none."""
    if column.texts:
        return column.texts[row] or MISSING
    return value_text(column, shown_values(column)[row])


def shown_values(column: Column) -> NDArray[np.floating]:
    """The values as they stood in the file where these are kept, else the model's."""
    return column.values if column.exact is None else column.exact


def value_text(column: Column, value: np.floating) -> str:
    """A value of `column` as its cells show it."""
    if value != value:
        return MISSING
    if column.is_categorical:
        return column.categories[int(value)]
    if column.kind == "date":
        return day_label(value)
    single = np.float32(value)
    return _number(single if single == value else value).replace("-", MINUS)


def _number(value: np.floating) -> str:
    """As in the file: no thousands, which would tear years and identifiers apart."""
    if value == 0:
        return "0"
    if 1e-5 <= abs(value) < 1e15:
        return np.format_float_positional(value, trim="-")
    return np.format_float_scientific(value, trim="-", exp_digits=1)


def as_tsv(
    columns: Sequence[Column], rows: Sequence[int], cancelled: Callable[[], bool], *, neutralise: bool = False
) -> str:
    """Return cells as tab-separated text that spreadsheets take; missing cells are empty."""
    cells = []
    for row in rows:
        if row % CHUNK == 0 and cancelled():
            return ""
        cells.append([plain_text(column, row) for column in columns])
    return tab_separated(cells, neutralise=neutralise)


def plain_text(column: Column, row: int) -> str:
    """The cell for files and the clipboard: nothing where it is missing, a minus that programs read."""
    if np.isnan(column.values[row]):
        return ""
    text = cell_text(column, row)
    return text if column.is_categorical else text.replace(MINUS, "-")


def find_cell(
    columns: Sequence[Column], text: str, start: tuple[int, int], cancelled: Callable[[], bool],
    rows: NDArray[np.int64] | None = None,
) -> tuple[int, int] | None:
    """Return row and place in `columns` of the next cell after `start` that contains `text`.

    Cells are walked row by row, from the end on to the beginning; the start cell comes last. Where only
    some `rows` are looked at, `start` counts among them.
    """
    if rows is not None:
        found = find_cell([_some(column, rows) for column in columns], text, start, cancelled)
        return found and (int(rows[found[0]]), found[1])
    wanted = text.casefold().replace("-", MINUS)
    probes = [_probe(column, text.casefold(), wanted) for column in columns]
    n_rows = len(columns[0].values) if columns else 0
    row, place = start
    for first, last, skip in ((row, row + 1, place + 1), (row + 1, n_rows, 0), (0, row + 1, 0)):
        for low in range(first, last, CHUNK):
            if cancelled():
                return None
            found = _first_hit(probes, low, min(low + CHUNK, last), skip)
            if found:
                return found
    return None


def _some(column: Column, rows: NDArray[np.int64]) -> Column:
    exact = None if column.exact is None else column.exact[rows]
    return replace(column, values=column.values[rows], exact=exact)


def _first_hit(
    probes: Sequence[Callable[[int, int], NDArray[np.bool_]]], low: int, high: int, skip: int
) -> tuple[int, int] | None:
    hits = np.stack([probe(low, high) for probe in probes], axis=1)
    hits[0, :skip] = False
    place = int(hits.argmax())
    if not hits.flat[place]:
        return None
    return low + place // hits.shape[1], place % hits.shape[1]


def _probe(column: Column, label: str, number: str) -> Callable[[int, int], NDArray[np.bool_]]:
    """Return a test of a span of rows, cheap for columns with few distinct values."""
    holds_missing = label in MISSING
    if column.is_categorical:
        known = np.array([label in text.casefold() for text in column.categories] + [holds_missing])

        def codes(low: int, high: int) -> NDArray[np.bool_]:
            values = column.values[low:high]
            return known[np.where(np.isnan(values), -1, values).astype(np.int64)]

        return codes

    wanted = label if column.kind == "date" else number
    if not holds_missing and set(wanted) - set(_IN_NUMBERS):
        return lambda low, high: np.zeros(high - low, dtype=np.bool_)

    shown = shown_values(column)

    def numbers(low: int, high: int) -> NDArray[np.bool_]:
        distinct, place = np.unique(shown[low:high], return_inverse=True)
        return np.array([wanted in value_text(column, value) for value in distinct])[place]

    return numbers
