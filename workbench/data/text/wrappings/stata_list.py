"""Rows as Stata's command `list` prints them: numbered, in a frame, aligned by blanks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.text.layout.header import is_rule
from workbench.data.text.wrappings.aligned import ALIGNED
from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping

if TYPE_CHECKING:
    from workbench.data.text.wrappings.base import FirstLines

FEWEST_ROWS = 2
_ROW = re.compile(r"( *\d+\. *\|)(.*)\|\s*")
_NAMES = re.compile(r"( *\|)(.*[^\W\d].*)\|\s*")
_REMARK = "The frame and the numbers of the rows are left out."


class StataList:
    """Numbered rows in a frame, below names."""

    name = "Stata list"
    order = 11

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how such lines are read."""
        return Wrapping(_unlisted, _REMARK, ALIGNED) if _is_listed(lines.as_they_stand) else None


WRAPPINGS.register(StataList())


def _is_listed(lines: list[str]) -> bool:
    """Whether all lines are numbered rows in a frame, or belong to the frame, below one of names."""
    found = [line for line in lines if line.strip() and not is_rule(line)]
    rows = sum(_ROW.fullmatch(line) is not None for line in found)
    return rows >= FEWEST_ROWS and rows == len(found) - 1 and _NAMES.fullmatch(found[0]) is not None


def _unlisted(text: str) -> str:
    """Write blanks for the frame and the numbers, so that the columns stay where they are."""
    return "\n".join(map(_unlisted_line, text.split("\n")))


def _unlisted_line(line: str) -> str:
    if is_rule(line):
        return ""
    found = _ROW.fullmatch(line) or _NAMES.fullmatch(line)
    return line if found is None else " " * len(found[1]) + found[2].rstrip()
