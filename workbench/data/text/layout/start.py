"""Where the text of a table begins: below what programs write first, and below comments."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.data.table import TableNote
from workbench.data.text.blocks.shown_record import shown
from workbench.data.text.layout.leading_comments import comment_notes, without_leading_comments

_SAYS_SEPARATOR = re.compile(r'"?sep=([,;|\t:~^])"?[;,]*\n', re.IGNORECASE)
_LOGGER = re.compile(r'"?TO(?:A5|ACI1)"?,[^\n]*\n')  # of Campbell Scientific's data loggers
_LABVIEW = re.compile(r"LabVIEW Measurement\s.*?\n(?=X_Value\t)", re.DOTALL)


class TableStart(NamedTuple):
    """The text from the first line on that may be of the table, and what stood above it.

    Attributes
    ----------
    body : str
    skipped : int
        Lines above it.
    separator : str, optional
        Where one of them says it.
    comments : tuple of str
        The last one first.
    notes : tuple of TableNote
    """

    body: str
    skipped: int
    separator: str | None = None
    comments: tuple[str, ...] = ()
    notes: tuple[TableNote, ...] = ()


def find_start(text: str, first_line: int | None) -> TableStart:
    """Leave out what stands above a table, or all above the line in which it begins as a person says."""
    if first_line is not None:
        skipped = first_line - 1
        body = text.split("\n", skipped)[-1] if text.count("\n") >= skipped else ""
        return _below_comments(body, skipped)
    if (said := _SAYS_SEPARATOR.match(text)) is not None:
        return _below_comments(text[said.end() :], 1, said[1])
    return _below_program(text) or _below_comments(text, 0)


def _below_program(text: str) -> TableStart | None:
    """Return where a table begins below lines that say what measured it."""
    if (logged := _LOGGER.match(text)) is not None:
        told = TableNote(f"The first line says what wrote the table: {shown(logged[0])}.", severity="warning")
        return TableStart(text[logged.end() :], 1, ",", notes=(told,))
    if (measured := _LABVIEW.match(text)) is not None:
        lines = measured[0].count("\n")
        left_out = f"{lines} lines of LabVIEW above the table are left out."
        told = TableNote(left_out, count=lines, severity="warning")
        return TableStart(text[measured.end() :], lines, "\t", notes=(told,))
    return None


def _below_comments(text: str, skipped: int, separator: str | None = None) -> TableStart:
    comments, body, more = without_leading_comments(text)
    above = text[: len(text) - len(body)].rstrip("\n")
    blank = above[: len(above) - len(above.lstrip())].count("\n")
    notes = comment_notes(comments, skipped + blank + 1) if comments else ()
    commented = tuple(reversed(above.split("\n"))) if comments else ()
    return TableStart(body, skipped + more, separator, commented, notes)
