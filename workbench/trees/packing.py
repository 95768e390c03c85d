"""Gradients as integers, gradient and hessian of a row packed into one int64.

    bit 63 ................ shift | shift-1 ............ 0
        gradient, signed          | hessian, not negative

One addition sums both, and sums of integers do not depend on the order of adding: histograms come out
the same for any number of threads. The scales are such that no sum over any set of rows overflows its
field. Only the search for splits reads these sums; stored G, H and weights come from full precision.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit, prange, types
from numba.extending import intrinsic

from workbench.trees.parallel import part_begin, parts_for

HESSIAN_BITS = 30
SIGNED_SUM_BITS = 62
BLOCK_ROWS = 8192
ROUNDING = 6755399441055744.0  # 1.5 * 2**52: adding it leaves the nearest integer in the low bits
GOLDEN = 2654435769  # 2**32 / golden ratio: its multiples spread evenly over 32 bits


@intrinsic
def bits_of(typing_context, number):
    """Return the bits of a float64 as an int64."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@njit(cache=True, nogil=True, error_model="numpy")
def _sums_of_block(gradients, hessians, begin, end, sums):
    """Σ|g|, Σh, min h and max h of rows begin … end−1 into `sums`, by eight accumulators each."""
    g = np.zeros(8)
    h = np.zeros(8)
    low = hessians[begin]
    high = hessians[begin]
    whole = begin + (end - begin) // 8 * 8
    for i in range(begin, whole, 8):
        for j in range(8):
            g[j] += abs(gradients[i + j])
            h[j] += hessians[i + j]
    for i in range(whole, end):
        g[0] += abs(gradients[i])
        h[0] += hessians[i]
    for i in range(begin, end):
        low = hessians[i] if hessians[i] < low else low
        high = hessians[i] if hessians[i] > high else high
    sums[0] = g.sum()
    sums[1] = h.sum()
    sums[2] = low
    sums[3] = high


@njit(cache=True, nogil=True, error_model="numpy")
def _choose_scales(sums, n_rows, scales):
    """Choose shift, gradient scale and hessian scale from Σ|g|, Σh, min h, max h; see `pack_gradients`."""
    total_gradient = sums[:, 0].sum()
    total_hessian = sums[:, 1].sum()
    low = sums[:, 2].min()
    high = sums[:, 3].max()
    if low == high and high > 0.0:
        shift = 1
        while (1 << shift) <= n_rows:
            shift += 1
        hessian_scale = 1.0 / high
    else:
        shift = HESSIAN_BITS
        room = float((1 << shift) - 1 - n_rows)
        hessian_scale = room / total_hessian if total_hessian > 0.0 else 0.0
    room = 2.0 ** min(SIGNED_SUM_BITS - shift, 46) - n_rows
    scales[0] = shift
    scales[1] = room / total_gradient if total_gradient > 0.0 else 0.0
    scales[2] = hessian_scale


@njit(cache=True, nogil=True, error_model="numpy")
def _pack_rows(gradients, hessians, begin, end, shift, gradient_scale, hessian_scale, packed):
    """Round each row up or down by a fixed dither of its index, so that sums are right on average."""
    zero = bits_of(ROUNDING)
    for i in range(begin, end):
        spread = np.uint32(np.uint32(i) * np.uint32(GOLDEN))
        dither = np.float64(np.int32(spread)) * 2.0**-32
        g = bits_of(gradients[i] * gradient_scale + dither + ROUNDING) - zero
        h = bits_of(hessians[i] * hessian_scale - dither * 0.999 + ROUNDING) - zero
        packed[i] = (g << shift) + h


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def pack_gradients(gradients, hessians, packed, threads):
    """Scale, round and pack the gradients and hessians of all rows.

    Equal hessians become 1 exactly, so that their sums are counts; others share `HESSIAN_BITS` bits.
    The gradients get the rest, scaled by Σ|g| (not by n·max|g|), so one outlier costs no precision.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (n,)
    packed : ndarray of int64, shape (n,)
        Filled.

    Returns
    -------
    ndarray of float64, shape (3,)
        Shift, gradient scale, hessian scale: integers a unit.
    """
    n_rows = len(gradients)
    n_blocks = (n_rows + BLOCK_ROWS - 1) // BLOCK_ROWS
    sums = np.empty((n_blocks, 4))
    scales = np.empty(3)
    parts = parts_for(threads, n_rows)
    if parts == 1:
        for block in range(n_blocks):
            _sums_of_block(
                gradients, hessians, block * BLOCK_ROWS, min(n_rows, (block + 1) * BLOCK_ROWS), sums[block]
            )
        _choose_scales(sums, n_rows, scales)
        shift = np.int64(scales[0])
        _pack_rows(gradients, hessians, np.int64(0), n_rows, shift, scales[1], scales[2], packed)
        return scales
    for block in prange(n_blocks):
        begin = np.int64(block) * BLOCK_ROWS
        _sums_of_block(gradients, hessians, begin, min(n_rows, begin + BLOCK_ROWS), sums[block])
    _choose_scales(sums, n_rows, scales)
    shift = np.int64(scales[0])
    for part in prange(parts):
        begin = np.int64(part_begin(np.int64(part), parts, n_rows))
        end = np.int64(part_begin(np.int64(part) + 1, parts, n_rows))
        _pack_rows(gradients, hessians, begin, end, shift, scales[1], scales[2], packed)
    return scales
