"""Targets whose spread is too small beside their size for predictions in single precision, and what to do.

Raw predictions are sums in float32, as every program adds up the leaves of XGBoost's files. At the size of
the target they stand `spacing` apart, and a leaf of less than half of it changes none: a residual is lost
where η times it is below. Measured, R² stays above .99 while that is less than a tenth of the spread.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from workbench.number_text import MINUS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.objectives.base import Objective

SHARE_LOST = 0.1  # of the spread
FEWER_DIGITS = float(np.finfo(np.float32).tiny)  # below, single precision has no more than some digits
LONGEST, MOST_DECIMALS = 1e15, 6  # of numbers that are written out


def precision_note(
    objective: Objective,
    data: Dataset,
    base: NDArray[np.float32],
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64],
    learning_rate: float,
) -> str:
    """Say that the target is too large for its spread, and what helps; "" where it is not.

    Parameters
    ----------
    base : ndarray of float32, shape (K,)
        Of the best constant.
    gradients, hessians : ndarray of float64, shape (K, n)
        Of the training rows there.
    """
    if objective.task != "regression" or objective.needs_groups:
        return ""
    target = data.target[data.train_rows]
    if target.min() == target.max():
        return ""
    center = float(target.mean())
    if objective.link:
        size = float(np.abs(base).max())
        steps = gradients[hessians > 0] / hessians[hessians > 0]
        spread = float(np.std(steps)) if len(steps) else 0.0
        step = abs(center) * spread
    else:
        size = float(np.abs(target).max(initial=0.0))
        wanted = target if data.offset is None else target - data.offset[data.train_rows]
        step = spread = float(np.std(wanted))
    lost = 0.5 * float(np.spacing(np.float32(size))) / learning_rate
    if spread <= 0.0 or lost < SHARE_LOST * spread:
        return ""
    known = _to_the_step(center, step)
    if size < FEWER_DIGITS:
        remedy = "Multiply it by a large number before training, and divide the predictions by that."
    elif objective.link:
        remedy = f"Divide it by {known} before training, and multiply the predictions by that."
    elif center < 0.0:
        remedy = f"Add {known[1:]} to it before training, and subtract that from the predictions."
    else:
        remedy = f"Subtract {known} from it before training, and add that to the predictions."
    return (
        f"'{data.schema.target}' varies by about {step:.2g} around {known}, which is too little beside its "
        f"size to be learnt in full in single precision. {remedy}"
    )


def _to_the_step(value: float, step: float) -> str:
    """Return a number with the digits above its spread."""
    decimals = -round(math.log10(step)) if step > 0.0 else 0
    if abs(value) >= LONGEST or decimals > MOST_DECIMALS:
        return f"{value:.6g}".replace("-", MINUS)
    return f"{round(value, decimals):,.{max(decimals, 0)}f}".replace("-", MINUS)
