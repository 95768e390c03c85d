"""What the cells of the first rows leave open: decimal sign, missing codes, dates, kinds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.guess import Guess, chosen
from workbench.data.text.layout.header import MOST_JUDGED
from workbench.data.values import dates, numerals, times
from workbench.data.values.cell_rules import WORD_GAPS
from workbench.data.values.compact_dates import are_days
from workbench.data.values.decimal_sign import sign_of
from workbench.data.values.labels import Labels, text_of_formula
from workbench.data.values.leading_zeros import has_leading_zeros
from workbench.data.values.mixed_units import mixed_units
from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled
    from workbench.data.values.cell_rules import CellRules

    NamedLabels = tuple[str, Labels]

_OF_PROGRAMS = {  # of meteorologists, and what whole numbers of 16 and 32 bits and netCDF are filled with
    -99.9, -999.9, -9999.9, 99.9, 999.9, 9999.9, -99.99, -999.99, -9999.99, 99.99, 999.99, 9999.99,
    -32768.0, 32767.0, 65535.0, -2147483648.0, 2147483647.0, 9.96921e36, 9.969209968386869e36,
    1e20, -1e20, 1e30, -1e30,
}  # fmt: skip
CODES = frozenset({-9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0, *_OF_PROGRAMS})
MORE_CODES = frozenset({-97.0, -98.0, -997.0, -998.0, 97.0, 98.0, 997.0, 998.0})  # beside one of those
FAR = 2  # times the span of the other numbers
FEWEST_OTHERS = 5
_DIGITS_WITH_E = re.compile(r"\d+(?:[eE]\d+)?", re.ASCII)
HALF = 0.5  # above this share of numbers or dates, the texts among them may be codes
FEW = 20  # labels of a column of dates, one of which is a date


def cell_guesses(
    names: Sequence[str], texts: Sequence[Sequence[str]], options: ReadOptions, separator: str = ",",
    cancelled: Cancelled | None = None,
) -> Iterator[Guess]:
    """Yield what was guessed of cells, parted by this separator: at least one guess an option.

    Only the first `MOST_JUDGED` columns are looked at.
    """
    names, texts = names[:MOST_JUDGED], texts[:MOST_JUDGED]
    rules = options.cell_rules.for_cells(texts)
    raw = [(name, Labels.of(cells)) for name, cells in zip(names, texts, strict=True)]
    tidy = [(name, labels.tidy(rules.is_missing)) for name, labels in raw]
    open_ones = [(name, labels) for name, labels in tidy if labels.texts and not options.kind_of(name)]
    if options.decimal is None:
        yield from _decimals(_unless(cancelled, open_ones), rules, separator)
    else:
        yield chosen("decimal", options.decimal)
    yield from _missing(raw, _unless(cancelled, open_ones), options, rules)
    if options.dates is None:
        yield from _dates(_unless(cancelled, tidy), rules)
    else:
        yield chosen("dates", options.dates)
    formulas = {name for name, labels in raw if any(map(text_of_formula, labels.texts))}
    others = [(name, labels) for name, labels in open_ones if name not in formulas]
    yield from _kinds(_unless(cancelled, others), rules)


def _unless(cancelled: Cancelled | None, columns: Iterable[NamedLabels]) -> Iterator[NamedLabels]:
    """Yield columns until the person has cancelled the work."""
    for column in columns:
        leave_if(cancelled)
        yield column


def _decimals(columns: Iterable[NamedLabels], rules: CellRules, separator: str) -> Iterator[Guess]:
    numbers = [(name, solid) for name, labels in columns if (solid := _gapless(labels, rules)) is not None]
    found = [
        guess for name, labels in numbers
        for guess in _commas(name, labels.texts, rules.writing_of(name).decimal)
    ]
    are_decimal = any(map(_has_decimal_point, (labels for _, labels in numbers)))
    if any(guess.value == "," for guess in found) or (separator == ";" and not are_decimal):
        open_ones = [(name, labels) for name, labels in numbers if not rules.writing_of(name).decimal]
        found += [guess for name, labels in open_ones for guess in _points(name, labels.texts)]
    yield from found or (Guess("decimal", ".", "No number is written with a decimal comma."),)


def _commas(name: str, texts: Sequence[str], known: str) -> Iterator[Guess]:
    """Say what the commas in a column of numbers are."""
    text = next((text for text in texts if "," in text), None)
    if text is None:
        return
    if known and sign_of(texts) in ("", known):
        reason = f"'{name}' has {text}, read as where the model was trained."
        yield Guess("decimal", known, reason, column=name)
    elif numerals.comma_is_ambiguous(texts):
        whole, broken = text.replace(",", ""), text.replace(",", ".")
        reason = f"'{name}' has {text}, which may be {whole} or {broken}; it is read as {whole}."
        yield Guess("decimal", ".", reason, True, name)
    elif numerals.parse(texts, ".") is None:
        yield Guess("decimal", ",", f"'{name}' has {text}: such columns have decimal commas.", column=name)


def _points(name: str, texts: Sequence[str]) -> Iterator[Guess]:
    """Say that points may be thousands in a table that has decimal commas."""
    if numerals.point_is_thousands(texts) and not any("," in text for text in texts):
        text = next(text for text in texts if "." in text)
        reason = f"'{name}' has {text}: read with a decimal point, but the point may mean thousands."
        yield Guess("decimal", ".", reason, True, name)


def _has_decimal_point(labels: Labels) -> bool:
    """Whether a point of a column can be no sign of thousands."""
    texts = [text for text in labels.texts if "." in text]
    return bool(texts) and not numerals.point_is_thousands(texts) and numerals.parse(texts, ".") is not None


def _gapless(labels: Labels, rules: CellRules) -> Labels | None:
    """Return the labels of a column of numbers without its gaps."""
    gaps = frozenset(text for text in labels.texts if text.casefold() in rules.number_gaps)
    solid = labels.without(gaps)
    return solid if solid.texts and numerals.parse(solid.texts) is not None else None


def _missing(
    raw: list[NamedLabels], columns: Iterable[NamedLabels], options: ReadOptions, rules: CellRules
) -> Iterator[Guess]:
    if options.missing is not None or options.usual_missing is False:
        yield chosen("missing", options.missing)
    else:
        found = sorted({text.strip() for _, labels in raw for text in labels.texts} & rules.missing - {""})
        listed = f"Empty cells, and {', '.join(found)}." if found else "Empty cells; no code was found."
        yield Guess("missing", tuple(found), listed)
    for name, labels in columns:
        what, odd = _odd_texts(labels, rules)
        if len(odd) == 1:
            reason = f"'{name}' holds {what} and '{odd[0][:40]}'. If that means missing, name it as a code."
            yield Guess("missing", (odd[0],), reason, True, name)
        elif (words := _words(labels, rules)) and _gapless(labels, rules) is not None:
            reason = f"'{name}' holds numbers and '{words[0]}', which is read as missing."
            yield Guess("missing", words, reason, True, name)
        far = _far_codes(labels, rules)
        if len(far) == 1:
            where = f"'{name}' has {far[0]}, far from its other numbers"
            reason = f"{where}. If it means missing, name it a code."
            yield Guess("missing", far, reason, True, name)
        elif far:
            where = f"'{name}' has {', '.join(far)}, far from its other numbers"
            reason = f"{where}. If they mean missing, name them."
            yield Guess("missing", far, reason, True, name)


def _words(labels: Labels, rules: CellRules) -> tuple[str, ...]:
    """Return the words among the labels that probably mean missing."""
    words = WORD_GAPS & rules.number_gaps
    return tuple(sorted(text for text in labels.texts if text.casefold() in words))


def _far_codes(labels: Labels, rules: CellRules) -> tuple[str, ...]:
    """Return numbers such as -999 that stand several times far from all others."""
    has_commas = rules.decimal != "." and any("," in text for text in labels.texts)
    decimal = "," if has_commas and sign_of(labels.texts) == "," else "."
    plain = [text for text in labels.texts if numerals.is_plain(text, decimal)]
    values = {text: numerals.plain_value(text, decimal) for text in plain}
    firm = [text for text, value in values.items() if value in CODES]
    solid = _gapless(labels, rules) if firm else None
    if solid is None:
        return ()
    all_codes = [text for text, value in values.items() if value in CODES | MORE_CODES]
    negative = [text for text in all_codes if values[text] < 0]
    possible = ({text: values[text] for text in sorted(codes)}
                for codes in (all_codes, negative, *([code] for code in firm)))  # fmt: skip
    return next((tuple(codes) for codes in possible if codes and _are_far(codes, solid, rules)), ())


def _are_far(codes: Mapping[str, float], solid: Labels, rules: CellRules) -> bool:
    counts = dict(zip(solid.texts, solid.counts().tolist(), strict=True))
    others = [text for text in solid.texts if text not in codes]
    numbers = numerals.parse(others, rules.decimal) if len(others) >= FEWEST_OTHERS - 1 else None
    if sum(counts[code] for code in codes) < 2 or numbers is None:
        return False
    low, high = numbers.values.min(), numbers.values.max()
    with np.errstate(over="ignore"):  # then they are not close together
        gap = min(max(low - code, code - high) for code in codes.values())
        return bool(gap > FAR * (high - low))


def _odd_texts(labels: Labels, rules: CellRules) -> tuple[str, list[str]]:
    """Return of what a column holds most, numbers or dates, and its texts that are none."""
    if mixed_units(labels) is not None:  # a doubt of its own
        return "numbers", []
    odd = _texts_among_numbers(labels, rules)
    return ("numbers", odd) if odd else ("dates", _texts_among_dates(labels, rules))


def _texts_among_dates(labels: Labels, rules: CellRules) -> list[str]:
    """Return the texts of a column that holds dates in most rows."""
    if not any(map(dates.is_date, labels.texts[:FEW])) or _gapless(labels, rules) is not None:
        return []
    solid = labels.without(frozenset(text for text in labels.texts if text.casefold() in rules.number_gaps))
    if dates.parse(solid.texts) is not None:  # what is none by itself may be one beside others
        return []
    found = np.array([dates.is_date(text) for text in solid.texts], bool)
    counts = solid.counts()
    if counts[found].sum() <= HALF * counts.sum():
        return []
    return [text for text, date in zip(solid.texts, found, strict=True) if not date]


def _texts_among_numbers(labels: Labels, rules: CellRules) -> list[str]:
    """Return the texts of a column that holds numbers in most rows."""
    if _gapless(labels, rules) is not None:
        return []
    plain = ~np.isnan(numerals.parse_most(labels.texts, rules.decimal).values)
    counts = labels.counts()
    if counts[plain].sum() <= HALF * counts.sum():
        return []
    return [text for text, number in zip(labels.texts, plain, strict=True) if not number]


def _dates(columns: Iterable[NamedLabels], rules: CellRules) -> Iterator[Guess]:
    for name, labels in columns:
        if not labels.texts:
            continue
        likely = rules.writing_of(name).order
        parsed = dates.parse(labels.texts, day_first=rules.day_first, likely=likely)
        if parsed is None or not parsed.order:
            continue
        order = "day first" if parsed.order == "dmy" else "month first"
        example = f"'{name}' has {labels.texts[0]}, read {order}"
        unsure = not likely and dates.order_is_ambiguous(labels.texts)
        reason = f"{example}; no date tells which it is." if unsure else f"{example}."
        yield Guess("dates", parsed.order, reason, unsure, name)


def _kinds(columns: Iterable[NamedLabels], rules: CellRules) -> Iterator[Guess]:
    for name, labels in columns:
        what, odd = _odd_texts(labels, rules)
        if len(odd) > 1:
            shown = ", ".join(f"'{text[:20]}'" for text in odd[:3])
            reason = f"'{name}' mixes {what} with texts ({shown}), so it is read as a category."
            yield Guess("kinds", "category", reason, True, name)
        if (units := mixed_units(labels)) is not None and _gapless(labels, rules) is None:
            reason = f"'{name}' has numbers in several units ({units.listed}), so it is read as a category."
            yield Guess("kinds", "category", reason, True, name)
        if times.may_be_ratios(labels.texts) and _gapless(labels, rules) is not None:
            reason = f"'{name}' has {labels.texts[0]}, read as a time. A category keeps ratios and scores."
            yield Guess("kinds", "number", reason, True, name)
        if _may_be_days(labels):
            reason = f"'{name}' has {labels.texts[0]}, read as a number. It may be a date."
            yield Guess("kinds", "number", reason, True, name)
        if (code := _perhaps_code(labels)) is not None:
            whole = f"{numerals.plain_value(code):.6g}"
            reason = f"'{name}' has {code}, read as the number {whole}. A category keeps codes."
            yield Guess("kinds", "number", reason, True, name)
        padded = [text for text in labels.texts if has_leading_zeros(text)]
        if padded and _gapless(labels, rules) is not None:
            reason = f"'{name}' has {padded[0]}: as a number it loses its zeros. A category keeps them."
            yield Guess("kinds", "number", reason, True, name)


def _perhaps_code(labels: Labels) -> str | None:
    """Return a text such as 12e5 where all are digits, with an e among some: few programs write powers so."""
    if not all(map(_DIGITS_WITH_E.fullmatch, labels.texts)):
        return None
    return next((text for text in labels.texts if not text.isdecimal()), None)


def _may_be_days(labels: Labels) -> bool:
    """Whether the whole numbers of a column write days, but too few to read them as such."""
    texts = labels.texts
    if len(texts) < 2 or not texts[0].isdecimal() or not dates.are_compact(texts):
        return False
    return not are_days(labels.spread(np.array([*map(float, texts)])))
