"""Ways of writing a number: plain, with thousands, a decimal comma, odd signs or a power of ten."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.values.change import ValueChange, change_where

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
POINT_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+", re.ASCII)
_DECIMAL_COMMA = re.compile(
    rf"[+-]?(?:[1-9]\d{{0,2}}(?:\.\d{{3}})+|\d+)(?:,\d*)?{_EXPONENT}|[+-]?,\d+{_EXPONENT}", re.ASCII
)
_FORTRAN = re.compile(r"[+-]?(?:\d++\.\d*+|\.\d++)(?:[dD][+-]?\d{1,3}|[+-]\d{3})", re.ASCII)
_ZERO_DIGITS = re.compile(r"[+-]?[0.]*+(?:[eE]|$)", re.ASCII)
_NEXT_TO_ZERO = 5e-324  # in float64; float32 says that it is 0, and that is told
_GROUP_SIGNS = "\u00a0\u2009\u202f\u2019\u066c'"
_SPACE_IN_NUMBER = re.compile(rf"(?<=\d)[{_GROUP_SIGNS} ](?=\d{{3}}(?!\d))")
_IN_ODD_NUMBERS = re.compile(
    rf"[-+\d.,einfty #∞\u2212\u2013\uff0b-\uff0e\u066b{_GROUP_SIGNS}]*+", re.IGNORECASE
)
_ODD_SIGNS_AS = str.maketrans({
    "\u2212": "-", "\u2013": "-", "\uff0d": "-", "\uff0b": "+", "\uff0c": ",", "\uff0e": ".", "\u066b": ".",
    "∞": "inf",
})  # fmt: skip
_SPACE_BEHIND_SIGN = re.compile(r"(?<=^[-+]) +(?=[\d.,])")
_C_INFINITE = re.compile(r"(?<=^)([-+]?)1\.#inf0*", re.IGNORECASE)
_ODD = "unusual signs, digits or spaces are read as plain numbers"


class Numbers(NamedTuple):
    """Numbers read from labels, what was odd about how they were written, decimal sign and unit."""

    values: NDArray[np.float64]
    changes: tuple[ValueChange, ...] = ()
    decimal: str = ""
    unit: str = ""


class NumberWay(NamedTuple):
    """A way of writing numbers: which labels fit, how Python writes them, what is changed, decimal sign."""

    fits: Callable[[str], bool]
    plain: Callable[[str], str]
    changes: Callable[[Sequence[str]], tuple[ValueChange, ...]]
    decimal: str = "."

    def read(self, labels: Sequence[str]) -> Numbers:
        """Read labels that are all written so."""
        texts = [self.plain(label) for label in labels]
        values = np.array([float(text) for text in texts], dtype=np.float64)
        for place in np.flatnonzero(values == 0).tolist():
            values[place] = _zero_of(texts[place])
        shows_sign = any("." in label or "," in label for label in labels)
        return Numbers(values, self.changes(labels), self.decimal if shows_sign else "")


def is_plain(label: str, decimal: str = ".") -> bool:
    """Whether a label is a number as a program writes it."""
    return _PLAIN[decimal].fullmatch(label) is not None


def plain_value(label: str, decimal: str = ".") -> float:
    """Return the number that a plain label is; what is too near to 0 for float64 is as near as it can be."""
    text = label if decimal == "." else label.replace(decimal, ".")
    return float(text) or _zero_of(text)


def _zero_of(text: str) -> float:
    """Return 0, or the number next to it where digits that float64 cannot hold say that it is none."""
    value = float(text)
    return value if _ZERO_DIGITS.match(text) else math.copysign(_NEXT_TO_ZERO, value)


def with_comma_thousands(label: str) -> bool:
    """Whether a label is a number whose commas, if it has some, are thousands."""
    return is_plain(label) or _COMMA_THOUSANDS.fullmatch(label) is not None


def _with_indian_commas(label: str) -> bool:
    return with_comma_thousands(label) or _INDIAN.fullmatch(label) is not None


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


def _is_fortran(label: str) -> bool:
    return is_plain(label) or _FORTRAN.fullmatch(label) is not None


def _with_power(label: str) -> str:
    """Write 1.5D-03 and 1.5-103 as 1.5e-03 and 1.5e-103."""
    text = label.replace("D", "e").replace("d", "e")
    return text if is_plain(text) else f"{text[:-4]}e{text[-4:]}"


def _with_point(label: str) -> str:
    return label.replace(".", "").replace(",", ".")


def _comma_changes(labels: Sequence[str]) -> tuple[ValueChange, ...]:
    commas = change_where("a comma is read as the decimal point", ["," in label for label in labels])
    return commas + change_where("a point is read as thousands", ["." in label for label in labels])


def _odd_changes(labels: Sequence[str]) -> tuple[ValueChange, ...]:
    return change_where(_ODD, [_without_odd_signs(label) != label for label in labels])


def _odd_comma_changes(labels: Sequence[str]) -> tuple[ValueChange, ...]:
    return _comma_changes([_without_odd_signs(label) for label in labels]) + _odd_changes(labels)


def _of_commas(what: str) -> Callable[[Sequence[str]], tuple[ValueChange, ...]]:
    return lambda labels: change_where(what, ["," in label for label in labels])


def _power_changes(labels: Sequence[str]) -> tuple[ValueChange, ...]:
    words = "powers of ten are written as in Fortran (1.5D-03)"
    return change_where(words, [not is_plain(label) for label in labels])


def _without_odd_signs(label: str) -> str:
    if label.isascii() and not any(sign in label for sign in " '#"):
        return label
    text = _SPACE_BEHIND_SIGN.sub("", _SPACE_IN_NUMBER.sub("", label.translate(_ODD_SIGNS_AS)))
    text = _C_INFINITE.sub(r"\1inf", text)
    return text if text.isascii() else "".join(_ascii_digit(character) for character in text)


def _ascii_digit(character: str) -> str:
    return str(int(character)) if character.isdecimal() else character


_AS_IT_IS = NumberWay(is_plain, str, lambda _labels: ())
_THOUSANDS = NumberWay(with_comma_thousands, _without_commas, _of_commas("a comma is read as thousands"))
_LAKHS = NumberWay(_with_indian_commas, _without_commas,
             _of_commas("commas are read as thousands and lakhs (12,34,567)"))  # fmt: skip
_COMMA = NumberWay(_with_decimal_comma, _with_point, _comma_changes, ",")
_ODD_SIGNS = NumberWay(_is_odd, _without_odd_signs, _odd_changes)
_ODD_COMMA = NumberWay(_is_odd_with_comma, lambda label: _with_point(_without_odd_signs(label)),
                 _odd_comma_changes, ",")  # fmt: skip
_POWERS = NumberWay(_is_fortran, _with_power, _power_changes)
WAYS: dict[str | None, tuple[NumberWay, ...]] = {
    None: (_AS_IT_IS, _THOUSANDS, _COMMA, _LAKHS, _ODD_SIGNS, _ODD_COMMA, _POWERS),
    ".": (_AS_IT_IS, _THOUSANDS, _LAKHS, _ODD_SIGNS, _POWERS),
    ",": (_COMMA, _ODD_COMMA, _AS_IT_IS, _ODD_SIGNS),
}
