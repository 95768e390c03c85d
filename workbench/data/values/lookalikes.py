"""Texts that look the same and are not: written with other accents, blanks or signs that are not seen."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAMED, LONGEST = 5, 60  # texts, and characters of each
_DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # of writing
UNSEEN = dict.fromkeys(map(ord, f"\u200b\u2060\ufeff{_DIRECTIONS}"))  # characters without width or ink


def alike_texts(texts: Sequence[str]) -> list[list[str]]:
    """Return those of different texts that look the same, group by group."""
    odd = {text: seen for text in texts if (seen := _seen(text)) != text}
    if not odd:
        return []
    groups: dict[str, list[str]] = {seen: [] for seen in odd.values()}
    for text in texts:
        group = groups.get(odd.get(text, text))
        if group is not None:
            group.append(text)
    return [group for group in groups.values() if len(group) > 1]


def told_apart(texts: Sequence[str]) -> str:
    """List the first texts with what cannot be seen in them, each as far as it is short."""
    more = ", …" if len(texts) > MOST_NAMED else ""
    return ", ".join(ascii(text)[:LONGEST] for text in texts[:MOST_NAMED]) + more


def _seen(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(UNSEEN))
    return " ".join(text.split())
