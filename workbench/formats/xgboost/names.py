"""Feature names that XGBoost accepts and keeps; the originals stand in our own section."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_REFUSED = str.maketrans({"[": "(", "]": ")", "<": "_"})
_KEPT_CONTROLS = "\n\r\t"
_CHANGED = re.compile(r"[\[\]<\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]|\\u")


def accepted_names(names: Iterable[str]) -> list[str]:
    r"""Return the names as XGBoost may have them, each once.

    XGBoost refuses `[`, `]` and `<`, does not read the JSON escapes of other control characters, and
    writes a backslash before `u` so that no reader takes it. A name that is taken gets a number.
    """
    taken: set[str] = set()
    accepted = []
    for name in names:
        mapped = plain = _accepted(name)
        number = 2
        while mapped in taken:
            mapped = f"{plain} ({number})"
            number += 1
        taken.add(mapped)
        accepted.append(mapped)
    return accepted


def _accepted(name: str) -> str:
    if not _CHANGED.search(name):
        return name
    mapped = name.translate(_REFUSED)
    mapped = "".join(c if _printable(c) else "_" for c in mapped)
    return re.sub(r"\\(?=u)", "/", mapped)


def _printable(character: str) -> bool:
    code = ord(character)
    return character in _KEPT_CONTROLS or (code >= 0x20 and not 0xD800 <= code <= 0xDFFF)
