"""exp, ln(1+z) and ln from additions and multiplications only, so that loops over rows run on vectors.

The library's own are calls, which a compiler cannot vectorise. All are good to about 1e-15 relative.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from workbench.kernels.instructions import ROUNDING, bits_of, multiply_add, number_of
from workbench.kernels.kernel import kernel

LOG2_E = 1.4426950408889634
LN2_HIGH = 0.693147180369123816490  # its last bits are zero: multiples up to 2**11 are exact
LN2_LOW = 1.90821492927058770002e-10
HALF_LN2 = 0.34657359027997264
ROOT_LESS_ONE, ROOT_AND_ONE = 0.41421356237309503, 2.414213562373095  # √2 − 1, √2 + 1
LARGEST_EXPONENT = 708.0
MANTISSA_BITS = (1 << 52) - 1
ONE_BITS = 1023 << 52


@njit(nogil=True, error_model="numpy", inline="always")
def exp(x):
    """Return e**x, x held to ±708: x = k·ln2 + r, e**r by its series, 2**k by its bits."""
    x = LARGEST_EXPONENT if x > LARGEST_EXPONENT else x
    x = -LARGEST_EXPONENT if x < -LARGEST_EXPONENT else x
    shifted = multiply_add(x, LOG2_E, ROUNDING)
    k = shifted - ROUNDING
    r = multiply_add(k, -LN2_LOW, multiply_add(k, -LN2_HIGH, x))
    series = 1.0 / 6227020800.0
    series = multiply_add(series, r, 1.0 / 479001600.0)
    series = multiply_add(series, r, 1.0 / 39916800.0)
    series = multiply_add(series, r, 1.0 / 3628800.0)
    series = multiply_add(series, r, 1.0 / 362880.0)
    series = multiply_add(series, r, 1.0 / 40320.0)
    series = multiply_add(series, r, 1.0 / 5040.0)
    series = multiply_add(series, r, 1.0 / 720.0)
    series = multiply_add(series, r, 1.0 / 120.0)
    series = multiply_add(series, r, 1.0 / 24.0)
    series = multiply_add(series, r, 1.0 / 6.0)
    series = multiply_add(series, r, 0.5)
    series = multiply_add(series, r, 1.0)
    series = multiply_add(series, r, 1.0)
    return number_of(bits_of(series) + (bits_of(shifted) << 52))


@njit(nogil=True, error_model="numpy", inline="always")
def twice_artanh(s):
    """Return 2·artanh(s) by its series, for |s| <= 0.172: ln((1 + s)/(1 − s)) from √2/2 to √2."""
    q = s * s
    series = 1.0 / 21.0
    series = multiply_add(series, q, 1.0 / 19.0)
    series = multiply_add(series, q, 1.0 / 17.0)
    series = multiply_add(series, q, 1.0 / 15.0)
    series = multiply_add(series, q, 1.0 / 13.0)
    series = multiply_add(series, q, 1.0 / 11.0)
    series = multiply_add(series, q, 1.0 / 9.0)
    series = multiply_add(series, q, 1.0 / 7.0)
    series = multiply_add(series, q, 1.0 / 5.0)
    series = multiply_add(series, q, 1.0 / 3.0)
    series = multiply_add(series, q, 1.0)
    return 2.0 * s * series


@njit(nogil=True, error_model="numpy", inline="always")
def log1p_of_unit(z):
    """Return ln(1+z) for 0 <= z <= 1, as 2·artanh(z/(2+z)); above √2 − 1 after taking out ln 2 / 2."""
    large = z > ROOT_LESS_ONE
    # ln(1+z) = ln √2 + ln((1+z)/√2), and (1+z)/√2 = 1+u lies between 1/√2·√2 and √2.
    numerator = (z - ROOT_LESS_ONE) if large else z
    denominator = (z + ROOT_AND_ONE) if large else (2.0 + z)
    return twice_artanh(numerator / denominator) + (HALF_LN2 if large else 0.0)


@njit(nogil=True, error_model="numpy", inline="always")
def log_from_one(x):
    """Return ln x for 1 <= x < 2**1023: x = m·2**e with 1 <= m < 2, so ln x = e·ln 2 + ln(1 + (m − 1))."""
    bits = bits_of(x)
    exponent = (bits >> 52) - 1023
    mantissa = number_of((bits & MANTISSA_BITS) | ONE_BITS)
    e = np.float64(exponent)
    return e * LN2_HIGH + (log1p_of_unit(mantissa - 1.0) + e * LN2_LOW)


@kernel
def sum_in_eight(values):
    """Return the sum of the values by eight accumulators, an order that vectors can follow."""
    n = len(values)
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    whole = n // 8 * 8
    for i in range(0, whole, 8):
        s0 += values[i]
        s1 += values[i + 1]
        s2 += values[i + 2]
        s3 += values[i + 3]
        s4 += values[i + 4]
        s5 += values[i + 5]
        s6 += values[i + 6]
        s7 += values[i + 7]
    for i in range(whole, n):
        s0 += values[i]
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
