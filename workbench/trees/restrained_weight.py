"""Leaf weights and gains under α (L1), the largest step δ and the bounds of monotone columns."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel

NOT_FOUND = -np.inf


@kernel
def restrained_weight(sum_gradient, sum_hessian, reg_lambda, restraints, low, high):
    """Return −soft(G, α)/(H+λ), at most δ in size, within the bounds."""
    alpha, step = restraints.rules.reg_alpha, restraints.rules.max_delta_step
    soft = 0.0
    if sum_gradient > alpha:
        soft = sum_gradient - alpha
    elif sum_gradient < -alpha:
        soft = sum_gradient + alpha
    denominator = sum_hessian + reg_lambda
    weight = -soft / denominator if denominator > 0.0 else 0.0
    if step > 0.0:
        weight = step if weight > step else weight
        weight = -step if weight < -step else weight
    weight = low if weight < low else weight
    return high if weight > high else weight


@kernel
def score_of_weight(sum_gradient, sum_hessian, weight, reg_lambda, reg_alpha):
    """Return Gw + ½(H+λ)w² + α|w|: what a leaf of this weight adds to the objective."""
    return (
        sum_gradient * weight + 0.5 * (sum_hessian + reg_lambda) * weight * weight + reg_alpha * abs(weight)
    )


@kernel
def leaf_score(sum_gradient, sum_hessian, reg_lambda, restraints, node):
    """Return what a node adds to the objective as a leaf."""
    low, high = restraints.bounds[node, 0], restraints.bounds[node, 1]
    weight = restrained_weight(sum_gradient, sum_hessian, reg_lambda, restraints, low, high)
    return score_of_weight(sum_gradient, sum_hessian, weight, reg_lambda, restraints.rules.reg_alpha)


@kernel
def gained_by_pull(sum_gradient, sum_hessian, reg_lambda, more_lambda, restraints, node):
    """Return how much a gain is too large that took the whole node with more of λ, as it did its parts."""
    if more_lambda <= 0.0:
        return 0.0
    pulled = leaf_score(sum_gradient, sum_hessian, reg_lambda + more_lambda, restraints, node)
    return pulled - leaf_score(sum_gradient, sum_hessian, reg_lambda, restraints, node)


@kernel
def restrained_gain(left_g, left_h, right_g, right_h, reg_lambda, restraints, direction, node, is_forced):
    """Return how much a split takes off the objective, without γ.

    Against a monotone column `NOT_FOUND`, or, where the split is forced, what it takes with equal weights on
    both sides. `direction` is that of the column asked about: 1, −1 or 0.
    """
    low, high = restraints.bounds[node, 0], restraints.bounds[node, 1]
    left = restrained_weight(left_g, left_h, reg_lambda, restraints, low, high)
    right = restrained_weight(right_g, right_h, reg_lambda, restraints, low, high)
    if direction * (right - left) < 0.0:
        if not is_forced:
            return NOT_FOUND
        left = right = 0.5 * (left + right)
    alpha = restraints.rules.reg_alpha
    return leaf_score(left_g + right_g, left_h + right_h, reg_lambda, restraints, node) - (
        score_of_weight(left_g, left_h, left, reg_lambda, alpha)
        + score_of_weight(right_g, right_h, right, reg_lambda, alpha)
    )
