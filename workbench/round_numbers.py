"""Round numbers for the axes of plots and the steps of sliders: a few factors times a power of ten."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = (1.0, 2.0, 5.0)
HALVES_TOO = (1.0, 2.0, 2.5, 5.0)
ENDS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)  # of an axis, little longer than needed
NEARLY = 1e-9  # what binary fractions may be off, as a share


def round_numbers(least: float, factors: tuple[float, ...] = STEPS) -> Iterator[float]:
    """Yield round numbers in ascending order, the first not below `least`, which is above 0."""
    for power in itertools.count(math.floor(math.log10(least))):
        numbers = (factor * 10.0**power for factor in factors)
        yield from (number for number in numbers if number >= least * (1 - NEARLY))


def round_up(value: float, factors: tuple[float, ...] = STEPS) -> float:
    """The smallest round number that is not below `value`; 1 for what is not above 0, or has no end."""
    if not 0 < value < math.inf:
        return 1.0
    return next(round_numbers(value, factors))


def round_down(value: float, factors: tuple[float, ...] = STEPS) -> float:
    """The largest round number that is not above `value`, which is above 0."""
    power = 10.0 ** math.floor(math.log10(value))
    return power * max(factor for factor in factors if factor * power <= value * (1 + NEARLY))


def nearest_round(value: float, factors: tuple[float, ...] = STEPS) -> float:
    """The round number nearest to `value`, which is above 0."""
    return min(round_down(value, factors), round_up(value, factors), key=lambda near: abs(near - value))


def multiples(low: float, high: float, step: float, *, beyond: bool = False) -> list[float]:
    """Multiples of a step from `low` to `high`; with `beyond`, also those around them."""
    if beyond:
        first, last = math.floor(low / step + NEARLY), math.ceil(high / step - NEARLY)
        return [step * place for place in range(first, last + 1)]
    first, last = math.ceil(low / step - NEARLY), math.floor(high / step + NEARLY)
    return [min(max(step * place, low), high) for place in range(first, last + 1)]


def round_step(span: float, most: int) -> float:
    """The smallest round step that divides `span` into at most so many parts, half a part more allowed."""
    return round_up(span / (most + 0.5))


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from `low` to `high`, in about so many steps."""
    return multiples(low, high, round_step(high - low, most))


def ticks_from_zero(high: float, most: int) -> list[float]:
    """Round numbers from 0 to `high`, in at most so many steps, which may be halves of 5."""
    step = round_up(high / max(most, 1), HALVES_TOO)
    return [undusted(tick) for tick in multiples(0.0, high, step)]


def axis_end(value: float) -> float:
    """The round number at which an axis from 0 ends that shows `value`; 1 where that is not above 0."""
    return undusted(round_up(value, ENDS))


def powers_of_ten(low: float, high: float) -> list[float]:
    """Powers of ten from `low` to `high`, both above 0."""
    first, last = math.ceil(math.log10(low) - NEARLY), math.floor(math.log10(high) + NEARLY)
    return [undusted(10.0**power) for power in range(first, last + 1)]


def undusted(value: float) -> float:
    """Drop the dust of binary fractions: 0.15000000000000002 is 0.15."""
    return float(f"{value:.12g}")
