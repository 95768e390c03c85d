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
_NAME_DAY_YEAR = re.compile(rf"{_MONTH}(\.? )(\d{{1,2}}),? (\d{{4}}){_TIME}", re.IGNORECASE)
_WAYS = (
    (_YEAR_FIRST, "ymd"), (_YEAR_LAST, ""), (_SHORT_YEAR_LAST, ""), (_SHORT_WITH_POINTS, ""),
    (_DAY_NAME_YEAR, "dmy"),
    (_NAME_DAY_YEAR, "mdy"),
)  # fmt: skip
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
    return None


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
