"""Text as numbers: plain ones, and those with thousands, decimal commas or odd signs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?inf(?:inity)?", re.ASCII | re.IGNORECASE)
_COMMA_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d*)?|[+-]?,\d+", re.ASCII)
_SPACE_IN_NUMBER = re.compile(r"(?<=\d)[\u00a0\u2009\u202f' ](?=\d{3}(?!\d))")
_ODD_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0d": "-"})


class Numbers(NamedTuple):
    """Numbers read from labels, and in words what was odd about how they were written."""

    values: NDArray[np.float64]
    remark: str = ""


def is_plain(label: str) -> bool:
    """Whether a label is a number as a program writes it."""
    return _PLAIN.fullmatch(label) is not None


def parse(labels: Sequence[str]) -> Numbers | None:
    """Read every label as a number; None where one of them is none."""
    if all(map(is_plain, labels)):
        return Numbers(np.array([float(label) for label in labels]))
    if all(map(_with_comma_thousands, labels)):
        return Numbers(_floats(label.replace(",", "") for label in labels), "a comma is read as thousands")
    if all(map(_with_decimal_comma, labels)):
        texts = [label.replace(".", "").replace(",", ".") for label in labels]
        return Numbers(_floats(texts), _decimal_comma_remark(labels))
    if all(map(_is_odd, labels)):
        return Numbers(
            _floats(map(_without_odd_signs, labels)),
            "unusual signs, digits or spaces are read as plain numbers",
        )
    return None


def parse_most(labels: Sequence[str]) -> Numbers:
    """Read the labels in the way in which most are numbers; NaN where one is none."""
    best: tuple[int, Sequence[str]] = (-1, ())
    for fits in (is_plain, _with_comma_thousands, _with_decimal_comma, _is_odd):
        found = [label for label in labels if fits(label)]
        if len(found) > best[0]:
            best = (len(found), found)
    numbers = parse(best[1]) if best[1] else None
    if numbers is None:
        return Numbers(np.full(len(labels), np.nan))
    values = dict(zip(best[1], numbers.values.tolist(), strict=True))
    return Numbers(np.array([values.get(label, np.nan) for label in labels]), numbers.remark)


def _with_comma_thousands(label: str) -> bool:
    return is_plain(label) or _COMMA_THOUSANDS.fullmatch(label) is not None


def _with_decimal_comma(label: str) -> bool:
    return _DECIMAL_COMMA.fullmatch(label) is not None


def _is_odd(label: str) -> bool:
    return is_plain(_without_odd_signs(label))


def _floats(texts: object) -> NDArray[np.float64]:
    return np.array([float(text) for text in texts])  # type: ignore[attr-defined]


def _decimal_comma_remark(labels: Sequence[str]) -> str:
    remark = "a comma is read as the decimal point"
    return remark + " and a point as thousands" if any("." in label for label in labels) else remark


def _without_odd_signs(label: str) -> str:
    text = _SPACE_IN_NUMBER.sub("", label.translate(_ODD_MINUS))
    return "".join(_ascii_digit(character) for character in text)


def _ascii_digit(character: str) -> str:
    return str(int(character)) if character.isdecimal() else character
