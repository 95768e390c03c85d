"""Monotone constraints: the prediction may only rise with a column, or only fall.

A node of a tree with monotone columns has bounds for its weight. A split on such a column sets the bound
between its children midway between their weights, as XGBoost does:

    increasing, parent in [a, b]      left in [a, (w_L + w_R) / 2]      right in [(w_L + w_R) / 2, b]

A split whose weights stand against its column gains nothing; see `restrained_gain`.
"""

from __future__ import annotations

from workbench.kernels.kernel import kernel
from workbench.trees.restrained_weight import restrained_weight


@kernel
def bound_root(restraints):
    """Let the root weigh what the rules let the first node: anything, but where a part of a tree grows."""
    restraints.bounds[0, 0] = restraints.rules.first.low
    restraints.bounds[0, 1] = restraints.rules.first.high


@kernel
def middle_weight(left_g, left_h, right_g, right_h, reg_lambda, restraints, node):
    """Return what lies midway between the weights of a split's sides."""
    low, high = restraints.bounds[node, 0], restraints.bounds[node, 1]
    left = restrained_weight(left_g, left_h, reg_lambda, restraints, low, high)
    right = restrained_weight(right_g, right_h, reg_lambda, restraints, low, high)
    return 0.5 * (left + right)


@kernel
def bound_children(bounds, node, child, direction, middle):
    """Write the bounds of a split node's children, `child` and `child + 1`."""
    for side in range(2):
        bounds[child, side] = bounds[child + 1, side] = bounds[node, side]
    if direction != 0:
        rises = direction > 0
        bounds[child, 1 if rises else 0] = middle
        bounds[child + 1, 0 if rises else 1] = middle
