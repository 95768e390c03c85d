"""Text as dates: days since 1970-01-01."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.values.change import change_where, joined_changes
from workbench.data.values.month_names import MONTH, MONTHS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.values.change import ValueChange

_ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "EET": 2,
    "EEST": 3, "MSK": 3, "JST": 9, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
    "PST": -8, "PDT": -7,
}  # fmt: skip
_ZONE = (
    rf"(?P<zone>{'|'.join(_ZONES)}|[+-]\d{{2}}(?::?\d{{2}})?|(?:UTC|GMT)[+-]\d{{1,2}}(?::?\d{{2}})?)"
    r"(?:\[[\w/+-]+\])?"
)
_FROM_UTC = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?")
_CLOCK = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}(?:[.,]\d*)?))?"
_TIME = rf"(?:(?:T|:|,? +){_CLOCK}(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?(?:\s*{_ZONE})?)?"
_COMPACT_TIME = rf"(?:T(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d(?:[.,]\d*)?)?(?:{_ZONE})?)?"
_WEEKDAY = (
    "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
    "|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|mi|do|fr|sa|so)(?:, ?|[. ] ?)"
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})" + _TIME)
_COMPACT = re.compile(r"(\d{4})()(\d{2})(\d{2})" + _COMPACT_TIME)
_EASTERN = re.compile(r"(\d{4})([年년]) ?(\d{1,2})[月월] ?(\d{1,2})[日일]" + _TIME)
_YEAR_LAST = re.compile(rf"(?:{_WEEKDAY})?(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}){_TIME}", re.IGNORECASE)
_SHORT_YEAR_LAST = re.compile(r"(\d{1,2})(/)(\d{1,2})/(\d{2})" + _TIME)
_SHORT_WITH_POINTS = re.compile(r"(\d{1,2})(\.)(\d{1,2})\.(\d{2})" + _TIME)
_DAY_NAME_YEAR = re.compile(
    rf"(?:{_WEEKDAY})?(\d{{1,2}})(?:st|nd|rd|th)?(-| ?/|\. ?| de |\.? ?){MONTH}\.?(?:[-/ ]|, | de )?"
    rf"(\d{{4}}|\d{{2}}){_TIME}", re.IGNORECASE,
)  # fmt: skip
_NAME_DAY_YEAR = re.compile(
    rf"(?:{_WEEKDAY})?{MONTH}(\. ?| |-)(\d{{1,2}})(?:st|nd|rd|th)?(?:,? |-)(\d{{4}}){_TIME}", re.IGNORECASE
)
_CLOCK_BEFORE_YEAR = re.compile(
    rf"(?:{_WEEKDAY})?{MONTH}( ) ?(\d{{1,2}}) {_CLOCK}(?: {_ZONE})? (?P<last>\d{{4}})", re.IGNORECASE
)
_WAYS = (
    (_YEAR_FIRST, "ymd"), (_YEAR_LAST, ""), (_SHORT_YEAR_LAST, ""), (_SHORT_WITH_POINTS, ""),
    (_DAY_NAME_YEAR, "dmy"), (_NAME_DAY_YEAR, "mdy"), (_CLOCK_BEFORE_YEAR, "mdy"), (_EASTERN, "ymd"),
    (_COMPACT, "ymd"),
)  # fmt: skip
_YEAR = r"(?P<year>1[5-9]\d\d|2[01]\d\d)"
_MONTH_WAYS = tuple(
    re.compile(way, re.IGNORECASE)
    for way in (
        rf"{_YEAR}(?:[-/]|M)(?P<month>\d\d?)",
        rf"(?P<month>\d\d?)[-/]{_YEAR}",
        rf"(?P<name>{MONTH})[-. /]{{1,2}}{_YEAR}",
        rf"{_YEAR}[- /](?P<name>{MONTH})",
        rf"{_YEAR}[- ]?Q(?P<quarter>[1-4])",
        rf"Q(?P<quarter>[1-4])[- /]?{_YEAR}",
        rf"(?P<quarter>[1-4])\.? ?(?:Q|Quartal|quarter)[-/. ]?{_YEAR}",
        rf"{_YEAR}:(?P<quarter>[1-4])",
        rf"{_YEAR}:(?P<month>\d\d)",
        rf"{_YEAR}-?W(?P<week>\d\d)(?:-?(?P<day>[1-7]))?",
    )
)
_SEASON = re.compile(rf"{_YEAR}[-/](?P<next>\d\d)")
_UNORDERED = [way for way, order in _WAYS if not order]
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
    changes : tuple of ValueChange
        What was settled by a rule.
    """

    days: NDArray[np.float64]
    order: str = ""
    changes: tuple[ValueChange, ...] = ()


def parse(
    labels: Sequence[str], order: str | None = None, *, day_first: bool = False, likely: str = ""
) -> Dates | None:
    """Read every label as a date; None where one of them does not look like one.

    `order` is "dmy" or "mdy" for dates that end with the year; None finds it, and where no date tells, takes
    the `likely` one, or else the day for the first part if `day_first` or if points stand between them.
    """
    groups = _by_way(labels)
    if not groups:
        return _parse_months(labels) if groups is None else None
    unordered = [match for group in groups if not group.order for match in group.matches]
    if not (order or likely) and _may_be_versions(unordered):
        return None
    parts = (order or _order(unordered, day_first, likely)) if unordered else ""
    days = np.empty(len(labels))
    for group in groups:
        days[group.places] = [_days(match, group.order or parts) for match in group.matches]
    return Dates(days, parts, _changes(groups, parts, len(labels)))


def _changes(groups: Sequence[_Group], parts: str, n: int) -> tuple[ValueChange, ...]:
    """Say by which rules the labels of the groups were read, where day and month are in the order `parts`."""
    differs, unordered, short, moved = np.zeros((4, n), bool)
    for group in groups:
        order = group.order or parts
        differs[group.places] = group is not groups[0]
        unordered[group.places] = not group.order
        short[group.places] = [len(_year(match, order)) == 2 for match in group.matches]
        moved[group.places] = [bool(_offset(match)) for match in group.matches]
    return (
        *change_where(f"dates are written in {len(groups)} ways, not as the first one", differs),
        *(change_where(REMARKS[parts], unordered) if parts else ()),
        *change_where(SHORT_YEARS, short),
        *change_where(IN_UTC, moved),
    )


def is_of_other_order(label: str, order: str) -> bool:
    """Whether a label is a day where day and month change places, and none as they are in `order`."""
    if order not in OTHER_ORDER or (found := parse([label], order)) is None or not found.order:
        return False
    other = parse([label], OTHER_ORDER[order])
    return bool(np.isnan(found.days[0])) and other is not None and not np.isnan(other.days[0])


def is_date(label: str) -> bool:
    """Whether a label is a date that begins with a digit."""
    return label[:1].isdecimal() and parse([label]) is not None


def joined(parts: Sequence[Dates]) -> Dates:
    """Join dates that were read one by one."""
    days = np.concatenate([part.days for part in parts])
    return Dates(days, changes=joined_changes([part.changes for part in parts]))


class _Group(NamedTuple):
    """Dates written in one way: the order of their parts where it is fixed, their places among all."""

    order: str
    places: NDArray[np.int64]
    matches: list[re.Match[str]]


def _by_way(labels: Sequence[str]) -> list[_Group] | None:
    """Sort labels by how they are written; none where one of them is no date, None where the first is not."""
    left, places = list(labels), np.arange(len(labels))
    groups: list[_Group] = []
    while left:
        fitting = ((way, order) for way, order in _WAYS if way.fullmatch(left[0]))
        if (found := next(fitting, None)) is None:
            return [] if groups else None
        way, order = found
        matches = [way.fullmatch(label) for label in left]
        fits = np.array([match is not None for match in matches])
        groups.append(_Group(order, places[fits], [match for match in matches if match is not None]))
        left = [label for label, match in zip(left, matches, strict=True) if match is None]
        places = places[~fits]
    return groups


def are_seasons(labels: Sequence[str]) -> bool:
    """Whether every label is a year and the end of the next one, as 2003-04: no month is meant."""
    found = [match for match in map(_SEASON.fullmatch, labels) if match is not None]
    follow = all((int(match["year"]) + 1) % 100 == int(match["next"]) for match in found)
    return follow and len(found) == len(labels)


def are_compact(labels: Sequence[str]) -> bool:
    """Whether every label is a day of this or the last two centuries written as 20200131."""
    matches = [_COMPACT.fullmatch(label) for label in labels if label[:2] in ("18", "19", "20")]
    found = [match for match in matches if match is not None]
    return len(found) == len(labels) and not any(np.isnan(_days(match, "ymd")) for match in found)


def _parse_months(labels: Sequence[str]) -> Dates | None:
    """Read every label as a month or a quarter; None where one does not look like one, or most are none."""
    for way in _MONTH_WAYS:
        if not way.fullmatch(labels[0]):
            continue
        found = [match.groupdict() for match in map(way.fullmatch, labels) if match is not None]
        days = np.array([_first_day(parts) for parts in found])
        if len(found) < len(labels) or np.isnan(days).mean() > MOST_WRONG:
            return None
        return Dates(days, "", _first_day_changes(found))
    return None


def _first_day_changes(found: Sequence[dict[str, str | None]]) -> tuple[ValueChange, ...]:
    if "week" in found[0]:
        return change_where("a week is read as its Monday", [not parts["day"] for parts in found])
    of_quarters = "quarter" in found[0]
    return change_where("a quarter is read as its first day" if of_quarters else A_MONTH, [True] * len(found))


def _first_day(parts: dict[str, str | None]) -> float:
    year = int(parts["year"] or 0)
    if quarter := parts.get("quarter"):
        month = 3 * int(quarter) - 2
    elif "name" in parts:
        month = MONTHS[(parts["name"] or "").lower()]
    else:
        month = int(parts.get("month") or 1)
    try:
        if week := parts.get("week"):
            return datetime.date.fromisocalendar(year, int(week), int(parts["day"] or 1)).toordinal() - _EPOCH
        return datetime.date(year, month, 1).toordinal() - _EPOCH
    except ValueError:
        return float("nan")


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
OTHER_ORDER = {"dmy": "mdy", "mdy": "dmy"}
FIRST_PART = {"dmy": "day", "mdy": "month"}
A_MONTH = "a month is read as its first day"
IN_UTC = "times with a zone are read in UTC"
MOST_WRONG = 0.1  # of the labels; beyond it they are no months
SHORT_YEARS = "years of two digits are read as 1969 to 2068"


def _order(matches: Sequence[re.Match[str]], day_first: bool, likely: str) -> str:
    """Day or month first: as most parts above 12 say, or as is likely; points mean day, slashes month."""
    days_first = sum(int(match[1]) > 12 for match in matches)
    months_first = sum(int(match[3]) > 12 for match in matches)
    if days_first or months_first:
        return "dmy" if days_first >= months_first else "mdy"
    return likely or ("mdy" if matches[0][2] == "/" and not day_first else "dmy")


def _may_be_versions(matches: Sequence[re.Match[str]]) -> bool:
    """Whether some have parts of one digit and a short year, as 3.1.12, and none a day above 12."""
    short = [m for m in matches if m[2] == "." and len(m[4]) == 2]
    return any(len(m[1]) < 2 or len(m[3]) < 2 for m in short) and not any(int(m[1]) > 12 for m in short)


def _parts(match: re.Match[str]) -> tuple[str, str, str]:
    """Return day, month and year, in the order in which they stand."""
    return match[1], match[3], match.groupdict().get("last") or match[4]


def _year(match: re.Match[str], order: str) -> str:
    return _parts(match)[order.index("y")]


def _full_year(text: str) -> int:
    year = int(text)
    if len(text) > 2:
        return year
    return year + (1900 if year >= FIRST_SHORT_YEAR else 2000)


def _days(match: re.Match[str], order: str) -> float:
    parts = dict(zip(order, _parts(match), strict=True))
    month = int(parts["m"]) if parts["m"].isdecimal() else MONTHS[parts["m"].lower()]
    try:
        date = datetime.date(_full_year(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return float("nan")
    return date.toordinal() - _EPOCH + _day_share(match)


def _day_share(match: re.Match[str]) -> float:
    if match["hour"] is None:
        return 0.0
    hour, minute, half = int(match["hour"]), int(match["minute"]), match.groupdict().get("half")
    if half:
        hour = hour % 12 + 12 * (half in "pP")
    second = float((match["second"] or "0").replace(",", "."))
    if hour > 24 or minute > 59 or second >= 61:
        return float("nan")
    return (hour * 3600 + minute * 60 + second - _offset(match)) / 86400


def _offset(match: re.Match[str]) -> int:
    """Return how many seconds the zone is ahead of UTC."""
    zone = (match["zone"] or "Z").upper()
    if zone in _ZONES:
        return 3600 * _ZONES[zone]
    found = _FROM_UTC.fullmatch(zone)
    assert found is not None
    seconds = int(found[2]) * 3600 + int(found[3] or 0) * 60
    return -seconds if found[1] == "-" else seconds
