"""Whole numbers with zeros in front, as 00123: they are probably codes, and as numbers lose the zeros."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import TableNote
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from workbench.data.values.labels import Labels

_ZERO, _DIGITS = np.uint8(ord("0")), b"0123456789"
WIDEST = 255  # digits that are counted
MOST_SHOWN = 15  # digits of an example that a number still has


def has_leading_zeros(text: str) -> bool:
    """Whether a text is a whole number that begins with a zero more than it needs."""
    return len(text) > 1 and text[0] == "0" and text.isdecimal()


def may_have_leading_zeros(data: bytes, separator: str) -> bool:
    """Whether a cell of some records, of whatever column, may be such a number."""
    text = np.frombuffer(data, np.uint8)
    zeros = np.flatnonzero(text[:-1] == _ZERO)
    zeros = zeros[(text[zeros + 1] - _ZERO) < len(_DIGITS)]  # below 0 is far above in bytes
    zeros = zeros[_ends_cell(separator)[text[zeros - 1]] | (zeros == 0)]
    whole = re.compile(rb'\d++ *+"? *+(?:$|[%b\n])' % re.escape(separator.encode()))
    return any(whole.match(data, place) for place in zeros.tolist())


def _ends_cell(separator: str) -> NDArray[np.bool_]:
    """Return, by byte, whether a cell may begin behind it."""
    ends = np.zeros(256, np.bool_)
    ends[[*separator.encode(), *b'\n" ']] = True
    return ends


def digits_of(labels: Labels) -> NDArray[np.uint8]:
    """Return how many digits each cell has that begins with zeros, 0 for the others."""
    texts = map(str.strip, labels.texts)
    digits = [min(len(text), WIDEST) if has_leading_zeros(text) else 0 for text in texts]
    return np.array([*digits, 0], np.uint8)[labels.codes]


def digits_by_place(texts: Mapping[int, Labels]) -> dict[int, NDArray[np.uint8]]:
    """Return these digits of the columns, by place, in which zeros stand in front."""
    found = ((place, digits_of(labels)) for place, labels in texts.items())
    return {place: digits for place, digits in found if digits.any()}


def example_of(value: float, digits: int) -> str:
    """Write a number with the zeros that stood in front of it; of a long one the beginning."""
    text = f"{value:.0f}".zfill(digits)
    return text if digits <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def leading_zero_notes(name: str, places: Places, example: str) -> list[TableNote]:
    """Say that codes lose their zeros as numbers, where there are any."""
    if not places:
        return []
    text = (
        f"Column '{name}': leading zeros, as in {example}, go when read as numbers {places.within}. "
        "If these are codes, make it a category."
    )
    return [TableNote(text, name, places.count, "warning")]


def label_zero_notes(name: str, labels: Labels) -> list[TableNote]:
    """Say it of labels that are read as numbers."""
    padded = [text for text in labels.texts if has_leading_zeros(text)]
    return leading_zero_notes(name, Places.of_texts(labels, padded), padded[0]) if padded else []
