"""A table scored where it stays: a file of predictions for each partition, and the differences of all."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from itertools import accumulate
from typing import TYPE_CHECKING

from workbench.cluster.jobs_there import finished
from workbench.cluster.partitions import parts_of, whole_path
from workbench.cluster.scoring.score_part import begin_output, end_output, forget_output, score_part
from workbench.cluster.scoring.worth import worth_of
from workbench.cluster.table_there import refuse_misfits
from workbench.data.readers.options import GUESS_ALL
from workbench.errors import WorkbenchError
from workbench.scoring.matching import cell_differences
from workbench.scoring.score_file import ScoredFile
from workbench.scoring.wanted import PREDICTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.cluster.connection import Connection
    from workbench.cluster.scoring.score_part import ScoredPart
    from workbench.data.readers.options import ReadOptions
    from workbench.formats.model import Model
    from workbench.scoring.matching import TableDifference
    from workbench.scoring.wanted import Wanted

NO_NUMBERS = "Rows have no numbers on a cluster, which reads parts at once. Keep a column that names them."


def score_there(
    connection: Connection, model: Model, path: str, output: str, wanted: Wanted = PREDICTIONS, *,
    options: ReadOptions = GUESS_ALL, cancelled: Callable[[], bool] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> ScoredFile:  # fmt: skip
    """Predict every row of a table on the workers.

    Parameters
    ----------
    path : str
        A Parquet file or folder, or a folder of CSV, as fsspec opens it on the workers.
    output : str
        A new or empty folder, as the workers write it: a Parquet file for each partition, in their order.
    progress : callable (done, total), optional
        Told the partitions that are done.

    Raises
    ------
    WorkbenchError, Cancelled
        Nothing is left of the output then.
    """
    if wanted.row_numbers:
        raise WorkbenchError(NO_NUMBERS)
    client, output = connection.client, whole_path(output)
    partitions = parts_of(connection, path)
    finished(connection, [client.submit(begin_output, output, whole_path(path), pure=False)])
    targets = [f"{output.rstrip('/')}/part-{place:05d}.parquet" for place in range(len(partitions))]
    try:
        sent = client.scatter(model, hash=False)
        parts = finished(
            connection,
            [
                client.submit(score_part, one, sent, target, wanted, options, pure=False)
                for one, target in zip(partitions, targets, strict=True)
            ],
            (), cancelled, progress,
        )  # fmt: skip
        scored = scored_of(parts, model)
        finished(connection, [client.submit(end_output, output, pure=False)])
    except BaseException:
        with suppress(Exception):
            finished(connection, [client.submit(forget_output, output, targets, pure=False)])
        raise
    return scored


def scored_of(parts: Sequence[ScoredPart], model: Model) -> ScoredFile:
    """Return what came of all partitions; WorkbenchError where one does not fit."""
    refuse_misfits([part.misfit for part in parts])
    return ScoredFile(
        sum(part.rows for part in parts),
        differences_of(parts, of_doubles=model.ensemble.adds_doubles),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        worth_of([part.evaluation for part in parts]),
    )


def differences_of(parts: Sequence[ScoredPart], *, of_doubles: bool) -> list[TableDifference]:
    """Return in what the rows of all partitions are not as the model knows them, each once."""
    of_columns = dict.fromkeys(one for part in parts for one in part.of_columns)
    before = [0, *accumulate(part.rows for part in parts)]
    cells = [deepcopy(column) for column in parts[0].cells]
    for part, rows in zip(parts[1:], before[1:], strict=False):
        for column, other in zip(cells, part.cells, strict=True):
            column.join(other, rows)
    return [*of_columns, *cell_differences(cells, of_doubles=of_doubles)]
