"""Separators of two signs, as ||."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping

if TYPE_CHECKING:
    from workbench.data.text.wrappings.base import FirstLines

_DOUBLED = re.compile(r"(?:\|\||~~|\^\^|::|;;)")


class DoubledSeparator:
    """One sign twice, which stands in every line and never alone."""

    name = "doubled separator"
    order = 50

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how each of them is written once."""
        filled = lines.filled
        found = _DOUBLED.search(filled[0])
        if found is None:
            return None
        double, sign = found[0], found[0][0]
        is_doubled = all(double in line and sign not in line.replace(double, "") for line in filled)
        if not is_doubled or len({line.count(double) for line in filled}) > 1:
            return None

        def single(text: str) -> str:
            return text.replace(double, sign)

        return Wrapping(single, f"The separator is {double}.", sign)


WRAPPINGS.register(DoubledSeparator())
