"""Signs round numbers that are no part of them: < and > of limits, ~ of guesses, letters of statisticians."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST_PLAIN = 0.5  # of the labels, where others have signs that may also mean something else
_LIMIT = re.compile(r"(?:[<>]\s?=?|[≤≥])\s?([-+]?[\d.,].*)")
_ABOUT = re.compile(r"(?:[~≈≃]|c(?:irc)?a\.?\s)\s?([-+]?[\d.,].*)")
_FLAGGED = re.compile(r"([-+]?[\d.,' ]*\d)(?:(?P<near>[efprsu])|\s(?:[efprsu]|\([efprsu]\)))")
_FRACTION = re.compile(r"[.,]\d")


class Unmarked(NamedTuple):
    """Labels without signs, which of them had one, and what is said of it."""

    labels: list[str]
    touched: list[bool]
    remark: str


def without_limits(labels: Sequence[str], fewest_plain: float = FEWEST_PLAIN) -> Unmarked | None:
    """Leave out the sign of <0.5 and >100, where most labels have none: <18 and >65 may be classes."""
    remark = "a sign of a limit, as <, before a number is left out"
    return _without(_LIMIT, "<>≤≥", labels, remark, fewest_plain)


def without_about(labels: Sequence[str]) -> Unmarked | None:
    """Leave out the sign of ~20 and of ca. 20."""
    remark = "a sign before a number that means about, as ~, is left out"
    return _without(_ABOUT, "~≈≃c", labels, remark, 0.0)


def without_flags(labels: Sequence[str], fewest_plain: float = FEWEST_PLAIN) -> Unmarked | None:
    """Leave out the letter of 10.7r and 1234 (p), where most labels have none, or all the same one."""
    found = [_flagged(label) for label in labels]
    letters = {label.rstrip(")")[-1] for label, one in zip(labels, found, strict=True) if one is not None}
    fewest_plain = 0.0 if None not in found and len(letters) == 1 else fewest_plain
    return _left(found, labels, "letters behind numbers, as of estimates, are left out", fewest_plain)


def _flagged(label: str) -> str | None:
    """Return the number before a letter; None where there is none, or it may be of a house, as in 12e."""
    found = _FLAGGED.fullmatch(label) if label[-1:] in "efprsu)" else None  # most texts
    is_one = found is not None and (found["near"] is None or _FRACTION.search(found[1]) is not None)
    return found[1] if found is not None and is_one else None


def _without(
    sign: re.Pattern[str], begins: str, labels: Sequence[str], remark: str, fewest_plain: float
) -> Unmarked | None:  # fmt: skip
    found = [sign.fullmatch(label) if label[:1] in begins else None for label in labels]
    return _left([one and one[1] for one in found], labels, remark, fewest_plain)


def _left(
    found: Sequence[str | None], labels: Sequence[str], remark: str, fewest_plain: float
) -> Unmarked | None:  # fmt: skip
    touched = [one is not None for one in found]
    if not any(touched) or touched.count(False) < fewest_plain * len(labels):
        return None
    bare = [label if one is None else one for one, label in zip(found, labels, strict=True)]
    return Unmarked(bare, touched, remark)
