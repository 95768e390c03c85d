"""Vertical scales: how a figure becomes a height, and which figures stand at the axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from workbench.number_text import MINUS, count, fixed, short
from workbench.round_numbers import multiples, round_down, round_numbers
from workbench.views.data.axis_text import date_ticks

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIGIT_SETS = ((1, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,))
MOST_LOG_TICKS = 8
ROOT_TOPS = (1.0, 2.0, 4.0, 8.0)  # whose quarter is round too


@dataclass(frozen=True)
class Span:
    """What a scale made of the figures: both ends and the ticks, in figures, and the tick's texts."""

    low: float
    high: float
    ticks: tuple[float, ...]
    texts: tuple[str, ...]


class VerticalScale(Protocol):
    """One kind of vertical axis."""

    phrase: str

    def forward(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Heights of the figures; NaN where a figure has none."""

    def fit(self, low: float, high: float, most: int) -> Span:
        """Ends and at most about `most` round ticks for figures from `low` to `high`."""


class Linear:
    """Equal steps."""

    phrase = ""

    def __init__(self, from_zero: bool = False) -> None:
        self._from_zero = from_zero

    def forward(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(values, np.float64)

    def fit(self, low: float, high: float, most: int) -> Span:
        low, high = _widened(min(low, 0.0) if self._from_zero else low, high)
        for step in round_numbers((high - low) / most):
            ticks = tuple(multiples(low, high, step, beyond=True))
            if len(ticks) <= most + 1:
                break
        return Span(ticks[0], ticks[-1], ticks, _texts(ticks, step))


class Days(Linear):
    """Days since 1970 in equal steps, told as dates."""

    def fit(self, low: float, high: float, most: int) -> Span:
        low, high = (low, high) if high - low >= 1 else (low - 1, high + 1)
        marks = date_ticks(low, high, most)
        return Span(low, high, tuple(day for day, _ in marks), tuple(text for _, text in marks))


class Log:
    """Equal ratios; only for figures above 0."""

    phrase = "log axis"

    def forward(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        values = np.asarray(values, np.float64)
        return np.log10(np.where(values > 0, values, np.nan))

    def fit(self, low: float, high: float, most: int) -> Span:
        if high <= 0:
            low, high = 0.1, 1.0
        low = max(low, high * 1e-9) if low > 0 else high / 1000
        for digits in DIGIT_SETS if most > 3 else DIGIT_SETS[-1:]:
            inside = _decades(low, high, digits, every=1)
            if len(inside) <= min(most, MOST_LOG_TICKS):
                break
        every = 1
        while len(inside) > most:
            every += 1
            inside = _decades(low, high, (1,), every)
        if len(inside) < 2:
            span = Linear().fit(low, high, most)
            inside = [tick for tick in span.ticks if tick > 0]
            low, high = min(low, inside[0]), max(high, inside[-1])
        room = (high / low) ** 0.04
        return Span(low / room, high * room, tuple(inside), tuple(_plain(tick) for tick in inside))


class Root:
    """Signed square root: small figures of both signs stay visible beside large ones."""

    phrase = "root axis"

    def forward(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        values = np.asarray(values, np.float64)
        return np.sign(values) * np.sqrt(np.abs(values))

    def fit(self, low: float, high: float, most: int) -> Span:
        low, high = min(low, 0.0), max(high, 0.0)
        if low == high:
            high = 1.0
        ticks = [0.0]
        if high > 0:
            top = round_down(high, ROOT_TOPS)
            ticks += [top / 4, top]
        if low < 0 and math.sqrt(-low) > 0.16 * math.sqrt(high):
            ticks.insert(0, -round_down(-low, ROOT_TOPS))
        smallest = min(abs(tick) for tick in ticks if tick)
        return Span(low, high * 1.04, tuple(ticks), _texts(ticks, smallest))


def _widened(low: float, high: float) -> tuple[float, float]:
    """Ends that are apart."""
    if high - low > 1e-9 * max(abs(low), abs(high), 1e-30):
        return low, high
    room = abs(high) * 0.05 or 0.5
    return low - room, high + room


def _decades(low: float, high: float, digits: tuple[int, ...], every: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = (d * 10.0**power for power in range(first, last + 1) if power % every == 0 for d in digits)
    return [tick for tick in ticks if low * 0.96 <= tick <= high * 1.04]


def _texts(ticks: tuple[float, ...] | list[float], step: float) -> tuple[str, ...]:
    """Texts with as many decimals as the step needs."""
    if not 1e-5 < max(map(abs, ticks)) < 1e7:
        plain = tuple(_plain(tick) for tick in ticks)
        return plain if len(set(plain)) == len(plain) else tuple(f"{tick:.12g}" for tick in ticks)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    if round(step, decimals) != float(f"{step:.3g}"):
        decimals += 1
    return tuple(fixed(tick, min(decimals, 12)) for tick in ticks)


def _plain(value: float) -> str:
    """A round figure, short: "0.05", "100,000", "2.5e7"."""
    if 1e-5 < abs(value) < 1e7 or value == 0:
        return short(value) if abs(value) < 1000 else count(value)
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{short(float(mantissa))}e{int(exponent)}".replace("-", MINUS)
