"""The figures of predictions in one line: what scikit-learn's metrics of the same rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.predictions.scored_rows import ScoredRows

LEAST_SHARE = float(np.finfo(np.float64).eps)  # of a probability, before its logarithm is taken


def log_loss(rows: ScoredRows) -> float:
    """Mean of −ln of the probability of what came true; NaN without rows, or where scores are log-odds."""
    if not len(rows) or not rows.are_shares:
        return float("nan")
    if rows.prediction.ndim == 2:
        own = np.take_along_axis(rows.prediction, rows.target.astype(np.int64)[:, None], axis=1)[:, 0]
        own = own / rows.prediction.sum(axis=1)
    else:
        own = np.where(rows.target == 1, rows.prediction.astype(np.float64), 1.0 - rows.prediction)
    return mean(-np.log(own.astype(np.float64).clip(LEAST_SHARE, 1.0)), rows.weight)


def brier(rows: ScoredRows, k: int) -> float:
    """Mean squared distance of the probability of class k from what came true."""
    return mean((rows.score(k) - rows.is_of(k)) ** 2, rows.weight) if rows.are_shares else float("nan")


def rmse(rows: ScoredRows) -> float:
    """Root of the mean squared residual."""
    return float(np.sqrt(mean(rows.residual() ** 2, rows.weight)))


def mae(rows: ScoredRows) -> float:
    """Mean size of the residuals."""
    return mean(np.abs(rows.residual()), rows.weight)


def r2(rows: ScoredRows) -> float:
    """Share of the answers' variance that is explained; NaN where they do not vary."""
    if len(rows) < 2:
        return float("nan")
    around = mean((rows.target - mean(rows.target, rows.weight)) ** 2, rows.weight)
    return 1.0 - mean(rows.residual() ** 2, rows.weight) / around if around > 0 else float("nan")


def pinball(rows: ScoredRows) -> float:
    """Mean pinball loss over the levels."""
    losses = []
    for place, level in enumerate(rows.levels):
        residual = rows.residual(place)
        losses.append(mean(np.maximum(level * residual, (level - 1.0) * residual), rows.weight))
    return float(np.mean(losses)) if losses else float("nan")


def mean(values: NDArray[np.float64], weight: NDArray[np.float64] | None) -> float:
    """Weighted mean; NaN of none."""
    return float(np.average(values, weights=weight)) if len(values) else float("nan")
