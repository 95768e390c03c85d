"""Names in sentences: one that is written from right to left turns nothing but itself.

Without isolation the bidirectional algorithm would draw the number of a question before such a name, and its
sign behind it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

BEGIN, END = "\u2068", "\u2069"  # first strong isolate, pop directional isolate
_TURNING = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
_RIGHT_TO_LEFT = {"R", "AL", "AN"}


def isolated(name: str) -> str:
    """Return a name to stand in other text: between isolates where it is written from right to left."""
    return name if name.isascii() else _isolated(name)


def with_isolated_quotes(text: str) -> str:
    """Return a sentence in which names in single quotes are isolated."""
    return text if text.isascii() else _QUOTED.sub(lambda found: f"'{isolated(found[1])}'", text)


def is_balanced(text: str) -> bool:
    """Whether every isolate ends and nothing else turns the direction of writing."""
    depth = 0
    for sign in _TURNING.findall(text):
        depth += {BEGIN: 1, END: -1}.get(sign, -len(text) - 1)
        if depth < 0:
            return False
    return depth == 0


@lru_cache(maxsize=4096)
def _isolated(name: str) -> str:
    if name.startswith(BEGIN) and name.endswith(END) and is_balanced(name):
        return name
    if not any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in name):
        return name
    return f"{BEGIN}{_TURNING.sub('', name)}{END}"
