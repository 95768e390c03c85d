"""Area under the ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.sorting import VALUE_SHIFT, row_of, sorted_entries
from workbench.metrics.base import METRICS, Metric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel
def area_under_curve(target, weight, entries):
    """Return the weighted share of pairs (positive, negative) in the right order, ties as one half.

    Parameters
    ----------
    entries : ndarray of uint64, shape (n,)
        Raw predictions and rows, ascending; see `kernels/sorting.py`.
    """
    area = 0.0
    positives = 0.0
    negatives = 0.0
    i = 0
    while i < len(entries):
        tied_positives = 0.0
        tied_negatives = 0.0
        value = entries[i] >> np.uint64(VALUE_SHIFT)
        while i < len(entries) and entries[i] >> np.uint64(VALUE_SHIFT) == value:
            row = row_of(entries[i])
            if target[row] > 0.5:
                tied_positives += weight[row]
            else:
                tied_negatives += weight[row]
            i += 1
        area += tied_positives * (negatives + 0.5 * tied_negatives)
        positives += tied_positives
        negatives += tied_negatives
    pairs = positives * negatives
    return area / pairs if pairs > 0.0 else np.nan


def area_under_roc(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """The chance that a row of class 1 ranks above one of class 0; sorts the rows."""
    entries = np.empty(len(raw), np.uint64)
    sorted_entries(raw, entries)
    return float(area_under_curve(target, weight, entries))


METRICS.register(Metric(
    "auc", "AUC", unit="order of the rows", higher_is_better=True,
    formula=area_under_roc, tasks=("binary",), is_cheap=False, aliases=("roc_auc",),
))  # fmt: skip
