"""Whether what is predicted with 70 % comes true in 70 of 100 rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from workbench.explain.predictions.weighted_quantiles import weighted_quantiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

BINS = 10
Strategy = Literal["uniform", "quantile"]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Bins of predicted probability that have rows; every array has shape (b,).

    Attributes
    ----------
    edges : ndarray of float64, shape (B + 1,)
        Of all bins.
    place : ndarray of int64
        Which bin it is.
    predicted, observed : ndarray of float64
        Mean probability, and the share of the class.
    weight : ndarray of float64
    """

    edges: NDArray[np.float64]
    place: NDArray[np.int64]
    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]
    weight: NDArray[np.float64]

    @property
    def error(self) -> float:
        """Expected calibration error: the mean distance of what is predicted from what is observed."""
        total = self.weight.sum()
        off = np.abs(self.predicted - self.observed)
        return float((off * self.weight).sum() / total) if total else float("nan")


def calibration(
    score: NDArray[np.float64], is_positive: NDArray[np.bool_], weight: NDArray[np.float64] | None = None,
    strategy: Strategy = "uniform", bins: int = BINS,
) -> Calibration:  # fmt: skip
    """Return the bins of probabilities, of equal width or of equally many rows, as scikit-learn has them."""
    shares = np.linspace(0.0, 1.0, bins + 1)
    edges = shares if strategy == "uniform" or not len(score) else weighted_quantiles(score, weight, shares)
    which = np.searchsorted(edges[1:-1], score)
    own = np.ones(len(score)) if weight is None else weight
    totals = np.bincount(which, own, bins).astype(np.float64)
    place = np.flatnonzero(totals)
    means = (np.bincount(which, own * values, bins)[place] / totals[place] for values in (score, is_positive))
    predicted, observed = means
    return Calibration(edges, place, predicted, observed, totals[place])
