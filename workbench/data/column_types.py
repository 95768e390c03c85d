"""Which kind a column has, and changing it."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data import dates, numerals
from workbench.data.table import Column, Note
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from workbench.data.table import Kind

MISSING_CODES = frozenset(
    ["NA", "N/A", "n/a", "#NA", "#N/A", "<NA>", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "?", "NaT", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"]
) | {"", "#N/A N/A"}
MANY_CATEGORIES = 1000

_TRUE_FALSE = {"true": "true", "false": "false"}
_TWO_LEVELS = ({"no", "yes"}, {"n", "y"}, {"f", "t"}, {"off", "on"})
_NUMBER_GAPS = frozenset({".", "-", "--", "missing"})
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class Labels:
    """A column as text: the distinct labels and, for each row, the code of its label.

    Attributes
    ----------
    texts : tuple of str
        Distinct labels as they stand in the file.
    codes : ndarray of int64, shape (n_rows,)
        Index into `texts`; -1 is missing.
    """

    texts: tuple[str, ...]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Labels:
        """Collect the labels of a sequence; None is missing."""
        index: dict[str, int] = {}
        codes = [-1 if value is None else index.setdefault(value, len(index)) for value in values]
        return cls(tuple(index), np.array(codes, dtype=np.int64))

    def tidy(self) -> Labels:
        """Strip spaces and put missing codes to -1."""
        index: dict[str, int] = {}
        recode = np.full(len(self.texts) + 1, -1, dtype=np.int64)
        for code, text in enumerate(self.texts):
            stripped = text.strip()
            if stripped not in MISSING_CODES:
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
        return Labels(tuple(index), np.array([*recode, -1], dtype=np.int64)[labels.codes])

    def counts(self) -> NDArray[np.int64]:
        """Rows per label."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give each row the value of its label; missing is NaN."""
        return np.append(values, np.nan)[self.codes]

    def first_row(self, text: str) -> int:
        """Row, counted from 1, in which a label stands first."""
        return int(np.argmax(self.codes == self.texts.index(text))) + 1


def infer(name: str, raw: Labels) -> tuple[Column, list[Note]]:
    """Find the kind of a column of text: number, date, boolean or category, in this order."""
    labels = raw.tidy()
    notes = _missing_notes(name, raw)
    if not labels.texts:
        return Column(name, "number", np.full(len(raw.codes), np.nan, np.float32)), notes
    column, more = (
        _as_number(name, labels) or _as_date(name, labels) or _as_boolean(name, labels) or _as_category(name, labels)
    )
    return column, notes + more


def _missing_notes(name: str, raw: Labels) -> list[Note]:
    counts = raw.counts()
    found: dict[str, int] = defaultdict(int)
    for text, count in zip(raw.texts, counts, strict=True):
        if text.strip() and text.strip() in MISSING_CODES:
            found[text.strip()] += int(count)
    if not found:
        return []
    codes = " ".join(sorted(found))
    total = sum(found.values())
    return [Note(f"Column '{name}': {_cells(total)} missing (code {codes}).", name, total)]


def number_column(name: str, values: NDArray[np.float64], kind: Kind = "number") -> tuple[Column, list[Note]]:
    """Make float32 of float64: refuse what is too large, count what becomes equal."""
    values, notes = refuse_infinite(name, values)
    collapsed = count_collapsed(values)
    return Column(name, kind, values.astype(np.float32), collapsed=collapsed), notes + collapse_notes(name, collapsed)


def refuse_infinite(name: str, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[Note]]:
    """Set values beyond float32 missing, and say where the first one is."""
    with np.errstate(over="ignore"):
        refused = np.isinf(values.astype(np.float32))
    if not refused.any():
        return values, []
    return np.where(refused, np.nan, values), [refused_note(name, int(refused.sum()), int(np.argmax(refused)) + 1)]


def refused_note(name: str, count: int, row: int) -> Note:
    """Say that values beyond float32 were set missing."""
    text = f"Column '{name}': {_cells(count)} infinite or beyond 3.4e38, first in row {row}, and set missing."
    return Note(text, name, count, "warning")


def count_collapsed(values: NDArray[np.float64]) -> int:
    """Count the distinct values that are equal to another one in float32."""
    if np.array_equal(values.astype(np.float32), values, equal_nan=True):
        return 0
    ordered = np.sort(values[~np.isnan(values)])
    single = ordered.astype(np.float32)
    return int(np.count_nonzero(np.diff(ordered)) - np.count_nonzero(np.diff(single)))


def collapse_notes(name: str, collapsed: int) -> list[Note]:
    """Say that distinct values cannot be told apart."""
    if not collapsed:
        return []
    text = (
        f"Column '{name}': {collapsed:,} distinct values equal another one in single precision (7 digits) "
        "and cannot be told apart."
    )
    return [Note(text, name, collapsed, "warning")]


def _as_number(name: str, labels: Labels) -> tuple[Column, list[Note]] | None:
    gaps = _NUMBER_GAPS.intersection(labels.texts)
    solid = labels.without(gaps) if gaps else labels
    numbers = numerals.parse(solid.texts) if solid.texts else None
    if numbers is None:
        return None
    column, notes = number_column(name, solid.spread(numbers.values))
    if gaps:
        count = int(labels.counts().sum() - solid.counts().sum())
        text = f"Column '{name}': {_cells(count)} missing (code {' '.join(sorted(gaps))})."
        notes.append(Note(text, name, count))
    if numbers.remark:
        notes.append(Note(f"Column '{name}': {numbers.remark}.", name, len(solid.codes), "warning"))
    return column, notes + leading_zero_notes(name, solid.texts)


def leading_zero_notes(name: str, texts: Iterable[str]) -> list[Note]:
    """Say that codes such as 00123 lose their zeros as numbers."""
    padded = [text for text in texts if len(text) > 1 and text[0] == "0" and text.isdecimal()]
    if not padded:
        return []
    text = (
        f"Column '{name}': leading zeros, as in {padded[0]}, go when read as numbers. "
        "If these are codes, make it a category."
    )
    return [Note(text, name, len(padded), "warning")]


def _as_date(name: str, labels: Labels) -> tuple[Column, list[Note]] | None:
    parsed = dates.parse(labels.texts)
    if parsed is None:
        return None
    bad = int(labels.counts()[np.isnan(parsed.days)].sum())
    if bad > 0.1 * (labels.codes >= 0).sum():
        column, notes = _as_category(name, labels)
        text = f"Column '{name}': {_cells(bad)} no possible date, so it is read as text."
        return column, [*notes, Note(text, name, bad, "warning")]
    column, notes = number_column(name, labels.spread(parsed.days), "date")
    if bad:
        text = f"Column '{name}': {_cells(bad)} no possible date and set missing."
        notes.append(Note(text, name, bad, "warning"))
    if parsed.remark:
        notes.append(Note(f"Column '{name}': {parsed.remark}.", name, severity="warning"))
    return column, notes


def _as_boolean(name: str, labels: Labels) -> tuple[Column, list[Note]] | None:
    lower = [text.lower() for text in labels.texts]
    if set(lower) <= set(_TRUE_FALSE):
        return category_column(name, Labels.of_recoded(labels, lower), kind="boolean"), []
    if len(lower) == 2 and set(lower) in _TWO_LEVELS:
        return category_column(name, labels, kind="boolean"), []
    return None


def _as_category(name: str, labels: Labels) -> tuple[Column, list[Note]]:
    return category_column(name, labels), [*_mixed_notes(name, labels), *_level_notes(name, labels)]


def category_column(name: str, labels: Labels, kind: Kind = "category") -> Column:
    """Make codes in the natural order of the labels."""
    order = sorted(range(len(labels.texts)), key=lambda code: natural_key(labels.texts[code]))
    recode = np.empty(len(order) + 1)
    recode[order] = np.arange(len(order))
    recode[-1] = np.nan
    values = recode[labels.codes].astype(np.float32)
    return Column(name, kind, values, tuple(labels.texts[code] for code in order))


def natural_key(text: str) -> tuple[object, ...]:
    """Order text so that "plot 2" comes before "plot 10", numbers by size."""
    if numerals.is_plain(text):
        return (0, float(text), text)
    parts = _DIGITS.split(text)
    return (1, [int(part) if place % 2 else part.casefold() for place, part in enumerate(parts)], text)


def _mixed_notes(name: str, labels: Labels) -> list[Note]:
    plain = np.array([numerals.is_plain(text) for text in labels.texts])
    if not plain.any():
        return []
    counts = labels.counts()
    numbers, text_count = int(counts[plain].sum()), int(counts[~plain].sum())
    example = next(text for text, number in zip(labels.texts, plain, strict=True) if not number)
    text = (
        f"Column '{name}' mixes {numbers:,} numbers with {text_count:,} texts, such as '{example[:40]}' in row "
        f"{labels.first_row(example)}, and is read as a category."
    )
    return [Note(text, name, text_count, "warning")]


def _level_notes(name: str, labels: Labels) -> list[Note]:
    notes = []
    folded: dict[str, list[str]] = defaultdict(list)
    for text in labels.texts:
        folded[text.casefold()].append(text)
    similar = next((group for group in folded.values() if len(group) > 1), None)
    if similar:
        text = f"Column '{name}': categories that differ only by case, as {', '.join(similar)}, stay apart."
        notes.append(Note(text, name, len(similar), "warning"))
    if len(labels.texts) > MANY_CATEGORIES:
        text = f"Column '{name}' has {len(labels.texts):,} categories."
        notes.append(Note(text, name, len(labels.texts), "warning"))
    return notes


def _cells(count: int) -> str:
    return "1 cell is" if count == 1 else f"{count:,} cells are"


def convert(column: Column, kind: Kind) -> Column:
    """Return the column as another kind.

    Raises
    ------
    WorkbenchError
        Where the labels are no numbers or dates, or a boolean would have more than two values;
        it names the first such label and its row.
    """
    if kind == column.kind:
        return column
    if kind in ("category", "boolean"):
        return _to_categories(column, kind)
    if not column.is_categorical:
        return replace(column, kind=kind)
    return _to_numbers(column, kind)


def _to_categories(column: Column, kind: Kind) -> Column:
    converted = replace(column, kind=kind) if column.is_categorical else _number_categories(column)
    if kind == "boolean" and len(converted.categories) > 2:
        raise WorkbenchError(
            f"Column '{column.name}' has {len(converted.categories):,} values, and a boolean has two. "
            "Make it a category."
        )
    return replace(converted, kind=kind)


def _number_categories(column: Column) -> Column:
    distinct, codes = np.unique(column.values + np.float32(0), return_inverse=True)
    distinct = distinct[~np.isnan(distinct)]
    labels = tuple(number_label(value) for value in distinct)
    if column.kind == "date":
        labels = tuple(date_label(value) for value in distinct)
    values = codes.astype(np.float32)
    values[np.isnan(column.values)] = np.nan
    return Column(column.name, "category", values, labels, column.collapsed)


def number_label(value: np.floating) -> str:
    """Write a number as a label: whole ones without a point, others in their shortest form."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else str(value)


def date_label(days: np.floating) -> str:
    """Write days since 1970-01-01 as a date, with the time where there is one."""
    moment = np.datetime64("1970-01-01T00:00:00") + np.timedelta64(round(float(days) * 86400), "s")
    return str(moment).removesuffix("T00:00:00").replace("T", " ")


def _to_numbers(column: Column, kind: Kind) -> Column:
    codes = np.where(np.isnan(column.values), -1, column.values).astype(np.int64)
    labels = Labels(column.categories, codes)
    for text in column.categories:
        read = numerals.parse([text]) if kind == "number" else dates.parse([text])
        if read is None:
            raise WorkbenchError(
                f"Column '{column.name}' cannot be a {kind}: '{text}' in row {labels.first_row(text)} is none. "
                "Leave it a category."
            )
    if kind == "number":
        numbers = numerals.parse(labels.texts)
        values = numbers.values if numbers else np.concatenate([_one(text) for text in labels.texts])
        return number_column(column.name, labels.spread(values))[0]
    days = np.array([dates.parse([text]).days[0] for text in labels.texts])  # type: ignore[union-attr]
    return number_column(column.name, labels.spread(days), "date")[0]


def _one(text: str) -> NDArray[np.float64]:
    numbers = numerals.parse([text])
    return np.array([np.nan]) if numbers is None else numbers.values
