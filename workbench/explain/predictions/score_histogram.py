"""How the scores of a class lie beside those of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BINS = 40


class ScoreHistogram(NamedTuple):
    """Weights by bin of the score.

    Attributes
    ----------
    edges : ndarray of float64, shape (b + 1,)
    positive, negative : ndarray of float64, shape (b,)
    """

    edges: NDArray[np.float64]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]


def score_histogram(
    score: NDArray[np.float64], is_positive: NDArray[np.bool_], weight: NDArray[np.float64] | None = None,
    limits: tuple[float, float] | None = (0.0, 1.0), bins: int = BINS,
) -> ScoreHistogram:  # fmt: skip
    """Return the histogram within the limits; without any, from the least score to the highest."""
    if limits is None:
        limits = (float(score.min()), float(score.max())) if len(score) else (0.0, 1.0)
    low, high = limits
    high = high if high > low else low + 1.0
    edges = np.linspace(low, high, bins + 1)
    place = ((score - low) * (bins / (high - low))).astype(np.int64).clip(0, bins - 1)
    both = np.bincount(place + bins * is_positive, weight, 2 * bins).astype(np.float64)
    return ScoreHistogram(edges, both[bins:], both[:bins])
