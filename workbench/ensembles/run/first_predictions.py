"""The raw predictions that a run begins with: its base, the rows' offsets, the model that it goes on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.prediction import raw_predictions
from workbench.ensembles.run.predicted_rows import PredictedRows, RunPredictions
from workbench.kernels.kernel_arrays import kernel_array
from workbench.mapped import rows_beside
from workbench.threads.row_blocks import block_of_ones, weights_or_ones

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.run.setup import RunSetup


def first_predictions(
    setup: RunSetup, data: Dataset, base: NDArray[np.floating[Any]]
) -> RunPredictions:
    """Return the rows as the run finds them: at its base, or where the model it goes on from put them."""
    return RunPredictions(
        _predicted(setup, data, base, data.train_rows), _predicted(setup, data, base, data.valid_rows)
    )


def _predicted(
    setup: RunSetup, data: Dataset, base: NDArray[np.floating[Any]], rows: NDArray[np.int64]
) -> PredictedRows:
    every = len(rows) == len(data.target)
    raw = np.repeat(base[:, None], len(rows), axis=1)
    offset = None if data.offset is None else data.offset[rows]
    if offset is not None:
        raw += offset
    if setup.start is not None:
        features = data.features if every else rows_beside(data.features, rows)
        here = raw_predictions(setup.start, features, offset=offset)
        raw = kernel_array(here.T.reshape(setup.n_outputs, -1), np.float32)
    return predicted_rows(setup, data, raw, rows)


def predicted_rows(
    setup: RunSetup, data: Dataset, raw: NDArray[np.float32], rows: NDArray[np.int64]
) -> PredictedRows:
    """Return rows with these raw predictions, shape (K, n)."""
    target = kernel_array(setup.target_of(data, rows), np.float64)
    groups = None if data.groups is None else data.groups[rows]
    weight = setup.weight_of(data, rows)
    if weight is None and setup.objective.by_blocks:
        weight = block_of_ones(len(rows))
    return PredictedRows(target, weights_or_ones(weight, len(rows)), raw, groups)
