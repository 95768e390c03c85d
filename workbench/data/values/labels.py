"""Columns as text: distinct labels, codes of missing values, the natural order of labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.values import numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

# What pandas takes for missing, the question mark, and what spreadsheets and databases write.
_WORDS = "NA N/A n/a #NA #N/A <NA> NaN nan -NaN -nan NULL null None ? NaT 1.#IND -1.#IND 1.#QNAN -1.#QNAN"
_INDEFINITE = "nan(ind) -nan(ind) nan(snan) -nan(snan)"  # of C
_ERRORS = (  # of spreadsheets
    "#VALUE! #DIV/0! #REF! #NAME? #NUM! #NULL! #NV #N/D #N/V #NOMBRE? #WERT! #SPILL! #CALC! #FIELD! "
    "#BLOCKED! #CONNECT! #BUSY! #UNKNOWN! #EXTERNAL! #GETTING_DATA"
)
_OF_PROGRAMS = r"\N NAN (null) (NULL) [null] [NULL]"  # databases write these
MISSING_CODES = frozenset(f"{_WORDS} {_INDEFINITE} {_ERRORS} {_OF_PROGRAMS}".split(" ")) | {"", "#N/A N/A"}
BLANKS = "".join(sign for sign in map(chr, range(0x3001)) if sign.isspace())  # what `str.strip` takes
LAST_DAY = 1e8  # since 1970, or before
MOST_WHOLE = 2.0**64  # which no integer of a table reaches; beyond, numbers are written with an exponent
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class Labels:
    """A column as text: the distinct labels and, for each row, the code of its label.

    Attributes
    ----------
    texts : tuple of str
        Distinct labels as they stand in the file.
    codes : ndarray of int32 or int64, shape (n_rows,)
        Index into `texts`; -1 is missing.
    """

    texts: tuple[str, ...]
    codes: NDArray[np.integer]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Labels:
        """Collect the labels of a sequence; None is missing."""
        index: dict[str, int] = {}
        codes = [-1 if value is None else index.setdefault(value, len(index)) for value in values]
        return cls(tuple(index), np.array(codes, dtype=np.int32))

    def tidy(self, is_missing: Callable[[str], bool] = MISSING_CODES.__contains__) -> Labels:
        """Strip spaces and put missing codes to -1."""
        index: dict[str, int] = {}
        recode = np.full(len(self.texts) + 1, -1, dtype=np.int32)
        for code, text in enumerate(self.texts):
            stripped = text.strip()
            if stripped[:2] == '="':
                stripped = stripped_text(stripped)
            if not is_missing(stripped):
                recode[code] = index.setdefault(stripped, len(index))
        return Labels(tuple(index), recode[self.codes])

    def without(self, texts: frozenset[str]) -> Labels:
        """Put the given labels to missing."""
        return Labels.of_recoded(self, [None if text in texts else text for text in self.texts])

    @staticmethod
    def of_recoded(labels: Labels, texts: Sequence[str | None]) -> Labels:
        """Give each label another text; equal texts become one label, None becomes missing."""
        index: dict[str, int] = {}
        recode = [-1 if text is None else index.setdefault(text, len(index)) for text in texts]
        return Labels(tuple(index), np.array([*recode, -1], dtype=np.int32)[labels.codes])

    def of_rows(self, rows: NDArray[Any]) -> Labels:
        """Return the labels that some of the rows have, and nothing of the others."""
        codes = self.codes[rows]
        used = np.unique(codes[codes >= 0])
        recode = np.full(len(self.texts) + 1, -1, dtype=np.int32)
        recode[used] = np.arange(len(used))
        return Labels(tuple(self.texts[code] for code in used.tolist()), recode[codes])

    def counts(self) -> NDArray[np.int64]:
        """Rows per label."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Give each row the value of its label, in the same precision; missing is NaN."""
        return np.append(values, values.dtype.type(np.nan))[self.codes]


def text_of_formula(text: str) -> str | None:
    """Return the text in ="001", by which a spreadsheet is told to keep its zeros; None where it is none."""
    is_formula = text.startswith('="') and text.endswith('"') and text.count('"') == 2
    return text[2:-1] if is_formula else None


def stripped_text(text: str) -> str:
    """Return what a cell says: without spaces around it, and without the formula that a text stands in."""
    text = text.strip()
    return text if not text.startswith('="') else (text_of_formula(text) or text).strip()


def natural_key(text: str) -> tuple[object, ...]:
    """Order text so that "plot 2" comes before "plot 10", numbers by size."""
    if numerals.is_plain(text):
        return (0, float(text), text)
    parts = _DIGITS.split(text)
    told = (_size(part) if place % 2 else part.casefold() for place, part in enumerate(parts))
    return (1, "\0".join(told), text)  # one text, of which millions have room


def _size(digits: str) -> str:
    """Write a whole number of any length so that those of fewer digits come first."""
    told = digits.lstrip("0")
    return chr(len(told) >> 16) + chr(len(told) & 0xFFFF) + told


def number_label(value: float | np.floating[Any]) -> str:
    """Write a number as a label: whole ones without a point, others in the shortest form that tells them."""
    return str(int(value)) if float(value).is_integer() and abs(float(value)) < MOST_WHOLE else str(value)


def date_label(days: np.floating) -> str:
    """Write days since 1970-01-01 as a date, with the time where there is one; no date as their number."""
    if not abs(days) <= LAST_DAY:
        return f"day {days:g}"
    return moment_label(np.datetime64(round(float(days) * 86400), "s"))


def iso_day(days: float) -> str:
    """Write days since 1970-01-01 as the date alone."""
    return date_label(np.floor(np.float64(days)))


def moment_label(moment: np.datetime64) -> str:
    """Write a moment as a label: the date, the time where there is one, parts of a second where they are."""
    if moment != moment.astype("datetime64[s]"):
        return str(moment).rstrip("0").replace("T", " ")
    return str(moment.astype("datetime64[s]")).removesuffix("T00:00:00").replace("T", " ")
