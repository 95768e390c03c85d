"""A table on a cluster before it is scored: its first rows scored, and in what all of it differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cluster.jobs_there import finished
from workbench.cluster.partitions import local_file, parts_of, working_folder
from workbench.cluster.scoring.score_part import ScoredPart
from workbench.cluster.scoring.score_there import scored_of
from workbench.errors import WorkbenchError
from workbench.scoring.preview import PREVIEW_ROWS, preview_scores
from workbench.scoring.score_file import look_through

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.cluster.connection import Connection
    from workbench.cluster.partitions import Partition
    from workbench.data.readers.options import ReadOptions
    from workbench.formats.model import Model
    from workbench.scoring.preview import ScorePreview
    from workbench.scoring.score_file import ScoredFile
    from workbench.scoring.wanted import Wanted


def preview_there(
    connection: Connection, model: Model, path: str, wanted: Wanted, options: ReadOptions,
    cancelled: Callable[[], bool] | None = None,
) -> ScorePreview:  # fmt: skip
    """Return the first rows as they will be written; takes and raises what `score_there` does."""
    first = parts_of(connection, path)[0]
    if first.end >= 0:
        first = replace(first, end=min(first.end, first.begin + PREVIEW_ROWS))
    future = connection.client.submit(preview_part, first, model, wanted, options, pure=False)
    (found,) = finished(connection, [future], (), cancelled)
    return found


def look_through_there(
    connection: Connection, model: Model, path: str, options: ReadOptions,
    cancelled: Callable[[], bool] | None = None, progress: Callable[[int, int], object] | None = None,
) -> ScoredFile:  # fmt: skip
    """Find every difference of a table from what a model knows, without predicting."""
    partitions, sent = parts_of(connection, path), connection.client.scatter(model, hash=False)
    futures = [connection.client.submit(look_part, one, sent, options, pure=False) for one in partitions]
    return scored_of(finished(connection, futures, (), cancelled, progress), model)


def preview_part(partition: Partition, model: Model, wanted: Wanted, options: ReadOptions) -> ScorePreview:
    """Score the first rows of a partition; called on a worker."""
    with working_folder() as folder:
        file, _ = local_file(partition, None, Path(folder))
        return preview_scores(model, file, wanted, options=options)


def look_part(partition: Partition, model: Model, options: ReadOptions) -> ScoredPart:
    """Look through a partition; called on a worker."""
    try:
        with working_folder() as folder:
            file, _ = local_file(partition, None, Path(folder))
            found = look_through(model, file, options=options)
    except (WorkbenchError, OSError) as error:
        return ScoredPart(misfit=f"{partition.name}: {error}")
    return ScoredPart(found.rows, tuple(found.of_columns), found.cells, found.notes)
