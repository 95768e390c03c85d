"""A table that is scored on a cluster, as the window looks at it and has it done; from worker threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.readers.options import GUESS_ALL

if TYPE_CHECKING:
    from workbench.cluster.connection import Connection
    from workbench.formats.model import Model
    from workbench.scoring.preview import ScorePreview
    from workbench.scoring.score_file import ScoredFile
    from workbench.scoring.wanted import Wanted
    from workbench.workers.jobs import Job


class ScoringThere:
    """A table by its path or address, as the workers of a connection open it."""

    def __init__(self, connection: Connection, path: str) -> None:
        self._connection, self.path = connection, path

    def preview(self, model: Model, wanted: Wanted, job: Job) -> ScorePreview:
        """Return the first rows as they will be written."""
        from workbench.cluster.scoring.look_there import preview_there

        return preview_there(self._connection, model, self.path, wanted, GUESS_ALL, job.cancelled)

    def look_through(self, model: Model, job: Job) -> ScoredFile:
        """Return in what all rows differ from those that the model knows."""
        from workbench.cluster.scoring.look_there import look_through_there

        return look_through_there(
            self._connection, model, self.path, GUESS_ALL, job.cancelled, job.progress
        )

    def score(self, model: Model, output: str, wanted: Wanted, job: Job) -> ScoredFile:
        """Write a file for each partition into a folder."""
        from workbench.cluster.scoring.score_there import score_there

        return score_there(
            self._connection, model, self.path, output, wanted, cancelled=job.cancelled,
            progress=job.progress,
        )  # fmt: skip
