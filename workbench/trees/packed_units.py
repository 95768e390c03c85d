"""Sums of packed gradients as G, H and scores, and limits in their units."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.packing import GRADIENT_UNIT, HESSIAN_UNIT, LEAST_PACKED, SHIFT
from workbench.trees.structure_score import similarity

LEAST_PACKED_HESSIAN, MOST_PACKED_HESSIAN = 1.0, 2.0**62  # packed: a child must have some, and none has more


class PackedLimits(NamedTuple):
    """What a search holds splits against, in the units of packed hessians.

    Attributes
    ----------
    shift : int
        Bits of the hessian in a packed sum.
    reg_lambda : float
        λ; not 0 where the least hessian is.
    least_hessian : int
        Of a child, from 1.
    """

    shift: np.int64
    reg_lambda: float
    least_hessian: np.int64


@kernel
def unpack_gradient(packed_sum, scales):
    """Return G from a sum of packed gradients."""
    return (packed_sum >> np.int64(scales[SHIFT])) * scales[GRADIENT_UNIT]


@kernel
def unpack_hessian(packed_sum, scales):
    """Return H from a sum of packed gradients."""
    field = (np.int64(1) << np.int64(scales[SHIFT])) - 1
    return (packed_sum & field) * scales[HESSIAN_UNIT]


@kernel
def packed_similarity(packed_sum, scales, reg_lambda):
    """Return G²/(H+λ) of a sum of packed gradients."""
    return similarity(unpack_gradient(packed_sum, scales), unpack_hessian(packed_sum, scales), reg_lambda)


@kernel
def in_packed_units(hessian, scales):
    """Return a hessian in the units of packed ones."""
    return hessian / (scales[HESSIAN_UNIT] if scales[HESSIAN_UNIT] > 0.0 else 1.0)


@kernel
def packed_limits(reg_lambda, min_child_weight, scales):
    """Return `PackedLimits`."""
    reg_lambda = in_packed_units(reg_lambda, scales)
    least = np.ceil(in_packed_units(min_child_weight, scales))
    least = min(max(least, scales[LEAST_PACKED], LEAST_PACKED_HESSIAN), MOST_PACKED_HESSIAN)
    return PackedLimits(np.int64(scales[SHIFT]), reg_lambda, np.int64(least))


@kernel
def least_hessian(min_child_weight, scales):
    """Return the least H of a child, where sums of packed hessians are unpacked."""
    return max(min_child_weight, scales[LEAST_PACKED] * scales[HESSIAN_UNIT])


@kernel
def gain_of(score, packed_sum, scales, reg_lambda, gamma):
    """Return the gain of a node's split from its score, which is in units of packed gradients."""
    unit = scales[HESSIAN_UNIT] if scales[HESSIAN_UNIT] > 0.0 else 1.0
    after = score * scales[GRADIENT_UNIT] * scales[GRADIENT_UNIT] / unit
    return 0.5 * (after - packed_similarity(packed_sum, scales, reg_lambda)) - gamma
