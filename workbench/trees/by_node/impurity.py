"""What a split lowers, as a score that is larger where the sides are purer.

    squared            S_L²/W_L + S_R²/W_R             S sums of the numbers, W of the weights
    gini               Σ_k L_k²/W_L + Σ_k R_k²/W_R     L_k, R_k weights of class k
    entropy            Σ_k L_k ln(L_k/W_L) + Σ_k R_k ln(R_k/W_R)
    misclassification  max L_k + max R_k
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel

SQUARED, GINI, ENTROPY, MISCLASSIFICATION = range(4)
IMPURITIES = {"gini": GINI, "entropy": ENTROPY, "misclassification": MISCLASSIFICATION}
NO_SPLIT = -np.inf


@kernel
def split_score(criterion, left, added, total, right):
    """Return the score of a split; `NO_SPLIT` where a side weighs nothing.

    Parameters
    ----------
    left, added : ndarray of float64, shape (C,)
        What goes left, in two parts.
    total : ndarray of float64, shape (C,)
    right : ndarray of float64, shape (C,)
        Room.
    """
    if criterion == SQUARED:
        weight, s = left[0] + added[0], left[1] + added[1]
        other, r = total[0] - weight, total[1] - s
        return s * s / weight + r * r / other if weight > 0.0 and other > 0.0 else NO_SPLIT
    weight, other = 0.0, 0.0
    a, b = 0.0, 0.0
    for k in range(len(total)):
        s = left[k] + added[k]
        r = total[k] - s
        r = r if r > 0.0 else 0.0
        weight += s
        other += r
        if criterion == GINI:
            a += s * s
            b += r * r
        elif criterion == ENTROPY:
            a += s * np.log(s) if s > 0.0 else 0.0
            b += r * np.log(r) if r > 0.0 else 0.0
        else:
            a = s if s > a else a
            b = r if r > b else b
    if not (weight > 0.0 and other > 0.0):
        return NO_SPLIT
    if criterion == GINI:
        return a / weight + b / other
    if criterion == ENTROPY:
        return a - weight * np.log(weight) + b - other * np.log(other)
    return a + b
