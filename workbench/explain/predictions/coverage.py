"""Whether the share of the answers that lies below a predicted quantile is the one that was promised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BINS = 10


@dataclass(frozen=True, eq=False)
class Coverage:
    """Shares of answers at or below each predicted quantile.

    Attributes
    ----------
    levels : ndarray of float64, shape (L,)
    shares : ndarray of float64, shape (L,)
        Of all rows.
    by_bin : ndarray of float64, shape (L, b)
        Of the rows in each tenth of what is predicted for that level, the lowest first.
    crossed : float
        Share of rows for which a lower level is predicted above a higher one.
    """

    levels: NDArray[np.float64]
    shares: NDArray[np.float64]
    by_bin: NDArray[np.float64]
    crossed: float


def coverage(
    target: NDArray[np.float64], prediction: NDArray[np.floating], levels: tuple[float, ...],
    weight: NDArray[np.float64] | None = None, bins: int = BINS,
) -> Coverage:  # fmt: skip
    """Return the shares below predictions, shape (n,) or (n, L)."""
    by_level = np.asarray(prediction, np.float64).reshape(len(target), -1)
    own = np.ones(len(target)) if weight is None else weight
    total = own.sum()
    shares, by_bin = np.full(len(levels), np.nan), np.full((len(levels), bins), np.nan)
    for place in range(len(levels)):
        line = by_level[:, place]
        below = own * (target <= line)
        if not total:
            continue
        shares[place] = below.sum() / total
        which = np.searchsorted(np.quantile(line, np.linspace(0, 1, bins + 1)[1:-1]), line, side="left")
        weights = np.bincount(which, own, bins)
        np.divide(np.bincount(which, below, bins), weights, out=by_bin[place], where=weights > 0)
    ascending = np.argsort(levels)
    crossed = (np.diff(by_level[:, ascending], axis=1) < 0).any(axis=1)
    return Coverage(
        np.array(levels), shares, by_bin, float((own * crossed).sum() / total) if total else float("nan")
    )
