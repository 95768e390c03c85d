"""Gradients as integers, gradient and hessian of a row packed into one int64.

    bit 63 ................ shift | shift-1 ............ 0
        gradient, signed          | hessian, not negative

One addition sums both, and sums of integers do not depend on the order of adding: histograms come out
the same for any number of threads. The scales are such that no sum over any set of rows overflows its
field. Only the search for splits reads these sums; stored G, H and weights come from full precision.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import ROUNDING, bits_of, number_of
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin

HESSIAN_BITS = 30
SIGNED_SUM_BITS = 62
TINY = 1e-200  # sums below count as zero: their scale would overflow
MOST_GRADIENT_BITS = 46  # what rounding by adding 1.5 · 2**52 can hold, and some
SCALE_BLOCK_ROWS = 8192

# Fields of the scales: bits of the hessian; integers a unit; units an integer; Σg²/Σh, which is what
# G²/H of a row is on average where nothing is left to learn; Σh a row; least packed hessian of a child, or 0.
(
    SHIFT, GRADIENT_SCALE, HESSIAN_SCALE, GRADIENT_UNIT, HESSIAN_UNIT, NOISE, MEAN_HESSIAN, LEAST_PACKED,
) = range(8)
N_SCALES = 8

# Fields of the sums of a block of rows.
ABS_GRADIENT, HESSIAN, FIRST_HESSIAN, HESSIANS_DIFFER, SQUARE_GRADIENT = range(5)
N_GRADIENT_SUMS = 5

# The float64 with these bits and a whole number below 2**52 in the last ones is 2**52 more than that number:
# so vectors turn integers into floats where the processor has no instruction for it.
WHOLE, WHOLE_BITS = 2.0**52, np.int64(0x4330000000000000)
GOLDEN = 2654435769  # 2**32 / golden ratio: its multiples spread evenly over 32 bits


@kernel
def gradient_of(packed, shift):
    """Return the gradient of a packed sum as a float, in packed units; lifted above 0 on the way."""
    lift_bits = MOST_GRADIENT_BITS + 1 + shift
    lift = np.int64(1) << (lift_bits if lift_bits < SIGNED_SUM_BITS else SIGNED_SUM_BITS)
    lifted = np.uint64(packed + lift) >> np.uint64(shift)
    return number_of(np.int64(lifted) | WHOLE_BITS) - (WHOLE + np.float64(lift >> shift))


@kernel
def hessian_of(packed, shift):
    """Return the hessian of a packed sum as a float, in packed units."""
    return number_of((packed & ((np.int64(1) << shift) - 1)) | WHOLE_BITS) - WHOLE


@kernel
def _sums_of_block(gradients, hessians, sums):
    """Write Σ|g|, Σh, the first h, whether another differs, and Σg² of a block of rows to `sums`.

    By four accumulators; and differences are sought in bits: both can be done in vectors.
    """
    g0 = g1 = g2 = g3 = h0 = h1 = h2 = h3 = s0 = s1 = s2 = s3 = 0.0
    first, differing = bits_of(hessians[0]), np.int64(0)
    n = len(gradients)
    whole = n // 4 * 4
    for i in range(0, whole, 4):
        g0 += abs(gradients[i])
        g1 += abs(gradients[i + 1])
        g2 += abs(gradients[i + 2])
        g3 += abs(gradients[i + 3])
        h0 += hessians[i]
        h1 += hessians[i + 1]
        h2 += hessians[i + 2]
        h3 += hessians[i + 3]
        s0 += gradients[i] * gradients[i]
        s1 += gradients[i + 1] * gradients[i + 1]
        s2 += gradients[i + 2] * gradients[i + 2]
        s3 += gradients[i + 3] * gradients[i + 3]
    for i in range(whole, n):
        g0 += abs(gradients[i])
        h0 += hessians[i]
        s0 += gradients[i] * gradients[i]
    for i in range(n):
        differing |= bits_of(hessians[i]) ^ first
    sums[ABS_GRADIENT] = (g0 + g1) + (g2 + g3)
    sums[HESSIAN] = (h0 + h1) + (h2 + h3)
    sums[FIRST_HESSIAN] = hessians[0]
    sums[HESSIANS_DIFFER] = differing != 0
    sums[SQUARE_GRADIENT] = (s0 + s1) + (s2 + s3)


@kernel(apart=True)
def sum_gradients_part(part, parts, gradients, hessians, sums):
    """Fill the sums of this part's share of the blocks of rows.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (n,)
    sums : ndarray of float64, shape (ceil(n / SCALE_BLOCK_ROWS), N_GRADIENT_SUMS)
    """
    n_rows = len(gradients)
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        begin = block * SCALE_BLOCK_ROWS
        end = begin + SCALE_BLOCK_ROWS if begin + SCALE_BLOCK_ROWS < n_rows else n_rows
        _sums_of_block(gradients[begin:end], hessians[begin:end], sums[block])


@kernel(apart=True)
def choose_scales(sums, n_rows, scales):
    """Choose how gradients and hessians are scaled, from the sums of the blocks of all rows.

    Equal hessians become 1 exactly, so that their sums are counts; others share `HESSIAN_BITS` bits.
    The gradients get the rest, scaled by Σ|g| (not by n·max|g|), so one outlier costs no precision.

    Parameters
    ----------
    sums : ndarray of float64, shape (blocks, N_GRADIENT_SUMS)
    scales : ndarray of float64, shape (N_SCALES,)
        Filled.
    """
    total_gradient = total_hessian = total_square = 0.0
    first, all_alike = sums[0, FIRST_HESSIAN], True
    for block in range(len(sums)):
        total_gradient += sums[block, ABS_GRADIENT]
        total_hessian += sums[block, HESSIAN]
        total_square += sums[block, SQUARE_GRADIENT]
        all_alike &= sums[block, HESSIANS_DIFFER] == 0.0 and sums[block, FIRST_HESSIAN] == first
    shift = HESSIAN_BITS
    largest_sum = float((1 << shift) - 1 - n_rows)
    hessian_scale = largest_sum / total_hessian if total_hessian > TINY else 0.0
    if all_alike and first > TINY:
        shift = 1
        while (1 << shift) <= n_rows:
            shift += 1
        hessian_scale = 1.0 / first
    elif hessian_scale > 0.0:
        # A power of two packs whole numbers (weights, often) exactly: no child is refused for rounding.
        hessian_scale = 2.0 ** np.floor(np.log2(hessian_scale))
    bits = SIGNED_SUM_BITS - shift
    largest_sum = float((1 << (bits if bits < MOST_GRADIENT_BITS else MOST_GRADIENT_BITS)) - n_rows)
    scales[SHIFT] = shift
    scales[GRADIENT_SCALE] = largest_sum / total_gradient if total_gradient > TINY else 0.0
    scales[HESSIAN_SCALE] = hessian_scale
    scales[GRADIENT_UNIT] = 1.0 / scales[GRADIENT_SCALE] if scales[GRADIENT_SCALE] > 0.0 else 0.0
    scales[NOISE] = total_square / total_hessian if total_hessian > TINY else 0.0
    scales[MEAN_HESSIAN] = total_hessian / n_rows
    scales[HESSIAN_UNIT] = 1.0 / scales[HESSIAN_SCALE] if scales[HESSIAN_SCALE] > 0.0 else 0.0
    scales[LEAST_PACKED] = 0.0


@kernel
def pack_row(i, gradient, hessian, gradient_scale, hessian_scale, shift):
    """Scale and pack row `i`, rounded up or down by a fixed dither of its number.

    So sums are right on average even where each row is below one step.
    """
    zero = bits_of(ROUNDING)
    spread = np.uint32(np.uint32(i) * np.uint32(GOLDEN))
    dither = np.float64(np.int32(spread)) * 2.0**-32
    g = bits_of(gradient * gradient_scale + dither + ROUNDING) - zero
    h = bits_of(hessian * hessian_scale - dither * 0.999 + ROUNDING) - zero
    return (g << shift) + h


@kernel
def pack_rows(first, gradients, hessians, scales, packed):
    """Pack rows `first`, `first + 1`, … of these gradients.

    Parameters
    ----------
    packed : ndarray of int64
        Filled, as long as the gradients.
    """
    shift = np.int64(scales[SHIFT])
    gradient_scale, hessian_scale = scales[GRADIENT_SCALE], scales[HESSIAN_SCALE]
    for i in range(len(gradients)):
        packed[i] = pack_row(first + i, gradients[i], hessians[i], gradient_scale, hessian_scale, shift)


@kernel(apart=True)
def pack_part(part, parts, gradients, hessians, scales, packed):
    """Pack one part of the rows into `packed`, shape (n,)."""
    b, e = part_begin(part, parts, len(packed)), part_begin(part + 1, parts, len(packed))
    pack_rows(b, gradients[b:e], hessians[b:e], scales, packed[b:e])


@kernel
def pack_records(begin, end, gradients, hessians, scales, packed, records):
    """Pack rows begin … end−1 into word 0 of their records; see `BinnedMatrix`.

    `packed` has room for so many: neighbours are packed eight at a time.
    """
    pack_rows(begin, gradients[begin:end], hessians[begin:end], scales, packed)
    own = records[begin:end]
    for i in range(len(own)):
        own[i, 0] = np.uint64(packed[i])


@kernel
def pack_drawn(rows, gradients, hessians, scales, packed, records):
    """Pack the rows that are listed into word 0 of their records; `packed` has room for them."""
    shift = np.int64(scales[SHIFT])
    gradient_scale, hessian_scale = scales[GRADIENT_SCALE], scales[HESSIAN_SCALE]
    for i in range(len(rows)):
        row = np.uint64(rows[i])
        packed[i] = pack_row(row, gradients[row], hessians[row], gradient_scale, hessian_scale, shift)
    for i in range(len(rows)):
        records[np.uint64(rows[i]), 0] = np.uint64(packed[i])
