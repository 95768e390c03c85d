"""The least of a penalised quadratic: coordinate by coordinate, or at once where there is no L1.

    q(d) = gᵀd + ½ dᵀH d + l1·Σ c|β + d| + ½ l2·Σ c(β + d)²

where c is 1, but 0 for the intercepts, which have no penalty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SWEEPS = 20_000
PRECISE = 1e-13  # of the largest change that a sweep makes, by the square root of h
LEAST_PIVOT = 1e-12  # of the diagonal: below, a column is a sum of those before it


@kernel
def soft(value, threshold):
    """Return the value drawn towards 0 by the threshold."""
    if value > threshold:
        return value - threshold
    return value + threshold if value < -threshold else 0.0


@kernel
def descend(gram, residual, coefficients, costs, l1, l2, tolerance, most, step):
    """Sweep over all coordinates until none changes any more; return the number of sweeps.

    Parameters
    ----------
    gram : ndarray of float64, shape (Q, Q)
        H.
    residual : ndarray of float64, shape (Q,)
        g + H d; it is kept so.
    coefficients : ndarray of float64, shape (Q,)
        β.
    costs : ndarray of float64, shape (Q,)
        c.
    tolerance : float
        Largest change of a sweep, times √h.
    step : ndarray of float64, shape (Q,)
        d, from where it stands; it is moved.
    """
    for sweep in range(most):
        largest = 0.0
        for j in range(len(step)):
            h = gram[j, j]
            if h <= 0.0:
                continue
            old = coefficients[j] + step[j]
            new = soft(h * old - residual[j], costs[j] * l1) / (h + costs[j] * l2)
            change = new - old
            if change != 0.0:
                step[j] += change
                for k in range(len(step)):
                    residual[k] += change * gram[j, k]
                largest = max(largest, abs(change) * np.sqrt(h))
        if largest <= tolerance:
            return sweep + 1
    return most


@kernel
def factorise(matrix, least):
    """Make the lower half of a matrix, shape (Q, Q), its Cholesky factor.

    Columns that are sums of those before them, whose pivot is below `least` of their diagonal, are left out:
    their part of the factor becomes that of a column of its own that is infinitely stiff.
    """
    for j in range(len(matrix)):
        diagonal = matrix[j, j]
        pivot = diagonal
        for k in range(j):
            pivot -= matrix[j, k] * matrix[j, k]
        if pivot <= least * diagonal:
            matrix[j, j] = np.inf
            for i in range(j + 1, len(matrix)):
                matrix[i, j] = 0.0
            continue
        root = np.sqrt(pivot)
        matrix[j, j] = root
        for i in range(j + 1, len(matrix)):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = total / root


@kernel
def solve_factorised(factor, vector):
    """Replace a vector, shape (Q,), by the solution of L Lᵀ x = vector."""
    for i in range(len(vector)):
        for k in range(i):
            vector[i] -= factor[i, k] * vector[k]
        vector[i] /= factor[i, i]
    for i in range(len(vector) - 1, -1, -1):
        for k in range(i + 1, len(vector)):
            vector[i] -= factor[k, i] * vector[k]
        vector[i] /= factor[i, i]


@kernel
def solve_ridge(matrix, vector, least):
    """Replace a vector by the solution of matrix · x = vector; the matrix becomes its factor."""
    factorise(matrix, least)
    solve_factorised(matrix, vector)


def best_step(
    gradient: NDArray[np.float64],
    gram: NDArray[np.float64],
    coefficients: NDArray[np.float64],
    costs: NDArray[np.float64],
    l1: float,
    l2: float,
    scale: float = 1.0,
) -> NDArray[np.float64]:
    """Return the d at which q is least, shape (Q,).

    Parameters
    ----------
    gradient, gram
        g and H.
    coefficients : ndarray of float64, shape (Q,)
        β.
    costs : ndarray of float64, shape (Q,)
        c.
    scale : float
        Size of what is predicted, for the tolerance.
    """
    step = np.zeros(len(gradient))
    if l1 == 0.0:
        step[:] = -gradient - l2 * costs * coefficients
        matrix = gram + np.diag(l2 * costs)
        solve_ridge(matrix, step, LEAST_PIVOT)
        return step
    descend(gram, gradient.copy(), coefficients, costs, l1, l2, PRECISE * scale, MOST_SWEEPS, step)
    return step
