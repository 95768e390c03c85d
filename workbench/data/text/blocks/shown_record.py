"""A record as a message shows it."""

from __future__ import annotations


def shown(text: str, most: int = 60) -> str:
    """Return the beginning of a record on one line, to be shown in a message."""
    text = "↵".join(text.splitlines())
    return text if len(text) <= most else text[: most - 1] + "…"
