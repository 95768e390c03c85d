"""A table before it is scored: differences and choices at the left, the first rows at the right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton

from workbench.data.room import Unfolds
from workbench.errors import leave_if
from workbench.isolation import isolated
from workbench.number_text import count, counted
from workbench.views.controls.heading import Heading
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.preview_page import PreviewPage
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.scoring.difference_list import DifferenceList
from workbench.views.scoring.output_ticks import OutputTicks

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from workbench.data.readers.options import ReadOptions
    from workbench.data.statistics import ColumnSummary
    from workbench.scoring.preview import ScorePreview
    from workbench.scoring.score_file import ScoredFile
    from workbench.scoring.wanted import Wanted
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.session.run_parts.kept import Kept
    from workbench.workers.jobs import Job, Jobs
    from workbench.workers.scoring_there import ScoringThere

LEFT = 440
NONE_SO_FAR = "None in the rows so far: every column is there, with values that the model knows."
NONE = "None: every column is there, with values that the model knows."


@dataclass(frozen=True)
class ScoredSubject:
    """A table, how it is read, and what a run held when it was to be scored."""

    path: Path
    options: ReadOptions
    kept: Kept
    name: str  # of the model
    facts: ObjectiveFacts
    there: ScoringThere | None = None  # where the workers of a cluster read and write

    @property
    def unpacked(self) -> ScoredSubject:
        """The same, read however much it unpacks to."""
        return replace(self, options=replace(self.options, unpacks_all=True))


@dataclass(frozen=True)
class Order:
    """What a person settled: the window asks where to, and has it done."""

    subject: ScoredSubject
    wanted: Wanted
    neutralise: bool
    folder: str = ""  # on a cluster, where the files go

    @property
    def unpacked(self) -> Order:
        """The same, of a table read however much it unpacks to."""
        return replace(self, subject=self.subject.unpacked)


class ScorePage(PreviewPage):
    """Says what was settled; nothing is written here."""

    accepted = Signal(object)  # Order

    def __init__(self, jobs: Jobs, rare_ready: threading.Event) -> None:
        super().__init__("Score…")
        self._jobs = jobs
        self._rare_ready = rare_ready  # set once explaining compiles nothing
        self._preview_job: Job | None = None
        self._look_job: Job | None = None
        self._subject: ScoredSubject | None = None
        self._is_whole = False
        self.differences, self.choices = DifferenceList(), OutputTicks()
        self.model, self.looked, self.none = NoteLabel(), NoteLabel(), NoteLabel()
        self.unpack_button = QPushButton("Read all of it")
        self.folder_title, self.folder = Heading("Folder of the files"), QLineEdit()
        self._build()

    def show_table(self, subject: ScoredSubject) -> None:
        """Begin with a table."""
        self.stop()
        self._subject, self._is_whole = subject, False
        self.title.setText(f"Score {isolated(subject.path.name)}")
        columns = counted(len(subject.kept.schema.features), "column")
        rounds = counted(subject.kept.n_rounds, "round")
        size = f"{columns}, {rounds}"
        self.model.say(f"With {isolated(subject.name)}: {size}. Columns are found by their names.")
        is_there = subject.there is not None
        self.choices.show_there(is_there)
        self.folder_title.setVisible(is_there)
        self.folder.setVisible(is_there)
        self.folder.setText(f"{subject.there.path.rstrip('/')}-scored" if subject.there is not None else "")
        self.differences.show_differences(())
        self.none.say("")
        self.looked.say("Reading its first rows.")
        self.unpack_button.hide()
        self.count.setText("")
        self.grid.table_model.show_table(None, None)
        self.grid.hide()
        self._say("")
        self.accept_button.setEnabled(False)
        self.accept_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._preview()
        self._look()

    # --- looking ----------------------------------------------------------------------------

    def _preview(self) -> None:
        """Score the first rows with the present choices; an older answer is dropped."""
        if self._preview_job is not None:
            self._preview_job.cancel()
        if self._subject is not None:
            subject, wanted, ready = self._subject, self.choices.wanted, self._rare_ready
            neutralise = self.choices.neutralise
            if wanted.explained and not ready.is_set():
                self.count.setText("Preparing fast kernels; once per version")
            self._preview_job = self._jobs.start(
                lambda job: _previewed(job, subject, wanted, ready, neutralise),
                done=self._show_preview, failed=self._show_problem,
            )  # fmt: skip

    def _look(self) -> None:
        """Look for differences in all rows."""
        if self._subject is not None:
            subject = self._subject
            self._look_job = self._jobs.start(
                lambda job: _looked_through(job, subject),
                done=self._show_whole, failed=self._show_problem, progressed=self._show_progress,
            )  # fmt: skip

    def _show_preview(self, answer: tuple[ScorePreview, Mapping[str, ColumnSummary]]) -> None:
        preview, self._summaries = answer
        if self.unpack_button.isHidden():
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

    def _show_progress(self, rows: int, expected: int) -> None:
        if self._subject is not None and self._subject.there is not None:
            self.looked.say(f"Looking through all rows, {rows} of {counted(expected, 'partition')} so far.")
        elif not self._is_whole:
            self.looked.say(f"Looking through all rows, {count(rows)} so far.")

    def _show_whole(self, scored: ScoredFile | Unfolds) -> None:
        if isinstance(scored, Unfolds):
            self._show_problem(scored.words)
            self.unpack_button.show()
            return
        self._is_whole = True
        self._show_differences(scored.differences, NONE)
        self.looked.say(f"All {counted(scored.rows, 'row')} are looked through." if scored.rows > 1 else "")

    def _show_problem(self, text: str) -> None:
        self._say(text)
        self.looked.say("It cannot be scored so.")

    # --- what the person does ---------------------------------------------------------------

    def accept(self) -> None:
        """Pass on what is settled; the page stays until a file is chosen."""
        if self.accept_button.isEnabled() and self._subject is not None:
            folder = self.folder.text().strip()
            self.accepted.emit(Order(self._subject, self.choices.wanted, self.choices.neutralise, folder))

    def unpack(self) -> None:
        """Look through all of a table that unpacks to far more than tables do, and let it be scored."""
        if self._subject is not None:
            self.show_table(self._subject.unpacked)

    def stop(self) -> None:
        """Look no more."""
        for job in (self._preview_job, self._look_job):
            if job is not None:
                job.cancel()
        self._preview_job = self._look_job = None

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        for note, tone in ((self.model, "2"), (self.none, "2"), (self.looked, "3")):
            set_look(note, tone=tone)
        differences = Heading("Differences from the model's table")
        groups: tuple[tuple[QWidget, ...], ...] = (
            (self.title, self.model),
            (differences, self.differences, self.none, self.looked, self.unpack_button),
            (Heading("What is written beside predictions"), self.choices),
            (self.folder_title, self.folder),
        )
        self._lay_out(groups, spacing=8, between=12)
        self.folder.setAccessibleName("Folder of the files")
        set_tip(self.folder, "A new or empty folder, as the workers write it: a Parquet file a partition.")
        set_tip(self.accept_button, "Choose a file, and write every row to it")
        set_tip(self.cancel_button, "Go back Esc")
        set_tip(self.unpack_button, "Read and score every row, however long it takes")
        self.unpack_button.clicked.connect(self.unpack)
        self.choices.changed.connect(self._preview)


def _previewed(
    job: Job, subject: ScoredSubject, wanted: Wanted, ready: threading.Event | None, neutralise: bool
) -> tuple[ScorePreview, dict[str, ColumnSummary]]:
    from workbench.data.statistics import column_summary
    from workbench.scoring.preview import preview_scores

    if subject.there is not None:
        preview = subject.there.preview(subject.kept.model, wanted, job)
        return preview, {column.name: column_summary(column) for column in preview.table.columns}
    if wanted.explained and ready is not None:
        wait_for(ready, job)
    preview = preview_scores(
        subject.kept.model, subject.path, wanted, options=subject.options, neutralise=neutralise,
        cancelled=job.cancelled,
    )
    return preview, {column.name: column_summary(column) for column in preview.table.columns}


def _looked_through(job: Job, subject: ScoredSubject) -> ScoredFile | Unfolds:
    from workbench.scoring.score_file import look_through

    if subject.there is not None:
        return subject.there.look_through(subject.kept.model, job)
    try:
        return look_through(subject.kept.model, subject.path, options=subject.options,
                            progress=job.progress, cancelled=job.cancelled)  # fmt: skip
    except Unfolds as unfolds:
        return unfolds


def wait_for(ready: threading.Event, job: Job) -> None:
    """Wait for what compiles elsewhere: compiling here would hold the interpreter lock for seconds."""
    while not ready.wait(0.05):
        leave_if(job.cancelled)


