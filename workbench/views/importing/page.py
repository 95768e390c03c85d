"""How a file is read, settled before it is opened: choices at the left, the first rows at the right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal

from workbench.data.readers.options import GUESS_ALL, ReadOptions
from workbench.isolation import isolated
from workbench.number_text import counted
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.preview_page import PreviewPage
from workbench.views.data.notes import ReadingNotes
from workbench.views.importing.option_rows import option_rows
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.readers.preview import Preview
    from workbench.data.statistics import ColumnSummary
    from workbench.workers.jobs import Job, Jobs

LEFT = 440
WORDS = "{} to look at. Everything else is clear."
TEXT_OPTIONS = ("separator", "encoding", "decimal", "header", "missing")  # of a file that cannot be read yet
CLEAR = "Nothing is doubtful. Change what you like; the table follows."


class ImportPage(PreviewPage):
    """Says what was settled; the window opens the file."""

    accepted = Signal(object, object)  # path, ReadOptions

    def __init__(self, jobs: Jobs) -> None:
        super().__init__("Open")
        self._jobs = jobs
        self._job: Job | None = None
        self._path = Path()
        self._part: str | None = None  # of several in the file: the one that is shown
        self.rows = option_rows()
        self.notes = ReadingNotes()
        self.doubts = NoteLabel()
        self._build()

    def show_file(self, path: Path, options: ReadOptions = GUESS_ALL, preview: Preview | None = None) -> None:
        """Begin with a file; without a preview one is made."""
        self._path = path
        self.title.setText(f"How {isolated(path.name)} is read")
        for row in self.rows:
            row.forget()
            row.show_options(options)
        if preview is None:
            self._show_waiting()
        else:
            self._show_preview((preview, {}))
            first = next((row for row in self.rows if row.is_doubtful), self.accept_button)
            first.setFocus(Qt.FocusReason.OtherFocusReason)
        self._look()

    @property
    def options(self) -> ReadOptions:
        """What is settled; raises WorkbenchError."""
        settled: dict[str, Any] = {}
        for row in self.rows:
            if row.applies:
                settled |= row.settled
        return ReadOptions(**settled)

    # --- the preview ------------------------------------------------------------------------

    def _look(self) -> None:
        """Preview the file with the present choices; an older preview is dropped."""
        if self._job is not None:
            self._job.cancel()
        path, options = self._path, self.options
        self._job = self._jobs.start(
            lambda _job: _looked(path, options), done=self._show_preview, failed=self._show_problem
        )

    def _show_waiting(self) -> None:
        self._say("")
        self.accept_button.setEnabled(False)
        self.doubts.say("Reading its first rows.")
        self.count.setText("")
        self.notes.show_notes(())
        self.grid.table_model.show_table(None, None)
        self.grid.hide()

    def _show_preview(self, answer: tuple[Preview | None, Mapping[str, ColumnSummary]]) -> None:
        preview, self._summaries = answer
        if preview is None:  # the file says itself how it is read
            self.accepted.emit(self._path, GUESS_ALL)
            return
        self._say("")
        guess = preview.guess("part")
        self._part = guess.value if guess and len(preview.parts) > 1 else None
        for row in self.rows:
            row.show_preview(preview)
        doubts = len(preview.doubts)
        self.doubts.say(WORDS.format(counted(doubts, "thing")) if doubts else CLEAR)
        self.notes.show_notes(preview.table.notes)
        self.grid.table_model.show_table(preview.table, None)
        self.grid.fit_columns()
        self.grid.show()
        n = counted(preview.table.n_rows, "row")
        shown = f"all {n}" if preview.is_whole else f"the first {n}"
        columns = counted(len(preview.table.columns), "column")
        self.count.setText(f"{columns}, {shown}, as they will be read")

    def _show_problem(self, text: str) -> None:
        self._say(text)
        if self.grid.table_model.columns:
            self.count.setText("These rows are from before")
            return
        self.doubts.say("It cannot be read so. Change what is wrong below.")
        for row in self.rows:
            row.setVisible(row.option in TEXT_OPTIONS)

    # --- what the person does ---------------------------------------------------------------

    def accept(self) -> None:
        """Open the file as it is shown."""
        if self.accept_button.isEnabled():
            self.stop()
            options = self.options
            self.accepted.emit(self._path, replace(options, part=options.part or self._part))

    def stop(self) -> None:
        """Look no more."""
        if self._job is not None:
            self._job.cancel()

    def _choose_column(self, name: str) -> None:
        self.grid.highlights.column = self.grid.table_model.place(name)
        self.grid.repaint_highlights()
        self.rows[-1].choose_column(name)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for row in self.rows:
                row.restyle()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        set_look(self.doubts, tone="2")
        self._lay_out(
            [(self.title, self.doubts, *self.rows)], spacing=14, between=0,
            beside=(self.notes.button,), above=(self.notes,),
        )
        set_tip(self.accept_button, "Read the whole file so")
        set_tip(self.cancel_button, "Leave the file as it is Esc")
        for option in self.rows:
            option.changed.connect(self._look)
        self.grid.column_chosen.connect(self._choose_column)


def _looked(path: Path, options: ReadOptions) -> tuple[Preview | None, dict[str, ColumnSummary]]:
    from workbench.data.reading import preview
    from workbench.data.statistics import column_summary

    found = preview(path, options)
    columns = found.table.columns if found else ()
    return found, {column.name: column_summary(column) for column in columns}
