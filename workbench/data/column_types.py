"""Which kind a column has, and changing it."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data import dates, numerals
from workbench.data.cell_rules import USUAL
from workbench.data.columns import (
    category_column,
    cells_are,
    collapse_notes,
    labelled_number_column,
    long_whole_numbers,
    rounded_notes,
)
from workbench.data.distinct import distinct_codes
from workbench.data.labels import Labels, date_label, number_label, text_of_formula
from workbench.data.table import Column, Note
from workbench.data.truth_words import PAIRS
from workbench.errors import WorkbenchError
from workbench.mapped import kept_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from workbench.data.cell_rules import CellRules
    from workbench.data.table import Kind

MANY_CATEGORIES = 1000

_TOTAL = re.compile(
    r"(?:[^\n]{0,60}\W)?(?:sub-?|zwischen|grand |sous-)?"
    r"(?:totals?|summe|gesamt|insgesamt|totaal|totale)\s*:?", re.IGNORECASE,
)  # fmt: skip
_TRUE_FALSE = {"true", "false"}
MOST_DIGITS = 15  # of a number that Excel keeps whole
MOST_NAMED = 3


def infer(
    name: str, raw: Labels, rules: CellRules = USUAL, kind: Kind | None = None
) -> tuple[Column, list[Note]]:
    """Find the kind of a column of text: number, date, boolean or category, in this order.

    With `kind` it is read as that; see `change_kind` for what is refused.
    """
    labels = raw.tidy(rules.is_missing)
    notes = _missing_notes(name, raw, rules)
    if kind == "category":  # not by way of numbers: 007 stays 007
        return category_column(name, labels), notes
    if not labels.texts:
        return Column(name, kind or "number", np.full(len(raw.codes), np.nan, np.float32)), notes
    formulas = [text for text in raw.texts if text[:2] == '="']
    notes += _formula_notes(name, raw, formulas) if formulas else []
    found = None
    if not _are_written_as_texts(formulas):
        gaps, solid = _without_gaps(labels, rules)
        found = _as_number(name, solid, rules) or _as_date(name, solid, rules)
        notes += _gap_notes(name, labels, gaps) if found else []
        found = found or _as_boolean(name, labels)
    column, more = found or _as_category(name, labels, rules)
    if kind is None or kind == column.kind:
        return column, notes + more
    column, changed = change_kind(category_column(name, labels), kind, rules)
    return column, notes + changed


def _missing_notes(name: str, raw: Labels, rules: CellRules) -> list[Note]:
    counts = raw.counts()
    found: dict[str, int] = defaultdict(int)
    for text, count in zip(raw.texts, counts, strict=True):
        if text.strip() and rules.is_missing(text.strip()):
            found[text.strip()] += int(count)
    if not found:
        return []
    codes = " ".join(sorted(found))
    total = sum(found.values())
    return [Note(f"Column '{name}': {cells_are(total)} missing (code {codes}).", name, total)]


def _formula_notes(name: str, raw: Labels, formulas: list[str]) -> list[Note]:
    """Say that texts stand in formulas, as spreadsheets need them to keep their zeros."""
    counts = dict(zip(raw.texts, raw.counts().tolist(), strict=True))
    count = sum(counts[text] for text in formulas)
    text = f"Column '{name}': {cells_are(count)} a text in a formula, {formulas[0]}, read as that text."
    return [Note(text, name, count)]


def _are_written_as_texts(formulas: list[str]) -> bool:
    """Whether one holds digits that a number would not keep: leading zeros, or too many."""
    inner = filter(str.isdecimal, (text_of_formula(text) or "" for text in formulas))
    return any(text.startswith("0") != (text == "0") or len(text) > MOST_DIGITS for text in inner)


def _as_number(name: str, solid: Labels, rules: CellRules) -> tuple[Column, list[Note]] | None:
    numbers = numerals.parse(solid.texts, rules.decimal) if solid.texts else None
    if numbers is None:
        return None
    column, notes = labelled_number_column(name, solid, numbers.values)
    if rounded := rounded_notes(name, solid.texts):
        long = long_whole_numbers(solid.texts)
        merged = len(set(map(int, long))) - len(set(map(float, long)))
        column = replace(column, collapsed=column.collapsed + merged)
        notes = [*rounded, *collapse_notes(name, column.collapsed)]
    if numbers.remark:
        notes.append(Note(f"Column '{name}': {numbers.remark}.", name, len(solid.codes), "warning"))
    return column, notes + leading_zero_notes(name, solid.texts)


def _without_gaps(labels: Labels, rules: CellRules) -> tuple[frozenset[str], Labels]:
    """Return what stands for missing among numbers or dates, and the labels without it."""
    gaps = frozenset(text for text in labels.texts if text.casefold() in rules.number_gaps)
    return gaps, labels.without(gaps) if gaps else labels


def _gap_notes(name: str, labels: Labels, gaps: frozenset[str]) -> list[Note]:
    if not gaps:
        return []
    counts = zip(labels.texts, labels.counts().tolist(), strict=True)
    total = sum(count for text, count in counts if text in gaps)
    text = f"Column '{name}': {cells_are(total)} missing (code {' '.join(sorted(gaps))})."
    return [Note(text, name, total)]


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


def _as_date(name: str, solid: Labels, rules: CellRules) -> tuple[Column, list[Note]] | None:
    parsed = _dates_of(solid.texts, rules) if solid.texts else None
    if parsed is None or dates.are_seasons(solid.texts):
        return None
    bad = int(solid.counts()[np.isnan(parsed.days)].sum())
    if bad > 0.1 * (solid.codes >= 0).sum():
        column, notes = _as_category(name, solid, rules)
        text = f"Column '{name}': {cells_are(bad)} no possible date, so it is read as text."
        return column, [*notes, Note(text, name, bad, "warning")]
    column, notes = labelled_number_column(name, solid, parsed.days, "date")
    if bad:
        text = f"Column '{name}': {cells_are(bad)} no possible date and set missing."
        notes.append(Note(text, name, bad, "warning"))
    if parsed.remark:
        notes.append(Note(f"Column '{name}': {parsed.remark}.", name, severity="warning"))
    return column, notes


def _dates_of(texts: Sequence[str], rules: CellRules) -> dates.Dates | None:
    return dates.parse(texts, rules.dates, day_first=rules.day_first)


def _as_boolean(name: str, labels: Labels) -> tuple[Column, list[Note]] | None:
    lower = [text.lower() for text in labels.texts]
    if set(lower) <= _TRUE_FALSE:
        return category_column(name, Labels.of_recoded(labels, lower), kind="boolean"), []
    if len(lower) == 2 and set(lower) in PAIRS:
        return category_column(name, labels, kind="boolean"), []
    return None


def _as_category(name: str, labels: Labels, rules: CellRules) -> tuple[Column, list[Note]]:
    return category_column(name, labels), [*_mixed_notes(name, labels, rules), *_level_notes(name, labels)]


def _mixed_notes(name: str, labels: Labels, rules: CellRules) -> list[Note]:
    plain = ~np.isnan(numerals.parse_most(labels.texts, rules.decimal).values)
    what = "numbers"
    if not plain.any() and len(labels.texts) <= MANY_CATEGORIES:
        plain, what = np.array([_is_date(text) for text in labels.texts], bool), "dates"
    if not plain.any() or plain.all():
        return []
    counts = labels.counts()
    numbers, text_count = int(counts[plain].sum()), int(counts[~plain].sum())
    example = next(text for text, number in zip(labels.texts, plain, strict=True) if not number)
    text = (
        f"Column '{name}' mixes {numbers:,} {what} with {text_count:,} texts, such as '{example[:40]}' "
        f"in row {labels.first_row(example)}, and is read as a category."
    )
    return [Note(text, name, text_count, "warning")]


def _is_date(text: str) -> bool:
    return text[:1].isdecimal() and dates.parse([text]) is not None


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
    return notes + _total_notes(name, labels)


def _total_notes(name: str, labels: Labels) -> list[Note]:
    """Say that rows among the others may be totals of them."""
    totals = [text for text in labels.texts[:MANY_CATEGORIES] if _TOTAL.fullmatch(text)]
    if not totals or 2 * len(totals) > len(labels.texts):
        return []
    counts = dict(zip(labels.texts, labels.counts().tolist(), strict=True))
    count = sum(counts[text] for text in totals)
    called = f"Column '{name}': {cells_are(count)} called a total, as '{totals[0][:40]}'."
    return [Note(f"{called} If these rows count others again, leave them out.", name, count, "warning")]


def convert(column: Column, kind: Kind) -> Column:
    """Return the column as another kind; every label must be one of it. See `change_kind`."""
    changed, notes = change_kind(column, kind)
    if notes:
        raise _is_none(column, kind, _without_value(column, changed)[0])
    return changed


def change_kind(column: Column, kind: Kind, rules: CellRules = USUAL) -> tuple[Column, list[Note]]:
    """Return the column as another kind, and a note where labels that are no numbers were set missing.

    Raises
    ------
    WorkbenchError
        Where a label is no date, less than half of the labels are numbers, or a boolean would have
        more than two values; it names the first such label and its row.
    """
    if kind == column.kind:
        return column, []
    changed, notes = _changed(column, kind, rules)
    return replace(changed, values=kept_beside(column.values, changed.values)), notes


def _changed(column: Column, kind: Kind, rules: CellRules) -> tuple[Column, list[Note]]:
    if kind in ("category", "boolean"):
        return _to_categories(column, kind), []
    if not column.is_categorical:
        return _compact_dates(column) if kind == "date" else replace(column, kind=kind), []
    return _to_dates(column, rules) if kind == "date" else _to_numbers(column, rules)


def _to_categories(column: Column, kind: Kind) -> Column:
    converted = replace(column, kind=kind) if column.is_categorical else _number_categories(column)
    if kind == "boolean" and len(converted.categories) > 2:
        raise WorkbenchError(
            f"Column '{column.name}' has {len(converted.categories):,} values, and a boolean has two. "
            "Make it a category."
        )
    return replace(converted, kind=kind)


def _number_categories(column: Column) -> Column:
    present = ~np.isnan(column.values)
    distinct, codes, _ = distinct_codes(_told_apart(column)[present] + np.float32(0))
    write = date_label if column.kind == "date" else number_label
    labels = tuple(write(value) for value in distinct)
    values = np.full(len(present), np.nan, np.float32)
    values[present] = codes
    return Column(column.name, "category", values, labels, column.collapsed)


def _told_apart(column: Column) -> NDArray[np.floating]:
    """Return dates and identifiers as the file has them, other numbers in single precision."""
    exact = column.exact
    if exact is None or (column.kind == "number" and np.any(exact % 1 > 0)):
        return column.values
    return exact


def _compact_dates(column: Column) -> Column:
    """Return a column of numbers as dates: 20200131 as that day where all of them are such, else as days."""
    numbers = column.values if column.exact is None else column.exact
    distinct, codes, _ = distinct_codes(numbers[~np.isnan(numbers)])
    texts = tuple(map(number_label, distinct))
    parsed = dates.parse(texts) if texts and dates.are_compact(texts) else None
    if parsed is None:
        return replace(column, kind="date")
    places = np.full(len(numbers), -1, np.int32)
    places[~np.isnan(numbers)] = codes
    return labelled_number_column(column.name, Labels(texts, places), parsed.days, "date")[0]


def _to_dates(column: Column, rules: CellRules) -> tuple[Column, list[Note]]:
    texts = column.categories
    whole = _dates_of(texts, rules) if texts else dates.Dates(np.empty(0))
    parsed = [_dates_of([text], rules) for text in texts] if whole is None else [whole]
    for text, read in zip(texts, parsed, strict=False):
        if read is None:
            raise _is_none(column, "date", text)
    days = np.concatenate([read.days for read in parsed if read is not None])
    return labelled_number_column(column.name, _labels_of(column), days, "date")[0], []


def _to_numbers(column: Column, rules: CellRules) -> tuple[Column, list[Note]]:
    texts = column.categories
    numbers = numerals.parse(texts, rules.decimal) or numerals.parse_most(texts, rules.decimal)
    values = numbers.values
    for place in np.flatnonzero(np.isnan(values)).tolist():  # in a way of its own
        one = numerals.value_of(texts[place], rules.decimal)
        values[place] = np.nan if one is None else one
    refused = [text for text, value in zip(texts, values, strict=True) if np.isnan(value)]
    if 2 * len(refused) > len(texts):
        raise _is_none(column, "number", refused[0])
    labels = _labels_of(column)
    converted = labelled_number_column(column.name, labels, values)[0]
    if not refused:
        return converted, []
    count = int(labels.counts()[np.isnan(values)].sum())
    named = ", ".join(f"'{text[:40]}'" for text in refused[:MOST_NAMED])
    more = f" and {len(refused) - MOST_NAMED:,} more" if len(refused) > MOST_NAMED else ""
    text = f"Column '{column.name}': {cells_are(count)} no number and set missing: {named}{more}."
    return converted, [Note(text, column.name, count, "warning")]


def _without_value(column: Column, changed: Column) -> list[str]:
    """Return the labels whose cells are missing in the changed column."""
    codes = np.unique(column.values[np.isnan(changed.values) & ~np.isnan(column.values)])
    return [column.categories[int(code)] for code in codes]


def _labels_of(column: Column) -> Labels:
    codes = np.where(np.isnan(column.values), -1, column.values).astype(np.int32)
    return Labels(column.categories, codes)


def _is_none(column: Column, kind: Kind, text: str) -> WorkbenchError:
    places = np.flatnonzero(column.values == column.categories.index(text))
    where = f" in row {int(places[0]) + 1}" if len(places) else ""
    return WorkbenchError(
        f"Column '{column.name}' cannot be a {kind}: '{text}'{where} is none. Leave it a category."
    )

