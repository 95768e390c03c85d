"""The slow, obvious twin of a restrained split search: every split, tried on the rows themselves."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

FREE = (-np.inf, np.inf)


def objective(w, g, h, reg_lambda, reg_alpha):
    return g * w + 0.5 * (h + reg_lambda) * w * w + reg_alpha * abs(w)


def weight(g, h, params, rules, bounds=FREE):
    """Minimise the objective of a leaf numerically, within δ; then hold it to the bounds."""
    span = 1e6 if rules.max_delta_step == 0 else rules.max_delta_step
    if h + params.reg_lambda <= 0:
        return float(np.clip(0.0, *bounds))
    reach = min(span, (abs(g) + 1e-12) / (h + params.reg_lambda) * 1.01)
    best = minimize_scalar(
        objective, bounds=(-reach, reach), args=(g, h, params.reg_lambda, rules.reg_alpha), method="bounded",
        options={"xatol": 1e-12},
    ).x
    zero = objective(0.0, g, h, params.reg_lambda, rules.reg_alpha)
    if zero <= objective(best, g, h, params.reg_lambda, rules.reg_alpha):
        best = 0.0
    return float(np.clip(best, *bounds))


def leaf_objective(mask, g, h, params, rules, bounds):
    w = weight(g[mask].sum(), h[mask].sum(), params, rules, bounds)
    return objective(w, g[mask].sum(), h[mask].sum(), params.reg_lambda, rules.reg_alpha), w


def gain(left, g, h, params, rules, bounds, direction):
    """Return what a split takes off the objective less γ, and the children's weights; None if refused."""
    sides = left, ~left
    if min(side.sum() for side in sides) < max(1, rules.min_leaf_rows):
        return None
    if min(h[side].sum() for side in sides) < params.min_child_weight:
        return None
    (left_score, left_w), (right_score, right_w) = (
        leaf_objective(side, g, h, params, rules, bounds) for side in sides
    )
    if direction * (right_w - left_w) < 0:
        return None
    whole, _ = leaf_objective(np.ones(len(g), bool), g, h, params, rules, bounds)
    return whole - left_score - right_score - params.gamma, left_w, right_w


def bounds_below(bounds, direction, left_w, right_w):
    """Return the bounds of the left and the right child."""
    low, high = bounds
    middle = 0.5 * (left_w + right_w)
    if direction > 0:
        return (low, middle), (middle, high)
    if direction < 0:
        return (middle, high), (low, middle)
    return bounds, bounds
