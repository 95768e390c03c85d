"""The curvature of a deviance, under which several steps are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.linear.solving import LEAST_PIVOT, best_step, solve_factorised, solve_ridge

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Curvature:
    """Kept as long as steps shrink fast, and so is its factor.

    Parameters
    ----------
    gram : ndarray of float64, shape (Q, Q)
        H, by the coefficients of some classes.
    """

    def __init__(self, gram: NDArray[np.float64]) -> None:
        self._gram = gram
        self._factor: NDArray[np.float64] | None = None

    def best_step(
        self, gradient: NDArray[np.float64], beta: NDArray[np.float64], costs: NDArray[np.float64],
        l1: float, l2: float,
    ) -> NDArray[np.float64]:
        """Return what `solving.best_step` does, to the bit, under one λ: the factor is that of the first."""
        if l1 > 0.0:
            return best_step(gradient, self._gram, beta, costs, l1, l2)
        step = -gradient - l2 * costs * beta
        if self._factor is None:
            self._factor = self._gram + np.diag(l2 * costs)
            solve_ridge(self._factor, step, LEAST_PIVOT)
        else:
            solve_factorised(self._factor, step)
        return step
