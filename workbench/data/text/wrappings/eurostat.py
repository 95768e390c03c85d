"""Tables of Eurostat: keys joined by commas in the first column, letters behind numbers that tell of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping

if TYPE_CHECKING:
    from workbench.data.text.wrappings.base import FirstLines

_NAMES = re.compile(r'"?([\w,]+)\\(?:time|time_period)"?\s*\t', re.IGNORECASE)
_FLAGGED = re.compile(r"(?::|([-+]?\d[\d.]*(?:[eE][-+]?\d+)?)) *[a-z]{0,4}")  # a colon is missing
_REMARK = "Keys joined by commas stand in columns of their own; letters behind numbers are left out."


class Eurostat:
    r"""A first line that names the keys as unit,geo\time."""

    name = "Eurostat"
    order = 10

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how such lines are read."""
        first = next(filter(str.strip, lines.as_they_stand))
        return None if _NAMES.match(first) is None else Wrapping(_parted, _REMARK, "\t")


WRAPPINGS.register(Eurostat())


def _parted(text: str) -> str:
    """Write each key into a column of its own, and numbers without the letters behind them."""
    return "\n".join(map(_parted_line, text.split("\n")))


def _parted_line(line: str) -> str:
    keys, tab, cells = line.partition("\t")
    if not tab:
        return line
    if (names := _NAMES.match(line)) is not None:
        keys = names[1]
    return "\t".join([*keys.split(","), *(_number(cell.strip()) for cell in cells.split("\t"))])


def _number(cell: str) -> str:
    found = _FLAGGED.fullmatch(cell)
    return cell if found is None else found[1] or ""
