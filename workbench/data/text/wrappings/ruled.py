"""Tables between rules that part the columns too, as reStructuredText has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.text.layout.header import is_rule
from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping

if TYPE_CHECKING:
    from workbench.data.text.wrappings.base import FirstLines


class RuledTable:
    """The same rule above the names and below the table."""

    name = "rules"
    order = 30

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how the rules are left out."""
        rule = lines.filled[0]
        if not (is_rule(rule) and " " in rule and lines.filled.count(rule) > 1):
            return None
        return Wrapping(_without_rules, "The rules above and below the table are left out.")


WRAPPINGS.register(RuledTable())


def _without_rules(text: str) -> str:
    return "\n".join("" if is_rule(line) else line for line in text.split("\n"))
