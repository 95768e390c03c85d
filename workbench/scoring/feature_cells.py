"""The cells of one column read as a model knows them, each by itself: no row depends on another.

How the column writes its numbers and dates is settled by its first rows, or by the person; what a model's
reader of whole tables would find out from later rows does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values import dates, numerals
from workbench.data.values.columns import LARGEST_READ
from workbench.data.values.compact_dates import days_of
from workbench.data.values.decimal_sign import sign_is_open, sign_of
from workbench.data.values.known_labels import KnownLabels, plain_number
from workbench.data.values.labels import stripped_text
from workbench.data.values.truth_words import NUMBERS
from workbench.data.values.writing import UNKNOWN, Writing
from workbench.scoring.column_unit import ColumnUnit
from workbench.scoring.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import Feature
    from workbench.data.values.cell_rules import CellRules
    from workbench.data.values.cells import Cells, Chunk
    from workbench.data.values.labels import Labels

MOST_REMEMBERED = 100_000  # labels of a column whose values are kept at hand
EXACT_TO = 1 << 24  # single precision holds every whole number up to it


class FeatureCells:
    """Reads cells as a feature, and counts those that it cannot read or does not know.

    Attributes
    ----------
    unread : Tally
        Cells that are no number, or no date; they count as missing.
    unknown : Tally
        Categories that the model has not seen.
    is_reordered : bool
        Whether day and month of its dates stand in another order than in the table trained on.
    is_as_trained : bool
        Whether none of its first dates tells the order, which is that of the table trained on.
    has_other_sign : bool
        Whether its numbers have another decimal sign than in the table trained on.
    has_open_sign : bool
        Whether none of its first numbers tells the sign, which is that of the table trained on.
    order : "dmy", "mdy" or None
        In which its dates are read that end with the year.
    unit : ColumnUnit
        What units its numbers have, beside that of the table trained on.
    turned : Tally
        Dates that are none in the order of its other dates, and would be in the other one.
    rounded : Tally
        Numbers of more than 24 bits, which single precision does not hold.
    reads_labels : bool
        Whether cells are wanted as they stand: 007 is no 7.
    """

    def __init__(
        self, feature: Feature, rules: CellRules, first_texts: Sequence[str] = (), here: Writing = UNKNOWN
    ) -> None:
        self.feature = feature
        self.unread, self.unknown, self.rounded, self.turned = Tally(), Tally(), Tally(), Tally()
        self._rules = rules
        self._known = KnownLabels(feature)
        self._are_numbers = all(map(numerals.is_plain, feature.categories))
        self.reads_labels = feature.is_categorical and bool(feature.categories)
        known = [text for text in map(stripped_text, first_texts) if not rules.is_missing(text)]
        sign = feature.writing.decimal
        shown = "" if rules.decimal else here.decimal or sign_of(known)
        self._decimal = rules.decimal or shown or sign or "."
        self.has_other_sign = {shown, sign} == {".", ","}
        self.has_open_sign = bool(sign) and not (rules.decimal or shown) and any(map(sign_is_open, known))
        trained = feature.writing.order
        self.order = rules.dates or here.order or _order_of(known, rules.day_first, trained)
        self.is_reordered = bool(trained) and self.order != trained and rules.dates is None
        is_open = rules.dates is None and not here.order and dates.order_is_ambiguous(_dates_in(known))
        self.is_as_trained = bool(trained) and is_open
        self.unit, self._unit_here = ColumnUnit(feature.writing.unit), here.unit
        self._turned: set[str] = set()
        self._values: dict[str, float | None] = {}

    def join(self, other: FeatureCells, rows_before: int) -> None:
        """Count the cells of rows that come after so many, as another one has read them."""
        for name in ("unread", "unknown", "rounded", "turned"):
            getattr(self, name).join(getattr(other, name), rows_before)
        self.unit.join(other.unit, rows_before)
        for name in ("is_reordered", "is_as_trained", "has_other_sign", "has_open_sign"):
            setattr(self, name, getattr(self, name) or getattr(other, name))
        self.order = self.order or other.order

    def forget_texts(self) -> None:
        """Let go of what is remembered to read texts sooner."""
        self._values.clear()
        self._turned.clear()
        self.unit.forget_texts()

    def values_of(self, chunk: Chunk, name: str) -> NDArray[np.float32]:
        """Return the values of a column of some rows."""
        return self.values((chunk.kept if self.reads_labels else chunk.cells)[name], chunk.first_row)

    def values(self, cells: Cells, first_row: int = 0) -> NDArray[np.float32]:
        """Return the values of cells, shape (n,); `first_row` is the row of the first, from 0."""
        if self.reads_labels:
            return self._of_labels(cells.as_labels(), first_row)
        if cells.numbers is None:
            assert cells.labels is not None
            return self._of_labels(cells.labels, first_row)
        numbers = cells.numbers
        if cells.is_date and self.feature.kind != "date":
            return self._of_labels(cells.as_labels(), first_row)
        if self.feature.kind == "date" and not cells.is_date:
            numbers = self._days_of(numbers, first_row)
        elif self.feature.kind == "number":
            numbers = self.unit.of_numbers(numbers, self._unit_here, first_row)
        return self._in_range(numbers, first_row)

    def _days_of(self, numbers: NDArray[np.float64], first_row: int) -> NDArray[np.float64]:
        """Return the days that numbers write, as 20200131."""
        days = days_of(numbers)
        others = np.isnan(days) & ~np.isnan(numbers)
        self.unread.add_numbers(numbers, others, first_row)
        return days

    def _in_range(self, numbers: NDArray[np.float64], first_row: int) -> NDArray[np.float32]:
        beyond = np.abs(numbers) > LARGEST_READ
        if beyond.any():
            self.unread.add_numbers(numbers, beyond, first_row)
            numbers = np.where(beyond, np.nan, numbers)
        single = numbers.astype(np.float32)
        self.rounded.add_numbers(numbers, _is_rounded(numbers, single), first_row)
        return single

    def _of_labels(self, labels: Labels, first_row: int) -> NDArray[np.float32]:
        """Read each label once, and give it to its cells."""
        if len(self._values) > MOST_REMEMBERED:
            self.forget_texts()
        values = [self._value(text) for text in labels.texts]
        bad = np.array([value is None for value in values] + [False])
        unseen = len(self.feature.categories) if self.reads_labels else np.nan
        numbers = np.array([unseen if value is None else value for value in values] + [np.nan], np.float64)
        single = numbers.astype(np.float32)
        if bad.any():
            tally = self.unknown if self.reads_labels else self.unread
            tally.add_labels(labels, bad, first_row)
        if self._turned:
            turned = np.array([stripped_text(text) in self._turned for text in labels.texts] + [False])
            self.turned.add_labels(labels, turned, first_row)
        self.unit.count(labels, first_row)
        self.rounded.add_labels(labels, _is_rounded(numbers, single), first_row)
        return single[labels.codes]

    def _value(self, text: str) -> float | None:
        """Return the value of a text; NaN is missing, None is no value of this feature."""
        if text not in self._values:
            read = self._code if self.reads_labels else self._number
            self._values[text] = read(stripped_text(text))
        return self._values[text]

    def _code(self, text: str) -> float | None:
        """Return the code of a category: of the text as it stands, else as a column of such cells has it."""
        if text in self._known.codes:
            return float(self._known.codes[text])
        if self._rules.is_missing(text) or (self._are_numbers and text.casefold() in self._rules.number_gaps):
            return float("nan")
        if (number := self._read_number(text)) is not None and abs(number) > LARGEST_READ:
            return float("nan")
        code = next((code for code in self._other_codes(text, number) if code is not None), None)
        return None if code is None else float(code)

    def _other_codes(self, text: str, number: int | float | None) -> Iterator[int | None]:
        """Yield the code of the truth value, the number or the date that a text is."""
        if text.lower() in NUMBERS:
            yield self._known.code(text.lower())
        if number is not None:
            yield self._known.code_of_number(number)
        if (day := self._read_date(text)) is not None:
            yield self._known.code_of_day(day)

    def _number(self, text: str) -> float | None:
        if self._rules.is_missing(text) or text.casefold() in self._rules.number_gaps:
            return float("nan")
        if self.feature.kind == "date":
            value = self._read_date(text)
        elif (found := numerals.parse_one(text, self._decimal)) is not None:
            value = self.unit.value(text, float(found.values[0]), found.unit)
        else:
            value = NUMBERS.get(text.lower())
        return None if value is None or abs(value) > LARGEST_READ else value

    def _read_number(self, text: str) -> int | float | None:
        """Return the number that a text is, a plain whole one with all its digits."""
        number = numerals.value_of(text, self._decimal)
        plain = plain_number(text) if number is not None and numerals.is_plain(text) else None
        return plain if plain is not None and float(plain) == number else number

    def _read_date(self, text: str) -> float | None:
        found = dates.parse([text], self.order)
        days = days_of(np.array([_plain_number(text)])) if found is None else found.days
        if np.isnan(days[0]) and self.order and dates.is_of_other_order(text, self.order):
            self._turned.add(text)
        return None if np.isnan(days[0]) else float(days[0])


def _plain_number(text: str) -> float:
    return numerals.plain_value(text) if numerals.is_plain(text) else np.nan


def _is_rounded(numbers: NDArray[np.float64], single: NDArray[np.float32]) -> NDArray[np.bool_]:
    return (np.abs(numbers) > EXACT_TO) & (single != numbers)


def _dates_in(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if dates.parse([text]) is not None]


def _order_of(texts: Sequence[str], day_first: bool, likely: str) -> str | None:
    """Return the order of day and month that the first dates show, or else the likely one."""
    found = dates.parse(_dates_in(texts) or [""], day_first=day_first, likely=likely)
    return (found and found.order) or likely or None
