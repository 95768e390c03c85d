"""Decimal digits as the nearest float64.

A number in a text is w · 10^q with a whole w. Up to 2^53 for w and 22 for |q|, both w and 10^|q| are float64
numbers, and one multiplication or division rounds once. Else w is multiplied by the first 128 bits of 5^q,
which decides the rounding in all cases but a few that are told apart (D. Lemire, Number Parsing at a Gigabyte
per Second, 2021).
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel

LEAST_POWER, LARGEST_POWER = -307, 288  # of ten, for which w of 19 digits stays a normal float64
EXACT_POWERS = 10.0 ** np.arange(23)
LARGEST_EXACT = np.uint64(1 << 53)
MOST_DIGITS = 19  # that fit 64 bits

_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)
_LOW_HALF, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_TOP = np.uint64(63)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_BELOW_PRECISION = np.uint64(0x1FF)  # of the product's first half, beyond 55 bits
_TO_MANTISSA = np.uint64(9)  # shift that leaves 54 bits and one to round by


def _powers_of_five() -> np.ndarray:
    """Return the first 128 bits of 5^q as two uint64: rounded up from -27 to -1, else down."""
    found = []
    for power in range(LEAST_POWER, LARGEST_POWER + 1):
        five = 5 ** abs(power)
        if power >= 0:
            bits = five << 128 >> five.bit_length()
        else:
            bits = (1 << (five.bit_length() + 127)) // five + (power >= -27)
        found.append((bits >> 64, bits & int(_ALL)))
    return np.array(found, dtype=np.uint64).T.copy()


POWERS_OF_FIVE = _powers_of_five()
POWERS_OF_TWO = np.ldexp(1.0, np.arange(-1074, 1024))


@kernel
def high_half(a, b):
    """Return the upper 64 bits of the product of two uint64."""
    a_low, a_high, b_low, b_high = a & _LOW_HALF, a >> _HALF, b & _LOW_HALF, b >> _HALF
    middle = a_high * b_low + (a_low * b_low >> _HALF)
    other = a_low * b_high + (middle & _LOW_HALF)
    return a_high * b_high + (middle >> _HALF) + (other >> _HALF)


@kernel
def leading_zeros(w):
    """Return how many bits of a uint64 above zero are 0 before the first 1."""
    count = 0
    for step in (32, 16, 8, 4, 2, 1):
        if w >> np.uint64(64 - step) == 0:
            w <<= np.uint64(step)
            count += step
    return count


@kernel
def nearest(w, q):
    """Return w · 10^q for uint64 w and int64 q as the nearest float64; -1.0 where that is not decided."""
    if w == 0:
        return 0.0
    if w <= LARGEST_EXACT and -22 <= q <= 22:
        whole = float(np.int64(w))
        return whole * EXACT_POWERS[q] if q >= 0 else whole / EXACT_POWERS[-q]
    if q < LEAST_POWER or q > LARGEST_POWER:
        return -1.0
    zeros = leading_zeros(w)
    w <<= np.uint64(zeros)
    first = POWERS_OF_FIVE[0, q - LEAST_POWER]
    high, low = high_half(w, first), w * first
    if high & _BELOW_PRECISION == _BELOW_PRECISION:
        more = high_half(w, POWERS_OF_FIVE[1, q - LEAST_POWER])
        low += more
        if low < more:
            high += _ONE
        if low == _ALL and (q < -27 or q > 55):
            return -1.0
    upper = high >> _TOP
    mantissa = high >> (upper + _TO_MANTISSA)
    is_tie = low <= 1 and -4 <= q <= 23 and mantissa & _THREE == _ONE
    if is_tie and mantissa << (upper + _TO_MANTISSA) == high:
        mantissa -= _ONE
    mantissa = (mantissa + (mantissa & _ONE)) >> _ONE
    power = ((217706 * q) >> 16) + np.int64(upper) - zeros + 11  # of two: floor(q · log2(10)), and the shifts
    return float(np.int64(mantissa)) * POWERS_OF_TWO[power + 1074]
