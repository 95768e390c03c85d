"""The table that is open, and what is planned for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.session.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.data.schema import Role
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Note, Table
    from workbench.session.events import SessionEvents
    from workbench.session.objective_facts import ObjectiveFacts


class OpenData:
    """What the next run is trained on.

    Attributes
    ----------
    table : Table or None
        None before one is opened, and beside a model from a file.
    summaries : mapping of str to ColumnSummary
        By column name; empty until they are computed.
    objectives : tuple of ObjectiveFacts
        What can be chosen; empty until a table or a model is open.
    plan : Plan
    problem : str
        Why the plan cannot be trained, "" where nothing is known against it.
    """

    def __init__(self, events: SessionEvents) -> None:
        self._events = events
        self.table: Table | None = None
        self.summaries: Mapping[str, ColumnSummary] = {}
        self.objectives: tuple[ObjectiveFacts, ...] = ()
        self.plan = Plan()
        self.problem = ""

    def replace_column(self, column: Column, summary: ColumnSummary, notes: Sequence[Note] = ()) -> None:
        """Take over a column whose kind the person changed, and what that did to its cells."""
        if self.table is not None:
            table = self.table.with_column(column)
            self.table = replace(table, notes=(*table.notes, *notes))
            self.summaries = {**self.summaries, column.name: summary}
            self._events.table.emit()
            self._events.summaries.emit()

    def set_role(self, column: str, role: Role) -> None:
        """Give `column` a role; a new target is no longer a guess."""
        guessed = self.plan.target_guessed and role != "target" and column != self.plan.target
        self._set_plan(replace(self.plan.with_role(column, role), target_guessed=guessed))

    def set_plan(self, **values: Any) -> None:
        """Change the objective, the positive class or the hold-out."""
        self._set_plan(replace(self.plan, **values))

    def _set_plan(self, plan: Plan) -> None:
        if plan != self.plan:
            self.plan = plan
            self._events.plan.emit()

    def tell_problem(self, problem: str) -> None:
        """Say why the plan cannot be trained; "" where it can."""
        if problem != self.problem:
            self.problem = problem
            self._events.state.emit()

    def take(
        self, table: Table | None, plan: Plan, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...],
    ) -> None:  # fmt: skip
        """Take another table over; the session announces it."""
        self.table, self.plan, self.summaries, self.objectives = table, plan, summaries, objectives
        self.problem = ""
