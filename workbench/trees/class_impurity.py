"""How mixed the classes of nodes are, and what a split lowers that by; in NumPy, of many nodes at once.

    gini                Σ p(1 − p)
    entropy             −Σ p·log₂ p
    misclassification   1 − max p

as scikit-learn has them; a split lowers it by Δ = n·i − n_L·i_L − n_R·i_R, n the weight of the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def class_impurity(counts: NDArray[np.floating[Any]], criterion: str) -> NDArray[np.float64]:
    """Return n·i of some rows, shape (…).

    Parameters
    ----------
    counts : ndarray, shape (…, K)
        Weight of each class; what rounding leaves below 0 is 0.
    criterion : str
        A value of the parameter `criterion`.
    """
    counts = np.maximum(counts, 0.0)
    n = counts.sum(axis=-1)
    if criterion == "misclassification":
        return np.asarray(n - counts.max(axis=-1))
    p = np.divide(counts, n[..., None], out=np.zeros(counts.shape), where=n[..., None] > 0.0)
    if criterion == "entropy":
        return np.asarray(-n * (p * np.log2(np.where(p > 0.0, p, 1.0))).sum(axis=-1)) + 0.0
    return np.asarray(n * (p * (1.0 - p)).sum(axis=-1))


def impurity_decrease(
    left: NDArray[np.float64], right: NDArray[np.float64], criterion: str
) -> NDArray[np.float64]:
    """Return Δ of splits, shape (…), from the weights of the classes on both sides; never below 0."""
    whole, yes, no = (class_impurity(counts, criterion) for counts in (left + right, left, right))
    return np.maximum(whole - yes - no, 0.0)


def class_counts(
    sum_gradients: NDArray[np.float64], sum_hessian: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weight of each class, shape (n, K), from the sums of trees of class shares.

    Parameters
    ----------
    sum_gradients : ndarray of float64, shape (trees, n)
        G of each class's tree; of two classes there is one tree, of the second.
    sum_hessian : ndarray of float64, shape (n,)
    """
    counts = -sum_gradients.T
    if counts.shape[1] > 1:
        return np.asarray(counts)
    return np.hstack([sum_hessian[:, None] - counts, counts])
