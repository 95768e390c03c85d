"""Curves over rounds as SVG that takes any width, with words beside it that keep their size."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from workbench.formats.report.parts import number, text
from workbench.number_text import figure, fixed
from workbench.round_numbers import ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 1000, 100  # of the drawing, which is stretched
LEAST_APART = 9.0  # per cent of the height between words at the ends
MOST_POINTS = 800
MOST_STEPS = 6  # between ticks
FLAT, TINY, HUGE = 1e-9, 1e-290, 1e300  # of the size: a flat curve; what is no distance; what is not drawn
LARGE, SMALL = 1e7, 1e-4  # from here on ticks, and steps below this, are written with an exponent


class ChartLine(NamedTuple):
    """One curve: its name, its style in the page, and a value a round."""

    name: str
    look: str
    values: Sequence[float]


def chart(title: str, lines: Sequence[ChartLine], first: int = 1, best: int = 0) -> str:
    """Return curves over rounds from `first` on with their names at their ends; "" where none can be drawn.

    A line marks the best round, where it is one of them.
    """
    known = [value for line in lines for value in line.values if is_drawn(value)]
    if max((len(line.values) for line in lines), default=0) < 2 or not known:
        return ""
    low, high = min(known), max(known)
    size = max(abs(low), abs(high))
    if high - low <= FLAT * size + TINY:
        low, high = low - (size or 1.0) - TINY, high + (size or 1.0) + TINY
    rounds = max(len(line.values) for line in lines)

    def at(place: int) -> float:
        return WIDTH * place / max(rounds - 1, 1)

    def down(value: float) -> float:
        return HEIGHT * (high - value) / (high - low)

    marks = ticks(low, high, MOST_STEPS)
    parts = [f'<line x1="0" x2="{WIDTH}" y1="{down(v):.1f}" y2="{down(v):.1f}"/>' for v in marks]
    if 0 <= best - first < rounds:
        x = f"{at(best - first):.1f}"
        parts.append(f'<line class="best" x1="{x}" x2="{x}" y1="0" y2="{HEIGHT}"/>')
    for line in lines:
        step = max(1, len(line.values) // MOST_POINTS)
        shown = " ".join(f"{at(i):.1f},{down(line.values[i]):.1f}" for i in _places(line.values, step))
        parts.append(f'<polyline class="{line.look}" points="{shown}"/>')
    beside = "".join(_at(down(v), written) for v, written in zip(marks, tick_texts(marks), strict=True))
    said, picture = text(title), "".join(parts)
    return (
        f'<figure><figcaption>{said}</figcaption><div class="chart"><div class="scale">{beside}</div>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" aria-label="{said}">'
        f'{picture}</svg><div class="ends">{_ends(lines, [down(_last(line)) for line in lines])}</div>'
        f'<div class="rounds"><span>round {first:,}</span><span>{first + rounds - 1:,}</span></div>'
        "</div></figure>\n"
    )


def tick_texts(marks: Sequence[float]) -> list[str]:
    """Return ticks with as many digits as tell them apart."""
    step, most = marks[-1] - marks[-2], max(map(abs, marks))
    last = math.floor(math.log10(step) + 1e-9)
    if step < SMALL or most >= LARGE:
        return [figure(mark, max(math.floor(math.log10(most)) - last + 1, 1)) for mark in marks]
    return [fixed(mark, max(-last, 0)) for mark in marks]


def is_drawn(value: float) -> bool:
    """Whether a figure is known, and of a size that a chart can show."""
    return abs(value) < HUGE


def _places(values: Sequence[float], step: int) -> list[int]:
    """Return which values are drawn: every so many-th, and the last."""
    places = dict.fromkeys((*range(0, len(values), step), len(values) - 1))
    return [place for place in places if is_drawn(values[place])]


def _last(line: ChartLine) -> float:
    return next(value for value in reversed(line.values) if is_drawn(value))


def _ends(lines: Sequence[ChartLine], places: Sequence[float]) -> str:
    words = (f"{line.name} {number(_last(line), 4)}" for line in lines)
    return "".join(
        _at(place, word, line.look) for line, place, word in zip(lines, _apart(places), words, strict=True)
    )


def _at(place: float, word: str, look: str = "") -> str:
    mark = f' class="{look}"' if look else ""
    return f'<span{mark} style="top:{place:.1f}%">{text(word)}</span>'


def _apart(places: Sequence[float]) -> list[float]:
    """Push words apart, in their order: down, then up where they left the chart."""
    found = list(places)
    order = sorted(range(len(found)), key=found.__getitem__)
    for before, after in pairwise(order):
        found[after] = max(found[after], found[before] + LEAST_APART)
    limit = float(HEIGHT)
    for place in reversed(order):
        found[place] = min(found[place], limit)
        limit = found[place] - LEAST_APART
    return found
