"""The second-order figures of a node: leaf weight, structure score, gain of a split.

All take full-precision sums; where H + λ is not positive a node weighs nothing and scores nothing.
"""

from __future__ import annotations

from workbench.kernels.kernel import kernel

XGBOOST_EPSILON = 1e-6
LEAST_LOSS_CHANGE = XGBOOST_EPSILON / 2  # XGBoost asks its doubled gain to exceed 1e-6


@kernel
def leaf_weight(sum_gradient, sum_hessian, reg_lambda):
    """Return w* = −G / (H + λ)."""
    denominator = sum_hessian + reg_lambda
    return -sum_gradient / denominator if denominator > 0.0 else 0.0


@kernel
def similarity(sum_gradient, sum_hessian, reg_lambda):
    """Return G² / (H + λ): −2 times a leaf's part of the structure score."""
    denominator = sum_hessian + reg_lambda
    return sum_gradient * sum_gradient / denominator if denominator > 0.0 else 0.0


@kernel
def split_gain(left_gradient, left_hessian, right_gradient, right_hessian, reg_lambda, gamma):
    """Return ½[G_L²/(H_L+λ) + G_R²/(H_R+λ) − G²/(H+λ)] − γ."""
    both = similarity(left_gradient + right_gradient, left_hessian + right_hessian, reg_lambda)
    left = similarity(left_gradient, left_hessian, reg_lambda)
    right = similarity(right_gradient, right_hessian, reg_lambda)
    return 0.5 * (left + right - both) - gamma


@kernel
def is_worth_splitting(gain, params):
    """Whether a split is made: ½[…] above the tolerance, and what it costs (γ) not above what it gains.

    Where γ prunes afterwards, the second is not asked yet.
    """
    return (params.post_pruning or gain >= 0.0) and gain + params.gamma > params.least_gain
