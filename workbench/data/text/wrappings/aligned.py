"""Columns aligned by spaces: values may hold blanks or be empty; columns part where all lines are blank."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

ALIGNED = "\x1f"  # in the place of a separator
FEWEST_LINES = 4
MOST_LINES = 2000  # looked at
LEAST_ALIGNED = 0.6  # of the lines: so many have a run of blanks


class Gap(NamedTuple):
    """Places between two columns, in characters from the start of the line."""

    begin: int
    end: int


def find_gaps(text: str) -> tuple[Gap, ...]:
    """Return where columns part; nothing where the lines are not aligned."""
    if '"' in text or "\n|" in text:  # quotes, or the frame of a table
        return ()
    lines = [line.expandtabs().rstrip() for line in text.split("\n") if line.strip()][:MOST_LINES]
    aligned = [line for line in lines if "  " in line or line[0] == " "]
    if len(aligned) < max(FEWEST_LINES, LEAST_ALIGNED * len(lines)):
        return ()
    is_blank = np.ones(max(map(len, aligned)) + 1, bool)
    for line in aligned:
        is_blank[: len(line)] &= np.frombuffer(line.encode("utf-32-le", "replace"), np.uint32) == ord(" ")
    edges = np.flatnonzero(np.diff(is_blank.astype(np.int8))) + 1
    first = int(np.argmin(is_blank))
    edges = edges[edges > first].tolist()
    gaps = [Gap(*edge) for edge in zip(edges[::2], edges[1::2], strict=False)]
    return tuple(_without_blanks_in_values(gaps, aligned[0]))


def _without_blanks_in_values(gaps: list[Gap], names: str) -> list[Gap]:
    """Leave out single blanks, as between date and time, that do not part the names."""
    ends = [0, *(gap.end for gap in gaps)]
    begins = [*(gap.begin for gap in gaps), len(names)]
    is_named = [bool(names[end:begin].strip()) for end, begin in zip(ends, begins, strict=True)]
    named = pairwise(is_named)
    return [gap for gap, both in zip(gaps, named, strict=True) if gap.end - gap.begin > 1 or all(both)]


def with_tabs(text: str, gaps: tuple[Gap, ...]) -> str:
    """Write the columns of each line with tabs between them."""
    return "\n".join(_cut(line, gaps) for line in text.split("\n"))


def _cut(line: str, gaps: tuple[Gap, ...]) -> str:
    """Cut a line at the last blank of each gap; whole where a gap has none, as a title."""
    line = line.expandtabs()
    if not line.strip():
        return ""
    fields, begin = [], 0
    for gap in gaps:
        blank = gap.end - 1 if gap.end > len(line) else line.rfind(" ", gap.begin, gap.end)
        if blank < 0:
            return _quoted(line.strip())
        fields.append(_quoted(line[begin:blank].strip()))
        begin = blank
    return "\t".join([*fields, _quoted(line[begin:].strip())])


def _quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"' if '"' in field else field
