"""Days written as whole numbers, as 20200131: single precision would not tell them apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.places import Places
from workbench.data.table import Column, Note
from workbench.data.writing import UNKNOWN, Writing

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST, LAST = 19000101, 21001231  # between which a whole column of valid days is no chance
FIRST_LIKELY = 18000101  # of a column that is wanted as dates
FEWEST_DAYS = 5  # different ones
MOST_OTHERS = 0.1  # of the cells, which are no days
SEEN_FIRST = 1000  # rows: where most of these are no days, no others are looked at
AT_ONCE = 1 << 20  # rows


def days_of(numbers: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the days since 1970-01-01 that whole numbers write; NaN where one is no day."""
    days = np.full(len(numbers), np.nan)
    for begin in range(0, len(numbers), AT_ONCE):
        days[begin : begin + AT_ONCE] = _days_of(numbers[begin : begin + AT_ONCE])
    return days


def _days_of(numbers: NDArray[np.floating]) -> NDArray[np.float64]:
    may_be = (numbers >= 10000101) & (numbers <= 99991231) & (numbers == np.floor(numbers))
    whole = np.where(may_be, numbers, 19700101).astype(np.int64)
    months = (whole // 10000 - 1970) * 12 + whole // 100 % 100 - 1
    firsts = months.astype("datetime64[M]").astype("datetime64[D]")
    lengths = (months + 1).astype("datetime64[M]").astype("datetime64[D]") - firsts
    month, day = whole // 100 % 100, whole % 100
    is_day = may_be & (month >= 1) & (month <= 12) & (day >= 1) & (day <= lengths.astype(np.int64))
    return np.where(is_day, firsts.astype(np.int64) + day - 1.0, np.nan)


def numbers_of(days: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the whole numbers that write days since 1970-01-01."""
    known = ~np.isnan(days)
    dates = np.where(known, days, 0).astype(np.int64).astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    month = months.astype(np.int64)
    day = (dates - months.astype("datetime64[D]")).astype(np.int64) + 1
    return np.where(known, (month // 12 + 1970) * 10000.0 + (month % 12 + 1) * 100 + day, np.nan)


def are_days(numbers: NDArray[np.floating], first: float = FIRST, fewest: int = FEWEST_DAYS) -> bool:
    """Whether nearly all numbers of a column are days from `first` on, and several different ones."""
    seen = numbers[:SEEN_FIRST]
    if not np.isnan(seen).all() and not _are_mostly_days(seen, first):
        return False
    if not _are_mostly_days(numbers, first):
        return False
    return len(np.unique(numbers[_within(numbers, first)])) >= fewest


def _are_mostly_days(numbers: NDArray[np.floating], first: float) -> bool:
    known = np.count_nonzero(~np.isnan(numbers))
    within = numbers[_within(numbers, first)]
    if len(within) < (1 - MOST_OTHERS) * known or not known:
        return False
    return bool(np.count_nonzero(~np.isnan(days_of(within))) >= (1 - MOST_OTHERS) * known)


def _within(numbers: NDArray[np.floating], first: float) -> NDArray[np.bool_]:
    return (numbers >= first) & (numbers <= LAST)


def day_column(column: Column) -> tuple[Column, list[Note]]:
    """Return a column of numbers as the days that they write, and say so; what is no day is missing."""
    numbers = column.values if column.exact is None else column.exact
    days = days_of(numbers)
    read, others = ~np.isnan(days), np.isnan(days) & ~np.isnan(numbers)
    notes = []
    if places := Places.of(read):
        what = f"whole numbers, as {numbers[places.row - 1]:.0f}, are read as dates"
        text = f"Column '{column.name}': {what} {places.within}. If they are none, make it a number."
        notes.append(Note(text, column.name, places.count, "warning"))
    if places := Places.of(others):
        text = f"Column '{column.name}': {places.are} no possible date, {places.first}, and set missing."
        notes.append(Note(text, column.name, places.count, "warning"))
    writing = Writing(is_compact=True)
    return Column(column.name, "date", days.astype(np.float32), writing=writing), notes


def number_column_of(column: Column) -> Column:
    """Return a column of days as the whole numbers that wrote them."""
    numbers = numbers_of(column.values)
    return replace(column, kind="number", values=numbers.astype(np.float32), exact=numbers, writing=UNKNOWN)


def days_where_written(numbers: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return numbers that stand for dates as days: those that write days, else all as days they are."""
    days = days_of(np.where(_within(numbers, FIRST_LIKELY), numbers, np.nan))
    return numbers if np.isnan(days).all() else days
