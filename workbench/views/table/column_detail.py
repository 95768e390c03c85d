"""The chosen column beside the table: type and role, rows by value, the target along it, a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.data.schema import ROLES
from workbench.data.table import KINDS
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.layout_items import empty_layout
from workbench.views.data.breakdown import break_down
from workbench.views.data.combo import WordCombo
from workbench.views.data.groups import GroupPlot
from workbench.views.data.histogram import HistogramPlot
from workbench.views.data.legend import ClassLegend
from workbench.views.data.role_and_kind import KIND_ICONS, LOCKED, choose_kind, choose_role, is_locked
from workbench.views.data.target import read_classes
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.pace import once_painted

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from workbench.data.table import Column, Table
    from workbench.views.base import Bench
    from workbench.views.data.breakdown import Breakdown
    from workbench.workers.jobs import Job

WIDTH, WIDE = 260, 300
PADDING = 16
PATIENCE_MS = 300  # an older picture may stay this long


class ColumnDetail(QWidget):
    """Follows the chosen column; what is heavy is worked out in a job."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench
        self._job: Job | None = None
        self._subject: tuple[object, ...] = ()
        self._table: Table | None = None
        self._soon = once_painted(self._work_out, self)
        self._icon, self._name = Label(), ElidedLabel()
        self.kind_combo, self.role_combo = WordCombo("Type", KINDS), WordCombo("Role", ROLES)
        self._histogram, self._legend, self._groups = HistogramPlot(), ClassLegend(), GroupPlot()
        self.group_heading = Heading("")
        self._value_heading, self._summary_heading = Heading("Rows by value"), Heading("Summary")
        self._grid = QGridLayout()
        self.facts: tuple[tuple[str, str], ...] = ()
        self._blank = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._blank.timeout.connect(lambda: self._show(None))
        self._build()
        self._follow_session()

    # --- how it is made ---------------------------------------------------------------------

    def _build(self) -> None:
        set_look(self, ground="data")
        self.setFixedWidth(px(WIDTH))
        self._name.setFont(ui_font(BODY, bold=True))
        self._icon.setFixedSize(px(16), px(16))
        self.kind_combo.activated.connect(self._choose_kind)
        self.role_combo.activated.connect(self._choose_role)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(7)
        self._grid.setColumnStretch(0, 1)
        holder = QWidget()
        self._fill(QVBoxLayout(holder))
        area = QScrollArea()
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().setAutoFillBackground(False)
        holder.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def _fill(self, column: QVBoxLayout) -> None:
        column.setContentsMargins(PADDING, 12, PADDING, 12)
        column.setSpacing(6)
        head, combos = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self._icon)
        head.addWidget(self._name, 1)
        combos.addWidget(self.kind_combo, 1)
        combos.addWidget(self.role_combo, 1)
        column.addLayout(head)
        column.addSpacing(2)
        column.addLayout(combos)
        column.addSpacing(8)
        for widget in (self._value_heading, self._histogram, self._legend):
            column.addWidget(widget)
        column.addSpacing(8)
        column.addWidget(self.group_heading)
        column.addWidget(self._groups)
        column.addSpacing(8)
        column.addWidget(self._summary_heading)
        column.addLayout(self._grid)
        column.addStretch(1)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 600)

    # --- what it shows ----------------------------------------------------------------------

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.table, events.plan, events.selection, events.state):
            signal.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Show the chosen column, and work out its picture where it is another one."""
        column = self._column()
        if column is None or not self.isVisible():
            return
        session = self._bench.session
        self._name.setText(column.name)
        self._icon.setPixmap(icon_pixmap(KIND_ICONS[column.kind], "text2"))
        self.kind_combo.setCurrentText(column.kind)
        self.role_combo.setCurrentText(session.data.plan.roles.get(column.name, "feature"))
        shown = "" if session.data.elsewhere is None else " of the rows shown"
        self._value_heading.set_title(f"Rows by value{', of those shown' if shown else ''}")
        self._summary_heading.set_title(f"Summary{shown}")
        locked = is_locked(session)
        for combo in (self.kind_combo, self.role_combo):
            combo.setEnabled(not locked)
            set_tip(combo, LOCKED if locked else "")
        if session.data.table is not self._table:
            self._table = session.data.table
            self._soon.start()
        elif not self._soon.isActive():
            self._work_out()

    def _column(self) -> Column | None:
        session = self._bench.session
        if session.data.table is None or not session.data.table.columns:
            return None
        table, name = session.data.table, session.shown.selection.column
        return table.column(name) if name in table.names else table.columns[0]

    def _work_out(self) -> None:
        column = self._column()
        if column is None or self._bench.session.data.table is None:
            return
        plan = self._bench.session.data.plan
        target = self._bench.session.data.table.column(plan.target) if plan.target else None
        subject = (column, target, (plan.objective, plan.positive))
        if self._subject and all(a is b for a, b in zip(self._subject[:2], subject[:2], strict=True)) and (
            self._subject[2] == subject[2]
        ):
            return
        self._subject = subject
        if self._job is not None:
            self._job.cancel()
        self._blank.start()

        def work(_job: Job) -> Breakdown:
            return break_down(column, target, read_classes(target, plan) if target else None)

        self._job = self._bench.jobs.start(work, done=self._show, failed=self._failed)

    def _show(self, shown: Breakdown | None) -> None:
        if shown is not None:
            self._blank.stop()
        self._histogram.show_breakdown(shown)
        self._groups.show_breakdown(shown)
        left = max(self._histogram.left_needed, self._groups.left_needed)
        self._histogram.set_left(left)
        self._groups.set_left(left)
        stacked = shown is not None and len(shown.histogram.counts) > 1
        self._legend.show_classes(shown.classes if shown and stacked else None)
        groups = shown.groups if shown else None
        for widget in (self.group_heading, self._groups):
            widget.setVisible(groups is not None or shown is None)
        self.group_heading.set_title(groups.title if groups else "")
        self._show_facts(shown.facts if shown else ())

    def _failed(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "data")

    def _show_facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        self.facts = facts
        empty_layout(self._grid)
        for row, (word, figure) in enumerate(facts):
            label, value = ElidedLabel(word), Label(figure)
            for widget in (label, value):
                widget.setFont(ui_font(NOTE))
            set_look(label, tone="2")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            value.setAccessibleName(f"{word}: {figure}")
            self._grid.addWidget(label, row, 0)
            self._grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignRight)

    # --- what the person does ---------------------------------------------------------------

    def _choose_kind(self, index: int) -> None:
        column = self._column()
        if column is not None:
            choose_kind(self._bench, column.name, KINDS[index])
            self.kind_combo.setCurrentText(column.kind)  # until the column is converted

    def _choose_role(self, index: int) -> None:
        column = self._column()
        if column is not None:
            choose_role(self._bench.session, column.name, ROLES[index])

    # --- Qt ---------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.synchronize()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        column = self._column() if event.type() == QEvent.Type.PaletteChange else None
        if column is not None:
            self._icon.setPixmap(icon_pixmap(KIND_ICONS[column.kind], "text2"))

