"""The least gain that counts in a run: XGBoost's, less where even the whole gain would be small.

The whole is what one question would gain that sent every row with g > 0 to one side, and the others to the
other: ½ (Σ|g|)² / Σh, λ and γ apart, where the model is the best constant. Where it is 1 or more the least
gain is that of XGBoost, to the bit; below it shrinks with the whole, so that a target in small units, or
small weights, give the same splits as large ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import gradients
from workbench.trees.structure_score import LEAST_LOSS_CHANGE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.objectives.base import Objective

GAIN_BLOCK_ROWS = 65_536


def whole_gain(gradients: NDArray[np.float64], hessians: NDArray[np.float64]) -> float:
    """Return ½ (Σ|g|)² / Σh of the class where it is largest.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (K, n)
    """
    n = gradients.shape[1]
    blocks = [slice(begin, begin + GAIN_BLOCK_ROWS) for begin in range(0, n, GAIN_BLOCK_ROWS)]
    absolute = sum(np.abs(gradients[:, block]).sum(axis=1) for block in blocks)
    hessian = hessians.sum(axis=1)
    whole = np.divide(0.5 * absolute**2, hessian, out=np.full(len(hessian), np.inf), where=hessian > 0)
    return float(whole.max(initial=0.0))


def least_gain(whole: float) -> float:
    """Return the least gain that counts, from what could be gained at best."""
    return LEAST_LOSS_CHANGE * min(1.0, whole)


def gradients_at(
    base: NDArray[np.float32], objective: Objective, data: Dataset, weight: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return g and h of all training rows, shape (K, n), where the model is this constant, shape (K,).

    Parameters
    ----------
    objective : Objective
        For the queries of the training rows, where there are any.
    weight : ndarray of float64, optional
        Of the training rows.
    """
    rows = data.train_rows
    raw = np.repeat(base[:, None], len(rows), axis=1)
    if data.offset is not None:
        raw += data.offset[rows]
    g, h = gradients(objective, data.target[rows], raw.T, weight)
    return g.T, h.T
