"""The figures of a whole model, as the strip above its importance reads them out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.number_text import count, figure
from workbench.views.curves.kpi_strip import Cell, Widths
from workbench.views.curves.readings import NOT_IN_FILE, OBJECTIVE, UNKNOWN, objective_cell

if TYPE_CHECKING:
    from workbench.session.run import Run

COLUMNS = (Widths(155, 116), Widths(120, 80), Widths(140, 90), Widths(150, 70), Widths(184, 100),
           Widths(228, 120), Widths(165, 90))  # fmt: skip


def model_cells(run: Run | None, number: int) -> list[Cell]:
    """Return the summary of the model up to round `number`."""
    labels = ("Model after", "Trees", "Leaves", "Depth", "Gain, all splits", OBJECTIVE, "Seconds")
    if run is None or not number:
        return [Cell(labels[0], "Round 0"), *(Cell(label, UNKNOWN) for label in labels[1:])]
    last = run.rounds[number - 1]
    leaves, depth, gain, seconds = (run.history.column(name)[:number]
                                    for name in ("leaves", "depth", "gain", "seconds"))
    of_trees = (count(number * len(last.trees)), count(leaves.sum()), count(depth.max()),
                figure(float(gain.sum())))  # fmt: skip
    figures = (f"Round {count(number)}", *((UNKNOWN,) * 4 if run.is_linear else of_trees), "",
               figure(float(seconds.sum()), 3))
    depth_note, spent = ("", "along the path") if run.is_linear else ("deepest leaf", "growing trees")
    notes = ("", "", "", depth_note, "", "",
             spent if math.isfinite(seconds.sum()) else NOT_IN_FILE)
    shorts = ("", "", "", "", "Gain", "", "")
    cells = [Cell(label, shown, note, short=short)
             for label, shown, note, short in zip(labels, figures, notes, shorts, strict=True)]
    cells[labels.index(OBJECTIVE)] = objective_cell(run, last)
    return cells
