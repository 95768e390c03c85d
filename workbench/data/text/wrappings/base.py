"""What a wrapping of lines is, and where each way of wrapping registers itself."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_LINES = 500  # looked at


class Wrapping(NamedTuple):
    """How lines are taken out of what is round them: line for line; what is said; the separator, if known.

    `masked` hides quotes that are text, byte for byte, so that records are not cut at them.
    """

    unwrap: Callable[[str], str]
    remark: str
    separator: str | None = None
    masked: Callable[[bytes], bytes] | None = None


class FirstLines:
    """The first lines of a text: as they stand, and those with something in them, trimmed."""

    def __init__(self, text: str) -> None:
        self.as_they_stand = text.split("\n", MOST_LINES)[:MOST_LINES]

    @cached_property
    def filled(self) -> list[str]:
        """Lines with something in them, without the blanks round it."""
        return [line.strip() for line in self.as_they_stand if line.strip()]


class WayOfWrapping(Protocol):
    """Knows the lines that are wrapped in one way.

    Attributes
    ----------
    name : str
    order : int
        Ways are asked in ascending order whether the lines are wrapped so.
    """

    name: str
    order: int

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how these lines are unwrapped; None where they are not wrapped in this way."""


WRAPPINGS: Registry[WayOfWrapping] = Registry("wrapping", "workbench.data.text.wrappings")
