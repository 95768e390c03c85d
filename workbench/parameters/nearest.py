"""The known name that a mistyped one is nearest to."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_COMPARED = 5000  # names
MOST_TOLD = 20


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name is nearest to an unknown one, or which there are; without a full stop."""
    names = list(known)
    by_small = {own.lower(): own for own in reversed(names)}
    if name.lower() in by_small:
        return f"The nearest is '{by_small[name.lower()]}'"
    close = get_close_matches(name.lower(), [own.lower() for own in names[:MOST_COMPARED]], 1)
    return f"The nearest is '{by_small[close[0]]}'" if close else f"Known: {listed(names)}"


def listed(names: Sequence[str]) -> str:
    """Return the first names in a row, and how many more there are."""
    more = f" and {len(names) - MOST_TOLD:,} more" if len(names) > MOST_TOLD else ""
    return ", ".join(names[:MOST_TOLD]) + more
