"""Parameters whose values are numbers beside each other: `0.1, 0.5, 0.9`, or one alone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

KIND = "numbers"
MOST = 100


class UnreadableNumbers(ValueError):
    """The text or value is no such list."""


def checked(value: Any, is_allowed: Callable[[float], bool]) -> tuple[float, ...]:
    """Return the numbers in their order, each once; raise Unreadable where they are none or too many."""
    if isinstance(value, str):
        value = value.split(",")
    elif isinstance(value, (int, float)) or not isinstance(value, Iterable):
        value = (value,)
    numbers = tuple(_number(part, is_allowed) for part in value)
    if not 1 <= len(numbers) <= MOST or len(set(numbers)) != len(numbers):
        raise UnreadableNumbers
    return numbers


def written(value: tuple[float, ...]) -> str:
    """Write numbers as they are typed."""
    return ", ".join(map(repr, value))


def _number(value: Any, is_allowed: Callable[[float], bool]) -> float:
    if isinstance(value, bool) or value is None:
        raise UnreadableNumbers
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise UnreadableNumbers from None
    if not math.isfinite(number) or not is_allowed(number):
        raise UnreadableNumbers
    return number
