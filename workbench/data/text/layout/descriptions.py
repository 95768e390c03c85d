"""Lines between names and values that describe the columns, as Unit, Release date: offices write these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.text.layout.header import (
    FEWEST_BELOW,
    LOOKED_AT,
    MOST_JUDGED,
    are_all_numbers,
    solid_cells,
)
from workbench.data.values import numerals

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST, MOST = 2, 20
_DIGIT = re.compile(r"\d")


def count_descriptions(rows: Sequence[Sequence[str]], width: int) -> int:
    """Return how many rows below the names describe the columns.

    They begin with a word, all others with a number or a date; and in every column of numbers below them a
    text stands.
    """
    begins = [bool(_DIGIT.search(row[0])) for row in rows[: MOST + LOOKED_AT]]
    count = begins.index(True) if True in begins else 0
    above, below = rows[:count], rows[count : count + LOOKED_AT]
    if not FEWEST <= count <= MOST or len(below) < FEWEST_BELOW or not all(begins[count:]):
        return 0
    if any(len(row) != width for row in above):
        return 0
    numbers = [place for place in range(1, min(width, MOST_JUDGED)) if are_all_numbers(below, place)]
    return count if numbers and all(_has_texts(above, place) for place in numbers) else 0


def _has_texts(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Whether a text stands there, and more texts than numbers."""
    solid = solid_cells(rows, place)
    return 2 * sum(map(numerals.is_number, solid)) < len(solid)
