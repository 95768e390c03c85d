"""A second table with answers, encoded as a model reads it: its rows are looked at after any round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import with_chunks
from workbench.errors import WorkbenchError, leave_if
from workbench.explain.predictions.row_source import AnsweredTable
from workbench.scoring.as_trained import as_trained
from workbench.scoring.measured import MeasuredAnswers
from workbench.scoring.scorer import Scorer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from workbench.data.readers.chunks import ChunkedTable
    from workbench.data.readers.options import ReadOptions
    from workbench.formats.model import Model
    from workbench.scoring.matching import TableDifference


@dataclass(frozen=True, eq=False)
class AnsweredFile:
    """What was read of it.

    Attributes
    ----------
    name : str
    rows : AnsweredTable
    differences : tuple of TableDifference
        In what the table is not as the model knows it.
    """

    name: str
    rows: AnsweredTable
    differences: tuple[TableDifference, ...]


def answered_file(
    model: Model, path: Path, *, options: ReadOptions = GUESS_ALL,
    cancelled: Callable[[], bool] | None = None,
) -> AnsweredFile:  # fmt: skip
    """Read a table as the model reads it, with its answers.

    Raises
    ------
    WorkbenchError, Cancelled
        Where the table has none of the model's columns, or knows no answers.
    """
    options, taken = as_trained(options, model.schema, path)

    def take(table: ChunkedTable) -> AnsweredFile:
        scorer, answers = Scorer(model, table), MeasuredAnswers(model, table)
        features: list[NDArray[np.float32]] = []
        offsets: list[NDArray[np.float32]] = []
        names = scorer.wanted_names | answers.wanted_names, scorer.kept_names | answers.kept_names
        for chunk in table.chunks(*names):
            leave_if(cancelled)
            features.append(scorer.features(chunk))
            offset = scorer.offset(chunk)
            offsets += [] if offset is None else [offset]
            answers.take(chunk, np.empty((chunk.n_rows, 0), np.float32))
        if not answers.rows:
            raise WorkbenchError(
                f"'{table.name}' knows no answers: the target '{model.schema.target}' is missing or empty. "
                "Choose a table with it."
            )
        target, weight, groups = answers.columns()
        whole = np.asfortranarray(np.concatenate(features))
        margin = np.concatenate(offsets) if offsets else None
        rows = AnsweredTable(whole, target, np.arange(len(target)), weight, groups, margin)
        return AnsweredFile(table.name, rows, (*taken, *scorer.differences()))

    return with_chunks(path, take, options=options, cancelled=cancelled)
