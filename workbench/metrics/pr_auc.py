"""Area under the curve of precision over recall, as average precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


def average_precision(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64], _team: Team
) -> float:
    """Return Σ (R_k − R_{k−1}) P_k over the distinct raw predictions, from the highest down.

    NaN without a row of class 1. The same sum as scikit-learn's average_precision_score.
    """
    if not len(raw):
        return float("nan")
    order = np.argsort(-raw, kind="stable")
    ordered, hits = raw[order], (weight * (target > 0.5))[order]
    last = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    true, all_ = np.cumsum(hits)[last], np.cumsum(weight[order])[last]
    if not len(true) or not true[-1] > 0:
        return float("nan")
    precision = np.divide(true, all_, out=np.ones_like(true), where=all_ > 0)
    return float((np.diff(true, prepend=0.0) * precision).sum() / true[-1])


METRICS.register(Metric(
    "pr_auc", "Average precision (PR AUC)", "PR AUC", unit="area under precision over recall",
    higher_is_better=True, formula=average_precision, tasks=("binary",), is_cheap=False,
    aliases=("aucpr", "average_precision"),
))  # fmt: skip
