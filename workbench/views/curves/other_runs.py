"""Other runs behind the shown one's curve, each from where it leaves it."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

import numpy as np

from workbench.number_text import figure
from workbench.session.run_parts.measured import measured_since
from workbench.views.curves.content import Line
from workbench.views.runs.cards import values_of
from workbench.views.runs.strokes import line_dash, token_of

if TYPE_CHECKING:
    from workbench.session.run import Run
    from workbench.session.session import Session

MOST_LABELS = 4  # of other runs in the margin, the newest
WIDTH = 1.25


def other_lines(session: Session, metric: str, rounds: int) -> list[Line]:
    """Return the lines of the runs with a tick, but the shown one, over so many rounds."""
    shown, lines = session.shown.run, []
    for run in session.overlay.drawn:
        values = values_of(run, metric)[:rounds] if run is not shown else ()
        common = common_rounds(run, shown) if shown is not None else 0
        if len(values) <= common:
            continue
        own = np.array(values)
        first = max(common - 1, measured_since(run) - 1, 0)  # the last common point is drawn again
        own[:first] = np.nan
        lines.append(Line(run.name, token_of(run), own, figure(own[-1]), WIDTH, line_dash(run), reading=False,
                          tone="text1", swatch=True))
    for place in range(len(lines) - MOST_LABELS):
        lines[place] = lines[place].without_label()
    return lines


def common_rounds(one: Run, other: Run) -> int:
    """Return how many first rounds two runs share."""
    most = min(len(one.rounds), len(other.rounds))
    return bisect(range(most), False, key=lambda place: one.rounds[place] is not other.rounds[place])
