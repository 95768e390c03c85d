"""Gradients as integers, gradient and hessian of a row packed into one int64.

    bit 63 ................ shift | shift-1 ............ 0
        gradient, signed          | hessian, not negative

One addition sums both, and sums of integers do not depend on the order of adding: histograms come out
the same for any number of threads. The scales are such that no sum over any set of rows overflows its
field. Only the search for splits reads these sums; stored G, H and weights come from full precision.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from workbench.trees.instructions import bits_of
from workbench.trees.parallel import part_begin, parts_for

HESSIAN_BITS = 30
SIGNED_SUM_BITS = 62
TINY = 1e-200  # sums below count as zero: their scale would overflow
MOST_GRADIENT_BITS = 46  # what rounding by adding 1.5 · 2**52 can hold, and some
BLOCK_ROWS = 8192
N_SCALES = 5
ROUNDING = 6755399441055744.0  # 1.5 * 2**52: adding it leaves the nearest integer in the low bits
GOLDEN = 2654435769  # 2**32 / golden ratio: its multiples spread evenly over 32 bits


@njit(cache=True, nogil=True, error_model="numpy")
def _sums_of_block(gradients, hessians, begin, end, sums):
    """Write Σ|g|, Σh, min h and max h of rows begin … end−1 to `sums`, by four accumulators."""
    g0 = g1 = g2 = g3 = h0 = h1 = h2 = h3 = 0.0
    low = high = hessians[begin]
    whole = begin + (end - begin) // 4 * 4
    for i in range(begin, whole, 4):
        g0 += abs(gradients[i])
        g1 += abs(gradients[i + 1])
        g2 += abs(gradients[i + 2])
        g3 += abs(gradients[i + 3])
        h0 += hessians[i]
        h1 += hessians[i + 1]
        h2 += hessians[i + 2]
        h3 += hessians[i + 3]
    for i in range(whole, end):
        g0 += abs(gradients[i])
        h0 += hessians[i]
    for i in range(begin, end):
        low = hessians[i] if hessians[i] < low else low
        high = hessians[i] if hessians[i] > high else high
    sums[0] = (g0 + g1) + (g2 + g3)
    sums[1] = (h0 + h1) + (h2 + h3)
    sums[2] = low
    sums[3] = high


@njit(cache=True, nogil=True, error_model="numpy")
def _sum_part(part, parts, gradients, hessians, sums):
    """Fill `sums` for this part's share of the blocks."""
    n_rows = len(gradients)
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        begin = block * BLOCK_ROWS
        end = begin + BLOCK_ROWS if begin + BLOCK_ROWS < n_rows else n_rows
        _sums_of_block(gradients, hessians, begin, end, sums[block])


@njit(cache=True, nogil=True, error_model="numpy")
def choose_scales(sums, n_rows, scales):
    """Choose the scales from the sums of blocks; see `pack_gradients`."""
    total_gradient = total_hessian = 0.0
    low, high = sums[0, 2], sums[0, 3]
    for block in range(len(sums)):
        total_gradient += sums[block, 0]
        total_hessian += sums[block, 1]
        low = sums[block, 2] if sums[block, 2] < low else low
        high = sums[block, 3] if sums[block, 3] > high else high
    shift = HESSIAN_BITS
    room = float((1 << shift) - 1 - n_rows)
    hessian_scale = room / total_hessian if total_hessian > TINY else 0.0
    if low == high and high > TINY:
        shift = 1
        while (1 << shift) <= n_rows:
            shift += 1
        hessian_scale = 1.0 / high
    bits = SIGNED_SUM_BITS - shift
    room = float((1 << (bits if bits < MOST_GRADIENT_BITS else MOST_GRADIENT_BITS)) - n_rows)
    scales[0] = shift
    scales[1] = room / total_gradient if total_gradient > TINY else 0.0
    scales[2] = hessian_scale
    scales[3] = 1.0 / scales[1] if scales[1] > 0.0 else 0.0
    scales[4] = 1.0 / scales[2] if scales[2] > 0.0 else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _pack_part(part, parts, gradients, hessians, scales, packed):
    """Round each row up or down by a fixed dither of its index, so that sums are right on average."""
    zero = bits_of(ROUNDING)
    shift = np.int64(scales[0])
    gradient_scale = scales[1]
    hessian_scale = scales[2]
    n_rows = len(packed)
    for i in range(part_begin(part, parts, n_rows), part_begin(part + 1, parts, n_rows)):
        spread = np.uint32(np.uint32(i) * np.uint32(GOLDEN))
        dither = np.float64(np.int32(spread)) * 2.0**-32
        g = bits_of(gradients[i] * gradient_scale + dither + ROUNDING) - zero
        h = bits_of(hessians[i] * hessian_scale - dither * 0.999 + ROUNDING) - zero
        packed[i] = (g << shift) + h


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def pack_gradients(threads, gradients, hessians, packed, sums, scales):
    """Scale, round and pack the gradients and hessians of all rows.

    Equal hessians become 1 exactly, so that their sums are counts; others share `HESSIAN_BITS` bits.
    The gradients get the rest, scaled by Σ|g| (not by n·max|g|), so one outlier costs no precision.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (n,)
    packed : ndarray of int64, shape (n,)
        Filled.
    sums : ndarray of float64, shape (ceil(n / BLOCK_ROWS), 4)
        Room for the sums of blocks.
    scales : ndarray of float64, shape (N_SCALES,)
        Filled with the shift, gradient and hessian scale (integers a unit), and their reciprocals.
    """
    parts = parts_for(threads, len(packed))
    if parts == 1:
        _sum_part(np.int64(0), parts, gradients, hessians, sums)
        choose_scales(sums, len(packed), scales)
        _pack_part(np.int64(0), parts, gradients, hessians, scales, packed)
    else:
        for part in prange(parts):
            _sum_part(np.int64(part), parts, gradients, hessians, sums)
        choose_scales(sums, len(packed), scales)
        for part in prange(parts):
            _pack_part(np.int64(part), parts, gradients, hessians, scales, packed)
