"""A table scored from file to file, in the memory of a few thousand rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import with_chunks
from workbench.errors import WorkbenchError, leave_if
from workbench.formats.bytes.files import atomic_stream, check_spares, check_writable
from workbench.scoring.as_trained import as_trained
from workbench.scoring.measured import MeasuredAnswers
from workbench.scoring.row_writers import writer_for
from workbench.scoring.scorer import Scorer
from workbench.scoring.wanted import PREDICTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from workbench.data.readers.chunks import ChunkedTable
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import TableNote
    from workbench.data.values.cells import Chunk
    from workbench.explain.evaluation import Evaluation
    from workbench.formats.model import Model
    from workbench.scoring.feature_cells import FeatureCells
    from workbench.scoring.matching import TableDifference
    from workbench.scoring.wanted import Wanted

    Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class ScoredFile:
    """What came of it.

    Attributes
    ----------
    rows : int
    differences : list of TableDifference
        In what the table is not as the model knows it.
    notes : tuple of TableNote
        What was repaired while reading.
    evaluation : Evaluation or None
        What the predictions are worth, where the table knows the answers.
    of_columns : list of TableDifference
        Those that are of whole columns.
    cells : tuple of FeatureCells
        By column of the model, of which the others are told.
    """

    rows: int
    differences: list[TableDifference]
    notes: tuple[TableNote, ...] = ()
    evaluation: Evaluation | None = None
    of_columns: Sequence[TableDifference] = ()
    cells: tuple[FeatureCells, ...] = ()


def score_file(
    model: Model, path: str | Path, output: str | Path, wanted: Wanted = PREDICTIONS, *,
    options: ReadOptions = GUESS_ALL, neutralise: bool = False, serial: bool = False,
    progress: Progress | None = None, cancelled: Callable[[], bool] | None = None,
) -> ScoredFile:  # fmt: skip
    """Predict every row of a table, and write a row for each.

    Parameters
    ----------
    model : Model
    path : str or Path
        Any table that can be read; text and Parquet are never held as a whole.
    output : str or Path
        CSV or Parquet, as its ending says; written completely or not at all, and never in the place
        of the table.
    wanted : Wanted, optional
    options : ReadOptions, optional
    neutralise : bool
        Whether cells of text that spreadsheets take for formulas get an apostrophe, in CSV.
    serial : bool
        Stay on the calling thread.
    progress, cancelled : callable, optional
        As in `read_table`.

    Raises
    ------
    WorkbenchError, Cancelled
        Nothing is left of the output then.
    """
    check_writable(output)
    check_spares(output, path)
    writer = writer_for(output)
    options, taken = as_trained(options, model.schema, path)

    def take(table: ChunkedTable) -> ScoredFile:
        scorer, answers = Scorer(model, table, wanted, serial=serial), MeasuredAnswers(model, table)
        with atomic_stream(output) as sink:
            rows = writer.open(sink, neutralise=neutralise)
            for chunk in _chunks(table, scorer, answers):
                columns, raw = scorer.columns(chunk)
                rows.write(columns)
                answers.take(chunk, raw)
                leave_if(cancelled)
            rows.close()
            return _scored(scorer, answers, table, taken, path)

    return with_chunks(path, take, options=options, progress=progress, cancelled=cancelled)


def evaluate_file(
    model: Model, path: str | Path, *, by: str | None = None, metrics: Sequence[str] = (),
    options: ReadOptions = GUESS_ALL, progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> ScoredFile:  # fmt: skip
    """Predict every row of a table and hold it against the answers that the table knows.

    `by` names a column whose values are evaluated apart too, `metrics` those taken besides. Raises
    WorkbenchError without answers.
    """
    options, taken = as_trained(options, model.schema, path)

    def take(table: ChunkedTable) -> ScoredFile:
        scorer, answers = Scorer(model, table), MeasuredAnswers(model, table, by, metrics)
        for chunk in _chunks(table, scorer, answers):
            answers.take(chunk, scorer.columns(chunk)[1])
        scored = _scored(scorer, answers, table, taken, path)
        if scored.evaluation is None:
            raise WorkbenchError(
                f"'{table.name}' knows no answers: the target '{model.schema.target}' is missing or empty. "
                "Choose a table with it."
            )
        return scored

    return with_chunks(path, take, options=options, progress=progress, cancelled=cancelled)


def look_through(
    model: Model, path: str | Path, *, options: ReadOptions = GUESS_ALL, progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> ScoredFile:  # fmt: skip
    """Find every difference of a table from what a model knows, without predicting."""
    options, taken = as_trained(options, model.schema, path)

    def take(table: ChunkedTable) -> ScoredFile:
        scorer = Scorer(model, table)
        for chunk in table.chunks(scorer.wanted_names, scorer.kept_names):
            scorer.features(chunk)
        return _looked(scorer, table, taken)

    return with_chunks(path, take, options=options, progress=progress, cancelled=cancelled)


def _chunks(table: ChunkedTable, scorer: Scorer, answers: MeasuredAnswers) -> Iterator[Chunk]:
    return table.chunks(scorer.wanted_names | answers.wanted_names, scorer.kept_names | answers.kept_names)


def _scored(
    scorer: Scorer, answers: MeasuredAnswers, table: ChunkedTable, taken: list[TableDifference],
    path: str | Path,
) -> ScoredFile:  # fmt: skip
    if not scorer.rows:
        raise WorkbenchError(f"'{table.name}' has no rows. Choose a table with rows.")
    return replace(_looked(scorer, table, taken), evaluation=answers.evaluation(path))


def _looked(scorer: Scorer, table: ChunkedTable, taken: list[TableDifference]) -> ScoredFile:
    """Return what is known once all rows were read."""
    differences, of_columns = ([*taken, *found()] for found in (scorer.differences, scorer.of_columns))
    return ScoredFile(scorer.rows, differences, table.notes(), None, of_columns, scorer.cells())
