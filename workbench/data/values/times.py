"""Text as times of day and durations: hours, or minutes where the seconds have a fraction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PAST_THE_HOUR = r":([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?"
_CLOCK = re.compile(rf"(\d\d?){_PAST_THE_HOUR}", re.ASCII)
_HALF_DAY = re.compile(rf"(0?[1-9]|1[0-2]){_PAST_THE_HOUR}\s?([ap])\.?m\.?", re.ASCII | re.IGNORECASE)
_DURATION = re.compile(
    r"(-?)(?:(\d{1,6})(?: days?,? (?:\+)?|\.))?(\d{1,5}):([0-5]\d):([0-5]\d(?:[.,]\d+)?)", re.ASCII
)
_NUMBER = r"(\d+(?:[.,]\d+)?)"
_ISO = re.compile(rf"(-?)P(?=[\dT])(?:(\d+)W)?(?:{_NUMBER}D)?"
                  rf"(?:T(?=\d)(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?", re.ASCII)  # fmt: skip
_WORDS = re.compile(
    rf"(-?)(?=\d)()(?:{_NUMBER} ?d(?:ays?)?,? ?)?(?:{_NUMBER} ?h(?:(?:ou)?rs?)?,? ?)?"
    rf"(?:{_NUMBER} ?m(?:in(?:ute)?s?)?,? ?)?(?:{_NUMBER} ?s(?:ec(?:ond)?s?)?)?", re.ASCII,
)  # fmt: skip
_LAP = re.compile(r"(\d{1,3}):([0-5]\d(?:[.,]\d+)?)", re.ASCII)
_HOURS_OF_PARTS = (168, 24, 1, 1 / 60, 1 / 3600)  # a week, a day, an hour, a minute, a second
LAST_HOUR = 24


class Times(NamedTuple):
    """The values of times or durations, how they were read, and their unit."""

    values: list[float]
    remark: str
    unit: str


def parse(labels: Sequence[str]) -> Times | None:
    """Read every label as a time or a duration; None where one of them is none."""
    if (values := _all(hours, labels)) is not None:
        return Times(values, _remark(labels), "h")
    values = _all(_minutes, labels)
    if values is None or not any("." in label or "," in label for label in labels):
        return None
    return Times(values, "minutes and seconds are read as minutes (02:30.6 as 2.51)", "min")


def _all(read: Callable[[str], float | None], labels: Sequence[str]) -> list[float] | None:
    values = []
    for label in labels:
        if (value := read(label)) is None:
            return None
        values.append(value)
    return values


def hours(label: str) -> float | None:
    """Return the hours of 14:35, 08:15:30.5, 2:35 PM or the duration 36:15:00; None where it is no time."""
    if (found := _HALF_DAY.fullmatch(label)) is not None:
        return _sum(int(found[1]) % 12 + 12 * (found[4] in "pP"), found[2], found[3])
    if (found := _CLOCK.fullmatch(label)) is not None and int(found[1]) <= LAST_HOUR:
        return _sum(int(found[1]), found[2], found[3])
    if (found := _DURATION.fullmatch(label)) is not None:
        full = 24 * int(found[2] or 0) + int(found[3])
        return (-1 if found[1] else 1) * _sum(full, found[4], found[5])
    if (found := _ISO.fullmatch(label) or _WORDS.fullmatch(label)) is not None:
        parts = ((text or "0").replace(",", ".") for text in found.groups()[1:])
        total = sum(float(part) * size for part, size in zip(parts, _HOURS_OF_PARTS, strict=True))
        return -total if found[1] else total
    return None


def _minutes(label: str) -> float | None:
    """Return the minutes of 02:30.6; None where it is no such time."""
    found = _LAP.fullmatch(label)
    return None if found is None else int(found[1]) + float(found[2].replace(",", ".")) / 60


def _sum(full: int, minutes: str, seconds: str | None) -> float:
    return full + (int(minutes) * 60 + float((seconds or "0").replace(",", "."))) / 3600


def _remark(labels: Sequence[str]) -> str:
    if all(map(_CLOCK.fullmatch, labels)) or any(map(_HALF_DAY.fullmatch, labels)):
        return "times of day are read as hours since midnight (14:30 as 14.5)"
    return "durations are read as hours (36:15:00 as 36.25)"


def may_be_ratios(labels: Sequence[str]) -> bool:
    """Whether nothing but the minutes tells that these are times, as of 3:10, which may be a score."""
    plain = all(map(_CLOCK.fullmatch, labels))
    return plain and not any(label[0] == "0" or label.count(":") > 1 for label in labels)
