"""From points that are drawn to everything the window shows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.parameters.methods import METHODS
from workbench.session.objective_facts import known_objectives
from workbench.session.playground.playground import Sketch

if TYPE_CHECKING:
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.session.plan import Plan
    from workbench.session.playground.drawing import Drawing


class Drawn(NamedTuple):
    """Points as a table, with what was worked out about it."""

    sketch: Sketch
    plan: Plan
    objectives: tuple[ObjectiveFacts, ...]


def drawn(drawing: Drawing, method: str) -> Drawn:
    """Make a table of points; imports pandas and numba, so call it on a worker thread."""
    from workbench.data.statistics import column_summary

    table = drawing.table()
    task = "regression" if drawing.is_line else "binary"  # of an empty sheet, too, whose target tells nothing
    plan = drawing.plan(METHODS[method].objective_of("auto", task))
    summaries = {column.name: column_summary(column) for column in table.columns}
    return Drawn(Sketch(None, drawing, table, summaries), plan, known_objectives())
