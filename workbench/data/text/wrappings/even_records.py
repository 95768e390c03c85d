"""Whether a text is cut into records of one width, and quotes that close where no field ends."""

from __future__ import annotations

import csv
from collections import deque

from workbench.data.text.wrappings.base import MOST_LINES

MANY_LINES = MOST_LINES // 2  # of which one record may be left aside
USUAL_SEPARATORS = ",;\t|"


def are_even(text: str) -> bool:
    """Whether by one of the usual separators all records have as many fields, and more than one."""
    return _even_separator(text) is not None


def _even_separator(text: str) -> str | None:
    """Return that separator; of many lines the last may be in the midst of a record."""
    lines = text.split("\n")
    for separator in USUAL_SEPARATORS:
        records = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        try:
            widths = [len(fields) for fields in records if fields]
        except csv.Error:
            continue
        if len(lines) >= MANY_LINES:
            widths = widths[:-1]
        if len(set(widths)) == 1 and widths[0] > 1:
            return separator
    return None


def breaks_off(text: str) -> bool:
    """Whether a quote closes where no field ends."""
    mark = _even_separator(text) or USUAL_SEPARATORS[0]
    records = csv.reader(text.split("\n"), delimiter=mark, skipinitialspace=True, strict=True)
    try:
        deque(records, maxlen=0)
    except csv.Error as error:
        return "expected after" in str(error)
    return False


def in_quotes(text: str) -> str:
    """Write a field in quotes."""
    return '"' + text.replace('"', '""') + '"'
