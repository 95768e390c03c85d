"""Text as numbers: plain ones, those with thousands, decimal commas or odd signs, and times."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data import times

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_EXPONENT = r"(?:[eE][+-]?\d+)?"
_INFINITE = r"|[+-]?inf(?:inity)?"
_PLAIN = {  # nothing that was taken is given back: long cells would take quadratic time
    ".": re.compile(rf"[+-]?(?:\d++\.?+\d*+|\.\d++){_EXPONENT}{_INFINITE}", re.ASCII | re.IGNORECASE),
    ",": re.compile(rf"[+-]?(?:\d++,?+\d*+|,\d++){_EXPONENT}{_INFINITE}", re.ASCII | re.IGNORECASE),
}
# Thousands begin with no zero: 0,001 is a decimal comma, 0.001 a decimal point.
_COMMA_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?", re.ASCII)
_INDIAN = re.compile(r"[+-]?[1-9]\d?(?:,\d\d)*,\d{3}(?:\.\d*)?", re.ASCII)
_POINT_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+", re.ASCII)
_DECIMAL_COMMA = re.compile(
    rf"[+-]?(?:[1-9]\d{{0,2}}(?:\.\d{{3}})+|\d+)(?:,\d*)?{_EXPONENT}|[+-]?,\d+{_EXPONENT}", re.ASCII
)
_CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|BRL|SEK|NOK|DKK|PLN|CZK|R[$]|kr|zł|Kč"
_UNIT_BEFORE = re.compile(rf"([+-]?)([$€£¥₹]|{_CODES})\s?([\d.,].*)")
_UNIT_BEHIND = re.compile(rf"([+-]?[\d.,](?:.*[\d.,])?)\s?([%‰$€£¥₹]|{_CODES})")
_IN_BRACKETS = re.compile(r"([$€£¥₹]?)\s?\(([$€£¥₹]?\s?[\d.,][^()]*)\)(\s?[%‰$€£¥₹]?)")
_MINUS_BEHIND = re.compile(r"([$€£¥₹]?\s?\.?\d(?:[^-]*\d)?[.,]?)\s?-(\s?[%‰$€£¥₹]?)")
_SPACE_IN_NUMBER = re.compile(r"(?<=\d)[\u00a0\u2009\u202f' ](?=\d{3}(?!\d))")
_IN_EVERY_NUMBER = re.compile(r"[\d$€£¥₹%‰]|inf", re.IGNORECASE)  # one of them
_IN_ODD_NUMBERS = re.compile(r"[-+\d.,'einfty \u00a0\u2009\u202f\u2212\u2013\uff0d]*+", re.IGNORECASE)
_ODD_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0d": "-"})
_ODD = "unusual signs, digits or spaces are read as plain numbers"


class Numbers(NamedTuple):
    """Numbers read from labels, and in words what was odd about how they were written."""

    values: NDArray[np.float64]
    remark: str = ""


class _Way(NamedTuple):
    """A way of writing numbers: which labels are written so, how Python would write them, a remark."""

    fits: Callable[[str], bool]
    plain: Callable[[str], str]
    remark: Callable[[Sequence[str]], str]

    def read(self, labels: Sequence[str]) -> Numbers:
        values = np.array([float(self.plain(label)) for label in labels], dtype=np.float64)
        return Numbers(values, self.remark(labels))


def is_plain(label: str, decimal: str = ".") -> bool:
    """Whether a label is a number as a program writes it."""
    return _PLAIN[decimal].fullmatch(label) is not None


def plain_value(label: str, decimal: str = ".") -> float:
    """Return the number that a plain label is."""
    return float(label if decimal == "." else label.replace(decimal, "."))


def parse(labels: Sequence[str], decimal: str | None = None) -> Numbers | None:
    """Read every label as a number; None where one of them is none.

    Without a decimal sign, the first way of writing that fits every label is taken.
    """
    fitting = (way for way in _WAYS[decimal] if all(map(way.fits, labels)))
    way = next(fitting, None)
    if way is not None:
        return way.read(labels)
    return (
        _parse_with_unit(labels, decimal) or _parse_in_brackets(labels, decimal)
        or _parse_minus_behind(labels, decimal) or _parse_times(labels)
    )  # fmt: skip


def is_number(label: str) -> bool:
    """Whether a label is a number in any way of writing."""
    if is_plain(label):
        return True
    if _IN_EVERY_NUMBER.search(label) is None:  # most texts
        return False
    if any(way.fits(label) for way in _WAYS[None]) or _split_unit(label) is not None:
        return True
    behind = _MINUS_BEHIND.fullmatch(label)
    return behind is not None and is_number(behind[1] + behind[2])


def parse_most(labels: Sequence[str], decimal: str | None = None) -> Numbers:
    """Read the labels in the way in which most are numbers; NaN where one is none."""
    ways = [(way, [label for label in labels if way.fits(label)]) for way in _WAYS[decimal]]
    way, found = max(ways, key=lambda pair: len(pair[1]))
    numbers = way.read(found)
    values = dict(zip(found, numbers.values.tolist(), strict=True))
    remark = numbers.remark if found else ""
    return Numbers(np.array([values.get(label, np.nan) for label in labels]), remark)


def comma_is_ambiguous(labels: Sequence[str]) -> bool:
    """Whether the commas may be thousands or decimal: 1,234 may be either, 1,23 and 1,234.5 may not."""
    with_comma = [label for label in labels if "," in label]
    return (
        bool(with_comma)
        and all(map(_with_comma_thousands, labels))
        and all(is_plain(label, ",") for label in with_comma)
    )


def point_is_thousands(labels: Sequence[str]) -> bool:
    """Whether the points may be thousands: 1.234 may, 1.23 may not."""
    with_point = [label for label in labels if "." in label]
    return bool(with_point) and all(map(_POINT_THOUSANDS.fullmatch, with_point))


def _parse_with_unit(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers that all have the same sign of a currency, or of percent."""
    if _split_unit(labels[0]) is None:
        return None
    split = [_split_unit(label) for label in labels]
    units = {found[1] for found in split if found is not None}
    if len(units) != 1 or None in split:
        return None
    numbers = parse([found[0] for found in split if found is not None], decimal)
    if numbers is None:
        return None
    return _with_remark(numbers, f"the sign {units.pop()} is left out")


def _parse_in_brackets(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers of which the negative ones stand in brackets, as accountants write them.

    Where all of several do, the brackets mean something else, as in (1999).
    """
    found = [_IN_BRACKETS.fullmatch(label) for label in labels]
    if not any(found) or (len(found) > 1 and all(found)):
        return None
    signed = [f"-{f[1]}{f[2]}{f[3]}" if f else label for f, label in zip(found, labels, strict=True)]
    numbers = parse(signed, decimal)
    if numbers is None:
        return None
    return _with_remark(numbers, "numbers in brackets are read as negative")


def _parse_minus_behind(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers of which the negative ones end with the sign, as 1,234.50- of accounting programs."""
    found = [_MINUS_BEHIND.fullmatch(label) for label in labels]
    if not any(found):
        return None
    signed = [f"-{f[1]}{f[2]}" if f else label for f, label in zip(found, labels, strict=True)]
    numbers = parse(signed, decimal)
    return None if numbers is None else _with_remark(numbers, "a minus behind a number is its sign")


def _parse_times(labels: Sequence[str]) -> Numbers | None:
    hours = [times.hours(label) for label in labels[:1]]
    if hours == [None]:  # most texts
        return None
    hours += [times.hours(label) for label in labels[1:]]
    found = [one for one in hours if one is not None]
    return Numbers(np.array(found), times.remark(labels)) if len(found) == len(labels) else None


def _with_remark(numbers: Numbers, remark: str) -> Numbers:
    return Numbers(numbers.values, f"{remark}; {numbers.remark}" if numbers.remark else remark)


def _split_unit(label: str) -> tuple[str, str] | None:
    """Return number and unit of 12 % or -$1.50; None where there is no unit."""
    found = _UNIT_BEFORE.fullmatch(label)
    if found is not None:
        return found[1] + found[3], found[2]
    found = _UNIT_BEHIND.fullmatch(label)
    return None if found is None else (found[1], found[2])


def _with_comma_thousands(label: str) -> bool:
    return is_plain(label) or _COMMA_THOUSANDS.fullmatch(label) is not None


def _with_indian_commas(label: str) -> bool:
    return _with_comma_thousands(label) or _INDIAN.fullmatch(label) is not None


def _with_decimal_comma(label: str) -> bool:
    return _DECIMAL_COMMA.fullmatch(label) is not None


def _is_odd(label: str) -> bool:
    return _may_be_odd(label) and is_plain(_without_odd_signs(label))


def _is_odd_with_comma(label: str) -> bool:
    return _may_be_odd(label) and _with_decimal_comma(_without_odd_signs(label))


def _may_be_odd(label: str) -> bool:
    """Whether only signs of numbers stand in it: a long text is left at its first letter."""
    return _IN_ODD_NUMBERS.fullmatch(label) is not None


def _without_commas(label: str) -> str:
    return label.replace(",", "")


def _with_point(label: str) -> str:
    return label.replace(".", "").replace(",", ".")


def _decimal_comma_remark(labels: Sequence[str]) -> str:
    remark = "a comma is read as the decimal point"
    return remark + " and a point as thousands" if any("." in label for label in labels) else remark


def _without_odd_signs(label: str) -> str:
    if label.isascii() and " " not in label and "'" not in label:
        return label
    text = _SPACE_IN_NUMBER.sub("", label.translate(_ODD_MINUS))
    return text if text.isascii() else "".join(_ascii_digit(character) for character in text)


def _ascii_digit(character: str) -> str:
    return str(int(character)) if character.isdecimal() else character


_AS_IT_IS = _Way(is_plain, str, lambda _labels: "")
_THOUSANDS = _Way(_with_comma_thousands, _without_commas, lambda _labels: "a comma is read as thousands")
_LAKHS = _Way(_with_indian_commas, _without_commas,
              lambda _labels: "commas are read as thousands and lakhs (12,34,567)")  # fmt: skip
_COMMA = _Way(_with_decimal_comma, _with_point, _decimal_comma_remark)
_ODD_SIGNS = _Way(_is_odd, _without_odd_signs, lambda _labels: _ODD)
_ODD_COMMA = _Way(_is_odd_with_comma, lambda label: _with_point(_without_odd_signs(label)),
                  lambda labels: f"{_decimal_comma_remark(labels)}; {_ODD}")  # fmt: skip
_WAYS: dict[str | None, tuple[_Way, ...]] = {
    None: (_AS_IT_IS, _THOUSANDS, _COMMA, _LAKHS, _ODD_SIGNS, _ODD_COMMA),
    ".": (_AS_IT_IS, _THOUSANDS, _LAKHS, _ODD_SIGNS),
    ",": (_COMMA, _ODD_COMMA, _AS_IT_IS, _ODD_SIGNS),
}
