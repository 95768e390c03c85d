"""Whether the first record names the columns, and names that are fit to be used."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.guess import Guess
from workbench.data.table import TableNote
from workbench.data.values import numerals
from workbench.data.values.cell_rules import NUMBER_GAPS, USUAL
from workbench.data.values.labels import MISSING_CODES, stripped_text
from workbench.data.values.lookalikes import UNSEEN, alike_texts, told_apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DIGIT = re.compile(r"\d+")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
FEWEST_BELOW = 3  # rows, to tell that a line is none
FEWEST_TO_RECUR = 12  # rows
MOST_SECOND = 3  # lines between names and rows
_UNNAMED = re.compile(r"Unnamed: (\d+)")
_IN_SINGLE_QUOTES = re.compile(r"'([^']+)'")
_RULE_SIGNS = re.compile(r"[\s|+:=_*~-]++")  # a row of numbers has another among its first signs
_DRAWN = re.compile(r"[-=_*~]{3}|:-|-:")
LOOKED_AT = 50  # rows, where the first ones show enough
MOST_JUDGED = 2000  # columns, the first ones, which show enough too
ENOUGH_ROWS = 20  # over which names that never recur are no chance


def judge_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> Guess:
    """Judge whether the first record names the columns.

    It does where a text stands over a column of numbers, where its numbers look like years or
    count the columns, and, among columns of text only, where it does not recur below.
    """
    first, rows = first[:MOST_JUDGED], [row[:MOST_JUDGED] for row in rows]
    names = [name.strip() for name in first]
    if not any(names):
        return Guess("header", False, "The first line is empty.", doubtful=True)
    if not rows:
        found = not all(numerals.is_plain(name) for name in names)
        return Guess("header", found, "There is one line only.", doubtful=True)
    body = [row for row in rows if row != first and not row[0].startswith("#")]
    over_numbers = [names[place] for place in range(len(names)) if holds_numbers(body, place)]
    numbers = [name for name in over_numbers if name not in MISSING_CODES]
    over = next((name for name in numbers if not numerals.is_number(name)), None)
    over = over or _sign_over_plain(names, body)
    if over is not None:
        return Guess("header", True, f"'{over[:40]}' stands over numbers.")
    if _has_empty_corner(names, body):
        reason = "The first line has numbers that ascend behind an empty cell, as names beside those of rows."
        return Guess("header", True, reason, doubtful=True)
    if known := set(numbers):
        others = [place for place, name in enumerate(names) if name not in known]
        are_new = all(names[place] and _is_new(names[place], body, place) for place in others)
        guess = _judge_numbers([*filter(numerals.is_plain, names)], whole=are_new)
        if not guess.value and (odd := _new_among_few(names, body, others)) is not None:
            reason = f"The first line holds numbers and is a row here, but '{odd[:40]}' recurs in no other."
            return Guess("header", False, reason, doubtful=True)
        return guess
    return _judge_texts(names, rows)


def _sign_over_plain(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str | None:
    """Return a name such as 10% over numbers that have no such sign."""
    for place, name in enumerate(names):
        solid = solid_cells(rows[:LOOKED_AT], place) if numerals.has_sign(name) else []
        if solid and not any(map(numerals.has_sign, solid)) and all(map(numerals.is_number, solid)):
            return name
    return None


def _new_among_few(names: Sequence[str], rows: Sequence[Sequence[str]], places: Sequence[int]) -> str | None:
    """Return a text that stands in the first line only, in a column where each of the others recurs."""
    for place in places if len(rows) >= FEWEST_TO_RECUR else ():
        counts = Counter(row[place].strip() for row in rows if place < len(row))
        if names[place] and names[place] not in counts and min(counts.values(), default=0) > 1:
            return names[place]
    return None


def _is_new(name: str, rows: Sequence[Sequence[str]], place: int) -> bool:
    """Whether no text of a column is as this one, nor has digits where it has."""
    texts = [row[place].strip() for row in rows if place < len(row)]
    shape = _DIGIT.sub("#", name)
    return name not in texts and (shape == name or shape not in {_DIGIT.sub("#", text) for text in texts})


def _has_empty_corner(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether only the first cell of the first column is empty, and numbers behind it ascend."""
    if names[0] or len(names) < FEWEST_BELOW or not all(map(numerals.is_plain, names[1:])):
        return False
    numbers = [float(name) for name in names[1:]]
    ascend = all(one < next_one for one, next_one in pairwise(numbers))
    return ascend and len(rows) >= FEWEST_BELOW and all(row[0].strip() for row in rows)


def _judge_numbers(numbers: Sequence[str], *, whole: bool) -> Guess:
    if _look_like_names(numbers, whole=whole):
        reason = f"{', '.join(numbers[:3])} … look like years or count the columns, so they are names."
        return Guess("header", True, reason, doubtful=True)
    return Guess("header", False, "The first line holds numbers where the others do: there are no names.")


def _judge_texts(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Guess:
    """Names do not recur; where the texts below do not either, that says little."""
    below = [[row[place].strip() for row in rows if place < len(row)] for place in range(len(names))]
    recurring = sum(name in texts for name, texts in zip(names, below, strict=True))
    if recurring * 2 >= len(names):
        reason = f"{recurring} of {len(names)} texts in the first line recur below: it is a row too."
        return Guess("header", False, reason, doubtful=True)
    repetitive = any(len(set(texts)) * 2 <= len(texts) for texts in below)
    sure = recurring == 0 and repetitive and len(rows) >= ENOUGH_ROWS
    if sure:
        return Guess("header", True, "No text of the first line recurs below, and others do.")
    reason = "All columns are text; the first line is taken as their names."
    return Guess("header", True, reason, doubtful=True)


def holds_numbers(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Whether nearly all cells of a column are numbers."""
    solid = solid_cells(rows, place)
    return bool(solid) and sum(map(numerals.is_number, solid)) >= 0.8 * len(solid)


def _look_like_names(numbers: Sequence[str], *, whole: bool) -> bool:
    if len(set(numbers)) < max(2, len(numbers)):
        return False
    if all(_YEAR.fullmatch(number) for number in numbers):
        return True
    counted = [str(number) for number in range(len(numbers) + 1)]
    return whole and len(numbers) > 2 and list(numbers) in (counted[:-1], counted[1:])


def judge_second_lines(rows: Sequence[Sequence[str]], width: int) -> tuple[int, str]:
    """Return how many rows between names and values hold units, kinds or a rule, and what they are."""
    for count in range(MOST_SECOND, 0, -1):
        found = [_judge_second_line(line, rows[count:], width, fewest=1 if place else 2)
                 for place, line in enumerate(rows[:count])]  # fmt: skip
        if len(found) == count and all(found):
            return count + _names_the_rows(rows, count, width), found[0] or ""
    return 0, ""


def names_go_on(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns of groups, as answers to a question, and is empty elsewhere."""
    line, below = rows[0] if rows else (), rows[1:]
    gaps = {place for place, name in enumerate(header) if not name.strip()}
    if len(line) != len(header) or not gaps or len(below) < FEWEST_BELOW:
        return False
    grouped = gaps | {place - 1 for place in gaps}
    alone = set(range(len(header))) - grouped
    cells = [line[place].strip() for place in sorted(grouped) if place >= 0]
    are_names = 0 in alone and all(cells) and not any(map(numerals.is_number, cells))
    is_empty = are_names and not any(line[place].strip() for place in alone)
    return is_empty and all(row[0].strip() for row in below)


def _names_the_rows(rows: Sequence[Sequence[str]], count: int, width: int) -> bool:
    """Whether below lines with an empty first cell one follows with nothing but it, as pandas writes."""
    line = rows[count] if len(rows) > count + FEWEST_BELOW else ()
    is_alone = len(line) == width > 1 and bool(line[0].strip()) and not any(line[1:])
    return is_alone and not any(above[0].strip() for above in rows[:count])


def joined_names(header: Sequence[str], lines: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """Return names that stand in several lines, one below the other; None where the first has them all.

    In a line of groups, a name holds for the empty cells behind it that have a name below.
    """
    lines = [line for line in lines if len(line) == len(header)]
    lines = [line for line in lines if not (is_rule(" ".join(line)) or _is_short_rule(line))]
    tops = [name.strip() for name in header]
    if not lines or len(set(filter(None, tops))) == len(tops):
        return None
    parts = [[part] for part in tops]
    for place in range(2, len(parts)):
        if not tops[place] and tops[place - 1] and lines[0][place].strip():
            tops[place] = tops[place - 1]
            parts[place] = [tops[place]]
    for line in lines:
        for known, cell in zip(parts, line, strict=True):
            known.append(cell.strip())
    names = tuple(" ".join(filter(None, known)) for known in parts)
    named = [name for place, name in enumerate(names) if name or place]  # the first may be that of an index
    return names if len(set(filter(None, named))) == len(named) else None


def grouped_names(groups: Sequence[str], names: Sequence[str]) -> tuple[str, ...] | None:
    """Return names that are the same in several groups with the groups in whose columns they stand.

    A group holds for the empty cells behind it. None where the names need none, or stay equal with them.
    """
    found, last = [], ""
    for group, name in zip(groups, names, strict=False):
        last = group.strip() or last
        found.append(f"{last} {name.strip()}".strip())
    is_needed = len(set(names)) < len(names) == len(groups) and groups[0].strip() != last
    return tuple(found) if is_needed and len(set(found)) == len(found) else None


def _judge_second_line(
    line: Sequence[str], rows: Sequence[Sequence[str]], width: int, fewest: int
) -> str | None:
    """Say what stands between names and rows: a rule, or a line of units over so many columns of numbers."""
    if len(rows) < FEWEST_BELOW:
        return None
    cells, below = [cell.strip() for cell in line], [row for row in rows if row != line]
    filled = [cell for cell in cells if cell]
    is_short = _is_short_rule(cells) and not any(map(_is_short_rule, rows))
    if is_short or (filled and is_rule(" ".join(filled))):
        return "A rule stands below the names."
    found: list[str] = []
    are_units = _are_in_brackets(filled)
    for place, cell in enumerate(cells[:MOST_JUDGED] if len(cells) == width else ()):
        if cell and are_all_numbers(below, place):
            if _is_cell(cell) and not are_units:
                return None
            found.append(cell)
    if len(found) < fewest:
        return None
    return f"Below the names stands no number, but {', '.join(found[:3])}, as units do."


def is_rule(text: str) -> bool:
    """Whether a text is a drawn line, as -----+----- or ===."""
    return _RULE_SIGNS.fullmatch(text) is not None and _DRAWN.search(text) is not None


def _is_short_rule(fields: Sequence[str]) -> bool:
    """Whether dashes stand in every field, as below short names, and two or more in one of them."""
    cells = [field.strip() for field in fields]
    are_dashes = len(cells) > 1 and all(cells) and set().union(*cells) in ({"-"}, {"="})
    return are_dashes and max(map(len, cells)) > 1


def _are_in_brackets(cells: Sequence[str]) -> bool:
    """Whether all cells are texts in brackets, and not all of them gaps: (s) beside (m/s) is a unit."""
    in_brackets = all(cell[0] + cell[-1] in {"()", "[]", "<>"} for cell in cells)
    has_number = any(numerals.parse([cell]) is not None for cell in cells)
    return in_brackets and not has_number and not all(map(_is_cell, cells))


def _is_cell(text: str) -> bool:
    """Whether a text may be a cell among numbers."""
    return USUAL.is_missing(text) or text.casefold() in NUMBER_GAPS or numerals.is_number(text)


def are_all_numbers(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Whether all of the first cells of a column are numbers, or missing among numbers."""
    solid = solid_cells(rows[:LOOKED_AT], place)
    return bool(solid) and all(map(numerals.is_number, solid))


def solid_cells(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    """Return the cells of a column without those that stand for missing, among numbers at least."""
    cells = (row[place].strip() for row in rows if place < len(row))
    return [cell for cell in cells if cell not in MISSING_CODES and cell.casefold() not in NUMBER_GAPS]


def full_header(
    header: tuple[str, ...], rows: Sequence[Sequence[str]], text: str
) -> tuple[tuple[str, ...], list[TableNote]]:
    """Complete a header that is one field shorter than every row; shorten one behind a last separator."""
    if not header[-1].strip() and all(len(row) == len(header) - 1 for row in rows):
        return header[:-1], []
    longer = all(len(row) == len(header) + 1 for row in rows)
    if not longer or '\\"' in text:
        return header, []
    if not any(row[-1].strip() for row in rows):
        return (*header, ""), []
    text = "The header is one field short, so the first column is taken as row names."
    return ("row name", *header), [TableNote(text, severity="warning")]


def row_names_doubt(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Guess | None:
    """Return a doubt about a header that is one field short.

    The first column may be no row names, where they recur or a comma may be decimal; or it may be, where all
    its texts differ beside an empty last column.
    """
    first = [row[0].strip() for row in rows]
    are_distinct = len(set(first)) == len(first)
    if not any(row[-1].strip() for row in rows):
        if not are_distinct or any(map(numerals.is_number, first)):
            return None
        reason = "The header is one field short. The empty last column is taken as the one without a name."
        return Guess("header", True, reason, doubtful=True)
    if len(header) > 1 and are_distinct:
        return None
    reason = "The header is one field short. The first column may be no row names, but part of another cell."
    return Guess("header", True, reason, doubtful=True)


def cleaned_names(header: Sequence[str]) -> list[str]:
    """Trim the names; single quotes round all of them go, and what has neither width nor ink."""
    quoted = [_IN_SINGLE_QUOTES.fullmatch(name.strip()) for name in header]
    if all(quoted):
        header = [found[1] for found in quoted if found is not None]
    return [stripped_text(name.translate(UNSEEN)) for name in header]


def unnamed_column(place: int) -> str:
    """Return the name of a column, counted from 1, that has none."""
    return f"column {place}"


def name_of_label(label: object) -> str:
    """Return the name that a label of pandas stands for, which calls the first nameless column Unnamed: 0.

    Numbers in a label of several levels are said alike, whether they are numpy's or not.
    """
    if isinstance(label, tuple):
        label = tuple(part.item() if isinstance(part, np.generic) else part for part in label)
    text = str(label)
    unnamed = _UNNAMED.fullmatch(text)
    return unnamed_column(int(unnamed[1]) + 1) if unnamed else text


def unique_names(header: Sequence[str]) -> tuple[tuple[str, ...], list[TableNote]]:
    """Trim the names, fill empty ones and tell equal ones apart; single quotes round all of them go."""
    cleaned = cleaned_names(header)
    names, numbered = numbered_names(cleaned)
    trimmed = [place for place, name in enumerate(cleaned, start=1) if name and name != header[place - 1]]
    empty = [place for place, name in enumerate(cleaned, start=1) if not name]
    return names, _name_notes(names, numbered, empty, trimmed)


def numbered_names(given: Sequence[str]) -> tuple[tuple[str, ...], dict[int, str]]:
    """Tell equal names apart by numbers, and fill empty ones; returned with those numbered, by place."""
    names: dict[str, None] = {}
    taken = set(given)
    numbers: dict[str, int] = defaultdict(lambda: 2)  # the least that may be free
    numbered: dict[int, str] = {}
    for place, raw in enumerate(given, start=1):
        name = raw or unnamed_column(place)
        if name in names:
            numbered[place] = name
            while (other := f"{name} ({numbers[name]})") in taken:
                numbers[name] += 1
            name = other
        names[name] = None
        taken.add(name)
    return tuple(names), numbered


def _name_notes(
    names: Sequence[str], numbered: Mapping[int, str], empty: Sequence[int], trimmed: Sequence[int]
) -> list[TableNote]:
    notes = []
    if numbered:
        listed = ", ".join(dict.fromkeys(numbered.values()))
        text = f"Columns of the same name were numbered: {listed} ({_where(tuple(numbered))})."
        notes.append(TableNote(text, count=len(numbered), severity="warning"))
    if empty:
        text = f"Columns without a name are called after their place ({_where(empty)})."
        notes.append(TableNote(text, count=len(empty), severity="warning"))
    if trimmed:
        text = f"Spaces, quotes or unseen signs round names are left out ({_where(trimmed)})."
        notes.append(TableNote(text, count=len(trimmed)))
    folded = Counter(name.casefold() for name in names)
    similar = [name for name in names if folded[name.casefold()] > 1]
    if similar:
        text = f"Names that differ only by case stay apart: {', '.join(similar)}."
        notes.append(TableNote(text, count=len(similar), severity="warning"))
    if alike := [name for group in alike_texts(names) for name in group]:
        text = f"Names that look the same stay apart: {told_apart(alike)}."
        notes.append(TableNote(text, count=len(alike), severity="warning"))
    return notes


def _where(places: Sequence[int]) -> str:
    first = f"column {places[0]}"
    return first if len(places) == 1 else f"{len(places):,} columns, first {first}"
