"""Figures of two classes, taken of several: each class against the rest, and the mean over the classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.metrics.base import Formula
    from workbench.threads.team import Team


def log_odds_of_class(raw: NDArray[np.float32], k: int) -> NDArray[np.float32]:
    """Return ŷ_k − ln Σ e^ŷ over the other classes, from raw predictions of shape (K, n).

    It stands in the order of p_k, also where that rounds to 0 or 1.
    """
    others = np.delete(raw, k, axis=0).astype(np.float64)
    largest = others.max(axis=0)
    return (raw[k] - largest - np.log(np.exp(others - largest).sum(axis=0))).astype(np.float32)


def mean_over_classes(
    of_two: Formula,
    target: NDArray[np.float64],
    raw: NDArray[np.float32],
    weight: NDArray[np.float64],
    team: Team,
) -> float:
    """Return the plain mean of a figure over the classes of which it is defined; NaN where it is of none."""
    values = [
        of_two((target == k).astype(np.float64), log_odds_of_class(raw, k), weight, team)
        for k in range(len(raw))
    ]
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")
