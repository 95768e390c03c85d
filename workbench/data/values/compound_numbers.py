"""Numbers written in several parts: 1 1/2, five feet three as 5'3", and degrees with minutes."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_MIXED = re.compile(rf"([-+]?)(?:(\d+)(?:[ -](\d+)/(\d+)|\s?([{_VULGAR}]))|()()()([{_VULGAR}]))", re.ASCII)
_SIMPLE = re.compile(r"([-+]?)()(\d+)/(\d+)()", re.ASCII)
_WHOLE = re.compile(r"[-+]?\d+(?:\.\d+)?", re.ASCII)
_FEET = re.compile(
    r"(\d{1,2})(?:\s?['’′]\s?(?:(\d{1,2}(?:\.\d+)?)\s?(?:[\"”″]|''|in\.?)?)?"
    r"|\s?(?:ft\.?|feet)\s(\d{1,2}(?:\.\d+)?)\s?(?:in\.?|inch(?:es)?|\"))", re.ASCII
)  # fmt: skip
_DEGREES = re.compile(
    r"([NSEW]?)\s?(-?\d{1,3})\s?[°º]\s?(\d{1,2}(?:\.\d+)?)\s?['’′]\s?(?:(\d{1,2}(?:[.,]\d+)?)\s?(?:[\"”″]|''))?"
    r"\s?([NSEW]?)", re.ASCII
)  # fmt: skip


class Compound(NamedTuple):
    """Values of labels, and what is said of how they were read."""

    values: list[float]
    remark: str


def parse(labels: Sequence[str]) -> Compound | None:
    """Read labels that are all written in one of these ways; None where one of them is not."""
    for is_one, value, remark in _WAYS:
        if is_one(labels[0]) is None and is_one is not _mixed:
            continue
        values = [value(label) for label in labels]
        if None not in values and any(is_one(label) is not None for label in labels):
            return Compound([one for one in values if one is not None], remark)
    return None


def _mixed(label: str) -> float | None:
    """Return 1 1/2, and 1½, as 1.5; None for others."""
    return _with_fraction(_MIXED.fullmatch(label))


def _fraction(label: str) -> float | None:
    """Return a number with a fraction, a fraction alone, or a plain number."""
    if _WHOLE.fullmatch(label):
        return float(label)
    found = _mixed(label)
    return _with_fraction(_SIMPLE.fullmatch(label)) if found is None else found


def _with_fraction(found: re.Match[str] | None) -> float | None:
    if found is None:
        return None
    sign, whole, above, below, *vulgar = found.groups(default="")
    if sum(map(len, vulgar)):
        share = unicodedata.numeric("".join(vulgar))
    elif 0 < int(above) < int(below):
        share = int(above) / int(below)
    else:
        return None
    return (int(whole or 0) + share) * (-1 if sign == "-" else 1)


def _inches(label: str) -> float | None:
    found = _FEET.fullmatch(label)
    inches = float(found[2] or found[3] or 0) if found is not None else 12.0
    return None if found is None or inches >= 12 else 12 * int(found[1]) + inches


def _degrees(label: str) -> float | None:
    found = _DEGREES.fullmatch(label)
    if found is None or (found[1] and found[5]):
        return None
    minutes, seconds = float(found[3]), float((found[4] or "0").replace(",", "."))
    if minutes >= 60 or seconds >= 60:
        return None
    size = abs(int(found[2])) + minutes / 60 + seconds / 3600
    is_negative = found[2].startswith("-") != ((found[1] or found[5]) in ("S", "W"))
    return -size if is_negative else size


_WAYS: tuple[tuple[Callable[[str], float | None], Callable[[str], float | None], str], ...] = (
    (_mixed, _fraction, "numbers with fractions are read with decimals (1 1/2 as 1.5)"),
    (_inches, _inches, "feet and inches are read as inches (5'3\" as 63)"),
    (_degrees, _degrees, "degrees with minutes are read as degrees, S and W negative (47°30' as 47.5)"),
)
