"""What was worked out about a file, why, and whether a person should look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.errors import one_line


@dataclass(frozen=True)
class Guess:
    """One thing that had to be known to read a table.

    Attributes
    ----------
    option : str
        The field of `ReadOptions` that settles it.
    value : object
        What it was taken for; None where each column has its own.
    reason : str
        Why, in one sentence.
    doubtful : bool
        Whether something else would fit nearly as well.
    column : str, optional
        The column it was seen in.
    """

    option: str
    value: Any
    reason: str
    doubtful: bool = False
    column: str | None = None

    def __post_init__(self) -> None:
        """Keep the reason on one line, whatever a file put into it."""
        object.__setattr__(self, "reason", one_line(self.reason))


def chosen(option: str, value: Any) -> Guess:
    """Say that a person settled it."""
    return Guess(option, value, "As you chose.")
