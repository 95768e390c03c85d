"""How much one column alone tells of the target, whatever trees are grown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset

MOST_ROWS = 10_000  # looked at, evenly spread; more say the same
FEWEST_BINS, MOST_BINS = 4, 64


class ToldAlone:
    """Measures columns of the training rows.

    Parameters
    ----------
    data : Dataset
    weight : ndarray of float64, shape (n,), or None
        Of the training rows.
    """

    def __init__(self, data: Dataset, weight: NDArray[np.float64] | None) -> None:
        self._data, self._weight = data, weight

    def of(self, feature: int) -> float:
        """Return the correlation ratio η² of the target, from 0 to 1, with the column in bins.

        Missing values are a bin of their own, and so is each category; there are about √n bins of numbers.
        η² is corrected for their number, as R² is. Of several classes it is taken of the indicator of each,
        and they count by their variances.
        """
        rows, weight = self._rows()
        bins = self._bins(feature, rows)
        n_bins = int(bins.max(initial=0)) + 1
        total = np.bincount(bins, weight, n_bins)
        filled = total > 0
        degrees = len(rows) - int(filled.sum())
        if degrees <= len(rows) / 2:
            return 0.0
        between = within = 0.0
        for target in self._targets(rows):
            mean = np.average(target, weights=weight)
            means = np.bincount(bins, weight * target, n_bins)[filled] / total[filled]
            all_of_it = float(np.sum(weight * (target - mean) ** 2))
            between += float(np.sum(total[filled] * (means - mean) ** 2))
            within += all_of_it
        if not within > 0:
            return 0.0
        return max(0.0, 1.0 - (1.0 - between / within) * (len(rows) - 1) / degrees)

    def _rows(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the rows that are looked at and have a weight, and their weights."""
        rows = self._data.train_rows
        taken = slice(None, None, max(1, -(-len(rows) // MOST_ROWS)))
        rows = rows[taken]
        weight = np.ones(len(rows)) if self._weight is None else self._weight[taken]
        return rows[weight > 0], weight[weight > 0]

    def _targets(self, rows: NDArray[np.int64]) -> list[NDArray[np.float64]]:
        target, n_classes = self._data.target[rows], len(self._data.schema.class_labels)
        if n_classes <= 2:
            return [target]
        return [(target == k).astype(np.float64) for k in range(n_classes)]

    def _bins(self, feature: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        values = self._data.features[rows, feature].astype(np.float64)
        known = ~np.isnan(values)
        found = np.zeros(len(values), np.int64)
        if self._data.schema.features[feature].is_categorical:
            found[known] = values[known].astype(np.int64) + 1
        elif known.any():
            n_bins = int(np.clip(np.sqrt(len(rows)), FEWEST_BINS, MOST_BINS))
            cuts = np.unique(np.quantile(values[known], np.arange(1, n_bins) / n_bins))
            found[known] = np.searchsorted(cuts, values[known]) + 1
        return found
