"""Days written as whole numbers, as 20200131 or 202001312359: single precision would not tell them apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import TableNote
from workbench.data.values.columns import number_column
from workbench.data.values.places import Places
from workbench.data.values.writing import UNKNOWN, Writing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.table import Column

FIRST, LAST = 19000101, 21001231  # between which a whole column of valid days is no chance
FIRST_LIKELY = 18000101  # of a column that is wanted as dates
FEWEST_DAYS = 5  # different ones
MOST_OTHERS = 0.1  # of the cells, which are no days
NO_DAYS = (0.0, 99991231.0, 99999999.0)  # written where there is none
SEEN_FIRST = 1000  # rows: where most of these are no days, no others are looked at
AT_ONCE = 1 << 20  # rows
TIME_DIGITS = (0, 4, 6)  # behind the day: none, hours and minutes, or seconds too


def days_of(numbers: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the days since 1970-01-01 that whole numbers write; NaN where one is no day."""
    import pandas as pd

    days = np.full(len(numbers), np.nan)
    for begin in range(0, len(numbers), AT_ONCE):
        codes, distinct = pd.factorize(numbers[begin : begin + AT_ONCE])  # days recur
        days[begin : begin + AT_ONCE] = np.append(_days_of(distinct), np.nan)[codes]
    return days


def _days_of(numbers: NDArray[np.floating]) -> NDArray[np.float64]:
    is_whole = numbers == np.floor(numbers)
    found = np.full(len(numbers), np.nan)
    for digits in TIME_DIGITS:
        may_be = is_whole & _are_between(numbers, 10000101, 99991231, digits)
        if may_be.any():
            whole = numbers[may_be].astype(np.int64)
            found[may_be] = _whole_days(whole // 10**digits) + _shares(whole % 10**digits, digits)
    return found


def _whole_days(whole: NDArray[np.int64]) -> NDArray[np.float64]:
    months = (whole // 10000 - 1970) * 12 + whole // 100 % 100 - 1
    firsts = months.astype("datetime64[M]").astype("datetime64[D]")
    lengths = (months + 1).astype("datetime64[M]").astype("datetime64[D]") - firsts
    month, day = whole // 100 % 100, whole % 100
    is_day = (month >= 1) & (month <= 12) & (day >= 1) & (day <= lengths.astype(np.int64))
    return np.where(is_day, firsts.astype(np.int64) + day - 1.0, np.nan)


def _shares(times: NDArray[np.int64], digits: int) -> NDArray[np.float64]:
    """Return what share of a day 1030 or 103000 is; NaN where it is no time."""
    times = times * 100 if digits == TIME_DIGITS[1] else times
    hour, minute, second = times // 10000, times // 100 % 100, times % 100
    is_time = (hour < 24) & (minute < 60) & (second < 60)
    return np.where(is_time, (hour * 3600 + minute * 60 + second) / 86400, np.nan)


def numbers_of(days: NDArray[np.floating], digits: int = 0) -> NDArray[np.float64]:
    """Return the whole numbers that write days since 1970-01-01, with so many digits of the time."""
    known = ~np.isnan(days)
    seconds = np.round(np.where(known, days, 0).astype(np.float64) * 86400).astype(np.int64)
    dates = (seconds // 86400).astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    month = months.astype(np.int64)
    day = (dates - months.astype("datetime64[D]")).astype(np.int64) + 1
    whole = (month // 12 + 1970) * 10000 + (month % 12 + 1) * 100 + day
    seconds %= 86400
    times = seconds // 3600 * 10000 + seconds // 60 % 60 * 100 + seconds % 60
    return np.where(known, whole * 10.0**digits + times // 10 ** (TIME_DIGITS[-1] - digits), np.nan)


def are_days(numbers: NDArray[np.floating], first: float = FIRST, fewest: int = FEWEST_DAYS) -> bool:
    """Whether nearly all numbers of a column are days from `first` on, and several different ones."""
    seen = numbers[:SEEN_FIRST]
    if not np.isnan(seen).all() and not _different_days(seen, first):
        return False
    return _different_days(numbers, first) >= fewest


def _different_days(numbers: NDArray[np.floating], first: float) -> int:
    """Return how many different days or moments there are; 0 where the numbers are not mostly such."""
    import pandas as pd

    known = len(numbers) - sum(np.count_nonzero(numbers == none) for none in NO_DAYS)
    known -= np.count_nonzero(np.isnan(numbers))
    for digits in TIME_DIGITS if known else ():
        within = numbers[_within(numbers, first, digits)]
        if len(within) >= (1 - MOST_OTHERS) * known:
            days = days_of(within)
            days = days[~np.isnan(days)]
            return len(pd.unique(days)) if len(days) >= (1 - MOST_OTHERS) * known else 0
    return 0


def _within(numbers: NDArray[np.floating], first: float, digits: int) -> NDArray[np.bool_]:
    return _are_between(numbers, first, LAST, digits)


def _are_between(numbers: NDArray[np.floating], first: float, last: float, digits: int) -> NDArray[np.bool_]:
    return (numbers >= first * 10**digits) & (numbers < (last + 1) * 10**digits)


def day_column(column: Column) -> tuple[Column, list[TableNote]]:
    """Return a column of numbers as the days that they write, and say so; what is no day is missing."""
    numbers = column.values if column.exact is None else column.exact
    days = days_of(numbers)
    read, others = ~np.isnan(days), np.isnan(days) & ~np.isnan(numbers)
    notes, digits = [], 0
    if places := Places.of(read):
        digits = _time_digits(numbers[places.row - 1])
        what = f"whole numbers, as {numbers[places.row - 1]:.0f}, are read as dates"
        text = f"Column '{column.name}': {what} {places.within}. If they are none, make it a number."
        notes.append(TableNote(text, column.name, places.count, "warning"))
    if places := Places.of(others):
        text = f"Column '{column.name}': {places.are} no possible date, {places.first}, and set missing."
        notes.append(TableNote(text, column.name, places.count, "warning"))
    made, more = number_column(column.name, days, "date")
    return replace(made, writing=Writing(is_compact=True, time_digits=digits)), notes + more


def _time_digits(number: float) -> int:
    """Return how many digits of the time stand behind a day."""
    return next(digits for digits in TIME_DIGITS if number < 10 ** (8 + digits))


def number_column_of(column: Column) -> Column:
    """Return a column of days as the whole numbers that wrote them."""
    days = column.values if column.exact is None else column.exact
    numbers = numbers_of(days, column.writing.time_digits)
    return replace(column, kind="number", values=numbers.astype(np.float32), exact=numbers, writing=UNKNOWN)


def days_where_written(numbers: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return numbers that stand for dates as days: those that write days, else all as days they are."""
    may_be = np.logical_or.reduce([_within(numbers, FIRST_LIKELY, digits) for digits in TIME_DIGITS])
    days = days_of(np.where(may_be, numbers, np.nan))
    return numbers if np.isnan(days).all() else days
