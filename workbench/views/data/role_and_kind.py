"""What the person decides about a column: its role and its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.data.schema import Role
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Kind, TableNote
    from workbench.session.session import Session
    from workbench.views.base import Bench
    from workbench.workers.jobs import Job

ROLE_WORDS: dict[Role, str] = {
    "feature": "Feature", "target": "Target", "weight": "Row weight", "group": "Group", "offset": "Offset",
    "ignore": "Ignore",
}
ROLE_HELP: dict[Role, str] = {
    "feature": "The trees may ask about it",
    "target": "What is to be predicted",
    "weight": "How much each row counts",
    "group": "Rows with the same value stay together",
    "offset": "A known part of the raw prediction (base margin): the logarithm of an exposure, say",
    "ignore": "Left out of training",
}
KIND_ICONS: dict[Kind, str] = {
    "number": "hash", "category": "text-aa", "boolean": "toggle-left", "date": "calendar-blank",
}
LOCKED = "The hold-out stays fixed during a run."


def is_locked(session: Session) -> bool:
    """Whether a run is live, so that roles and types must stay."""
    return session.shown.run is not None and session.shown.run.is_live


def choose_role(session: Session, name: str, role: Role) -> None:
    """Give a column a role; the objective follows a new target."""
    if role != "target":
        session.data.set_role(name, role)
    elif session.data.table is not None and name != session.data.plan.target:
        from workbench.session.opening.open_file import guess_objective

        objective = guess_objective(session.data.table.column(name), session.hyperparameters.wanted.method)
        session.data.set_target(name, objective)


def choose_kind(bench: Bench, name: str, kind: Kind) -> None:
    """Convert a column in a job; where that fails, the reason is shown and the column stays."""
    session = bench.session
    if session.data.table is None or session.data.table.column(name).kind == kind:
        return
    column = session.data.table.column(name)

    def work(_job: Job) -> tuple[Column, ColumnSummary, list[TableNote]]:
        from workbench.data.statistics import column_summary
        from workbench.data.values.column_types import change_kind

        converted, notes = change_kind(column, kind)
        return converted, column_summary(converted), notes

    def done(answer: tuple[Column, ColumnSummary, list[TableNote]]) -> None:
        if session.data.table is not None and any(known is column for known in session.data.table.columns):
            converted, summary, notes = answer
            session.data.replace_column(converted, summary, notes, _objective_of(session, converted))
            for note in notes:
                session.notices.say(note.text, note.severity, "data")

    bench.jobs.start(work, done=done, failed=lambda text: session.notices.say(text, "error", "data"))


def _objective_of(session: Session, column: Column) -> str:
    """Return the objective that follows where a column is the target."""
    if column.name != session.data.plan.target:
        return ""
    from workbench.session.opening.open_file import guess_objective

    return guess_objective(column)
