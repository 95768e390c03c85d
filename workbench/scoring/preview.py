"""The first rows of a table as they would be scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import with_chunks
from workbench.data.table import Column, Table
from workbench.data.values.cell_rules import CellRules
from workbench.data.values.cells import Cells
from workbench.data.values.column_types import infer
from workbench.data.values.columns import category_column, number_column
from workbench.errors import WorkbenchError
from workbench.formats.bytes.csv_text import harmless
from workbench.scoring.as_trained import as_trained
from workbench.scoring.csv_rows import csv_texts
from workbench.scoring.scorer import Scorer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.data.readers.chunks import ChunkedTable
    from workbench.data.readers.options import ReadOptions
    from workbench.formats.model import Model
    from workbench.scoring.matching import TableDifference
    from workbench.scoring.scorer import OutColumn
    from workbench.scoring.wanted import Wanted

PREVIEW_ROWS = 200
_AS_THEY_STAND = CellRules(finds_days=False)


@dataclass(frozen=True)
class ScorePreview:
    """The columns as they will be written, of the first rows, and in what these differ."""

    table: Table
    differences: list[TableDifference]


def preview_scores(
    model: Model, path: Path, wanted: Wanted, *, options: ReadOptions = GUESS_ALL, neutralise: bool = False,
    cancelled: Callable[[], bool] | None = None,
) -> ScorePreview:  # fmt: skip
    """Score the first rows, on the calling thread; takes and raises what `score_file` does."""
    options, taken = as_trained(options, model.schema, path)

    def take(table: ChunkedTable) -> ScorePreview:
        scorer = Scorer(model, table, wanted, serial=True)
        chunk = next(table.chunks(scorer.wanted_names, scorer.kept_names), None)
        if chunk is None or not chunk.n_rows:
            raise WorkbenchError(f"'{table.name}' has no rows. Choose a table with rows.")
        columns, _ = scorer.columns(chunk.first(PREVIEW_ROWS))
        made = tuple(
            replace(_column(name, column), texts=_texts(column, neutralise))
            for name, column in columns.items()
        )
        return ScorePreview(Table(table.name, made), [*taken, *scorer.differences()])

    return with_chunks(path, take, options=options, cancelled=cancelled)


def _texts(column: OutColumn, neutralise: bool) -> tuple[str, ...]:
    texts = csv_texts(column)
    return tuple(map(str, map(harmless, texts) if neutralise else texts))


def _column(name: str, column: OutColumn) -> Column:
    """Return the values, of which kind and summary follow."""
    if not isinstance(column, Cells):
        return number_column(name, column.astype(str).astype(np.float64))[0]
    if column.numbers is not None:
        return number_column(name, column.numbers, "date" if column.is_date else "number")[0]
    labels = column.as_labels()
    if name.startswith("prediction"):
        return category_column(name, labels)
    return infer(name, labels, _AS_THEY_STAND)[0]
