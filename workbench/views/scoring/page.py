"""A table before it is scored: differences and choices at the left, the first rows at the right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from workbench.errors import Cancelled
from workbench.number_text import count, counted
from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.note import Note
from workbench.views.fonts import HERO, ui_font
from workbench.views.scoring.choices import ScoreChoices
from workbench.views.scoring.difference_list import DifferenceList
from workbench.views.style import set_look
from workbench.views.table.grid import TableGrid

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping
    from pathlib import Path

    from PySide6.QtGui import QKeyEvent

    from workbench.data.readers.options import ReadOptions
    from workbench.data.statistics import ColumnSummary
    from workbench.scoring.preview import ScorePreview
    from workbench.scoring.score_file import Scored
    from workbench.scoring.wanted import Wanted
    from workbench.session.choices import ObjectiveFacts
    from workbench.session.run import Kept
    from workbench.workers.jobs import Job, Jobs

LEFT = 440
NONE_SO_FAR = "None in the rows so far: every column is there, with values that the model knows."
NONE = "None: every column is there, with values that the model knows."


@dataclass(frozen=True)
class Subject:
    """A table, how it is read, and what a run held when it was to be scored."""

    path: Path
    options: ReadOptions
    kept: Kept
    name: str  # of the model
    facts: ObjectiveFacts


@dataclass(frozen=True)
class Order:
    """What a person settled: the window asks where to, and has it done."""

    subject: Subject
    wanted: Wanted
    neutralise: bool


class ScorePage(QWidget):
    """Says what was settled; nothing is written here."""

    accepted = Signal(object)  # Order
    rejected = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._jobs: Jobs | None = None
        self._rare_ready: threading.Event | None = None
        self._preview_job: Job | None = None
        self._look_job: Job | None = None
        self._subject: Subject | None = None
        self._is_whole = False
        self._summaries: Mapping[str, ColumnSummary] = {}
        self.grid = TableGrid(lambda name: self._summaries.get(name))
        self.differences, self.choices = DifferenceList(), ScoreChoices()
        self.title, self.model, self.count = ElidedLabel(), Note(), ElidedLabel()
        self.looked, self.none, self.problem, self._strip = Note(), Note(), Note(), QWidget()
        self.score_button, self.cancel_button = QPushButton("Score…"), QPushButton("Cancel")
        self._build()

    def bind(self, jobs: Jobs, rare_ready: threading.Event) -> None:
        """Take over what looks are made with, and what is set once explaining compiles nothing."""
        self._jobs, self._rare_ready = jobs, rare_ready

    def show_table(self, subject: Subject) -> None:
        """Begin with a table."""
        self.stop()
        self._subject, self._is_whole = subject, False
        self.title.setText(f"Score {subject.path.name}")
        columns = counted(len(subject.kept.schema.features), "column")
        rounds = counted(subject.kept.n_rounds, "round")
        self.model.say(f"With {subject.name}: {columns}, {rounds}. Columns are found by their names.")
        self.differences.show_differences(())
        self.none.say("")
        self.looked.say("Reading its first rows.")
        self.count.setText("")
        self.grid.table_model.show_table(None, None)
        self.grid.hide()
        self._say("")
        self.score_button.setEnabled(False)
        self.score_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._preview()
        self._look()

    # --- looking ----------------------------------------------------------------------------

    def _preview(self) -> None:
        """Score the first rows with the present choices; an older answer is dropped."""
        if self._preview_job is not None:
            self._preview_job.cancel()
        if self._jobs is not None and self._subject is not None:
            subject, wanted, ready = self._subject, self.choices.wanted, self._rare_ready
            if wanted.explained and ready is not None and not ready.is_set():
                self.count.setText("Preparing fast kernels; once per version")
            self._preview_job = self._jobs.start(
                lambda job: _previewed(job, subject, wanted, ready),
                done=self._show_preview, failed=self._show_problem,
            )  # fmt: skip

    def _look(self) -> None:
        """Look for differences in all rows."""
        if self._jobs is not None and self._subject is not None:
            subject = self._subject
            self._look_job = self._jobs.start(
                lambda job: _looked_through(job, subject),
                done=self._show_whole, failed=self._show_problem, progressed=self._show_progress,
            )  # fmt: skip

    def _show_preview(self, answer: tuple[ScorePreview, Mapping[str, ColumnSummary]]) -> None:
        preview, self._summaries = answer
        self._say("")
        if not self._is_whole:
            self._show_differences(preview.differences, NONE_SO_FAR)
        self.grid.table_model.show_table(preview.table, None)
        self.grid.highlights.column = max(self.grid.table_model.place("prediction"), 0)
        self.grid.fit_columns()
        self.grid.show()
        self.grid.reveal_column(self.grid.highlights.column)
        columns = counted(len(preview.table.columns), "column")
        n = counted(preview.table.n_rows, "row")
        self.count.setText(f"{columns}, the first {n}, as they will be written")

    def _show_differences(self, differences: Any, none: str) -> None:
        self.differences.show_differences(differences)
        self.none.say("" if differences else none)

    def _show_progress(self, rows: int, _expected: int) -> None:
        if not self._is_whole:
            self.looked.say(f"Looking through all rows, {count(rows)} so far.")

    def _show_whole(self, scored: Scored) -> None:
        self._is_whole = True
        self._show_differences(scored.differences, NONE)
        self.looked.say(f"All {counted(scored.rows, 'row')} are looked through." if scored.rows > 1 else "")

    def _show_problem(self, text: str) -> None:
        self._say(text)
        self.looked.say("It cannot be scored so.")

    def _say(self, problem: str) -> None:
        self.problem.say(problem)
        self._strip.setVisible(bool(problem))
        self.score_button.setEnabled(not problem)

    # --- what the person does ---------------------------------------------------------------

    def accept(self) -> None:
        """Pass on what is settled; the page stays until a file is chosen."""
        if self.score_button.isEnabled() and self._subject is not None:
            self.accepted.emit(Order(self._subject, self.choices.wanted, self.choices.neutralise))

    def reject(self) -> None:
        """Leave the table."""
        self.stop()
        self.rejected.emit()

    def stop(self) -> None:
        """Look no more."""
        for job in (self._preview_job, self._look_job):
            if job is not None:
                job.cancel()
        self._preview_job = self._look_job = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
        else:
            super().keyPressEvent(event)

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        set_look(self, ground="data")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._build_left())
        row.addWidget(rule(vertical=True))
        row.addWidget(self._build_right(), 1)
        self.choices.changed.connect(self._preview)
        self.score_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)

    def _build_left(self) -> QWidget:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        self.title.setFont(ui_font(HERO, bold=True))
        for note, tone in ((self.model, "2"), (self.none, "2"), (self.looked, "3")):
            set_look(note, tone=tone)
        differences = Heading("Differences from the model's table")
        groups: tuple[tuple[QWidget, ...], ...] = (
            (self.title, self.model),
            (differences, self.differences, self.none, self.looked),
            (Heading("What is written beside predictions"), self.choices),
        )
        for group in groups:
            for widget in group:
                column.addWidget(widget)
            column.addSpacing(12)
        column.addStretch(1)
        left = QWidget()
        left.setFixedWidth(LEFT)
        set_look(left, ground="panel")
        whole = QVBoxLayout(left)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(DockScroll(content), 1)
        whole.addWidget(rule())
        whole.addLayout(self._build_buttons())
        return left

    def _build_buttons(self) -> QHBoxLayout:
        set_look(self.score_button, primary=True)
        self.score_button.setToolTip("Choose a file, and write every row to it")
        self.cancel_button.setToolTip("Go back Esc")
        buttons = QHBoxLayout()
        buttons.setContentsMargins(16, 12, 16, 12)
        buttons.setSpacing(8)
        for button in (self.score_button, self.cancel_button):
            button.setMinimumWidth(112)
            buttons.addWidget(button)
        buttons.addStretch(1)
        return buttons

    def _build_right(self) -> QWidget:
        right, head = QWidget(), QLabel("Preview")
        set_look(self._strip, ground="error")
        set_look(self.problem, tone="error")
        inside = QVBoxLayout(self._strip)
        inside.setContentsMargins(16, 8, 16, 8)
        inside.addWidget(self.problem)
        self._strip.hide()
        set_look(self.count, tone="3")
        head.setFont(ui_font(bold=True))
        line = QHBoxLayout()
        line.setContentsMargins(16, 10, 16, 10)
        line.setSpacing(10)
        line.addWidget(head)
        line.addWidget(self.count, 1)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._strip)
        column.addLayout(line)
        column.addWidget(rule())
        column.addWidget(self.grid, 1)
        column.addStretch(0)
        return right


def _previewed(
    job: Job, subject: Subject, wanted: Wanted, ready: threading.Event | None
) -> tuple[ScorePreview, dict[str, ColumnSummary]]:
    from workbench.data.statistics import column_summary
    from workbench.scoring.preview import preview_scores

    if wanted.explained and ready is not None:
        wait_for(ready, job)
    preview = preview_scores(
        subject.kept.model, subject.path, wanted, options=subject.options, cancelled=job.cancelled
    )
    return preview, {column.name: column_summary(column) for column in preview.table.columns}


def _looked_through(job: Job, subject: Subject) -> Scored:
    from workbench.scoring.score_file import look_through

    return look_through(subject.kept.model, subject.path, options=subject.options, progress=job.progress,
                        cancelled=job.cancelled)


def wait_for(ready: threading.Event, job: Job) -> None:
    """Wait for what compiles elsewhere: compiling here would hold the interpreter lock for seconds."""
    while not ready.wait(0.05):
        if job.cancelled():
            raise Cancelled


