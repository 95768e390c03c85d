"""Text as numbers: however they are written, with what stands beside them, and times."""

from __future__ import annotations

import re
from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values import compound_numbers, times
from workbench.data.values.change import ValueChange, change_where, joined_changes
from workbench.data.values.lookalikes import UNSEEN
from workbench.data.values.number_marks import without_about, without_flags, without_limits
from workbench.data.values.number_writing import (
    POINT_THOUSANDS,
    WAYS,
    Numbers,
    NumberWay,
    with_comma_thousands,
)
from workbench.data.values.number_writing import is_plain as is_plain
from workbench.data.values.number_writing import plain_value as plain_value
from workbench.data.values.units import MEASURE, usual_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.data.values.number_marks import Unmarked

_CODES = (
    "EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|BRL|SEK|NOK|DKK|PLN|CZK|HUF|TRY|RUB|ZAR|MXN|KRW|SGD|HKD|NZD"
    "|(?:US|CA|AU|NZ|HK|MX|[RACS])[$]|kr|zł|Kč|Ft|Fr[.]|Rs[.]?|руб[.]?"
)
_SIGN = "[$€£¥₹₽₩₺₴₫฿₪₦₱]"
_UNIT_BEFORE = re.compile(rf"([+-]?)\s?({_SIGN}|{_CODES})\s?([+-]?[\d.,].*)")
_CENTS_DASH = "[.,](?:--?|[–—])"
_UNIT_BEHIND = re.compile(rf"([+-]?[\d.,](?:.*(?:{_CENTS_DASH}|[\d.,]))?)\s?([%‰]|{_SIGN}|{_CODES})")
_NO_CENTS = re.compile(rf".*\d{_CENTS_DASH}")
_NO_MONEY = re.compile(rf"({_SIGN})\s*[-–—]")
_IN_BRACKETS = re.compile(rf"({_SIGN}?)\s?\(({_SIGN}?\s?[\d.,][^()]*)\)(\s?(?:[%‰]|{_SIGN})?)")
_MINUS_BEHIND = re.compile(rf"({_SIGN}?\s?\.?\d(?:[^-]*\d)?)\s?-(\s?(?:[%‰]|{_SIGN})?)")
_SEAT = re.compile(r"\d+[A-Z]")  # and not 5 ampere
_ZERO = re.compile(r"[+-]?0+(?:[.,]0+)?", re.ASCII)  # which needs no unit
_PLUS_BEHIND = re.compile(r"(.*\d)\s?\+", re.ASCII)
_MARKED = re.compile(r"(.*\d[%‰)]?)\s?(?:\*{1,4}|[†‡]{1,2}|\[[0-9a-z]{1,2}\])", re.ASCII)
_MARKS = ("*", "†", "‡", "]")
_MAGNITUDE = re.compile(
    rf"([+-]?\s?{_SIGN}?\s?[\d.,]+)\s?(k|m|b|mn|bn|mio\.?|mrd\.?)", re.ASCII | re.IGNORECASE
)
_MAGNITUDES = {"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "mrd": 1e9}
SEEN_FOR_SIGNS = 1000  # labels: where none of these has one, none is looked for
_IN_EVERY_NUMBER = re.compile(r"[\d$€£¥₹₽₩₺₴₫฿₪₦₱%‰∞]|inf", re.IGNORECASE)  # one of them
NO_CENTS = "a dash for no cents is read as 00"


def parse(labels: Sequence[str], decimal: str | None = None) -> Numbers | None:
    """Read every label as a number; None where one of them is none.

    Without a decimal sign, the first way of writing that fits every label is taken.
    """
    usual, *others = WAYS[decimal]
    if all(map(usual.fits, labels)):
        return usual.read(labels)
    if _IN_EVERY_NUMBER.search(labels[0]) is None or any(map(_is_word, labels)):  # most texts
        return None
    way = next((way for way in others if all(map(way.fits, labels))), None)
    if way is not None:
        return way.read(labels)
    return next(filter(None, (other(labels, decimal) for other in _OTHER_WAYS)), None)


def _is_word(label: str) -> bool:
    """Whether a label is none of the signs of which numbers are written, in any way."""
    if _IN_EVERY_NUMBER.search(label) is not None:
        return False
    return any(map(str.isalpha, label)) and _NO_MONEY.fullmatch(label) is None


def value_of(label: str, decimal: str | None = None) -> float | None:
    """Return the number that one cell of a column of numbers is; None where it is none."""
    numbers = parse_one(label, decimal)
    return None if numbers is None else float(numbers.values[0])


def parse_one(label: str, decimal: str | None = None) -> Numbers | None:
    """Read one cell of a column of numbers; None where it is none."""
    found = parse([label], decimal) or _read_magnitudes([label], decimal)
    return found or _read_unmarked(without_limits([label], 0.0) or without_flags([label], 0.0), decimal)


def is_number(label: str) -> bool:
    """Whether a label is a number in any way of writing, blanks round it or not."""
    label = label.strip()
    if is_plain(label):
        return True
    if not label.isascii():
        label = label.translate(UNSEEN).strip()
    if _IN_EVERY_NUMBER.search(label) is None:  # most texts
        return False
    if any(way.fits(label) for way in WAYS[None]) or _split_unit(label) is not None:
        return True
    if (marked := _MARKED.fullmatch(label) or _PLUS_BEHIND.fullmatch(label)) is not None:
        return is_number(marked[1])
    if (large := _MAGNITUDE.fullmatch(label)) is not None and _is_clear(large):
        return is_number(large[1])
    if _NO_CENTS.fullmatch(label) is not None:
        return is_number(_with_cents(label))
    bare = without_limits([label], 0.0) or without_about([label]) or without_flags([label], 0.0)
    if bare is not None:
        return is_number(bare.labels[0])
    if compound_numbers.parse([label]) is not None:
        return True
    behind = _MINUS_BEHIND.fullmatch(label)
    return behind is not None and is_number(behind[1] + behind[2])


def parse_most(labels: Sequence[str], decimal: str | None = None) -> Numbers:
    """Read the labels in the way, or beside the sign, in which most are numbers; NaN where one is none."""
    dashed = [_NO_CENTS.fullmatch(label) is not None for label in labels]
    if any(dashed):
        whole = parse_most(_with_all_cents(labels, dashed), decimal)
        return _changed(whole, NO_CENTS, dashed & ~np.isnan(whole.values))
    way, found = _commonest_way(labels, decimal)
    signed = _of_commonest_sign(labels)
    numbers = _parse_with_unit(signed, decimal) if len(signed) > len(found) else None
    if numbers is None:
        numbers = way.read(found) if found else Numbers(np.empty(0))
    else:
        found = signed
    chosen = set(found)
    places = [place for place, label in enumerate(labels) if label in chosen]
    values = np.full(len(labels), np.nan)
    values[places] = numbers.values
    changes = tuple(_spread(change, places, len(labels)) for change in numbers.changes)
    return numbers._replace(values=values, changes=changes)


def _commonest_way(labels: Sequence[str], decimal: str | None) -> tuple[NumberWay, list[str]]:
    """Return the way of writing that fits most labels, of equals the first, and the labels it fits."""
    usual, *others = WAYS[decimal]
    fits = [usual.fits(label) for label in labels]
    way, found = usual, list(compress(labels, fits))
    n_usual, left = len(found), [label for label, fit in zip(labels, fits, strict=True) if not fit]
    for other in others:
        if n_usual + sum(map(other.fits, left)) > len(found):  # else it cannot fit more
            fitting = [label for label in labels if other.fits(label)]
            if len(fitting) > len(found):
                way, found = other, fitting
    return way, found


def _spread(change: ValueChange, places: list[int], count: int) -> ValueChange:
    """Return a change of the labels that stand in some places as one of all."""
    touched = np.zeros(count, np.bool_)
    touched[places] = change.touched
    return ValueChange(change.what, touched)


def _of_commonest_sign(labels: Sequence[str]) -> list[str]:
    """Return the labels whose numbers have the commonest sign, of a currency or percent; a 0 needs none."""
    is_likely = any(map(has_sign, labels[:SEEN_FOR_SIGNS]))
    possible = filter(_IN_EVERY_NUMBER.search, labels if is_likely else ())
    split = [(label, _split_unit(label) or _bare_zero(label)) for label in possible]
    signs = {label: found[1] for label, found in split if found}
    commonest = Counter(sign for sign in signs.values() if sign).most_common(1)
    wanted = {"", commonest[0][0]} if commonest else set()
    return [label for label in labels if signs.get(label) in wanted]


def parse_each(labels: Sequence[str], decimal: str | None = None) -> Numbers:
    """Read the labels in the way in which most are numbers, the others each in a way of its own."""
    most = parse_most(labels, decimal)
    others: list[tuple[ValueChange, ...]] = [()] * len(labels)
    for place in np.flatnonzero(np.isnan(most.values)).tolist():
        one = parse_one(labels[place], decimal)
        if one is not None:
            most.values[place], others[place] = one.values[0], one.changes
    return most._replace(changes=most.changes + joined_changes(others))


def comma_is_ambiguous(labels: Sequence[str]) -> bool:
    """Whether the commas may be thousands or decimal: 1,234 may be either, 1,23 and 1,234.5 may not."""
    with_comma = [label for label in labels if "," in label]
    return (
        bool(with_comma)
        and all(map(with_comma_thousands, labels))
        and all(is_plain(label, ",") for label in with_comma)
    )


def point_is_thousands(labels: Sequence[str]) -> bool:
    """Whether the points may be thousands: 1.234 may, 1.23 may not."""
    with_point = [label for label in labels if "." in label]
    return bool(with_point) and all(map(POINT_THOUSANDS.fullmatch, with_point))


def _parse_with_unit(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers that all have the same sign of a currency, or of percent; a 0 needs none."""
    split = []
    for label in labels:
        if (found := _split_unit(label) or _bare_zero(label)) is None:
            return None
        split.append(found)
    units = {unit for _, unit in split} - {""}
    numbers = parse([number for number, _ in split], decimal) if len(units) == 1 else None
    if numbers is None:
        return None
    sign = units.pop()
    numbers = _changed(numbers, "a dash for no money is read as 0", map(_NO_MONEY.fullmatch, labels))
    numbers = _changed(numbers, f"the sign {sign} is left out", (unit for _, unit in split))
    return numbers._replace(unit=usual_name(sign))


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
    return _changed(numbers, "numbers in brackets are read as negative", found)


def _parse_minus_behind(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers of which the negative ones end with the sign, as 1,234.50- of accounting programs."""
    found = [_MINUS_BEHIND.fullmatch(label) for label in labels]
    if not any(found) or any(label.endswith("+") for label in labels):  # 2- and 2+ are marks of schools
        return None
    signed = [f"-{f[1]}{f[2]}" if f else label for f, label in zip(found, labels, strict=True)]
    numbers = parse(signed, decimal)
    return None if numbers is None else _changed(numbers, "a minus behind a number is its sign", found)


def _parse_no_cents(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read prices of which some have a dash for no cents, as 5.- and 1.010,--."""
    dashed = [_NO_CENTS.fullmatch(label) is not None for label in labels]
    numbers = parse(_with_all_cents(labels, dashed), decimal) if any(dashed) else None
    return None if numbers is None else _changed(numbers, NO_CENTS, dashed)


def _with_all_cents(labels: Sequence[str], dashed: Sequence[bool]) -> list[str]:
    return [_with_cents(label) if cut else label for label, cut in zip(labels, dashed, strict=True)]


def _with_cents(label: str) -> str:
    """Write 5.- and 5,-- as 5.00 and 5,00."""
    return label.rstrip("-–—") + "00"


def _parse_measures(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers that all have the same unit behind them, as 5 kg or 36 months."""
    found = [MEASURE.fullmatch(label) for label in labels[:1]]
    if found == [None]:  # most texts
        return None
    found += [MEASURE.fullmatch(label) for label in labels[1:]]
    split = [(one[1].strip(), one[2]) for one in found if one is not None]
    units = {_one_unit(unit) for _, unit in split}
    if len(split) < len(labels) or len(units) > 1 or _SEAT.fullmatch(labels[0]):
        return None
    numbers = parse([number for number, _ in split], decimal)
    if numbers is None:
        return None
    return _changed(numbers, f"the unit {split[0][1]} is left out", found)._replace(unit=units.pop())


def _parse_plus_behind(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers of which some mean so many or more, as 90+; no marks of schools, as 2+ beside 2 or 3-."""
    if not any(label.endswith("+") for label in labels) or any(label.endswith("-") for label in labels):
        return None
    found = [_PLUS_BEHIND.fullmatch(label) for label in labels]
    bare = [f[1] if f else label for f, label in zip(found, labels, strict=True)]
    numbers = parse(bare, decimal) if any(found) and len(set(bare)) == len(bare) else None
    return None if numbers is None else _changed(numbers, "a plus behind a number is left out", found)


def _parse_marked(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers of which some have stars of significance or signs of footnotes behind them."""
    found = [_MARKED.fullmatch(label) if label.endswith(_MARKS) else None for label in labels]
    if not any(found):
        return None
    numbers = parse([f[1] if f else label for f, label in zip(found, labels, strict=True)], decimal)
    words = "stars and signs of footnotes behind numbers are left out"
    return None if numbers is None else _changed(numbers, words, found)


def _parse_magnitudes(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read 1.2M and 35k as their numbers where they can be no codes, as seats are."""
    found = [one for one in map(_MAGNITUDE.fullmatch, labels) if one is not None]
    if not found:
        return None
    kinds = {_magnitude(one[2]) for one in found}
    may_be = any(map(_is_clear, found)) or kinds >= {1e3, 1e6}
    return _read_magnitudes(labels, decimal) if may_be else None


def _is_clear(found: re.Match[str]) -> bool:
    """Whether it is no code, as the seat 12B or the road 5M: it has a fraction or a sign."""
    return "." in found[1] or "," in found[1] or not found[1][:1].isdigit()


def _read_magnitudes(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    found = [_MAGNITUDE.fullmatch(label) for label in labels]
    if not any(found):
        return None
    numbers = parse([f[1] if f else label for f, label in zip(found, labels, strict=True)], decimal)
    if numbers is None:
        return None
    factors = np.array([_magnitude(f[2]) if f else 1.0 for f in found])
    values = np.round(numbers.values * factors, 6)  # 0.57 million are 570000
    words = "k, M and the like are read as thousands and millions"
    return _changed(numbers._replace(values=values), words, found)


def _magnitude(word: str) -> float:
    return _MAGNITUDES[word.lower().rstrip(".")]


def _parse_unmarked(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers round which signs stand that are no part of them."""
    ways = (without_limits, without_about, without_flags)
    return next(filter(None, (_read_unmarked(way(labels), decimal) for way in ways)), None)


def _read_unmarked(found: Unmarked | None, decimal: str | None) -> Numbers | None:
    numbers = None if found is None else parse(found.labels, decimal)
    return None if found is None or numbers is None else _changed(numbers, found.remark, found.touched)


def _parse_compound(labels: Sequence[str], _decimal: str | None) -> Numbers | None:
    found = compound_numbers.parse(labels)
    return None if found is None else _changed(Numbers(np.array(found.values)), found.remark, labels)


def _parse_times(labels: Sequence[str], _decimal: str | None) -> Numbers | None:
    found = times.parse(labels)
    if found is None:
        return None
    return _changed(Numbers(np.array(found.values), unit=found.unit), found.remark, labels)


def _parse_unseen(labels: Sequence[str], decimal: str | None) -> Numbers | None:
    """Read numbers in which signs stand that have neither width nor ink."""
    if all(label.isascii() or label.translate(UNSEEN) == label for label in labels[:SEEN_FOR_SIGNS]):
        return None
    seen = [label if label.isascii() else label.translate(UNSEEN).strip() for label in labels]
    touched = [one != other for one, other in zip(seen, labels, strict=True)]
    numbers = parse(seen, decimal) if all(seen) else None
    return numbers and _changed(numbers, "unseen signs in numbers are left out", touched)


def _changed(numbers: Numbers, what: str, touched: Iterable[object]) -> Numbers:
    """Say a change of the labels that are true before those that are known."""
    return numbers._replace(changes=(*change_where(what, touched), *numbers.changes))


def has_sign(label: str) -> bool:
    """Whether a sign of a currency, or of percent, stands beside a number."""
    return _split_unit(label) is not None


def unit_of(label: str) -> str | None:
    """Return the unit of a number, as kg, % or $; None where it is no number with one."""
    if _IN_EVERY_NUMBER.search(label) is None:  # most texts
        return None
    if (measure := MEASURE.fullmatch(label)) is not None and not _SEAT.fullmatch(label):
        return _one_unit(measure[2]) if is_number(measure[1].strip()) else None
    found = _split_unit(label)
    return found[1] if found is not None and is_number(found[0]) else None


def _one_unit(unit: str) -> str:
    """Write a unit of several as that of one: lbs as lb, months as month; sec as s."""
    single = unit[:-1] if len(unit) > 2 and unit.endswith("s") and "/" not in unit else unit
    return usual_name(single)


def _bare_zero(label: str) -> tuple[str, str] | None:
    return (label, "") if _ZERO.fullmatch(label) else None


def _split_unit(label: str) -> tuple[str, str] | None:
    """Return number and unit of 12 % or -$1.50; None where there is no unit."""
    found = _UNIT_BEFORE.fullmatch(label)
    if found is not None:
        return found[1] + found[3], found[2]
    if (found := _NO_MONEY.fullmatch(label)) is not None:
        return "0", found[1]
    found = _UNIT_BEHIND.fullmatch(label)
    return None if found is None else (found[1], found[2])


_OTHER_WAYS = (
    _parse_with_unit, _parse_in_brackets, _parse_no_cents, _parse_minus_behind, _parse_measures,
    _parse_marked, _parse_plus_behind, _parse_magnitudes, _parse_times, _parse_unmarked, _parse_compound,
    _parse_unseen,
)  # fmt: skip
