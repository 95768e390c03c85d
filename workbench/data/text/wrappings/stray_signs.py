"""Signs for printers and terminals between the cells: breaks of pages, colours."""

from __future__ import annotations

import re

_PAGE_BREAK = re.compile(r"^\f+|\f+$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
_PAGES, _COLOURS = "Breaks of pages are left out.", "Codes of colours for a terminal are left out."


def without_signs(text: str) -> str:
    """Leave such signs out, line for line."""
    if "\f" in text:
        text = _PAGE_BREAK.sub("", text)
    return _COLOUR.sub("", text) if "\x1b" in text else text


def told_signs(text: str) -> str:
    """Say which of them stand in a text; "" where none does."""
    found = ((_PAGES, "\f" in text and _PAGE_BREAK.search(text)), (_COLOURS, _COLOUR.search(text)))
    return " ".join(told for told, is_there in found if is_there)
