"""Lines that stand in quotes as a whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping
from workbench.data.text.wrappings.even_records import are_even

if TYPE_CHECKING:
    from workbench.data.text.wrappings.base import FirstLines

_WHOLE_LINE = re.compile(r'"((?:[^"]|"")*+)"[,;]*')


class QuotedLines:
    """Quotes round every line."""

    name = "quoted lines"
    order = 40

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how the quotes are left out."""
        filled = lines.filled
        if not (all(map(_WHOLE_LINE.fullmatch, filled)) and are_even(_unquoted("\n".join(filled)))):
            return None
        return Wrapping(_unquoted, "Every line stands in quotes as a whole; they are left out.")


WRAPPINGS.register(QuotedLines())


def _unquoted(text: str) -> str:
    return "\n".join(map(_unquoted_line, text.split("\n")))


def _unquoted_line(line: str) -> str:
    found = _WHOLE_LINE.fullmatch(line.strip())
    return line if found is None else found[1].replace('""', '"')
