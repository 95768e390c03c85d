"""Whose predictions are looked at: rows of the run, of a second table, or columns that hold predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from workbench.errors import WorkbenchError
from workbench.explain.predictions.bare_columns import guess_columns
from workbench.isolation import isolated
from workbench.number_text import count
from workbench.session.no_trees import no_trees
from workbench.workers.prediction_desk import NO_TABLE, BareSubject, PartSubject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.data.table import Table
    from workbench.explain.predictions.bare_columns import BareColumns
    from workbench.scoring.answered_file import AnsweredFile
    from workbench.session.run import Run
    from workbench.session.run_parts.kept import Kept
    from workbench.validation.result import FoldRun
    from workbench.views.base import Bench
    from workbench.workers.jobs import Job

    Rows = PartSubject | BareSubject

VALID, TRAIN, FOLDS, OTHER, ASK, BARE = "valid", "train", "folds", "other", "ask", "bare"
NAMES = {VALID: "Hold-out", TRAIN: "Training"}
TOKENS = {VALID: "validation", FOLDS: "validation", TRAIN: "train", OTHER: "category5", BARE: "category5"}
TABLES = "Tables (*.csv *.tsv *.txt *.gz *.zip *.parquet *.feather *.xlsx *.ods *.jsonl);;All files (*)"


class RowsChoice(QObject):
    """Knows what can be chosen, reads a second table, and says which rows are meant."""

    changed = Signal()

    def __init__(self, bench: Bench, view: QWidget) -> None:
        super().__init__(view)
        self._bench, self._view = bench, view
        self.part = VALID  # as chosen; where a run has no such rows, others are shown
        self._bare: BareSubject | None = None
        self._guessed: tuple[Table, BareColumns | None] | None = None
        self._path: Path | None = None
        self._read_for: Kept | None = None
        self._file: AnsweredFile | BareSubject | None = None
        self._problem = ""
        self._job: Job | None = None

    # --- what can be chosen -----------------------------------------------------------------

    def items(self, run: Run | None) -> list[tuple[str, str]]:
        """Return what can be chosen, in words and by name."""
        items: list[tuple[str, str]] = []
        if run is not None and run.dataset is not None:
            sizes = {VALID: len(run.dataset.valid_rows), TRAIN: len(run.dataset.train_rows)}
            items += [(f"{NAMES[part]}, {count(n)}", part) for part, n in sizes.items() if n]
            if folds := self._folds(run):
                of = sum(len(fold.fold.valid) for fold in folds if fold.fold.repeat == 1)
                last = ", last round" if any(fold.ensemble is None for fold in folds) else ""
                items.append((f"Out of fold, {count(of)}{last}", FOLDS))
        elif run is not None and run.is_live and not run.rounds:  # its rows are on their way
            items += [(words, part) for part, words in NAMES.items()]
        if self._path is not None:
            items.append((self._path.name, OTHER))
        if self._bench.session.data.table is not None:
            items.append(("Predicted columns", BARE))
        if run is not None and run.rounds:
            items.append(("Another table…", ASK))
        return items

    def shown_part(self, run: Run | None) -> str:
        """Return which of them is shown."""
        parts = [part for _, part in self.items(run)]
        if self.part in parts:
            return self.part
        return parts[0] if parts else ""

    def choose(self, part: str) -> None:
        """Look at other rows; ask for a file where another table is wanted."""
        if part == ASK:
            chosen, _ = QFileDialog.getOpenFileName(self._view, "A table with answers", "", TABLES)
            if chosen:
                self.open(Path(chosen))
                return
        else:
            self.part = part
        self.changed.emit()

    def open(self, path: Path) -> None:
        """Look at a second table."""
        self._path, self._file, self._read_for, self.part = path, None, None, OTHER
        self.changed.emit()

    # --- which rows are meant ---------------------------------------------------------------

    def rows(self, run: Run | None) -> tuple[Rows | None, str]:
        """Return the rows that are meant, or why there are none; with neither they are being read."""
        part = self.shown_part(run)
        if part == BARE:
            return self._bare_rows(run)
        if run is None or not run.rounds:
            return None, no_trees(run)
        if part == OTHER:
            return self._rows_of_file(run)
        if part == FOLDS:
            return PartSubject.of(run, FOLDS)._replace(folds=self._folds(run)), ""
        if part in (VALID, TRAIN):
            return PartSubject.of(run, part), ""
        return None, run.no_rows(NO_TABLE)

    def _folds(self, run: Run) -> tuple[FoldRun, ...]:
        """Return the folds of a run whose predictions are known of rows of its table."""
        result, data = self._bench.session.validation.result(run), run.dataset
        if result is None or data is None:
            return ()
        known = [fold for fold in result.done if fold.predictions is not None]
        n = len(data.target)
        return tuple(fold for fold in known if not len(fold.fold.valid) or fold.fold.valid[-1] < n)

    @property
    def bare_table(self) -> Table | None:
        """The table whose columns are to be chosen, where that is what is wanted."""
        run, table = self._bench.session.shown.run, self._bench.session.data.table
        return table if self.shown_part(run) == BARE else None

    @property
    def bare_columns(self) -> BareColumns | None:
        """Its columns, as chosen or as they are called."""
        table = self._bench.session.data.table
        if table is None:
            return None
        if self._bare is not None and self._bare.table is table:
            return self._bare.columns
        if self._guessed is None or self._guessed[0] is not table:
            self._guessed = table, guess_columns(table, self._bench.session.data.plan.target)
        return self._guessed[1]

    def choose_columns(self, columns: BareColumns) -> None:
        """Take other columns for truth and prediction."""
        table = self._bench.session.data.table
        if table is not None:
            self._bare = BareSubject(table, columns)
            self.changed.emit()

    def is_of_table(self, rows: Rows | None) -> bool:
        """Whether these are rows of the table that every view shows."""
        if isinstance(rows, BareSubject):
            return rows.table is self._bench.session.data.table
        return rows is not None and rows.file is None and self._bench.session.data.table is not None

    def token(self, run: Run | None) -> str:
        """Return the colour of what is measured on these rows."""
        return TOKENS.get(self.shown_part(run), "validation")

    def _bare_rows(self, run: Run | None) -> tuple[Rows | None, str]:
        table, columns = self._bench.session.data.table, self.bare_columns
        if table is None or columns is None:
            first = no_trees(run) if run is None or not run.rounds else run.no_rows(NO_TABLE)
            words = "" if run is not None and run.dataset is not None and run.rounds else f"{first} "
            return None, f"{words}Columns that hold truth and prediction already can be chosen above."
        if self._bare is None or self._bare.table is not table:
            self._bare = BareSubject(table, columns)
        return self._bare, ""

    def _rows_of_file(self, run: Run) -> tuple[Rows | None, str]:
        if self._read_for is None or self._read_for.schema is not run.schema:
            self._read(run)
        if isinstance(self._file, BareSubject):
            return self._file, ""
        if self._file is not None:
            return PartSubject.of(run, OTHER, self._file), ""
        return None, self._problem

    # --- reading a second table -------------------------------------------------------------

    def _read(self, run: Run) -> None:
        path, kept = self._path, run.kept()
        if path is None:
            return
        if self._job is not None:
            self._job.cancel()
        self._file, self._problem, self._read_for = None, "", kept
        self._job = self._bench.jobs.start(
            lambda job: read_with_answers(kept, path, job), done=self._take, failed=self._fail
        )

    def _take(self, file: AnsweredFile | BareSubject) -> None:
        self._job, self._file = None, file
        warnings = [] if isinstance(file, BareSubject) else [d.text for d in file.differences if d.is_warning]
        if warnings and self._path is not None:
            words = f"{isolated(self._path.name)}: {warnings[0]}"
            self._bench.session.notices.say(words, "warning", "data")
        self.changed.emit()

    def _fail(self, text: str) -> None:
        self._job, self._problem = None, text
        self.changed.emit()


def read_with_answers(kept: Kept, path: Path, job: Job) -> AnsweredFile | BareSubject:
    """Read a table as the model does; one without its columns may hold predictions itself."""
    from workbench.data.reading import read_table
    from workbench.scoring.answered_file import answered_file

    try:
        return answered_file(kept.model, path, cancelled=job.cancelled)
    except WorkbenchError as error:
        table = read_table(path, cancelled=job.cancelled)
        columns = None if set(kept.schema.names) & set(table.names) else guess_columns(table)
        if columns is None:
            raise error from None
        return BareSubject(table, columns)
