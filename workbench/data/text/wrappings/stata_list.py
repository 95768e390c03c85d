"""Rows as Stata's command `list` prints them: numbered, in a frame, aligned by blanks."""

from __future__ import annotations

import re

from workbench.data.text.layout.header import is_rule

FEWEST_ROWS = 2
_ROW = re.compile(r"( *\d+\. *\|)(.*)\|\s*")
_NAMES = re.compile(r"( *\|)(.*[^\W\d].*)\|\s*")


def is_listed(lines: list[str]) -> bool:
    """Whether all lines are numbered rows in a frame, or belong to the frame, below one of names."""
    found = [line for line in lines if line.strip() and not is_rule(line)]
    rows = sum(_ROW.fullmatch(line) is not None for line in found)
    return rows >= FEWEST_ROWS and rows == len(found) - 1 and _NAMES.fullmatch(found[0]) is not None


def unlisted(text: str) -> str:
    """Write blanks for the frame and the numbers, so that the columns stay where they are."""
    return "\n".join(map(_unlisted_line, text.split("\n")))


def _unlisted_line(line: str) -> str:
    if is_rule(line):
        return ""
    found = _ROW.fullmatch(line) or _NAMES.fullmatch(line)
    return line if found is None else " " * len(found[1]) + found[2].rstrip()
