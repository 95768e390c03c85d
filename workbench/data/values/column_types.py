"""Which kind a column has, and changing it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import Column, TableNote
from workbench.data.values import dates, numerals
from workbench.data.values.cell_rules import USUAL
from workbench.data.values.change_notes import change_notes
from workbench.data.values.columns import (
    category_column,
    labelled_number_column,
    long_whole_numbers,
    rounded_note,
    rounded_texts,
)
from workbench.data.values.compact_dates import FIRST_LIKELY, are_days, day_column, number_column_of
from workbench.data.values.decimal_sign import parse_as_known
from workbench.data.values.label_notes import (
    MANY_CATEGORIES,
    code_notes,
    formula_notes,
    level_notes,
    missing_notes,
    refused_notes,
    space_notes,
    spelling_notes,
)
from workbench.data.values.labels import Labels, text_of_formula
from workbench.data.values.leading_zeros import label_zero_notes
from workbench.data.values.mixed_units import AS_CATEGORY, mixed_units, unit_notes
from workbench.data.values.odd_numbers import odd_number_notes
from workbench.data.values.places import Places
from workbench.data.values.truth_words import PAIRS
from workbench.data.values.value_labels import day_label, label_of, labels_of_array
from workbench.data.values.writing import Writing
from workbench.errors import WorkbenchError
from workbench.mapped import kept_beside
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.table import Kind
    from workbench.data.values.cell_rules import CellRules

_TRUE_FALSE = {"true", "false"}
MOST_DIGITS = 15  # of a number that Excel keeps whole
MOST_IMPOSSIBLE = 0.1  # of the cells of a column of dates


def infer(
    name: str, raw: Labels, rules: CellRules = USUAL, kind: Kind | None = None
) -> tuple[Column, list[TableNote]]:
    """Find the kind of a column of text: number, date, boolean or category, in this order.

    With `kind` it is read as that; see `change_kind` for what is refused.
    """
    labels = raw.tidy(rules.is_missing)
    notes = missing_notes(name, raw, rules)
    if kind == "category":  # not by way of numbers: 007 stays 007
        return category_column(name, labels), notes + space_notes(name, raw)
    if not labels.texts:
        return Column(name, kind or "number", np.full(len(raw.codes), np.nan, np.float32)), notes
    formulas = [text for text in raw.texts if text[:2] == '="']
    notes += formula_notes(name, raw, formulas) if formulas else []
    found = None
    if not _are_written_as_texts(formulas):
        gaps, solid = _without_gaps(labels, rules)
        found = _as_number(name, solid, rules) or _as_date(name, solid, rules)
        found = (found and _as_compact_dates(found[0], solid, rules, kind)) or found
        notes += code_notes(name, labels, gaps) if found else []
        found = found or _as_boolean(name, labels)
    column, more = found or _as_category(name, labels, rules)
    more = more + space_notes(name, raw) if column.is_categorical else more
    if kind is None or kind == column.kind:
        return column, notes + more
    column, changed = change_kind(category_column(name, labels), kind, rules)
    return column, notes + changed


def _are_written_as_texts(formulas: list[str]) -> bool:
    """Whether one holds digits that a number would not keep: leading zeros, or too many."""
    inner = filter(str.isdecimal, (text_of_formula(text) or "" for text in formulas))
    return any(text.startswith("0") != (text == "0") or len(text) > MOST_DIGITS for text in inner)


def _as_number(name: str, solid: Labels, rules: CellRules) -> tuple[Column, list[TableNote]] | None:
    known = rules.writing_of(name)
    numbers = parse_as_known(solid.texts, rules.decimal, known.decimal) if solid.texts else None
    if numbers is None:
        return None
    rounded = rounded_texts(solid.texts)
    equal = _are_equal_doubles(solid.texts) if rounded else None
    column, notes = labelled_number_column(name, solid, numbers.values, equal=equal)
    column = replace(column, writing=Writing(decimal=numbers.decimal, unit=numbers.unit))
    if rounded:
        notes = [rounded_note(name, Places.of_texts(solid, rounded), rounded[0]), *notes]
    notes += change_notes(name, numbers.changes, solid)
    return column, notes + label_zero_notes(name, solid)


def _as_compact_dates(
    column: Column, solid: Labels, rules: CellRules, kind: Kind | None
) -> tuple[Column, list[TableNote]] | None:
    """Read whole numbers as days where they are such, and no other kind is wanted."""
    if column.kind != "number" or kind == "number" or not (kind == "date" or rules.finds_days):
        return None
    numbers = column.values if column.exact is None else column.exact
    found = are_days(numbers, FIRST_LIKELY, fewest=1) if kind == "date" else are_days(numbers)
    return day_column(column) if found and _are_whole(solid.texts, rules) else None


def _are_whole(texts: Sequence[str], rules: CellRules) -> bool:
    """Whether no number has a fraction, which single precision may not show."""
    numbers = numerals.parse(texts, rules.decimal)
    return numbers is not None and bool(np.all(numbers.values == np.floor(numbers.values)))


def _are_equal_doubles(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return which whole numbers double precision makes equal to another one that stands above them."""
    wholes: dict[float, set[int]] = defaultdict(set)
    equal = np.zeros(len(texts), np.bool_)
    long = frozenset(long_whole_numbers(texts))
    for place, text in enumerate(texts):
        if text in long:
            known = wholes[float(text)]
            equal[place] = bool(known - {int(text)}) and int(text) not in known
            known.add(int(text))
    return equal


def _without_gaps(labels: Labels, rules: CellRules) -> tuple[frozenset[str], Labels]:
    """Return what stands for missing among numbers or dates, and the labels without it."""
    gaps = frozenset(text for text in labels.texts if text.casefold() in rules.number_gaps)
    return gaps, labels.without(gaps) if gaps else labels


def _as_date(name: str, solid: Labels, rules: CellRules) -> tuple[Column, list[TableNote]] | None:
    parsed = _dates_of(name, solid.texts, rules) if solid.texts else None
    if parsed is None or dates.are_seasons(solid.texts):
        return None
    bad = Places.of_labels(solid, np.isnan(parsed.days))
    if bad.count > MOST_IMPOSSIBLE * (solid.codes >= 0).sum():
        column, notes = _as_category(name, solid, rules)
        text = f"Column '{name}': {bad.are} no possible date, {bad.first}, so it is read as text."
        advice = "The column has both orders; make it one, or two columns."
        turned = _turned_notes(name, solid, parsed, advice)
        return column, [*notes, TableNote(text, name, bad.count, "warning"), *turned]
    column, notes = labelled_number_column(name, solid, parsed.days, "date")
    return replace(column, writing=Writing(parsed.order)), notes + _date_notes(name, solid, parsed)


def _date_notes(name: str, labels: Labels, parsed: dates.Dates) -> list[TableNote]:
    """Say by which rules dates were read, and which are none."""
    notes = change_notes(name, parsed.changes, labels)
    if bad := Places.of_labels(labels, np.isnan(parsed.days)):
        text = f"Column '{name}': {bad.are} no possible date, {bad.first}, and set missing."
        notes.append(TableNote(text, name, bad.count, "warning"))
        notes += _turned_notes(name, labels, parsed, "Others may be of the other order too: look at them.")
    return notes


def _turned_notes(name: str, labels: Labels, parsed: dates.Dates, advice: str) -> list[TableNote]:
    """Say which dates are none as the others are read, and would be with day and month exchanged."""
    turned = np.isnan(parsed.days)
    for place in np.flatnonzero(turned).tolist():
        turned[place] = dates.is_of_other_order(labels.texts[place], parsed.order)
    places = Places.of_labels(labels, turned)
    if not places:
        return []
    example = labels.texts[int(np.argmax(turned))]
    first = dates.FIRST_PART[parsed.order]
    begin = "1 cell tells" if places.count == 1 else f"{places.count:,} cells tell"
    text = f"Column '{name}': the {first} is read as the first part of dates, and {begin} otherwise"
    return [TableNote(f"{text}, as {example} {places.first}. {advice}", name, places.count, "warning")]


def _dates_of(name: str, texts: Sequence[str], rules: CellRules) -> dates.Dates | None:
    return dates.parse(texts, rules.dates, day_first=rules.day_first, likely=rules.writing_of(name).order)


def _as_boolean(name: str, labels: Labels) -> tuple[Column, list[TableNote]] | None:
    if all(text.lower() in _TRUE_FALSE for text in labels.texts):
        lower = [text.lower() for text in labels.texts]
        column = category_column(name, Labels.of_recoded(labels, lower), kind="boolean")
        return column, spelling_notes(name, labels)
    if len(labels.texts) == 2 and {text.lower() for text in labels.texts} in PAIRS:
        return category_column(name, labels, kind="boolean"), []
    return None


def _as_category(name: str, labels: Labels, rules: CellRules) -> tuple[Column, list[TableNote]]:
    return category_column(name, labels), [*_mixed_notes(name, labels, rules), *level_notes(name, labels)]


def _mixed_notes(name: str, labels: Labels, rules: CellRules) -> list[TableNote]:
    if (units := mixed_units(labels)) is not None:
        return unit_notes(name, units)
    plain = ~np.isnan(numerals.parse_most(labels.texts, rules.decimal).values)
    what = "number"
    if not plain.any() and len(labels.texts) <= MANY_CATEGORIES:
        plain, what = np.array([*map(dates.is_date, labels.texts)], bool), "date"
    if not plain.any() or plain.all():
        return odd_number_notes(name, labels)
    numbers = Places.of_labels(labels, plain).count
    texts = Places.of_labels(labels, ~plain)
    example = labels.texts[int(np.argmin(plain))]
    text = (
        f"Column '{name}' mixes {counted(numbers, what)} with {counted(texts.count, 'text')}, such as "
        f"'{example[:40]}' "
        f"in row {Places.of_texts(labels, [example]).row}, {AS_CATEGORY}"
    )
    return [TableNote(text, name, texts.count, "warning")]


def convert(column: Column, kind: Kind) -> Column:
    """Return the column as another kind; every label must be one of it. See `change_kind`."""
    if kind == column.kind:
        return column
    changed, _, refused = _changed(column, kind, USUAL)
    if refused:
        raise _is_none(column, kind, refused[0])
    return replace(changed, values=kept_beside(column.values, changed.values))


def change_kind(column: Column, kind: Kind, rules: CellRules = USUAL) -> tuple[Column, list[TableNote]]:
    """Return the column as another kind, and notes on how its labels were read, and which are missing since.

    Raises
    ------
    WorkbenchError
        Where a label is no date, less than half of the labels are numbers, or a boolean would have
        more than two values; it names the first such label and its row.
    """
    if kind == column.kind:
        return column, []
    changed, notes, _ = _changed(column, kind, rules)
    return replace(changed, values=kept_beside(column.values, changed.values)), notes


def _changed(column: Column, kind: Kind, rules: CellRules) -> tuple[Column, list[TableNote], list[str]]:
    """Return the column as another kind, notes, and the labels that are no numbers."""
    if kind in ("category", "boolean"):
        return _to_categories(column, kind), [], []
    if not column.is_categorical:
        return *_numbers_or_dates(column, kind), []
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
    """Label dates and identifiers as the file has them, other numbers in single precision."""
    exact = column.exact
    numbers: NDArray[np.floating] = column.values
    if exact is not None:
        numbers = exact if column.kind == "date" else np.where(exact == np.floor(exact), exact, numbers)
    labels = labels_of_array(numbers, day_label if column.kind == "date" else _single_label)
    return replace(category_column(column.name, labels), collapsed=column.collapsed)


def _single_label(value: np.floating) -> str | None:
    return label_of(value if value == np.floor(value) else np.float32(value))


def _numbers_or_dates(column: Column, kind: Kind) -> tuple[Column, list[TableNote]]:
    """Return numbers as dates, 20200131 as that day where nearly all are such; or dates as numbers."""
    if kind == "number":
        return number_column_of(column) if column.writing.is_compact else replace(column, kind=kind), []
    numbers = column.values if column.exact is None else column.exact
    if are_days(numbers, FIRST_LIKELY, fewest=1):
        return day_column(column)
    return replace(column, kind=kind), []


def _to_dates(column: Column, rules: CellRules) -> tuple[Column, list[TableNote], list[str]]:
    texts, labels = column.categories, _labels_of(column)
    whole = _dates_of(column.name, texts, rules) if texts else dates.Dates(np.empty(0))
    if whole is None:
        each = [_dates_of(column.name, [text], rules) for text in texts]
        if None in each:
            raise _is_none(column, "date", texts[each.index(None)])
        whole = dates.joined([one for one in each if one is not None])
    changed, notes = labelled_number_column(column.name, labels, whole.days, "date")
    changed = replace(changed, writing=Writing(whole.order))
    return changed, notes + _date_notes(column.name, labels, whole), []


def _to_numbers(column: Column, rules: CellRules) -> tuple[Column, list[TableNote], list[str]]:
    texts, labels = column.categories, _labels_of(column)
    known = rules.writing_of(column.name)
    numbers = parse_as_known(texts, rules.decimal, known.decimal) or numerals.parse_each(texts, rules.decimal)
    is_none = np.isnan(numbers.values)
    refused = [text for text, wrong in zip(texts, is_none, strict=True) if wrong]
    if 2 * len(refused) > len(texts):
        raise _is_none(column, "number", refused[0])
    converted, notes = labelled_number_column(column.name, labels, numbers.values)
    converted = replace(converted, writing=Writing(decimal=numbers.decimal, unit=numbers.unit))
    notes += change_notes(column.name, numbers.changes, labels) + label_zero_notes(column.name, labels)
    return converted, notes + refused_notes(column.name, refused, Places.of_labels(labels, is_none)), refused


def _labels_of(column: Column) -> Labels:
    codes = np.where(np.isnan(column.values), -1, column.values).astype(np.int32)
    return Labels(column.categories, codes)


def _is_none(column: Column, kind: Kind, text: str) -> WorkbenchError:
    places = np.flatnonzero(column.values == column.categories.index(text))
    where = f" in row {int(places[0]) + 1}" if len(places) else ""
    return WorkbenchError(
        f"Column '{column.name}' cannot be a {kind}: '{text}'{where} is none. Leave it a category."
    )

