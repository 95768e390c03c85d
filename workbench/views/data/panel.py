"""The data dock: columns with their roles and types, what to predict, the hold-out."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.errors import leave_if
from workbench.number_text import count, counted
from workbench.views.base import VIEWS, View
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.controls.parameter_row import PADDING
from workbench.views.data.column_list import ColumnList
from workbench.views.data.holdout import HoldOut
from workbench.views.data.notes import ReadingNotes
from workbench.views.data.role_and_kind import choose_kind, choose_role, is_locked
from workbench.views.data.target import PlanCheck, check_plan, check_there
from workbench.views.data.target_choice import TargetChoice
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.pace import once_painted

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from workbench.data.schema import Role
    from workbench.data.table import Kind
    from workbench.session.session import Session
    from workbench.views.base import Bench
    from workbench.workers.jobs import Job


@VIEWS.register
class DataPanel(View):
    """Shows the session's table and plan, and changes the plan."""

    name, title, place, order = "data", "Data", "left", 10

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._job: Job | None = None
        self._soon = once_painted(self._check, self)
        self._lock_soon = once_painted(self._lock, self)
        self.file_label, self.size_label = ElidedLabel(), ElidedLabel()
        self.empty_label = Label("No table yet. Drop a file on the window, or open one with Ctrl+O.")
        self._body = QWidget()
        self.notes, self.columns = ReadingNotes(), ColumnList()
        self.choice, self.hold_out = TargetChoice(), HoldOut()
        self._build()
        self._connect()
        self._follow_session()

    # --- how it is made ---------------------------------------------------------------------

    def _build(self) -> None:
        set_look(self, ground="panel")
        self.empty_label.setWordWrap(True)
        self.empty_label.setContentsMargins(PADDING, PADDING, PADDING, 0)
        set_look(self.empty_label, tone="2")
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, PADDING)
        body.setSpacing(0)
        body.addWidget(self._build_head())
        body.addWidget(self.columns, 1)
        body.addSpacing(14)
        body.addWidget(_padded(self.choice))
        body.addSpacing(14)
        body.addWidget(self.hold_out)
        # In a high window the parts stay together.
        self._body.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.empty_label)
        column.addWidget(self._body)
        column.addStretch(0)

    def _build_head(self) -> QWidget:
        self.file_label.setFont(ui_font(BODY, bold=True))
        self.size_label.setFont(ui_font(NOTE))
        set_look(self.size_label, tone="2")
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(PADDING, 8, PADDING, 0)
        column.setSpacing(0)
        first = QHBoxLayout()
        first.addWidget(self.file_label, 1)
        first.addWidget(self.notes.button)
        column.addLayout(first)
        column.addWidget(self.size_label)
        column.addWidget(self.notes)
        return head

    def _connect(self) -> None:
        self.columns.column_chosen.connect(lambda name: self._session.shown.select(column=name))
        self.columns.role_chosen.connect(self._choose_role)
        self.columns.kind_chosen.connect(self._choose_kind)
        self.choice.target_chosen.connect(lambda name: self._choose_role(name, "target"))
        self.choice.objective_chosen.connect(self._session.data.set_objective)
        self.choice.positive_chosen.connect(self._session.data.set_positive)
        self.hold_out.changed.connect(self._set_plan)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.table, events.plan):
            signal.connect(self.synchronize)
        events.summaries.connect(self._show_size)
        events.summaries.connect(self._show_plan)
        for signal in (events.runs, events.state):
            signal.connect(self._follow_runs)
        events.selection.connect(self._follow_selection)
        self._show_size()
        self.synchronize()

    @property
    def _session(self) -> Session:
        return self._bench.session

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show table and plan, and find out what would come of training."""
        table = self._session.data.table
        self.empty_label.setVisible(table is None)
        self._body.setVisible(table is not None)
        self._show_plan()
        if table is not None:
            self.file_label.setText(table.name)
            self.notes.show_notes(table.notes)
            self._soon.start()

    def _show_size(self) -> None:
        words = _size_words(self._session)
        self.size_label.setText(words)
        self.size_label.set_shorter(words.rpartition(", ")[0])

    def _show_plan(self) -> None:
        session = self._session
        locked = is_locked(session)
        self.columns.follow(session, locked)
        self.choice.show_plan(session, locked)
        has_classes = session.data.plan.target is not None and self.choice.has_classes
        has_classes = has_classes and session.data.elsewhere is None
        self.hold_out.show_plan(
            session.data.plan, session.data.table, has_classes=has_classes, locked=locked
        )

    def _follow_runs(self) -> None:
        """Lock or unlock what is seen, once the run is under way: mostly other views are shown by then."""
        self._lock_soon.start()

    def _lock(self) -> None:
        if self.isVisible():
            self._show_plan()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_plan()

    def _follow_selection(self) -> None:
        self.columns.show_chosen(self._session.shown.selection.column)

    def _check(self) -> None:
        """Count rows and look for problems in a job; what an older plan gave is dropped."""
        table, plan, data = self._session.data.table, self._session.data.plan, self._session.data
        elsewhere, summaries = data.elsewhere, data.summaries
        if self._job is not None:
            self._job.cancel()
        if table is None:
            return

        def work(job: Job) -> PlanCheck:
            leave_if(job.cancelled)
            check = check_plan(table, plan)
            return check if elsewhere is None else check_there(check, elsewhere, plan, summaries)

        self._job = self._bench.jobs.start(work, done=self._show_check, failed=self._show_failure)

    def _show_check(self, check: PlanCheck) -> None:
        self._session.data.tell_problem(check.problem)
        self.choice.show_check(check, self._session)
        is_about = self._session.data.elsewhere is not None
        self.hold_out.show_counts(check.n_train, check.n_valid, check.note, is_about=is_about)
        self._show_plan()

    def _show_failure(self, text: str) -> None:
        self._session.notices.say(text, "error", "data")

    # --- what the person does ---------------------------------------------------------------

    def _choose_role(self, name: str, role: str) -> None:
        choose_role(self._session, name, cast("Role", role))

    def _choose_kind(self, name: str, kind: str) -> None:
        choose_kind(self._bench, name, cast("Kind", kind))

    def _set_plan(self, values: dict[str, Any]) -> None:
        self._session.data.hold_out(**values)

    def restyle(self) -> None:
        self.columns.viewport().update()


def _padded(widget: QWidget) -> QWidget:
    widget.setContentsMargins(PADDING, 0, PADDING, 0)
    return widget


def _size_words(session: Session) -> str:
    if session.data.table is None:
        return ""
    missing = sum(map(attrgetter("missing"), session.data.summaries.values()))
    cells = f"{counted(missing, 'cell')} missing" if missing else "no cell missing"
    columns = counted(len(session.data.table.columns), "column")
    rows = counted(session.data.n_rows, "row")
    if session.data.elsewhere is not None:
        rows = f"{rows} ({count(session.data.table.n_rows)} shown)"
    return f"{rows}, {columns}, {cells}"
