"""The left page Runs: cards of all runs as a tree, and the note on the shown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from workbench.number_text import counted
from workbench.session.comparison.run_tree import ORDERS
from workbench.session.journal.action import LONGEST_TEXT
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.caret_button import CaretButton
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.pace import Pace
from workbench.views.runs.cards import CardsModel
from workbench.views.runs.run_list import RunList
from workbench.views.runs.ways_out import WaysOut
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.in_turns import InTurns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.session.run import Run

PADDING, NOTE_HEIGHT, ICON_GAP = 14, 74, 4
NOTE_MS = 700  # after the last letter a note is taken down
NO_RUNS = "No runs yet. Choose the target, then Train. Each run, and each branch of one, has a card here."
NOTHING_FOUND = "No run has these words in its name, its parameters or its note."


@VIEWS.register
class RunsPage(LazyView):
    """Draws while it is shown; only cards of runs that train change with their rounds."""

    name, title, place, order = "run_cards", "Runs", "left", 40

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.model = CardsModel(bench.session)
        self.ways_out = WaysOut(bench, self)
        self.list = RunList(bench.session, self.model, self.ways_out)
        self.heading, self.note_heading, self.empty = Heading(""), Heading(""), Label()
        self.filter, self.note = QLineEdit(), QPlainTextEdit()
        self.sort_button = CaretButton(f"sort: {self.model.order}", flat=True)
        self.branch_button, self.copy_button = QPushButton("Branch from here"), CaretButton("Copy")
        self._noted: Run | None = None
        self._pause = QTimer(self, singleShot=True, interval=NOTE_MS)
        self._pace = Pace(bench.session, self._grow, self)
        self._in_turns = InTurns(self._show_parts, self)
        self._build()
        self._connect()
        self.restyle()
        self._follow_session()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 12)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.setContentsMargins(PADDING, 0, PADDING - 8, 0)
        head.addWidget(self.heading, 1)
        head.addWidget(self.sort_button)
        column.addLayout(head)
        column.addLayout(_inset(self.filter))
        column.addWidget(self.list, 1)
        self.empty.setWordWrap(True)
        self.empty.setContentsMargins(PADDING, 4, PADDING, 0)
        set_look(self.empty, tone="2")
        column.addWidget(self.empty)
        self._below = QWidget()
        below = QVBoxLayout(self._below)
        below.setContentsMargins(PADDING, 2, PADDING, 0)
        below.setSpacing(8)
        buttons = QHBoxLayout()
        buttons.setSpacing(0)
        for button in (self.branch_button, self.copy_button):
            set_look(button, fit="tool")
            buttons.addWidget(button)
            buttons.addSpacing(6)
        buttons.addStretch(1)
        below.addLayout(buttons)
        below.addWidget(self.note_heading)
        below.addWidget(self.note)
        column.addWidget(self._below)
        column.addStretch(0)

    def _connect(self) -> None:
        self.filter.setPlaceholderText("Filter by name, parameter or note")
        self.filter.setAccessibleName("Filter runs")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._seek)
        self.sort_button.setAccessibleName("Order of the runs")
        set_tip(self.sort_button, "Order the runs by")
        menu = QMenu(self.sort_button)
        for order in ORDERS:
            menu.addAction(order.capitalize()).setData(order)
        menu.triggered.connect(lambda action: self._sort_by(action.data()))
        self.sort_button.setMenu(menu)
        self.branch_button.setAccessibleName("Branch from here")
        self.branch_button.setIconSize(QSize(14 + ICON_GAP, 14))
        self.branch_button.clicked.connect(self._bench.controller.branch_on)
        set_tip(self.copy_button, "Copy the shown run as Python or as a command line")
        self.copy_menu = QMenu(self.copy_button)
        self.copy_menu.aboutToShow.connect(self._fill_copies)
        self.copy_button.setMenu(self.copy_menu)
        self.note.setFixedHeight(px(NOTE_HEIGHT))
        self.note.setTabChangesFocus(True)
        self.note.setAccessibleName("Note on the shown run")
        self.note.textChanged.connect(self._pause.start)
        self.note.installEventFilter(self)
        self._pause.timeout.connect(self._write_note)
        self.list.note_wanted.connect(self.note.setFocus)
        self.list.branch_wanted.connect(self._bench.controller.branch_on)
        self.list.other_order_wanted.connect(self._bench.controller.train_other_order)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.runs, events.state, events.table, events.overlay, events.validation):
            signal.connect(self.synchronize)
        for signal in (events.selection, events.plan):
            signal.connect(self._show_buttons)
        self.synchronize()

    def restyle(self) -> None:
        self.branch_button.setIcon(icon("git-branch", pixels=14, gap=ICON_GAP))
        self.update()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        if self._noted is not self._bench.session.shown.run:
            self._write_note()
        if self.isVisible():
            self._show_note()
            self._in_turns.start_soon()

    def _show_parts(self) -> Iterator[None]:
        runs = self._bench.session.runs
        painted_in_own_event(self.list)
        self.model.refresh()
        self.heading.set_title(counted(len(runs), "run") if runs else "Runs")
        for part in (self.list, self.filter, self.sort_button):
            part.setVisible(bool(runs))
        self._below.setVisible(self._bench.session.shown.run is not None)
        self.empty.setText(NOTHING_FOUND if runs else NO_RUNS)
        self.empty.setVisible(not self.model.places)
        self.list.mark_shown()
        self._show_buttons()
        yield

    def _grow(self) -> None:
        if self.isVisible():
            self.model.tell_grown()
            self._show_buttons()

    def _show_buttons(self) -> None:
        session = self._bench.session
        self.branch_button.setEnabled(bool(session.shown.round))
        what = f"the parameters of now{session.with_objective and f', {session.with_objective[1:]}'}"
        set_tip(self.branch_button, f"Continue at the ruler's round with {what} (Ctrl+Shift+B)")

    def _show_note(self) -> None:
        run = self._bench.session.shown.run
        if run is None or (run is self._noted and self.note.hasFocus()):
            return
        self._noted = run
        self.note_heading.set_title(f"Note on {run.name}")
        if self.note.toPlainText() != run.card.note:
            self.note.blockSignals(True)
            self.note.setPlainText(run.card.note)
            self.note.blockSignals(False)

    # --- the hand ---------------------------------------------------------------------------

    def _seek(self, words: str) -> None:
        self.model.words = words
        self._in_turns.start()

    def _sort_by(self, order: str) -> None:
        self.model.order = order
        self.sort_button.setText(f"sort: {order}")
        self._in_turns.start()

    def _fill_copies(self) -> None:
        self.copy_menu.clear()
        run = self._bench.session.shown.run
        if run is not None:
            self.ways_out.fill(self.copy_menu, run)

    def _write_note(self) -> None:
        self._pause.stop()
        runs, run, note = self._bench.session.runs, self._noted, self.note.toPlainText()[:LONGEST_TEXT]
        if run is not None and run in runs and note != run.card.note:
            runs.write_on(run, note=note)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and self._pause.isActive():
            self._write_note()
        return super().eventFilter(watched, event)


def _inset(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(PADDING, 0, PADDING, 0)
    row.addWidget(widget)
    return row
