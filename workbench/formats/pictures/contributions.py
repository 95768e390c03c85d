"""What the columns add to predictions: of one row as a waterfall, of many as a swarm a column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.pictures.picture import (
    BLUE,
    BOLD_LETTER,
    FAINT,
    GRID,
    ORANGE,
    Picture,
    box,
    cut,
    dot,
    line,
    of_columns,
    words,
)
from workbench.number_text import figure, signed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.model_like import ModelLike

ROW, WIDTH, TOP = 26.0, 640.0, 44.0
MOST_COLUMNS, MOST_ROWS = 15, 400


def contributions_picture(model: ModelLike, X: Any, output: int = 0, **given: Any) -> Picture:
    """Draw contributions to the raw prediction; `output` is the place of the class, where there are several.

    Of many rows every so many-th is drawn; columns stand by their mean size over all rows.
    """
    for apart in ("interactions", "each_round", "each_tree"):
        if given.get(apart):
            raise WorkbenchError(f"The picture has one figure a column and row; leave {apart} out.")
    every = np.asarray(model.contributions(X, **given), np.float64)
    if not len(every):
        raise WorkbenchError("There are no rows to explain.")
    if every.ndim == 3:
        if not 0 <= output < every.shape[1]:
            raise WorkbenchError(f"output is {output}; the model has outputs 0 to {every.shape[1] - 1}.")
        every = every[:, output]
    of = model.ensemble.output_names
    name = f" to {of[output]}" if of else ""
    if len(every) == 1:
        return _waterfall(model, every[0], f"Contributions{name}, from the mean to this row")
    return _swarm(model, every, f"Contributions{name} of {len(every):,} rows")


def _waterfall(model: ModelLike, row: NDArray[np.float64], title: str) -> Picture:
    parts, base = row[:-1], float(row[-1])
    order = np.argsort(-np.abs(parts), kind="stable")
    shown, rest = order[:MOST_COLUMNS], order[MOST_COLUMNS:]
    names = [model.schema.names[place] for place in shown]
    steps = [float(parts[place]) for place in shown]
    if len(rest):
        names, steps = [*names, f"{len(rest):,} other columns"], [*steps, float(parts[rest].sum())]
    ends = base + np.cumsum([0.0, *steps])
    left = of_columns(names)
    low, high = min(ends.min(), base), max(ends.max(), base)
    scale = (WIDTH - left - 90) / ((high - low) or 1.0)

    def across(value: float) -> float:
        return left + 8 + (value - low) * scale

    side = "left" if base - low <= high - base else "right"
    mean = words(across(base), TOP - 4, f"mean {figure(base)}", side, FAINT)
    drawn = [words(12, 22, title, bold=True), mean]
    for place, (name, step) in enumerate(zip(names, steps, strict=True)):
        y, one, other = TOP + ROW * place, across(ends[place]), across(ends[place + 1])
        drawn += [
            words(left, y + 17, cut(name, left - 12), "right"),
            box(min(one, other), y + 4, abs(other - one), 18, ORANGE if step < 0 else BLUE),
            line(other, y + 4, other, y + ROW + 4, FAINT),
            words(max(one, other) + 6, y + 17, signed(step), ink=FAINT),
        ]
    bottom = TOP + ROW * len(names)
    end = f"raw prediction {figure(ends[-1])}"
    room = len(end) * BOLD_LETTER / 2 + 4
    at = min(max(across(ends[-1]), room), WIDTH - room)
    drawn.append(words(at, bottom + 18, end, "middle", bold=True))
    return Picture(title, WIDTH, bottom + 32, drawn)


def _swarm(model: ModelLike, rows: NDArray[np.float64], title: str) -> Picture:
    parts = rows[:, :-1]
    sizes = np.abs(parts).mean(axis=0)
    order = [place for place in np.argsort(-sizes, kind="stable")[:MOST_COLUMNS] if sizes[place] > 0]
    names = [model.schema.names[place] for place in order]
    left = of_columns(names)
    taken = np.unique(np.linspace(0, len(parts) - 1, min(len(parts), MOST_ROWS)).astype(int))
    most = float(np.abs(parts[taken][:, order]).max(initial=0.0)) or 1.0
    middle, half = left + (WIDTH - left - 80) / 2, (WIDTH - left - 110) / 2
    bottom = TOP + ROW * max(len(order), 1)
    drawn = [words(12, 22, title, bold=True), line(middle, TOP, middle, bottom, GRID)]
    for place, column in enumerate(order):
        y = TOP + ROW * place + ROW / 2
        values = parts[taken, column]
        drawn += [words(left, y + 4, cut(names[place], left - 12), "right"),
                  words(WIDTH - 12, y + 4, figure(float(sizes[column])), "right", FAINT)]  # fmt: skip
        for x, up in zip(values / most * half, _heaps(values / most), strict=True):
            drawn.append(dot(middle + x, y + up, 2, ORANGE if x < 0 else BLUE))
    drawn += [words(WIDTH - 12, TOP - 6, "mean size", "right", FAINT),
              words(middle, bottom + 18, "0", "middle", FAINT),
              words(middle - half, bottom + 18, signed(-most), "middle", FAINT),
              words(middle + half, bottom + 18, signed(most), "middle", FAINT)]  # fmt: skip
    return Picture(title, WIDTH, bottom + 32, drawn)


def _heaps(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far up or down each point stands, so that those of one place make a heap."""
    places = np.round(values * 60).astype(int)
    up = np.zeros(len(values))
    for place in np.unique(places):
        found = np.flatnonzero(places == place)
        offsets = (np.arange(len(found)) + 1) // 2 * np.where(np.arange(len(found)) % 2, 1, -1)
        up[found] = offsets * min(2.2, ROW / max(len(found), 1))
    return up
