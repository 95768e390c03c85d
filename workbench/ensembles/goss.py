"""GOSS: gradient-based one-side sampling (Ke et al. 2017), which keeps the rows that are fitted worst."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.row_sampling import ROWS, SampledRows
from workbench.kernels.draws import draw, how_many
from workbench.kernels.random_numbers import stream_start
from workbench.trees.growing_params import DrawnRows

if TYPE_CHECKING:
    from numpy.typing import NDArray


def draw_by_gradient(
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64],
    top_rate: float,
    other_rate: float,
    seed: int,
    round_number: int,
) -> SampledRows:
    """Keep the rows with the largest Σ|g·h| over the classes, draw some of the others (GOSS, Ke et al. 2017).

    The drawn ones count (1 − top) / other times, so that sums stay right on average. Of equal rows the first
    are kept.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (K, n)
    """
    n = gradients.shape[1]
    size = np.abs(gradients * hessians).sum(axis=0)
    n_top = how_many(n, top_rate)
    bound = np.partition(size, n - n_top)[n - n_top]
    kept = size > bound
    kept[np.flatnonzero(size == bound)[: n_top - int(kept.sum())]] = True
    others = np.flatnonzero(~kept).astype(np.uint32)
    factors = np.ones(n)
    if len(others):
        n_drawn = how_many(len(others), other_rate * n / len(others))
        drawn, left_out = np.empty((2, len(others) + 1), np.uint32)
        start = stream_start(seed, round_number, ROWS)
        draw(0, len(others), n_drawn, start, drawn, left_out)
        chosen = others[drawn[:n_drawn]]
        kept[chosen] = True
        factors[chosen] = len(others) / n_drawn
    rows = DrawnRows(np.flatnonzero(kept).astype(np.uint32), np.flatnonzero(~kept).astype(np.uint32))
    return SampledRows(rows, factors)
