"""What each training row counts in a tree: how often it was drawn, times its own weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.row_sampling import draw_rows
from workbench.kernels.draws import how_many
from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import stream_start, unit
from workbench.parameters.methods import AVERAGED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams

BOOTSTRAP = 13  # a stream of random numbers


@kernel
def count_draws(n_drawn, start, counts):
    """Draw rows with replacement; fill in how often each was drawn."""
    for row in range(len(counts)):
        counts[row] = 0.0
    for i in range(n_drawn):
        counts[np.int64(unit(start + i) * len(counts))] += 1.0


def draw_counts(params: TrainingParams, number: int, n_rows: int) -> NDArray[np.float64]:
    """Return how often each row was drawn for the tree of a round, shape (n,); from seed and round alone."""
    if params.method not in AVERAGED:
        return np.ones(n_rows)
    if params.bootstrap:
        counts = np.empty(n_rows)
        n_drawn = how_many(n_rows, params.subsample)
        count_draws(n_drawn, stream_start(params.seed, number, BOOTSTRAP), counts)
        return counts
    counts = np.ones(n_rows)
    counts[draw_rows(n_rows, params.subsample, params.seed, number).left_out] = 0.0
    return counts
