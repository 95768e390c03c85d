"""The labels that a model knows of a column, found however a table writes them."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from workbench.data.values import dates, numerals
from workbench.data.values.columns import LARGEST_READ
from workbench.data.values.labels import MISSING_CODES, number_label
from workbench.data.values.value_labels import day_label

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.data.schema import Feature

T = TypeVar("T")
TRUTHS = {"0": "false", "1": "true"}
NUMBERS = {truth: number for number, truth in TRUTHS.items()}
ROUNDED: dict[str, Callable[[float], int]] = {"down": math.floor, "to zero": math.trunc}
LONGEST_NUMBER = 300  # digits; Python refuses to read a number of very many
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].*)?", re.ASCII)


class KnownLabels:
    """The codes of a feature's categories.

    Attributes
    ----------
    codes : dict of str to int
        Of each label, and of other ways of writing it; see `label_codes`.
    """

    def __init__(self, feature: Feature) -> None:
        self.codes = label_codes(feature)
        self._rounded = ROUNDED.get(feature.fractions)

    def code(self, label: str) -> int | None:
        """Return the code of a label: as it stands, else of the number or the moment that it writes."""
        if label in self.codes:
            return self.codes[label]
        if numerals.is_plain(label):
            return self.code_of_number(plain_number(label))
        return None if (day := _day_of(label)) is None else self.code_of_day(day)

    def code_of_number(self, number: int | float) -> int | None:
        """Return the code of a number, by its label in double or else in single precision."""
        found = (self.codes[label] for label in self._labels_of(number) if label in self.codes)
        return next(found, None)

    def code_of_day(self, day: float) -> int | None:
        """Return the code of a date, in days since 1970-01-01."""
        return self.codes.get(day_label(np.float64(day)))

    def _labels_of(self, number: int | float) -> tuple[str, ...]:
        if self._rounded is not None and np.isfinite(number):
            return (str(self._rounded(number)),)
        if isinstance(number, int) or number.is_integer():  # single precision would make it another one
            return (_label_of_number(number),)
        with np.errstate(over="ignore"):
            return number_label(number), number_label(np.float32(number))


def label_codes(feature: Feature) -> dict[str, int]:
    """Return the code of each label of a categorical feature, and of other ways of writing it.

    Labels are found without the spaces around them too, as every reader of tables leaves these out. Truth
    values are found in other letters, and as 0 and 1 where there are no other labels, as 0 and 1 are found
    as truth values. Numbers are found in their plain form, 007 as 7, also in that of single precision, and
    moments as `label_of` writes them, each where no other label is that number or moment.
    """
    codes = {label: code for code, label in enumerate(feature.categories)}
    truths = truth_labels(feature.categories)
    for label, code in list(codes.items()):
        if (stripped := label.strip()) not in MISSING_CODES:
            codes.setdefault(stripped, code)
        truth = truths.get(label, label).lower()
        if label in truths or truth in NUMBERS or feature.kind == "boolean":
            for spelling in (truth, truth.capitalize(), truth.upper()):
                codes.setdefault(spelling, code)
        if label in truths:
            codes.setdefault(NUMBERS[truth], code)
    numbers = {code: plain_number(label) for label, code in codes.items() if numerals.is_plain(label)}
    moments = {code: day for label, code in codes.items() if (day := _day_of(label)) is not None}
    with np.errstate(over="ignore"):
        singles = {c: np.float32(number) for c, number in numbers.items() if not float(number).is_integer()}
    _add_where_alone(codes, numbers, _label_of_number)
    _add_where_alone(codes, singles, number_label)
    _add_where_alone(codes, moments, lambda day: day_label(np.float64(day)))
    return codes


def truth_labels(labels: tuple[str, ...]) -> Mapping[str, str]:
    """Return the truth value that each label is, where all are, in words or as 0 and 1."""
    words = {label: label.strip().lower() for label in labels}
    truths = {label: TRUTHS.get(word.removesuffix(".0"), word) for label, word in words.items()}
    return truths if set(truths.values()) <= NUMBERS.keys() else {}


def is_beyond(label: str) -> bool:
    """Whether a label is a number that no column holds, so that it is missing."""
    return numerals.is_plain(label) and abs(plain_number(label)) > LARGEST_READ


def plain_number(label: str) -> int | float:
    """Return the number that a plain label is, whole ones with all their digits."""
    is_whole = label.isdecimal() or (label[:1] in ("-", "+") and label[1:].isdecimal())
    return int(label) if is_whole and len(label) <= LONGEST_NUMBER else numerals.plain_value(label)


def _label_of_number(number: int | float) -> str:
    return str(number) if isinstance(number, int) else number_label(number)


def is_day(label: str) -> bool:
    """Whether a label is a date without a time."""
    return len(label) == len("2020-01-31") and _day_of(label) is not None


def _day_of(label: str) -> float | None:
    """Return the days since 1970-01-01 of a label that begins with year, month and day."""
    parsed = dates.parse([label]) if _MOMENT.fullmatch(label) else None
    return None if parsed is None or np.isnan(parsed.days[0]) else float(parsed.days[0])


def _add_where_alone(codes: dict[str, int], values: Mapping[int, T], write: Callable[[T], str]) -> None:
    """Let each value that no other code has be found as it is written."""
    counts = Counter(values.values())
    for code, value in values.items():
        if counts[value] == 1:
            codes.setdefault(write(value), code)
