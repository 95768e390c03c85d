"""Lines above a table that are no part of it: a title, who made it, which units it has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from workbench.data.text.layout.header import (
    FEWEST_BELOW,
    LOOKED_AT,
    MOST_JUDGED,
    grouped_names,
    holds_numbers,
    is_rule,
)
from workbench.data.values import dates, numerals
from workbench.data.values.cell_rules import NUMBER_GAPS
from workbench.data.values.labels import MISSING_CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.text.layout.record import Record

MOST_TITLES = 30
FIRST_YEAR = 1500
WIDEST_PAIRS = 20  # fields of a record that is a name and its value


def common_width(records: Sequence[Record]) -> tuple[int, int]:
    """Return the number of fields that most records have, and how many records those are."""
    widths = Counter(len(record.fields) for record in records)
    return widths.most_common(1)[0] if widths else (1, 0)


def count_titles(records: Sequence[Record], *, named: bool | None = None) -> int:
    """Return how many of the first records stand above the names, or above the rows where there are none.

    A line of groups over the names is such a one.
    """
    titles = _count_titles(records, named=named)
    return titles + (named is not False and has_group_line(records[titles:]))


def _count_titles(records: Sequence[Record], *, named: bool | None) -> int:
    """Return how many of the first records stand above the table.

    They are shorter than its records or hold little, and what follows names columns of numbers, or stands
    below a blank line, or is the first of records that are all whole: then they hold a number, so that they
    are no names. With `named` false the table has no names, and only short texts are titles.
    """
    width, _ = common_width(records)
    places = range(min(len(records) - 1, MOST_TITLES + 1))
    start = next((place for place in places if _is_full(records[place].fields, width)), 0)
    if width < 2:
        return 0
    if not start:
        looked_at = [record.fields for record in records[: MOST_TITLES + LOOKED_AT]]
        return _count_pairs(looked_at) if named is None else 0
    above, first = records[:start], records[start]
    if named is False:
        short = (len(record.fields) < width and not numerals.is_number(record.fields[0]) for record in above)
        return start if all(short) else 0
    rows = [record.fields for record in records[start + 1 :]]
    is_apart = _is_below_a_gap(above[-1], first) and len(above[-1].fields) != width - 1
    is_first = _are_counts(above, width) and len(rows) >= FEWEST_BELOW and set(map(len, rows)) == {width}
    return start if is_apart or is_first or _names_numbers(first.fields, rows) else 0


def has_group_line(records: Sequence[Record]) -> bool:
    """Whether the first record holds groups, as years, over names that recur in them, as quarters."""
    if len(records) < 2 + FEWEST_BELOW:
        return False
    groups, names = records[0].fields, records[1].fields
    filled = [group.strip() for group in groups if group.strip()]
    has_years = any(group[-1].isdecimal() and numerals.is_plain(group) for group in filled)
    if not has_years or len(set(filled)) == len(groups):
        return False
    if is_rule(" ".join(names)) or grouped_names(groups, names) is None:
        return False
    return _names_numbers(names, [record.fields for record in records[2:]])


def _count_pairs(rows: Sequence[Sequence[str]]) -> int:
    """Return how many records above the names are as wide as the table, as Serial,12345 above time,value.

    Below the names some columns hold numbers or dates only. Over all of them the names are texts, and above
    these a text stands over one and a number over another.
    """
    if not rows or len(rows[0]) > WIDEST_PAIRS:
        return 0
    if all(any(map(numerals.is_plain, map(str.strip, row))) for row in rows[1:MOST_TITLES]):
        return 0
    are_values = [[_is_value(cell.strip()) for cell in row] for row in rows]
    for start in range(min(len(rows) - 2 * FEWEST_BELOW, MOST_TITLES), 0, -1):
        width = len(rows[start])
        below = [row for row in are_values[start + 1 :] if len(row) == width]
        of_values = [place for place in range(width) if all(row[place] is not False for row in below)]
        if len(of_values) < 2 or any(are_values[start][place] is not False for place in of_values):
            continue
        above = (row for row in are_values[:start] if len(row) == width)
        is_mixed = any({row[place] for place in of_values} >= {True, False} for row in above)
        return start if is_mixed else 0
    return 0


def _is_value(cell: str) -> bool | None:
    """Whether a cell is a number or a date; None where it is missing."""
    if cell in MISSING_CODES or cell.casefold() in NUMBER_GAPS:
        return None
    return numerals.is_number(cell) or dates.parse([cell]) is not None


def is_as_wide(fields: Sequence[str], width: int) -> bool:
    """Whether there are so many fields, beside an empty one behind a last separator."""
    return len(fields) == width or (len(fields) == width + 1 and not fields[-1].strip())


def _is_full(fields: Sequence[str], width: int) -> bool:
    return is_as_wide(fields, width) and sum(map(bool, map(str.strip, fields))) >= max(2, width // 2 + 1)


def _are_counts(above: Sequence[Record], width: int) -> bool:
    """Whether each record is half a row at most and holds a number, as in 569,30,malignant,benign."""
    return all(
        2 * len(record.fields) <= width and any(map(numerals.is_plain, map(str.strip, record.fields)))
        for record in above
    )


def _is_below_a_gap(above: Record, below: Record) -> bool:
    lines = 1 + sum(field.count("\n") for field in below.fields)
    return below.last_line - above.last_line > lines


def _names_numbers(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether there are columns of numbers, and over each of them a text or the next year."""
    rows = rows[:LOOKED_AT]
    looked_at = enumerate(names[:MOST_JUDGED])
    over = [name.strip() for place, name in looked_at if holds_numbers(rows, place)]
    numbers = [name for name in over if name in MISSING_CODES or numerals.is_number(name)]
    return bool(over) and (not numbers or _are_years(numbers))


def _are_years(names: Sequence[str]) -> bool:
    """Whether names are years, each the one after the one before."""
    if len(names) < 2 or not all(name.isdecimal() and len(name) == 4 for name in names):
        return False
    years = [*map(int, names)]
    return years[0] >= FIRST_YEAR and years == [*range(years[0], years[0] + len(years))]
