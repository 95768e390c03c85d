"""The rows of the selected node: who they are, their gradients, and what their leaf adds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QStackedLayout, QVBoxLayout, QWidget

from workbench.explain.node_figures import knows_rows, trail
from workbench.explain.row_path import matrix_row
from workbench.number_text import count
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.export.export_menu import open_menu
from workbench.views.export.records import RecordsExport
from workbench.views.inspector.node.inspected import inspected
from workbench.views.inspector.rows.member_columns import ROW, MemberColumns, order_of, records_of
from workbench.views.inspector.rows.member_sums import MemberSums
from workbench.views.inspector.rows.members_table import MembersTable
from workbench.views.inspector.rows.subject import rows_subject
from workbench.views.inspector.rows.tools import PARTS, RowsTools
from workbench.views.look.style import set_look
from workbench.views.pace import LATE_MS, Pace
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.row_set import RowSet
    from workbench.explain.node_members import NodeMembers
    from workbench.views.export.records import Gather
    from workbench.workers.explainer import NodeSubject
    from workbench.workers.jobs import Job

MOST_CELLS = 2_000_000  # that are copied or saved at once
ORDERED_HERE = 20_000  # more rows are put in order by a job


@VIEWS.register
class RowsView(LazyView):
    """A table of the rows, the sums of their g and h below; one of them may be chosen."""

    name, title, place, order = "rows", "Rows", "bottom", 20

    title_changed = Signal(str)
    view_wanted = Signal(str)

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._pace = Pace(bench.session, self.synchronize, self)
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._members: NodeMembers | None = None
        self._columns: MemberColumns | None = None
        self._sorted = (ROW, False)
        self._ordering: Job | None = None
        self._together: RowSet | None = None
        self.rows_tools = RowsTools(self)
        self.export = RecordsExport(bench, self, "rows", self._gatherer)
        self.table, self.sums, self.empty = MembersTable(), MemberSums(), Label()
        self._build()
        self._connect()
        self._follow_session()

    def _build(self) -> None:
        set_look(self, ground="data")
        set_look(self.empty, tone="2")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._found = QWidget()
        column = QVBoxLayout(self._found)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.table, rule(), self.sums):
            column.addWidget(widget)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._found)

    def _connect(self) -> None:
        self._late.timeout.connect(self._tell_wait)
        self.table.line_chosen.connect(self._choose_line)
        self.table.line_opened.connect(self._open_line)
        self.table.head_chosen.connect(self._sort_by)
        self.rows_tools.part_chosen.connect(self._arrange)
        self.rows_tools.table_wanted.connect(lambda: self.view_wanted.emit("table"))
        self.rows_tools.export.clicked.connect(self._open_export)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.table, events.runs, events.state, events.selection):
            signal.connect(self.synchronize)
        self._bench.explainer.members.answered.connect(self.synchronize)
        self._bench.explainer.members.progressed.connect(self._tell_parts)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return tuple(self.rows_tools.widgets)

    def restyle(self) -> None:
        self.rows_tools.restyle()
        self.table.viewport().update()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Name the tab after the node's rows; list them where somebody sees it."""
        session = self._bench.session
        subject, problem = rows_subject(session)
        self.title_changed.emit(_title(subject))
        if not self.isVisible():
            return
        if subject is None:
            self._show_empty(problem)
            return
        members = self._bench.explainer.node_members(subject)
        selected = inspected(session, pointed=False)
        if selected is not None:
            if members is not None:
                selected = replace(selected, tree=members.tree, round=members.round)
            words = trail(selected.tree, selected.node, selected.schema)
            self.rows_tools.breadcrumb.show_words((selected.tree_name, *words))
        if members is None:
            self._await(self._bench.explainer.members.problem(subject))
        else:
            self._show_members(members, subject)

    def _show_empty(self, text: str) -> None:
        self._late.stop()
        self._members = None
        self.empty.setText(text)
        self.rows_tools.breadcrumb.show_words(())
        self._enable(False)
        self._pages.setCurrentWidget(self.empty)

    def _enable(self, on: bool) -> None:
        for widget in (self.rows_tools.parts, self.rows_tools.in_table, self.rows_tools.export):
            widget.setEnabled(on)

    def _await(self, problem: str) -> None:
        """Say why there is no answer, or later that it is worked out."""
        if problem:
            self._show_empty(problem)
        elif not self._late.isActive():
            self._late.start()

    def _tell_wait(self) -> None:
        subject = rows_subject(self._bench.session)[0]
        if subject is not None:
            self._members = None
            self.empty.setText(f"Replaying the run to round {count(subject.round)} for the rows of node "
                               f"{count(subject.node)}.")
            self._enable(False)
            self._pages.setCurrentWidget(self.empty)

    def _tell_parts(self, done: int, total: int) -> None:
        """Say how far the workers of a cluster are, where the wait has been told."""
        run = self._bench.session.shown.run
        if run is not None and run.there is not None and self._members is None and not self._late.isActive():
            self.empty.setText(f"Adding up on the cluster: {count(done)} of {count(total)} parts.")

    def _show_members(self, members: NodeMembers, subject: NodeSubject) -> None:
        self._late.stop()
        self._pages.setCurrentWidget(self._found)
        if members is not self._members:
            painted_in_own_event(self)
            self._together = None
            self.table.members.together = None
            table, dataset = self._bench.session.data.table, subject.run.dataset
            if members.listed is not None:
                dataset, table = members.listed
            if table is None or dataset is None:
                return
            self._members = members
            record = members.tree.nodes[members.node]
            asked = None if record["feature"] < 0 else dataset.schema.features[int(record["feature"])].name
            self._columns = MemberColumns(members, dataset, table, asked)
            counts = {part: members.n_rows if part is None else members.sums[part].rows for part in PARTS}
            self.rows_tools.show_counts(counts)
            self.sums.show_sums(members)
            self._enable(True)
            self._arrange()
        self._mark()

    def _arrange(self) -> None:
        """Put the wanted rows into the wanted order; many of them in a job."""
        members, columns, part = self._members, self._columns, self.rows_tools.part
        if members is None or columns is None:
            return
        if self._ordering is not None:
            self._ordering.cancel()
            self._ordering = None
        chosen = np.arange(len(members)) if part is None else np.flatnonzero(members.parts == part)
        head, descending = self._sorted
        column = columns.headed(head)
        if len(chosen) <= ORDERED_HERE or (column.head == ROW and not descending):
            ordered = chosen if column.head == ROW and not descending else (
                order_of(column.keys(), chosen, descending=descending))
            self._show_order(ordered)
            return
        self._ordering = self._bench.jobs.start(
            lambda _job: order_of(column.keys(), chosen, descending=descending),
            done=self._show_order, failed=self.export.fail)

    def _show_order(self, order: NDArray[np.int64]) -> None:
        self._ordering = None
        head, descending = self._sorted
        if self._columns is not None:
            self.table.show_members(self._columns, order, head, descending=descending)
        self._mark()

    def _mark(self) -> None:
        """Tint the session's row, where it is one of these."""
        members = self._members
        run = self._bench.session.shown.run
        if members is not None and members.listed is not None:
            self.table.choose(None)
            self.rows_tools.in_table.setEnabled(False)
            return
        if members is None or run is None or run.dataset is None:
            return
        row = self._bench.session.shown.selection.row
        place = matrix_row(run.dataset, row) if row is not None else None
        at = int(np.searchsorted(members.rows, place)) if place is not None else len(members)
        member = at if at < len(members) and members.rows[at] == place else None
        self._mark_together(members, run.dataset)
        self.table.choose(self.table.members.line_of(member))
        self.sums.show_stranger(None if member is not None else row)
        self.rows_tools.in_table.setEnabled(row is not None)

    def _mark_together(self, members: NodeMembers, dataset: Dataset) -> None:
        """Tint the members that are among the rows selected together, and list them alone if wanted."""
        chosen = self._bench.session.shown.selection.rows
        if chosen is self._together:
            return
        self._together = chosen
        rows = dataset.table_rows[members.rows]
        self.table.members.together = None if chosen is None else lambda member: int(rows[member]) in chosen
        self.table.viewport().update()

    # --- what a person does -----------------------------------------------------------------

    def _row_of(self, line: int) -> int | None:
        run = self._bench.session.shown.run
        if self._members is None or run is None or run.dataset is None:
            return None
        return int(run.dataset.table_rows[self._members.rows[self.table.members.order[line]]])

    def _choose_line(self, line: int) -> None:
        row = self._row_of(line)
        if row is not None:
            self._bench.session.shown.select(row=row)

    def _open_line(self, line: int) -> None:
        self._choose_line(line)
        self.view_wanted.emit("table")

    def _sort_by(self, head: str) -> None:
        """Order by a column; by the same one again the other way round."""
        before, descending = self._sorted
        self._sorted = (head, not descending if head == before else False)
        self._arrange()

    # --- export -----------------------------------------------------------------------------

    def _open_export(self) -> None:
        menu = QMenu(self)
        self.export.fill(menu)
        open_menu(menu, self.rows_tools.export)

    def _gatherer(self) -> Gather | None:
        """What makes records of the rows that are listed, in their order, with full digits."""
        columns, order = self._columns, self.table.members.order
        if self._members is None or columns is None:
            return None
        if len(columns) * len(order) > MOST_CELLS:
            most = count(MOST_CELLS)
            self.export.fail(f"At most {most} cells are copied or saved here. Choose a smaller node.")
            return None
        return lambda job: records_of(columns, order, job.cancelled)


def _title(subject: NodeSubject | None) -> str:
    if subject is None:
        return "Rows"
    tree = subject.run.trees(subject.round)[subject.place]
    return f"Rows {count(tree.nodes['count'][subject.node])}" if knows_rows(tree) else "Rows"
