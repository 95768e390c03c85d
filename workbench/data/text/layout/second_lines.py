"""Lines between names and rows, which hold units, describe the columns or are a rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.data.guess import Guess, chosen
from workbench.data.table import TableNote
from workbench.data.text.layout.descriptions import count_descriptions
from workbench.data.text.layout.header import judge_second_lines, names_go_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.text.layout.layout import TextLayout


class SecondLines(NamedTuple):
    """How many lines between names and rows are left out, why, and whether they may be parts of names."""

    lines: int
    why: str
    may_be_names: bool


def find_second_lines(
    header: Sequence[str], rows: Sequence[Sequence[str]], wanted: bool | None
) -> SecondLines:
    """Find lines below the names that hold units, describe the columns or are a rule, or as is wanted."""
    if wanted is False:
        return SecondLines(0, "", may_be_names=False)
    width = len(header)
    count, why = judge_second_lines(rows, width)
    if not count and names_go_on(header, rows):
        count, why = 1, "Below names of groups stand those of their columns."
    if (described := count_descriptions(rows, width)) > count:
        return SecondLines(described, "Below the names the columns are described.", may_be_names=False)
    if wanted and not count and len(rows) > 1:
        count = 1
    return SecondLines(count, why, may_be_names=True)


def without_second_lines(
    layout: TextLayout, second: SecondLines, lines: Sequence[int], wanted: bool | None
) -> TextLayout:
    """Leave out the second lines; `lines` are those in which the first rows end."""
    count, below, _ = second
    if not count:
        more = () if wanted is None else (chosen("units", wanted),)
        return replace(layout, guesses=(*layout.guesses, *more))
    left_out = f"Line {lines[0]} is" if count == 1 else f"Lines {lines[0]} to {lines[count - 1]} are"
    told = f"{below} {left_out} left out.".strip()
    guess = chosen("units", wanted) if wanted else Guess("units", True, told, doubtful=True)
    notes = (*layout.notes, TableNote(told, severity="warning"))
    return replace(layout, skip_lines=lines[count - 1], rows=layout.rows[count:],
                   guesses=(*layout.guesses, guess), notes=notes)  # fmt: skip
