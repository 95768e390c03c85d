"""The table of a project as it stood at each line of its journal, and the rows of its runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.session.growing import rows_of_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.data.dataset import Dataset
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Kind, Table
    from workbench.session.journal.journal import JournalLine
    from workbench.session.plan import Plan
    from workbench.session.project.content import ProjectContent
    from workbench.session.run import Run

Standing = tuple["Table", "Mapping[str, ColumnSummary]"]


class KnownTables:
    """A table as it was read, with other kinds of columns where these are asked for."""

    def __init__(self, read: Table) -> None:
        self.read = read
        self._known: dict[tuple[tuple[str, Kind], ...], Table] = {}

    def with_kinds(self, kinds: Mapping[str, Kind]) -> Table:
        """Return the table with columns of these kinds; columns that it lacks are passed over."""
        key = tuple(sorted(kinds.items()))
        if key not in self._known:
            table = self.read
            for name, kind in key:
                if name in table.names and table.column(name).kind != kind:
                    table = _converted(table, name, kind)
            self._known[key] = table
        return self._known[key]

    def summaries(self, table: Table) -> dict[str, ColumnSummary]:
        """Return the figures of the table's columns."""
        from workbench.data.statistics import column_summary

        return {column.name: column_summary(column) for column in table.columns}


def resolved_lines(content: ProjectContent, tables: KnownTables | None) -> list[JournalLine]:
    """Return the lines with the tables themselves in their states; without tables these are left out."""
    lines, kinds = [], dict[str, Any]()
    standing: dict[int, Standing] = {}

    def stand(kinds: dict[str, Any]) -> Standing:
        assert tables is not None
        table = tables.with_kinds(kinds)
        if id(table) not in standing:
            standing[id(table)] = (table, tables.summaries(table))
        return standing[id(table)]

    for line in content.lines:
        before, after = dict(line.before), dict(line.after)
        if "table" in after:
            then = {**kinds, **before.pop("table")}
            kinds = {**then, **after.pop("table")}
            if tables is not None:
                before["table"], after["table"] = stand(then), stand(kinds)
        lines.append(line._replace(before=before, after=after))
    return lines


def rows_of_runs(
    runs: Mapping[int, Run], tables: KnownTables, cancelled: Callable[[], bool] | None = None
) -> dict[int, Dataset]:
    """Encode the rows of runs, once for each plan; those whose rows are others now are left out."""
    found: dict[int, Dataset] = {}
    known: list[tuple[Plan, Table, Dataset | None]] = []
    for number, run in runs.items():
        if run.plan is None or run.schema is None:
            continue
        table = tables.with_kinds(run.kinds)
        rows = next((rows for plan, of, rows in known if plan == run.plan and of is table), ...)
        if rows is ...:
            try:
                rows = rows_of_plan(table, run.plan, cancelled)
            except WorkbenchError:
                rows = None
            known.append((run.plan, table, rows))
        if rows is not None and _are_of(rows, run):
            found[number] = rows
    return found


def _are_of(rows: Dataset, run: Run) -> bool:
    made, known, started = rows.schema, run.schema, run.started
    if known is None or (made.features, made.class_labels) != (known.features, known.class_labels):
        return False
    counts = len(rows.train_rows), len(rows.valid_rows)
    return started is None or counts == (started.n_train, started.n_valid)


def _converted(table: Table, name: str, kind: Kind) -> Table:
    from workbench.data.values.column_types import change_kind

    try:
        return table.with_column(change_kind(table.column(name), kind)[0])
    except WorkbenchError:
        return table
