"""Rows that are encoded at home, sent to the workers of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.cluster.measures import tally_of
from workbench.cluster.placed_table import RowsThere
from workbench.ensembles.run.told_alone import ToldAlone
from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.cluster.connection import Connection
    from workbench.cluster.tallies import TargetTally
    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.parameters.training import TrainingParams


class SentRows:
    """A dataset at home that a run is to train on there.

    Attributes
    ----------
    schema : DataSchema
    """

    def __init__(self, dataset: Dataset) -> None:
        self._data = dataset
        self.schema: DataSchema = dataset.schema

    def place(
        self, connection: Connection, params: TrainingParams, objective: str,
        cancelled: Callable[[], bool], progress: Callable[[int, int], object] | None = None,
    ) -> RowsThere:  # fmt: skip
        """Send the rows, as many to each worker."""
        data = self._data
        workers = connection.workers[: max(min(len(connection.workers), len(data.train_rows)), 1)]
        done, total = 0, len(workers) * (2 if len(data.valid_rows) else 1)

        def sent(rows: NDArray[np.int64]) -> dict[str, list[Any]]:
            """Send rows in stretches, one to each worker that gets any."""
            nonlocal done
            found = {}
            for worker, some in zip(workers, np.array_split(rows, len(workers)), strict=True):
                leave_if(cancelled)
                if len(some):
                    found[worker] = [connection.send(_part(data, some), worker)]
                done += 1
                if progress is not None:
                    progress(done, total)
            return found

        train, valid = sent(data.train_rows), sent(data.valid_rows) if len(data.valid_rows) else {}
        return RowsThere(
            train, valid, self._tally(data.train_rows, params, objective),
            self._tally(data.valid_rows, params, objective), data.weight is not None,
        )

    def told_alone(self, feature: int) -> float:
        """Return the share of the target's variance that a column tells alone."""
        data = self._data
        return ToldAlone(data, None if data.weight is None else data.weight[data.train_rows]).of(feature)

    def _tally(self, rows: NDArray[np.int64], params: TrainingParams, objective: str) -> TargetTally:
        data = self._data
        weight = None if data.weight is None else data.weight[rows]
        classes = len(data.schema.class_labels)
        return tally_of(data.target[rows], weight, classes, params, objective)


def _part(data: Dataset, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    part = {"data": np.ascontiguousarray(data.features[rows]), "label": data.target[rows].astype(np.float32)}
    if data.weight is not None:
        part["weight"] = data.weight[rows].astype(np.float32)
    return part

