"""Lines that hold a table in a wrapping: a frame, quotes round whole lines, the marks of a program."""

from __future__ import annotations

from workbench.data.text.wrappings import stray_signs
from workbench.data.text.wrappings.base import WRAPPINGS, FirstLines, Wrapping

FEWEST_LINES = 3


def find_wrapping(text: str) -> Wrapping | None:
    """Return the wrapping of the lines; None where they have none."""
    told = stray_signs.told_signs(text)
    found = _find_wrapping(stray_signs.without_signs(text) if told else text)
    return _without_signs(told, found) if told else found


def _without_signs(told: str, within: Wrapping | None) -> Wrapping:
    """Return how signs for printers and terminals are left out, before anything else is."""
    if within is None:
        return Wrapping(stray_signs.without_signs, told)
    return within._replace(
        unwrap=lambda text: within.unwrap(stray_signs.without_signs(text)), remark=f"{told} {within.remark}"
    )


def _find_wrapping(text: str) -> Wrapping | None:
    lines = FirstLines(text)
    if len(lines.filled) < FEWEST_LINES:
        return None
    ways = sorted(WRAPPINGS, key=lambda way: way.order)
    return next(filter(None, (way.find(lines) for way in ways)), None)
