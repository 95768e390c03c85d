"""The table that is open, and what is planned for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.session.journal.kinds.column_kind import ColumnKind
from workbench.session.journal.kinds.column_role import ColumnRole
from workbench.session.journal.kinds.hold_out import ChooseHoldOut
from workbench.session.journal.kinds.objective import ChooseObjective
from workbench.session.journal.kinds.positive import Positive
from workbench.session.journal.kinds.target import Target
from workbench.session.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.data.schema import Role
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Kind, Table, TableNote
    from workbench.session.events import SessionEvents
    from workbench.session.journal.action import Action
    from workbench.session.journal.journal import Journal
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.session.opening.elsewhere import Elsewhere
    from workbench.session.table_source import TableSource


def hold_out_action(plan: Plan) -> ChooseHoldOut:
    """Return the journal's line of how a plan holds rows out."""
    return ChooseHoldOut(
        plan.valid_fraction, plan.split_seed, plan.stratified, plan.split_by, plan.split_column,
        plan.split_file,
    )


class OpenData:
    """What the next run is trained on.

    Attributes
    ----------
    table : Table or None
        None before one is opened, and beside a model from a file.
    as_read : Table or None
        With the kinds of columns that it was read with.
    source : TableSource or None
        Its file; None without a table, and for one that did not come from a file.
    summaries : mapping of str to ColumnSummary
        By column name; empty until they are computed.
    objectives : tuple of ObjectiveFacts
        What can be chosen; empty until a table or a model is open.
    plan : Plan
    elsewhere : Elsewhere or None
        Where its rows stay, if `table` holds but the first of them.
    problem : str
        Why the plan cannot be trained, "" where nothing is known against it.
    """

    def __init__(self, events: SessionEvents, journal: Journal) -> None:
        self._events, self._journal = events, journal
        self.table: Table | None = None
        self.source: TableSource | None = None
        self._kinds: dict[str, Kind] = {}
        self._changed: tuple[Table, dict[str, Kind]] | None = None  # what is known of a table
        self.as_read: Table | None = None
        self.summaries: Mapping[str, ColumnSummary] = {}
        self.objectives: tuple[ObjectiveFacts, ...] = ()
        self.plan = Plan()
        self.problem = ""
        self.elsewhere: Elsewhere | None = None

    @property
    def changed_kinds(self) -> dict[str, Kind]:
        """The kinds of columns that the person changed since the table was read, by name."""
        if self.table is None:
            return {}
        if self._changed is None or self._changed[0] is not self.table:
            read, kinds = self._kinds, self.table.kinds
            is_as_read = kinds is read or kinds == read  # which is soon told of very many columns
            others = () if is_as_read else kinds.items()
            self._changed = self.table, {name: kind for name, kind in others if read.get(name, kind) != kind}
        return dict(self._changed[1])

    def replace_column(
        self, column: Column, summary: ColumnSummary | None, notes: Sequence[TableNote] = (),
        objective: str = "",
    ) -> None:  # fmt: skip
        """Take over a column whose kind the person changed, and what that did to its cells.

        `objective` is the one that follows where the column is the target.
        """
        if self.table is None:
            return
        before = self.table.column(column.name).kind
        self.table = replace(self.table.with_column(column), notes=(*self.table.notes, *notes))
        if summary is not None:
            self.summaries = {**self.summaries, column.name: summary}
        if objective and column.name == self.plan.target:
            self.plan = replace(self.plan, objective=objective, positive=None)
        for signal in (self._events.table, self._events.summaries, self._events.plan):
            signal.emit()
        self._journal.note(ColumnKind(column.name, before, column.kind))

    @property
    def n_rows(self) -> int:
        """Rows that a run trains on or holds out, those that are not shown too."""
        if self.elsewhere is not None:
            return self.elsewhere.rows
        return 0 if self.table is None else self.table.n_rows

    def put(self, table: Table, summaries: Mapping[str, ColumnSummary]) -> None:
        """Let other rows of the same columns take the place of these; the session announces it."""
        self.table = self.as_read = table
        self.summaries = summaries

    def set_role(self, column: str, role: Role) -> None:
        """Give `column` a role; a new target is no longer a guess."""
        guessed = self.plan.target_guessed and role != "target" and column != self.plan.target
        plan = replace(self.plan.with_role(column, role), target_guessed=guessed)
        self._set_plan(plan, ColumnRole(column, role))

    def set_target(self, column: str, objective: str) -> None:
        """Predict another column, with the objective that follows from it."""
        plan = replace(self.plan.with_role(column, "target"), target_guessed=False, positive=None,
                       objective=objective)  # fmt: skip
        self._set_plan(plan, Target(column, objective))

    def set_objective(self, name: str) -> None:
        """Choose another objective."""
        self._set_plan(replace(self.plan, objective=name), ChooseObjective(self.plan.objective, name))

    def set_positive(self, label: str | None) -> None:
        """Choose the positive class; None takes the program's choice."""
        self._set_plan(replace(self.plan, positive=label), Positive(label))

    def hold_out(self, **values: Any) -> None:
        """Hold rows out otherwise, by any of the fields of the plan that tell how."""
        plan = self.plan.split_as(**values)
        self._set_plan(plan, hold_out_action(plan))

    def _set_plan(self, plan: Plan, action: Action) -> None:
        if plan != self.plan:
            self.plan = plan
            self._events.plan.emit()
            self._journal.note(action)

    def tell_problem(self, problem: str) -> None:
        """Say why the plan cannot be trained; "" where it can."""
        if problem != self.problem:
            self.problem = problem
            self._events.state.emit()

    def take(
        self, table: Table | None, plan: Plan, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...], source: TableSource | None = None,
        as_read: Table | None = None, elsewhere: Elsewhere | None = None,
    ) -> None:  # fmt: skip
        """Take another table over; the session announces it."""
        self.source, self.elsewhere = source, elsewhere
        self.as_read = table if as_read is None else as_read
        known = () if self.as_read is None else self.as_read.columns
        self._kinds = source.kinds if source is not None else {column.name: column.kind for column in known}
        self.table, self.plan, self.summaries, self.objectives = table, plan, summaries, objectives
        self.problem, self._changed = "", None
