"""What a split lowers, as a score that is larger where the sides are purer.

    squared            S_L²/W_L + S_R²/W_R
    gini               Σ_k L_k²/W_L + Σ_k R_k²/W_R
    entropy            Σ_k L_k ln(L_k/W_L) + Σ_k R_k ln(R_k/W_R)
    misclassification  max L_k + max R_k

S are sums of the numbers, W of the weights, L_k and R_k weights of class k.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel

SQUARED, GINI, ENTROPY, MISCLASSIFICATION = range(4)
IMPURITIES = {"gini": GINI, "entropy": ENTROPY, "misclassification": MISCLASSIFICATION}
NO_SPLIT = -np.inf


@kernel
def x_ln_x(x):
    """Return x ln x; 0 at and below 0."""
    return x * np.log(x) if x > 0.0 else 0.0


@kernel
def pair_score(criterion, weight, number, total_weight, total):
    """Return the score of a split of numbers, or of two classes that are the numbers 0 and 1.

    `NO_SPLIT` where a side weighs nothing. Squared error and Gini's impurity leave out what no split changes:
    S_L²/W_L + S_R²/W_R − S²/W = (S_L·W − S·W_L)² / (W·W_L·W_R).
    """
    other = total_weight - weight
    if not (weight > 0.0 and other > 0.0):
        return NO_SPLIT
    if criterion in (SQUARED, GINI):
        apart = number * total_weight - total * weight
        return apart * apart / (weight * other)
    rest = total - number
    if criterion == ENTROPY:
        left = x_ln_x(number) + x_ln_x(weight - number) - x_ln_x(weight)
        return left + x_ln_x(rest) + x_ln_x(other - rest) - x_ln_x(other)
    return max(number, weight - number) + max(rest, other - rest)


@kernel
def split_score(criterion, n_classes, left, added, total):
    """Return the score of a split; `NO_SPLIT` where a side weighs nothing.

    Parameters
    ----------
    n_classes : int
        0 where two sums tell all: the weight, and the weighted sum of numbers.
    left, added : ndarray of float64, shape (C,)
        What goes left, in two parts.
    total : ndarray of float64, shape (C,)
    """
    if n_classes == 0:
        return pair_score(criterion, left[0] + added[0], left[1] + added[1], total[0], total[1])
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
            a += x_ln_x(s)
            b += x_ln_x(r)
        else:
            a = s if s > a else a
            b = r if r > b else b
    if not (weight > 0.0 and other > 0.0):
        return NO_SPLIT
    if criterion == GINI:
        return a / weight + b / other
    if criterion == ENTROPY:
        return a - x_ln_x(weight) + b - x_ln_x(other)
    return a + b
