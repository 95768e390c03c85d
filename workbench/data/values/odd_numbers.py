"""Texts that look like numbers written in a form that nobody here knows, as 1.5±0.1 or 12 bps."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from workbench.data.table import TableNote
from workbench.data.values import dates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.values.labels import Labels

FEWEST = 10  # different texts; fewer are classes
MOST_SHAPES = 2
LOOKED_AT = 1000  # texts
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SHOWN_AS_TEXT = "'="  # before a number, for a spreadsheet
_BEFORE = "<>≤≥~≈#"
_BEHIND = re.compile(r"(?<=\d)(?:st|nd|rd|th|[¹²³⁰⁴-⁹]+)$")  # of ordinals and footnotes, or a power
_ODD = re.compile(
    r"[<>≤≥~≈]?[-+]?0(?: ?[%±°(\[/\"'+*≈~=<>]| [A-Za-zµμ]).*"
    rf"|[{_SHOWN_AS_TEXT}{_BEFORE}] ?[-+]?0|0(?:_0)+|[-+]?0 ?[×x·*] ?0(?:\^[-−]?0|\*)|0\*"
)


def odd_number_notes(name: str, labels: Labels) -> list[TableNote]:
    """Say that a category holds what looks like numbers, where its texts have one shape, or two."""
    texts = [*islice(labels.texts, LOOKED_AT)]
    begins = texts[0].lstrip(_SHOWN_AS_TEXT + _BEFORE)[:1].isdigit() if len(texts) >= FEWEST else False
    if not begins or dates.is_date(texts[0]) or not _have_odd_shapes(texts):
        return []
    text = (
        f"Column '{name}': '{texts[0][:40]}' and the like may be numbers, in a form that is not known; they "
        "are read as categories."
    )
    return [TableNote(text, name, len(labels.texts))]


def _have_odd_shapes(texts: Sequence[str]) -> bool:
    shapes = set()
    for text in texts:
        shapes.add(_NUMBER.sub("0", _BEHIND.sub("*", text)))
        if len(shapes) > MOST_SHAPES:
            return False
    return all(_ODD.fullmatch(shape) for shape in shapes)
