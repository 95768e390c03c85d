"""Pieces of a page: escaped text, tables, and curves as SVG."""

from __future__ import annotations

import html
import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH, HEIGHT = 900, 180
LEFT, RIGHT, TOP, BOTTOM = 56, 110, 8, 20
MOST_POINTS = 800


class Line(NamedTuple):
    """One curve: its name, its style in the page, and a value a round."""

    name: str
    look: str
    values: Sequence[float]


def text(value: object) -> str:
    """Return text in which no character means anything."""
    return html.escape(str(value), quote=True)


def number(value: float, digits: int = 5) -> str:
    """Return a number as people write it."""
    return f"{value:.{digits}g}".replace("-", "−") if math.isfinite(value) else "–"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], numeric: frozenset[int] = frozenset()) -> str:
    """Return a table of cells that are HTML already; numeric columns stand at the right."""
    def row(cells: Sequence[str], tag: str) -> str:
        marks = (' class="n"' if place in numeric else "" for place in range(len(cells)))
        made = (f"<{tag}{mark}>{cell}</{tag}>" for mark, cell in zip(marks, cells, strict=True))
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(row(cells, "td") + "\n" for cells in rows)
    head = f"<thead>{row([text(name) for name in header], 'th')}</thead>\n" if header else ""
    return f"<table>{head}<tbody>\n{body}</tbody></table>\n"


def section(title: str, *parts: str, note: str = "") -> str:
    """Return a heading and what belongs to it."""
    said = f'<p class="note">{text(note)}</p>\n' if note else ""
    return f"<h2>{text(title)}</h2>\n{said}{''.join(parts)}"


def bar(share: float) -> str:
    """Return a bar for a share of the largest."""
    return f'<span class="bar" style="width:{200 * min(max(share, 0.0), 1.0):.1f}px"></span>'


def chart(title: str, lines: Sequence[Line]) -> str:
    """Return curves over rounds with their names at their ends; "" where no value is known."""
    known = [value for line in lines for value in line.values if math.isfinite(value)]
    if not known:
        return ""
    low, high = min(known), max(known)
    high = high if high > low else low + (abs(low) or 1.0)
    rounds = max(len(line.values) for line in lines)

    def place(index: int, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (index / max(rounds - 1, 1))
        return x, TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number(value, 4)}</text>'
        for value in (low, (low + high) / 2, high) for y in [place(0, value)[1]]
    ]  # fmt: skip
    ends = _apart([place(len(line.values) - 1, _last(line.values, low))[1] for line in lines])
    for line, end in zip(lines, ends, strict=True):
        step = max(1, len(line.values) // MOST_POINTS)
        points = [place(i, line.values[i]) for i in range(0, len(line.values), step)
                  if math.isfinite(line.values[i])]
        shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="{line.look}" points="{shown}"/>')
        at = f'x="{WIDTH - RIGHT + 6}" y="{end + 4:.1f}"'
        parts.append(f'<text class="{line.look}" {at}>{text(line.name)}</text>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 4}">round 1</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">{rounds}</text>')
    said = text(title)
    picture = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{said}">{"".join(parts)}</svg>'
    return f"<figure><figcaption>{said}</figcaption>{picture}</figure>\n"


def _last(values: Sequence[float], otherwise: float) -> float:
    return next((value for value in reversed(values) if math.isfinite(value)), otherwise)


def _apart(places: Sequence[float], least: float = 14.0) -> list[float]:
    """Push labels apart, in their order."""
    found = list(places)
    order = sorted(range(len(found)), key=found.__getitem__)
    for before, after in pairwise(order):
        found[after] = max(found[after], found[before] + least)
    return found
