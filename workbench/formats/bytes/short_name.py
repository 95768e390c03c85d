"""A name cut to a length that file systems take."""

from __future__ import annotations

LONGEST = 200  # characters that may be repeated
BEGINNING, END = 120, 40  # characters that are kept of a longer one


def short_name(name: str, number: int | None = None) -> str:
    """Return a name, or the beginning and end of a long one; a number tells it from others that look so."""
    if len(name) <= LONGEST:
        return name
    told = "" if number is None else f" ({number})"
    return f"{name[:BEGINNING]}…{name[-END:]}{told}"
