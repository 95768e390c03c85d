"""Metrics by round, of training and of held-out rows, with the best round."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.formats.pictures.picture import BLUE, FAINT, GRID, ORANGE, Picture, dot, line, words
from workbench.formats.report.chart import tick_texts
from workbench.number_text import figure
from workbench.parameters.nearest import nearest
from workbench.round_numbers import ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.formats.model_like import ModelLike

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640.0, 280.0, 64.0, 150.0, 36.0, 34.0
PARTS = {"train": ("training", BLUE), "valid": ("hold-out", ORANGE), "oob": ("out of bag", ORANGE)}
MOST_POINTS = 1200


def history_picture(model: ModelLike, metric: str | None = None) -> Picture:
    """Draw a metric by round: the watched one, unless another is asked for."""
    known = list(dict.fromkeys(key.partition(":")[2] for row in model.history for key in row if ":" in key))
    if not known:
        raise WorkbenchError("The model tells no metric of its rounds: its file keeps no history.")
    metric = metric or str(model.provenance.get("watched") or known[0]).partition(":")[2] or known[0]
    if metric not in known:
        raise WorkbenchError(f"The history has no metric '{metric}'. {nearest(metric, known)}.")
    lines = {}
    for part, (name, ink) in PARTS.items():
        values = [float(row.get(f"{part}:{metric}", math.nan)) for row in model.history]
        if any(map(math.isfinite, values)):
            lines[name] = (ink, values)
    if not lines:
        raise WorkbenchError(f"{metric} is no number in any round.")
    return Picture(f"{metric} by round", WIDTH, HEIGHT, _shapes(model, metric, lines))


def _shapes(model: ModelLike, metric: str, lines: dict[str, tuple[str, list[float]]]) -> list[str]:
    finite = [value for _, values in lines.values() for value in values if math.isfinite(value)]
    low, high = min(finite), max(finite)
    if high - low <= 1e-12 * max(abs(high), abs(low), 1e-300):
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    last = len(model.history)
    first = max(model.rounds - last, 0) + 1 if "known_params" in model.provenance else 1

    def across(place: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * place / max(last - 1, 1)

    def down(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [words(LEFT, 20, f"{metric} by round", bold=True)]
    marks = ticks(low, high, 5)
    for mark, said in zip(marks, tick_texts(marks) if len(marks) > 1 else map(figure, marks), strict=True):
        parts += [line(LEFT, down(mark), WIDTH - RIGHT, down(mark)),
                  words(LEFT - 8, down(mark) + 4, said, "right", FAINT)]  # fmt: skip
    for place, side in ((0, "left"), (last - 1, "right")):
        parts.append(words(across(place), HEIGHT - 12, f"round {first + place:,}", side, FAINT))
    best = (model.best_round or 0) - first
    if 0 <= best < last:
        parts += [line(across(best), TOP, across(best), HEIGHT - BOTTOM, FAINT, dash="4 3"),
                  words(across(best), TOP - 4, f"best {best + first:,}", "middle", FAINT)]  # fmt: skip
    lasts = [next(v for v in reversed(values) if math.isfinite(v)) for _, values in lines.values()]
    ends = _apart([down(value) for value in lasts])
    for (name, (ink, values)), end in zip(lines.items(), ends, strict=True):
        step = max(1, last // MOST_POINTS)
        places = [p for p in dict.fromkeys((*range(0, last, step), last - 1)) if math.isfinite(values[p])]
        points = " ".join(f"{across(p):.1f},{down(values[p]):.1f}" for p in places)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>')
        if len(places) == 1:
            parts.append(dot(across(places[0]), down(values[places[0]]), 3, ink))
        parts.append(words(WIDTH - RIGHT + 8, end + 4, f"{name} {figure(values[places[-1]])}", ink=ink))
    parts.append(line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, GRID))
    return parts


def _apart(places: Sequence[float]) -> list[float]:
    """Push two words apart where they would stand upon each other."""
    found = list(places)
    if len(found) == 2 and abs(found[0] - found[1]) < 15:
        middle, sign = sum(found) / 2, 1 if found[1] >= found[0] else -1
        found = [middle - sign * 7.5, middle + sign * 7.5]
    return found
