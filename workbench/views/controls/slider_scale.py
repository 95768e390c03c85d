"""Where a value stands on a slider, linear or logarithmic, and what one step from it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.round_numbers import nearest_round, powers_of_ten, undusted

if TYPE_CHECKING:
    from workbench.parameters.spec import Parameter

DETENT = 0.08  # share of the groove between the 0 at the far left and the lowest power
PER_DECADE = 20
FINE_PER_DECADE = 100
UNIT_STEPS = 100  # whole numbers in a range up to this wide move by ones


@dataclass(frozen=True)
class SliderScale:
    """Values of a slider from `lower` to `upper`; with `detent`, also 0 at the far left."""

    lower: float
    upper: float
    log: bool = False
    integer: bool = False
    detent: bool = False

    @classmethod
    def of(cls, declared: Parameter) -> SliderScale:
        """Return the scale of a parameter that has a slider; its detent stands for 0, or for "none"."""
        lower, upper = declared.slider or (0.0, 1.0)
        zero = declared.lower <= 0 and not declared.open_lower
        return cls(lower, upper, declared.scale == "log", declared.kind == "integer",
                   lower > 0 and (zero or declared.optional))

    def position(self, value: float) -> float:
        """Place of `value` on the groove, 0 to 1; values beyond the ends stand at them."""
        if self.detent and value <= 0:
            return 0.0
        clipped = min(max(value, self.lower), self.upper)
        start = DETENT if self.detent else 0.0
        return start + (1 - start) * (self._bend(clipped) - self._bend(self.lower)) / self._span

    def value(self, position: float, *, fine: bool = False) -> float:
        """Value at a place on the groove, on the nearest step."""
        start = DETENT if self.detent else 0.0
        if self.detent and position < start / 2:
            return 0.0
        share = min(max((position - start) / (1 - start), 0.0), 1.0)
        if share in (0.0, 1.0):
            return self.upper if share else self.lower
        return self._clip(self._round(self._unbend(self._bend(self.lower) + share * self._span), fine))

    def step(self, value: float, direction: int, *, fine: bool = False, coarse: bool = False) -> float:
        """Value one step up (+1) or down (−1): a twentieth of a decade, or of the range, or one."""
        if self.detent and value <= 0:
            return self.lower if direction > 0 else 0.0
        if self.detent and direction < 0 and value <= self.lower:
            return 0.0
        moved = self._moved(value, direction, fine, coarse)
        if self.integer:
            moved = float(round(moved))
            if moved == value:
                moved += direction
        return self._kept_between(value, moved, direction)

    @property
    def decades(self) -> tuple[float, ...]:
        """Powers of ten within the range of a log scale."""
        if not self.log:
            return ()
        return tuple(powers_of_ten(self.lower, self.upper))

    @property
    def _span(self) -> float:
        return self._bend(self.upper) - self._bend(self.lower)

    def _bend(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def _unbend(self, bent: float) -> float:
        return float(10**bent) if self.log else bent

    def _linear_step(self, fine: bool) -> float:
        """A round number near a twentieth of the range, a fifth of it when fine."""
        rough = (self.upper - self.lower) / 20
        if self.integer and self.upper - self.lower <= UNIT_STEPS:
            return 1.0
        step = nearest_round(rough)
        step = step / 5 if fine else step
        return max(1.0, round(step)) if self.integer else step

    def _moved(self, value: float, direction: int, fine: bool, coarse: bool) -> float:
        if not self.log:
            step = self._linear_step(fine) * (5 if coarse else 1)
            return round((value + direction * step) / step) * step
        if coarse:
            return value * 10.0**direction
        per_decade = FINE_PER_DECADE if fine else PER_DECADE
        place = round(math.log10(value) * per_decade) + direction
        return _significant(10 ** (place / per_decade), 3 if fine else 2)

    def _round(self, value: float, fine: bool) -> float:
        if self.integer and not (self.log and value >= 100):
            return float(round(value))
        if self.log:
            return _significant(value, 3 if fine else 2)
        step = self._linear_step(True)
        return round(value / step) * step

    def _clip(self, value: float) -> float:
        return undusted(min(max(value, self.lower), self.upper))

    def _kept_between(self, value: float, moved: float, direction: int) -> float:
        """Stay in the range, and never move against the direction."""
        clipped = self._clip(moved)
        return value if (clipped - value) * direction < 0 else clipped


def _significant(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
