"""The one time axis: where a round stands, in the ruler and in every plot over rounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from workbench.round_numbers import round_up
from workbench.views.look.scale import px

LEFT = 68  # pixels from the left edge of the centre to the first round's left side
RIGHT = 138  # pixels from the last round's right side to the right edge, for labels


@dataclass(frozen=True)
class RoundAxis:
    """Rounds `low` to `high` over a widget `width` pixels wide; each round has a slot of equal width."""

    width: float
    low: float
    high: float

    @classmethod
    def over(cls, width: float, rounds: int) -> RoundAxis:
        """Return the axis that shows all of `rounds` rounds."""
        return cls(width, *whole(rounds))

    @cached_property
    def left(self) -> float:
        """Where the first slot begins."""
        return float(px(LEFT))

    @cached_property
    def right(self) -> float:
        """Where the last slot ends."""
        return max(self.width - px(RIGHT), self.left + 1.0)

    @cached_property
    def slot(self) -> float:
        """Pixels a round."""
        return (self.right - self.left) / (self.high - self.low)

    def x(self, round: float) -> float:
        """Middle of the slot of a round."""
        return self.left + (round - self.low) * self.slot

    def round_at(self, x: float) -> int:
        """Return the round whose slot holds `x`; may lie outside of the run."""
        return int((x - self.left) / self.slot + self.low + 0.5)

    def ticks(self, spacing: float = 90) -> list[int]:
        """Round 1 and multiples of 1, 2 or 5·10ᵏ, at least `spacing` pixels apart."""
        step = nice_step(spacing / self.slot)
        first = -(-int(self.low + 0.5) // step) * step
        ticks = list(range(max(first, step), int(self.high) + 1, step))
        if self.low < 1 and (not ticks or self.x(ticks[0]) - self.x(1) > spacing / 3):
            ticks.insert(0, 1)
        return ticks


def whole(rounds: int) -> tuple[float, float]:
    """Return the ends of an axis that shows rounds 1 to `rounds`."""
    return 0.5, max(rounds, 1) + 0.5


def nice_step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, … that is at least `least`."""
    return max(round(round_up(least)), 1)
