"""The table in the centre: every cell, the target's classes, and the chosen column beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from workbench.number_text import count, counted
from workbench.views.base import VIEWS, View
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.data.target import read_classes
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.pace import once_painted
from workbench.views.table.cells import as_tsv, find_cell
from workbench.views.table.column_detail import WIDE, WIDTH, ColumnDetail
from workbench.views.table.columns_menu import ColumnsButton
from workbench.views.table.find import FindField
from workbench.views.table.grid import TableGrid
from workbench.views.table.header import TRAINING, VALIDATION
from workbench.views.table.node_filter import NodeFilter
from workbench.views.table.row_set_filter import RowSetFilter
from workbench.views.table.row_weights import RowWeights

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from workbench.data.dataset import Dataset
    from workbench.data.row_set import RowSet
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Table
    from workbench.views.base import Bench
    from workbench.views.data.target import TargetClasses
    from workbench.workers.jobs import Job

ROOM_FOR_DETAIL, ROOM_FOR_WIDE_DETAIL = 900, 1500
MARKED_HERE = 50_000  # more rows are marked by a job
MOST_CELLS = 2_000_000  # that are copied at once


@VIEWS.register
class TableView(View):
    """Rows and columns of the session's table."""

    name, title, place, order = "table", "Table", "centre", 10

    status_changed = Signal(str)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._shown: tuple[Table | None, str | None] = (None, None)
        self._classed: tuple[Column | None, tuple[str, str | None] | None] = (None, None)
        self._dataset: Dataset | None = None
        self._hidden: frozenset[str] = frozenset()
        self._tinted: tuple[int | None, int, RowSet | None] = (None, -1, None)
        self._classes_job: Job | None = None
        self._parts_job: Job | None = None
        self._soon = once_painted(self._read_classes, self)
        self._find_job: Job | None = None
        self.grid = TableGrid(self._summary)
        self.detail, self.node_filter = ColumnDetail(bench), NodeFilter(bench)
        self.set_filter = RowSetFilter(bench)
        self.row_weights = RowWeights(bench)
        self.find_field, self.columns_button = FindField(), ColumnsButton()
        self._empty = Label("Open a table: drop a file on the window, or Ctrl+O.")
        self._pages = QStackedWidget()
        self._build()
        self._connect()
        self._follow_session()

    # --- how it is made ---------------------------------------------------------------------

    def _build(self) -> None:
        set_look(self, ground="data")
        set_look(self._empty, tone="2")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.grid)
        self._rule = rule(vertical=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._pages, 1)
        row.addWidget(self._rule)
        row.addWidget(self.detail)

    def _connect(self) -> None:
        self.grid.row_chosen.connect(lambda row: self._select(row=row))
        self.grid.column_chosen.connect(self._select_column)
        self.grid.copy_requested.connect(self._copy)
        self.grid.verticalScrollBar().valueChanged.connect(self._tell_rows)
        self.node_filter.changed.connect(self._show_rows)
        self.set_filter.changed.connect(self._show_rows)
        self.row_weights.changed.connect(lambda: self._hide_columns(self._hidden))
        self.find_field.wanted.connect(self._find)
        self.find_field.given_up.connect(self._give_up_find)
        self.columns_button.chosen.connect(self._hide_columns)
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        shortcut.activated.connect(lambda: self.find_field.setFocus(Qt.FocusReason.ShortcutFocusReason))

    def tools(self) -> tuple[QWidget, ...]:
        return (self.node_filter, self.set_filter, self.row_weights, self.find_field, self.columns_button)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        events.table.connect(self.synchronize)
        events.plan.connect(self.synchronize)
        events.summaries.connect(self.grid.repaint_highlights)
        events.selection.connect(self._follow_selection)
        events.runs.connect(self._mark_parts)
        events.state.connect(self._mark_parts)
        self.synchronize()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the session's table, with its target first."""
        session = self._bench.session
        table, plan = session.data.table, session.data.plan
        if self._shown[0] is not table or self._shown[1] != plan.target:
            before = self._shown[0]
            other = table is None or before is None or before.names != table.names
            self._shown = (table, plan.target)
            self._show_columns(frozenset() if other else self._hidden)
            if self._chosen is not None and not other:
                self.grid.table_model.show_rows(self._chosen)
            if before is None or table is None or not table.shares_columns_with(before):
                self.grid.scroll_home()
        self._pages.setCurrentIndex(0 if table is None else 1)
        self._forget_classes()
        self._follow_selection()
        self._mark_parts()
        self._fit_detail()
        self._tell_rows()

    def _summary(self, name: str) -> ColumnSummary | None:
        return self._bench.session.data.summaries.get(name)

    def _forget_classes(self) -> None:
        """Find the class of every row anew; until then another target stands without marks."""
        session = self._bench.session
        table, plan = session.data.table, session.data.plan
        target = table.column(plan.target) if table and plan and plan.target else None
        meaning = (plan.objective, plan.positive) if plan else None
        if target is self._classed[0] and meaning == self._classed[1]:
            return
        if target is not self._classed[0]:
            self.grid.highlights.classes = None
        self._classed = (target, meaning)
        if self._classes_job is not None:
            self._classes_job.cancel()
        self._soon.start()

    def _read_classes(self) -> None:
        """Find the class of every row in a job."""
        target, plan = self._classed[0], self._bench.session.data.plan
        if target is None or plan is None:
            return
        self._classes_job = self._bench.jobs.start(
            lambda _job: read_classes(target, plan), done=self._show_classes, failed=self._show_failure
        )

    def _show_classes(self, classes: TargetClasses | None) -> None:
        self.grid.highlights.classes = classes
        self.grid.viewport().update()

    def _show_failure(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "data")

    def _follow_selection(self) -> None:
        """Tint the chosen row and column, and scroll to them where they were chosen elsewhere."""
        if self._bench.session.data.table is None:
            return
        chosen, seen = self._bench.session.shown.selection, self.grid.highlights
        place = self.grid.table_model.place(chosen.column)
        if chosen.row is not None and chosen.row != seen.row:
            self.grid.reveal(chosen.row)
        if place >= 0 and place != seen.column:
            self.grid.reveal_column(place)
        seen.row, seen.column, seen.together = chosen.row, place, chosen.rows
        if (chosen.row, place, chosen.rows) != self._tinted:
            self._tinted = chosen.row, place, chosen.rows
            self.grid.repaint_highlights()

    def _mark_parts(self) -> None:
        """Mark training and validation rows of the shown run beside the row numbers."""
        session = self._bench.session
        dataset = session.shown.run.dataset if session.shown.run else None
        if session.data.table is None or dataset is self._dataset:
            return
        self._dataset, n_rows = dataset, session.data.table.n_rows
        if self._parts_job is not None:
            self._parts_job.cancel()
            self._parts_job = None
        if dataset is None or dataset.schema.rows != n_rows:
            self.grid.rows.set_parts(None)
        elif n_rows <= MARKED_HERE:
            self.grid.rows.set_parts(_parts(dataset, n_rows))
        else:
            self.grid.rows.set_parts(None)
            self._parts_job = self._bench.jobs.start(
                partial(_parts, dataset, n_rows), done=self.grid.rows.set_parts, failed=self._show_failure
            )

    @property
    def _chosen(self) -> NDArray[np.int64] | None:
        """The rows of the selected node, those selected together, or those that are both; None for all."""
        of_node, together = self.node_filter.rows, self.set_filter.rows
        if of_node is None or together is None:
            return of_node if together is None else together
        return np.intersect1d(of_node, together, assume_unique=True)

    def _show_rows(self) -> None:
        """Show only the rows that are wanted, or all again, with the chosen one in sight."""
        self.grid.table_model.show_rows(self._chosen)
        row = self.grid.highlights.row
        if row is not None:
            self.grid.reveal(row)
        self._tell_rows()

    def _tell_rows(self) -> None:
        """Say in the status line which rows are on screen."""
        model = self.grid.table_model
        n_rows = model.rowCount()
        if self.isVisible() and model.is_choice:
            words = f"{counted(n_rows, 'row')} of {count(model.table_rows)} shown"
            self.status_changed.emit(f"{words}: {self._choice_words}.")
        elif self.isVisible() and n_rows:
            first, last = self.grid.shown_rows()
            span = f"Row {count(first + 1)}"
            if last > first:
                span = f"Rows {count(first + 1)} to {count(last + 1)}"
            self.status_changed.emit(f"{span} of {count(n_rows)} shown.")
        elif self._bench.session.data.table is None:
            self.status_changed.emit("")  # a model is open, of which the window speaks

    @property
    def _choice_words(self) -> str:
        together = self._bench.session.shown.selection.rows
        words = ["those that pass the selected node"] if self.node_filter.rows is not None else []
        if self.set_filter.rows is not None and together is not None:
            words.append(together.words)
        return ", and of them the ".join(words)

    def _fit_detail(self) -> None:
        shown = self.width() >= ROOM_FOR_DETAIL and self.grid.table_model.rowCount() > 0
        self.detail.setFixedWidth(px(WIDE) if self.width() >= ROOM_FOR_WIDE_DETAIL else px(WIDTH))
        self.detail.setVisible(shown)
        self._rule.setVisible(shown)

    def show_together(self) -> None:
        """Show the rows alone that are selected together."""
        self.set_filter.setChecked(True)

    # --- what the person does ---------------------------------------------------------------

    def _select(self, **values: object) -> None:
        self.grid.highlights.row = values.get("row", self.grid.highlights.row)  # type: ignore[assignment]
        self._bench.session.shown.select(**values)

    def _select_column(self, name: str) -> None:
        table = self._shown[0]
        if table is not None and name in table.names:  # the row weights are no column of it
            self._select(column=name)

    def _hide_columns(self, hidden: frozenset[str]) -> None:
        """Leave columns out; rows that are chosen stay so."""
        self._show_columns(hidden)
        if self._chosen is not None:
            self.grid.table_model.show_rows(self._chosen)

    def _show_columns(self, hidden: frozenset[str]) -> None:
        """Show the table with its target first, but for these columns."""
        (table, target), model, seen = self._shown, self.grid.table_model, self.grid.highlights
        self._hidden = hidden
        column = model.columns[seen.column].name if 0 <= seen.column < len(model.columns) else None
        model.show_table(table, target, hidden, self.row_weights.column)
        seen.target, seen.column = model.place(target), model.place(column)
        self.grid.fit_columns()
        self.columns_button.show_columns(table.names_from(target) if table else (), hidden)

    def _copy(self) -> None:
        rows, columns = self.grid.selected_block()
        if not columns:
            return
        if len(rows) * len(columns) > MOST_CELLS:
            text = f"At most {count(MOST_CELLS)} cells are copied at once. Select fewer."
            self._bench.session.notices.say(text, "warning", "data")
            return
        neutralise = self._bench.session.harmless_formulas
        self._bench.jobs.start(
            lambda job: as_tsv(columns, rows, job.cancelled, neutralise=neutralise),
            done=lambda text: QGuiApplication.clipboard().setText(text), failed=self._show_failure,
        )

    def _find(self, text: str) -> None:
        self._give_up_find()
        columns, rows = self.grid.table_model.columns, self._chosen
        if not columns or not self.grid.table_model.rowCount():
            return
        at = self.grid.currentIndex()
        start = (at.row(), at.column()) if at.isValid() else (0, -1)
        self._find_job = self._bench.jobs.start(
            lambda job: find_cell(columns, text, start, job.cancelled, rows),
            done=lambda found: self._show_found(text, found), failed=self._show_failure,
        )

    def _give_up_find(self) -> None:
        if self._find_job is not None:
            self._find_job.cancel()

    def _show_found(self, text: str, found: tuple[int, int] | None) -> None:
        self.find_field.show_found(found is not None)
        if found is None:
            self.status_changed.emit(f"No cell of the columns shown contains “{text}”.")
            return
        self.grid.mark_cell(*found)
        self._select(row=found[0])

    # --- Qt ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_detail()
        self._tell_rows()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_rows()

    def restyle(self) -> None:
        self.grid.repaint_highlights()


def _parts(dataset: Dataset, n_rows: int, _job: Job | None = None) -> NDArray[np.int8]:
    """What each row of the table was for in a run."""
    parts = np.zeros(n_rows, np.int8)
    parts[dataset.table_rows[dataset.train_rows]] = TRAINING
    held = dataset.table_rows[dataset.valid_rows]
    parts[held[held < n_rows]] = VALIDATION  # those of a second file are in no table that is shown
    return parts
