"""Columns made of float64 numbers or of labels, and what was lost on the way to float32."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.labels import natural_key
from workbench.data.table import Column, Note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from workbench.data.labels import Labels
    from workbench.data.table import Kind
    from workbench.mapped import MappedSpace

LARGEST = 3.4e38  # float32 ends a little above, so that a threshold above all values can be said in it
LARGEST_WHOLE = 2**24  # up to here float32 holds every whole number
LARGEST_EXACT = 2**53  # and float64
FEWEST_ROUNDED = 15  # digits; whole numbers of so many are held exactly
MOST_DIGITS = 300  # of what float64 reaches


def number_column(name: str, values: NDArray[np.float64], kind: Kind = "number") -> tuple[Column, list[Note]]:
    """Make float32 of float64: refuse what is too large, count what becomes equal."""
    values, notes = refuse_infinite(name, values)
    collapsed = count_collapsed(values)
    single = values.astype(np.float32)
    exact = values if needs_exact(values, single, kind) else None
    column = Column(name, kind, single, collapsed=collapsed, exact=exact)
    return column, notes + collapse_notes(name, collapsed)


def whole_number_column(
    name: str, values: NDArray[np.integer], missing: NDArray[np.bool_]
) -> tuple[Column, list[Note]]:
    """Make float32 of integers, and say where double precision has too few digits for them."""
    double = values.astype(np.float64)
    rounded = ~missing & _are_rounded(values, double)
    column, notes = number_column(name, np.where(missing, np.nan, double))
    if not rounded.any():
        return column, notes
    distinct = np.unique(values[~missing])
    collapsed = len(distinct) - len(np.unique(distinct.astype(np.float32)))
    note = rounded_note(name, int(rounded.sum()), str(values[rounded][0]))
    return replace(column, collapsed=collapsed), [note, *collapse_notes(name, collapsed)]


def _are_rounded(values: NDArray[np.integer], double: NDArray[np.float64]) -> NDArray[np.bool_]:
    beyond = double >= float(np.iinfo(values.dtype).max)  # and would not come back
    with np.errstate(invalid="ignore"):
        return beyond | (double.astype(values.dtype) != values)


def long_whole_numbers(texts: Iterable[str]) -> list[str]:
    """Return the texts that are whole numbers of so many digits that float64 may round them."""
    long = (text for text in texts if FEWEST_ROUNDED < len(text) < MOST_DIGITS)
    return [text for text in long if text.isascii() and text.removeprefix("-").isdecimal()]


def rounded_notes(name: str, texts: Iterable[str]) -> list[Note]:
    """Say where whole numbers have more digits than double precision."""
    rounded = [text for text in long_whole_numbers(texts) if int(text) != int(float(text))]
    return [rounded_note(name, len(rounded), rounded[0])] if rounded else []


def rounded_note(name: str, count: int, example: str) -> Note:
    """Say that whole numbers are held with fewer digits than they have."""
    text = (
        f"Column '{name}': whole numbers beyond 2^53, as {example}, do not keep all digits. "
        "If they are identifiers, read the column as a category."
    )
    return Note(text, name, count, "warning")


def labelled_number_column(
    name: str, labels: Labels, values: NDArray[np.float64], kind: Kind = "number"
) -> tuple[Column, list[Note]]:
    """Make float32 of labels, each with its value; NaN is missing."""
    notes = []
    refused = np.abs(values) > LARGEST
    if refused.any():
        rows = np.append(refused, False)[labels.codes]
        notes = [refused_note(name, int(rows.sum()), int(np.argmax(rows)) + 1)]
        values = np.where(refused, np.nan, values)
    single = values.astype(np.float32)
    collapsed = count_collapsed(values)
    exact = labels.spread(values) if needs_exact(values, single, kind) else None
    column = Column(name, kind, labels.spread(single), collapsed=collapsed, exact=exact)
    return column, notes + collapse_notes(name, collapsed)


def needs_exact(values: NDArray[np.float64], single: NDArray[np.float32], kind: Kind = "number") -> bool:
    """Whether float32 would show other dates with a time, or other whole numbers, than the file."""
    if kind == "date":
        return bool(np.any((single != values) & ~np.isnan(values)))
    large = values[np.abs(values) > LARGEST_WHOLE]
    return bool(np.any((large == np.floor(large)) & (large.astype(np.float32) != large)))


def refuse_infinite(name: str, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[Note]]:
    """Set values beyond float32 missing, and say where the first one is."""
    refused = np.abs(values) > LARGEST
    if not refused.any():
        return values, []
    note = refused_note(name, int(refused.sum()), int(np.argmax(refused)) + 1)
    return np.where(refused, np.nan, values), [note]


def refused_note(name: str, count: int, row: int) -> Note:
    """Say that values beyond float32 were set missing."""
    text = (
        f"Column '{name}': {cells_are(count)} infinite or beyond 3.4e38, first in row {row}, and set missing."
    )
    return Note(text, name, count, "warning")


def count_collapsed(values: NDArray[np.float64]) -> int:
    """Count the distinct values that are equal to another one in float32."""
    missing = np.count_nonzero(np.isnan(values))
    if np.count_nonzero(values != values.astype(np.float32)) == missing:  # NaN differs from itself
        return 0
    ordered = np.sort(values)[: len(values) - missing]
    single = ordered.astype(np.float32)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1]) - np.count_nonzero(single[1:] != single[:-1]))


def collapse_notes(name: str, collapsed: int, counted: int = 0, n_rows: int = 0) -> list[Note]:
    """Say that distinct values cannot be told apart, as `counted` of the rows show."""
    if not collapsed:
        return []
    where = f" in the first {counted:,} rows" if counted < n_rows else ""
    text = (
        f"Column '{name}': {collapsed:,} distinct values{where} equal another one in single precision "
        "(7 digits) and cannot be told apart."
    )
    return [Note(text, name, collapsed, "warning")]


def category_column(name: str, labels: Labels, kind: Kind = "category") -> Column:
    """Make codes in the natural order of the labels."""
    order = sorted(range(len(labels.texts)), key=lambda code: natural_key(labels.texts[code]))
    recode = np.empty(len(order) + 1, np.float32)
    recode[order] = np.arange(len(order))
    recode[-1] = np.nan
    values = recode[labels.codes]
    return Column(name, kind, values, tuple(labels.texts[code] for code in order))


def on_disk(column: Column, space: MappedSpace) -> Column:
    """Return the column with its values in a mapped space."""
    exact = None if column.exact is None else space.keep(column.exact)
    return replace(column, values=space.keep(column.values), exact=exact)


def cells_are(count: int) -> str:
    """Say how many cells are something."""
    return "1 cell is" if count == 1 else f"{count:,} cells are"
