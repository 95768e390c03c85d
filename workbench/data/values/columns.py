"""Columns made of float64 numbers or of labels, and what was lost on the way to float32."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.table import Column, TableNote
from workbench.data.values.labels import natural_key
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from workbench.data.table import Kind
    from workbench.data.values.labels import Labels
    from workbench.mapped import MappedSpace

LARGEST_READ = 3.4e38  # float32 ends a little above, so that a threshold above all values can be said in it
LARGEST_WHOLE = 2**24  # up to here float32 holds every whole number
LARGEST_EXACT = 2**53  # and float64
FEWEST_ROUNDED = 15  # digits; whole numbers of so many are held exactly
LOOKED_THROUGH = 1024  # values at once for the first of some
MOST_DIGITS = 300  # of what float64 reaches


def number_column(
    name: str, values: NDArray[np.float64], kind: Kind = "number"
) -> tuple[Column, list[TableNote]]:
    """Make float32 of float64: refuse what is too large, count what becomes 0 or equal."""
    values, notes = refuse_infinite(name, values)
    merged = merged_values(values)
    single = values.astype(np.float32)
    exact = values if needs_exact(values, single, kind) else None
    column = Column(name, kind, single, collapsed=len(merged), exact=exact)
    notes += vanished_notes(name, Places.of(are_vanished(values, single)))
    return column, notes + collapse_notes(name, len(merged), Places.of(are_merged(values, merged)))


def whole_number_column(
    name: str, values: NDArray[np.integer], missing: NDArray[np.bool_]
) -> tuple[Column, list[TableNote]]:
    """Make float32 of integers, and say where double precision has too few digits for them."""
    double = values.astype(np.float64)
    rounded = ~missing & _are_rounded(values, double)
    column, notes = number_column(name, np.where(missing, np.nan, double))
    if not rounded.any():
        return column, notes
    merged = merged_values(values[~missing])
    cells = Places.of(~missing & are_merged(values, merged))
    note = rounded_note(name, Places.of(rounded), str(values[rounded][0]))
    return replace(column, collapsed=len(merged)), [note, *collapse_notes(name, len(merged), cells)]


def _are_rounded(values: NDArray[np.integer], double: NDArray[np.float64]) -> NDArray[np.bool_]:
    beyond = double >= float(np.iinfo(values.dtype).max)  # and would not come back
    with np.errstate(invalid="ignore"):
        return beyond | (double.astype(values.dtype) != values)


def long_whole_numbers(texts: Iterable[str]) -> list[str]:
    """Return the texts that are whole numbers of so many digits that float64 may round them."""
    long = (text for text in texts if FEWEST_ROUNDED < len(text) < MOST_DIGITS)
    return [text for text in long if text.isascii() and text.removeprefix("-").isdecimal()]


def rounded_texts(texts: Iterable[str]) -> list[str]:
    """Return the whole numbers that have more digits than double precision."""
    return [text for text in long_whole_numbers(texts) if int(text) != int(float(text))]


def rounded_note(name: str, places: Places, example: str) -> TableNote:
    """Say that whole numbers are held with fewer digits than they have."""
    text = (
        f"Column '{name}': whole numbers beyond 2^53, as {example}, do not keep all digits {places.within}. "
        "If they are identifiers, read the column as a category."
    )
    return TableNote(text, name, places.count, "warning")


def labelled_number_column(
    name: str, labels: Labels, values: NDArray[np.float64], kind: Kind = "number", *,
    equal: NDArray[np.bool_] | None = None,
) -> tuple[Column, list[TableNote]]:  # fmt: skip
    """Make float32 of labels, each with its value; NaN is missing.

    `equal` are those that differ from another one though float64 has them equal.
    """
    notes = []
    refused = np.abs(values) > LARGEST_READ
    if refused.any():
        notes = refused_notes(name, Places.of_labels(labels, refused))
        values = np.where(refused, np.nan, values)
    single = values.astype(np.float32)
    notes += vanished_notes(name, Places.of_labels(labels, are_vanished(values, single)))
    merged = merged_values(values)
    later = are_merged(values, merged)
    collapsed = len(merged)
    if equal is not None:
        later, collapsed = later | equal, collapsed + int(equal.sum())
    exact = labels.spread(values) if needs_exact(values, single, kind) else None
    column = Column(name, kind, labels.spread(single), collapsed=collapsed, exact=exact)
    return column, notes + collapse_notes(name, collapsed, Places.of_labels(labels, later))


def needs_exact(values: NDArray[np.float64], single: NDArray[np.float32], kind: Kind = "number") -> bool:
    """Whether float32 would show other dates with a time, or other whole numbers, than the file."""
    if kind == "date":
        return bool(np.any((single != values) & ~np.isnan(values)))
    large = values[np.abs(values) > LARGEST_WHOLE]
    return bool(np.any((large == np.floor(large)) & (large.astype(np.float32) != large)))


def refuse_infinite(name: str, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[TableNote]]:
    """Set values beyond float32 missing, and say where the first one is."""
    refused = np.abs(values) > LARGEST_READ
    if not refused.any():
        return values, []
    return np.where(refused, np.nan, values), refused_notes(name, Places.of(refused))


def refused_notes(name: str, places: Places) -> list[TableNote]:
    """Say that values beyond float32 were set missing, where there are any."""
    text = f"Column '{name}': {places.are} infinite or beyond 3.4e38, {places.first}, and set missing."
    return [TableNote(text, name, places.count, "warning")] if places else []


def are_vanished(values: NDArray[np.float64], single: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which values are 0 in float32 only."""
    return (single == 0) & (values != 0)


def vanished_notes(name: str, places: Places) -> list[TableNote]:
    """Say that values too small for float32 became 0, where there are any."""
    text = f"Column '{name}': {places.are} closer to 0 than 7e-46, {places.first}, and read as 0."
    return [TableNote(text, name, places.count, "warning")] if places else []


def merged_values(values: NDArray[Any]) -> NDArray[Any]:
    """Return, ascending, the distinct values that equal a lesser one in float32."""
    missing = np.count_nonzero(np.isnan(values))
    is_float = values.dtype.kind == "f"  # others may differ where float64 does not
    if is_float and np.count_nonzero(values != values.astype(np.float32)) == missing:  # as NaN does of itself
        return values[:0]
    ordered = np.sort(values)[: len(values) - missing]
    single = ordered.astype(np.float32)
    return ordered[1:][(ordered[1:] != ordered[:-1]) & (single[1:] == single[:-1])]


def are_merged(values: NDArray[Any], merged: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which values are among those of `merged_values`."""
    if not len(merged):
        return np.zeros(len(values), np.bool_)
    return merged[np.minimum(np.searchsorted(merged, values), len(merged) - 1)] == values


def first_merged(values: NDArray[np.float64], merged: NDArray[np.float64]) -> Places:
    """Return the place of the first of `merged_values` and their number; only so far is looked."""
    for begin in range(0, len(values) if len(merged) else 0, LOOKED_THROUGH):
        if found := Places.of(are_merged(values[begin : begin + LOOKED_THROUGH], merged)):
            return Places(len(merged), begin + found.row)
    return Places(0, 0)


def collapse_notes(
    name: str, count: int, cells: Places, counted: int = 0, n_rows: int = 0
) -> list[TableNote]:
    """Say that distinct values cannot be told apart, as `counted` of the rows show, and where."""
    if not count:
        return []
    where = f" in the first {counted:,} rows" if counted < n_rows else ""
    values, equal = ("1 distinct value", "equals") if count == 1 else (f"{count:,} distinct values", "equal")
    text = (
        f"Column '{name}': {values}{where} {equal} another one in single precision "
        f"(7 digits) and cannot be told apart, {cells.first}."
    )
    return [TableNote(text, name, count, "warning")]


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
