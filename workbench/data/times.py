"""Text as times of day and durations: hours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAST_THE_HOUR = r":([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?"
_CLOCK = re.compile(rf"(\d\d?){_PAST_THE_HOUR}", re.ASCII)
_HALF_DAY = re.compile(rf"(0?[1-9]|1[0-2]){_PAST_THE_HOUR}\s?([ap])\.?m\.?", re.ASCII | re.IGNORECASE)
_DURATION = re.compile(r"(-?)(\d{1,5}):([0-5]\d):([0-5]\d(?:[.,]\d+)?)", re.ASCII)
LAST_HOUR = 24


def hours(label: str) -> float | None:
    """Return the hours of 14:35, 08:15:30.5, 2:35 PM or the duration 36:15:00; None where it is no time."""
    if (found := _HALF_DAY.fullmatch(label)) is not None:
        return _sum(int(found[1]) % 12 + 12 * (found[4] in "pP"), found[2], found[3])
    if (found := _CLOCK.fullmatch(label)) is not None and int(found[1]) <= LAST_HOUR:
        return _sum(int(found[1]), found[2], found[3])
    if (found := _DURATION.fullmatch(label)) is not None:
        return (-1 if found[1] else 1) * _sum(int(found[2]), found[3], found[4])
    return None


def _sum(full: int, minutes: str, seconds: str | None) -> float:
    return full + (int(minutes) * 60 + float((seconds or "0").replace(",", "."))) / 3600


def remark(labels: Sequence[str]) -> str:
    """Say how times were read."""
    if any(int(label.partition(":")[0]) > LAST_HOUR or label[0] == "-" for label in labels):
        return "durations are read as hours (36:15:00 as 36.25)"
    return "times of day are read as hours since midnight (14:30 as 14.5)"


def may_be_ratios(labels: Sequence[str]) -> bool:
    """Whether nothing but the minutes tells that these are times, as of 3:10, which may be a score."""
    plain = all(map(_CLOCK.fullmatch, labels))
    return plain and not any(label[0] == "0" or label.count(":") > 1 for label in labels)
