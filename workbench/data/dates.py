"""Text as dates: days since 1970-01-01."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TIME = (
    r"(?:(?:T|,? +)(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d*)?))?"
    r"(?:\s*(Z|[+-]\d{2}:?\d{2})|\s?([AaPp])\.?[Mm]\.?)?)?"
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})" + _TIME)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})" + _TIME)
_SHORT_YEAR_LAST = re.compile(r"(\d{1,2})(/)(\d{1,2})/(\d{2})" + _TIME)
_SHORT_WITH_POINTS = re.compile(r"(\d{2})(\.)(\d{2})\.(\d{2})" + _TIME)
_MONTH = (
    "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY_NAME_YEAR = re.compile(rf"(\d{{1,2}})([- /]?){_MONTH}\2(\d{{4}}|\d{{2}}){_TIME}", re.IGNORECASE)
_NAME_DAY_YEAR = re.compile(rf"{_MONTH}(\.? |-)(\d{{1,2}})(?:,? |-)(\d{{4}}){_TIME}", re.IGNORECASE)
_WAYS = (
    (_YEAR_FIRST, "ymd"), (_YEAR_LAST, ""), (_SHORT_YEAR_LAST, ""), (_SHORT_WITH_POINTS, ""),
    (_DAY_NAME_YEAR, "dmy"),
    (_NAME_DAY_YEAR, "mdy"),
)  # fmt: skip
_YEAR = r"(?P<year>1[5-9]\d\d|2[01]\d\d)"
_MONTH_WAYS = tuple(
    re.compile(way, re.IGNORECASE)
    for way in (
        rf"{_YEAR}(?:[-/]|M)(?P<month>\d\d?)",
        rf"(?P<month>\d\d?)[-/]{_YEAR}",
        rf"(?P<name>{_MONTH})[-. /]{{1,2}}{_YEAR}",
        rf"{_YEAR}[- /](?P<name>{_MONTH})",
        rf"{_YEAR}[- ]?Q(?P<quarter>[1-4])",
        rf"Q(?P<quarter>[1-4])[- /]?{_YEAR}",
    )
)
_SEASON = re.compile(rf"{_YEAR}[-/](?P<next>\d\d)")
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_UNORDERED = [pattern for pattern, order in _WAYS if not order]
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
FIRST_SHORT_YEAR = 69  # from here on years of two digits are of the last century, as POSIX has it
_EPOCH = datetime.date(1970, 1, 1).toordinal()


class Dates(NamedTuple):
    """Days since 1970-01-01, and how they were read.

    Attributes
    ----------
    days : ndarray of float64
        NaN where there is no such day.
    order : "dmy", "mdy" or ""
        What the first two parts were taken for, where they might be the other.
    remark : str
        In words what was settled by a rule.
    """

    days: NDArray[np.float64]
    order: str = ""
    remark: str = ""


def parse(labels: Sequence[str], order: str | None = None) -> Dates | None:
    """Read every label as a date; None where one of them does not look like one.

    `order` is "dmy" or "mdy" for dates that end with the year; None finds it.
    """
    for pattern, fixed in _WAYS:
        if not pattern.fullmatch(labels[0]):
            continue
        matches = [pattern.fullmatch(label) for label in labels]
        found = [match for match in matches if match is not None]
        if len(found) < len(matches):
            return None
        parts = fixed or order or _order(found)
        days = np.array([_days(match, parts) for match in found])
        short = any(len(_year(match, parts)) == 2 for match in found)
        remarks = [*([] if fixed else [REMARKS[parts]]), *([SHORT_YEARS] if short else [])]
        return Dates(days, "" if fixed else parts, "; ".join(remarks))
    return _parse_months(labels)


def are_seasons(labels: Sequence[str]) -> bool:
    """Whether every label is a year and the end of the next one, as 2003-04: no month is meant."""
    found = [match for match in map(_SEASON.fullmatch, labels) if match is not None]
    follow = all((int(match["year"]) + 1) % 100 == int(match["next"]) for match in found)
    return follow and len(found) == len(labels)


def _parse_months(labels: Sequence[str]) -> Dates | None:
    """Read every label as a month or a quarter; None where one does not look like one, or most are none."""
    for way in _MONTH_WAYS:
        if not way.fullmatch(labels[0]):
            continue
        found = [match.groupdict() for match in map(way.fullmatch, labels) if match is not None]
        days = np.array([_first_day(parts) for parts in found])
        if len(found) < len(labels) or np.isnan(days).mean() > MOST_WRONG:
            return None
        return Dates(days, "", "a quarter is read as its first day" if found[0].get("quarter") else MONTHS)
    return None


def _first_day(parts: dict[str, str | None]) -> float:
    if quarter := parts.get("quarter"):
        month = 3 * int(quarter) - 2
    else:
        month = _MONTHS[(parts["name"] or "")[:3].lower()] if "name" in parts else int(parts["month"] or 0)
    if not 1 <= month <= 12:
        return float("nan")
    return datetime.date(int(parts["year"] or 0), month, 1).toordinal() - _EPOCH


def order_is_ambiguous(labels: Sequence[str]) -> bool:
    """Whether day and month could change places in every one of these dates."""
    matches = [next(filter(None, (way.fullmatch(label) for way in _UNORDERED)), None) for label in labels]
    found = [match for match in matches if match is not None]
    return (
        len(found) == len(labels) > 0
        and all(int(match[1]) <= 12 and int(match[3]) <= 12 for match in found)
        and any(match[1] != match[3] for match in found)
    )


REMARKS = {
    "dmy": "the first part of a date is read as the day",
    "mdy": "the first part of a date is read as the month",
}
MONTHS = "a month is read as its first day"
MOST_WRONG = 0.1  # of the labels; beyond it they are no months
SHORT_YEARS = "years of two digits are read as 1969 to 2068"


def _order(matches: Sequence[re.Match[str]]) -> str:
    """Day or month first: as the parts above 12 say; otherwise points mean day first, slashes month first."""
    if any(int(match[1]) > 12 for match in matches):
        return "dmy"
    if any(int(match[3]) > 12 for match in matches) or matches[0][2] == "/":
        return "mdy"
    return "dmy"


def _year(match: re.Match[str], order: str) -> str:
    return match[(1, 3, 4)[order.index("y")]]


def _full_year(text: str) -> int:
    year = int(text)
    if len(text) > 2:
        return year
    return year + (1900 if year >= FIRST_SHORT_YEAR else 2000)


def _days(match: re.Match[str], order: str) -> float:
    parts = dict(zip(order, (match[1], match[3], match[4]), strict=True))
    month = _MONTHS.get(parts["m"][:3].lower()) or (int(parts["m"]) if parts["m"].isdecimal() else 0)
    try:
        date = datetime.date(_full_year(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return float("nan")
    return date.toordinal() - _EPOCH + _day_share(match)


def _day_share(match: re.Match[str]) -> float:
    hours, minutes, seconds, zone, half = match[5], match[6], match[7], match[8], match[9]
    if hours is None:
        return 0.0
    hour = int(hours) if half is None else int(hours) % 12 + 12 * (half in "pP")
    total = hour * 3600 + int(minutes) * 60 + float(seconds or 0) - _zone_seconds(zone)
    return total / 86400


def _zone_seconds(zone: str | None) -> int:
    if zone is None or zone == "Z":
        return 0
    sign = -1 if zone[0] == "-" else 1
    return sign * (int(zone[1:3]) * 3600 + int(zone[-2:]) * 60)
