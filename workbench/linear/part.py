"""The weights of the columns after one round of a path."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.linear.columns import LinearColumns
    from workbench.threads.team import Team


@dataclass(frozen=True, eq=False)
class LinearPart:
    """A linear model of K raw predictions a row, as it stands after a round.

    Attributes
    ----------
    columns : LinearColumns
    coefficients : ndarray of float64, shape (K, P)
        Of the standardised columns.
    intercepts : ndarray of float64, shape (K,)
        Raw prediction where every column is at its mean; base and leaves of the ensemble add up to it.
    reg_lambda, l1_ratio : float
        λ and ρ.
    """

    columns: LinearColumns
    coefficients: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    reg_lambda: float
    l1_ratio: float

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The coefficients of the columns as they are in the table, shape (K, P)."""
        return np.asarray(self.coefficients / self.columns.scales)

    @cached_property
    def shifts(self) -> NDArray[np.float64]:
        """What the shares of a feature's categories take from every row, shape (K, d); 0 for numbers."""
        taken = np.add.reduceat(self.weights * self.columns.centres, self.columns.arrays.begins[:-1], axis=1)
        return np.where(self.columns.arrays.is_category, -taken, 0.0)

    @property
    def plain_intercepts(self) -> NDArray[np.float64]:
        """Raw prediction where every column of the table is 0, shape (K,)."""
        return np.asarray(self.intercepts - self.weights @ self.columns.centres)

    @property
    def penalty(self) -> float:
        """λ·(ρ·Σ|β| + ½(1 − ρ)·Σβ²)."""
        sizes, squares = float(np.abs(self.coefficients).sum()), float((self.coefficients**2).sum())
        return self.reg_lambda * (self.l1_ratio * sizes + 0.5 * (1.0 - self.l1_ratio) * squares)

    @property
    def importance(self) -> NDArray[np.float64]:
        """|β| of the standardised columns, summed over each feature's and over outputs, shape (d,)."""
        sizes = np.abs(self.coefficients).sum(axis=0)
        return np.bincount(self.columns.features, sizes, len(self.columns.levels)).astype(np.float64)

    def add_to(self, raw: NDArray[np.float64], rows: Any, team: Team) -> None:
        """Add what the columns weigh, without intercepts, to raw predictions, shape (K, n).

        Parameters
        ----------
        rows : RowsInMemory
        """
        from workbench.linear.sums import add_weighed

        arrays = self.columns.arrays
        team.share(add_weighed, raw.shape[1], rows, arrays, self.weights, self.shifts, raw)

    def contributions(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return what each feature adds to the raw predictions of rows, shape (n, K, d)."""
        begins = self.columns.arrays.begins
        shares = np.zeros((len(features), *self.shifts.shape))
        for j, levels in enumerate(self.columns.levels):
            x = features[:, j].astype(np.float64)
            known = ~np.isnan(x)
            if levels:
                shares[:, :, j] = self.shifts[:, j]
                known &= (x >= 0) & (x < levels)
                shares[known, :, j] += self.weights[:, begins[j] + x[known].astype(np.int64)].T
            else:
                apart = x[known] - self.columns.centres[begins[j]]
                shares[known, :, j] = apart[:, None] * self.weights[:, begins[j]]
        return shares
