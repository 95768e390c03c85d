"""Numbers as the shortest text that gives them back, as `repr` writes them, thousands at a time.

After Giulietti, The Schubfach way to render doubles (2020): of a number c·2^q, the interval of all that round
to it is scaled by the power of ten that leaves a few whole numbers in it; the nearest shortest is taken.

    1,0.25,3e-07,null
    ends: 1, 6, 12, 17          a comma behind each but the last, NaN as null
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import extending, types

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

intrinsic: Any = extending.intrinsic

LONGEST = 26  # of a text with its comma
LEAST_POWER, MOST_POWER = -292, 325  # of ten, by which intervals are scaled
COMMA, MINUS, POINT, ZERO, LETTER_E, PLUS = (ord(sign) for sign in ",-.0e+")
NULL = tuple(map(ord, "null"))
MOST_PLACES, LEAST_PLACES = 16, -3  # of the point, from the first digit, where no exponent is written
FRACTION_BITS, EXPONENT_MASK, EXPONENT_BIAS = 52, 0x7FF, 1075
NO_SIGN, INFINITE = 2**63 - 1, EXPONENT_MASK << FRACTION_BITS  # bits of a float64
SINGLE_FRACTION_BITS, SINGLE_LEAST = 23, -149  # of the fraction, and the least exponent of c·2^q


@intrinsic
def high_product(typing_context, a, b):
    """Return the upper half of the product of two uint64."""

    def generate(context, builder, signature, arguments):
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        return builder.trunc(builder.lshr(product, wide(64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@cache
def powers_of_ten() -> NDArray[np.uint64]:
    """Return 10^k, rounded up to 128 bits, upper and lower half; shape (powers, 2)."""
    halves = []
    for k in range(LEAST_POWER, MOST_POWER):
        shift = ((k * 1741647) >> 19) - 127
        top, bottom = (10**k, 1) if k >= 0 else (1, 10**-k)
        top, bottom = (top << -shift, bottom) if shift < 0 else (top, bottom << shift)
        power = -(-top // bottom)
        halves.append((power >> 64, power & (2**64 - 1)))
    return np.array(halves, np.uint64)


@kernel
def _scaled(powers, k, c):
    """Return c·10^k in units of a power of two, its last bit set where anything is cut off."""
    high, low = powers[k - LEAST_POWER, 0], powers[k - LEAST_POWER, 1]
    upper, lower = high_product(high, c), high * c
    carried = lower + high_product(low, c)
    upper += np.uint64(1) if carried < lower else np.uint64(0)
    return upper | (np.uint64(1) if carried > np.uint64(1) else np.uint64(0))


@kernel
def shortest_decimal(powers, c, q, is_edge):
    """Return digits and the power of ten of the shortest decimal that rounds to c·2^q.

    `is_edge`: numbers below are half as far apart as above.
    """
    one, two, four, ten = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(10)
    odd = c & one
    k = (q * 1262611 - (524031 if is_edge else 0)) >> 22
    h = np.uint64(q + ((-k * 1741647) >> 19) + 1)
    middle = _scaled(powers, -k, (four * c) << h)
    lower = _scaled(powers, -k, (four * c - (one if is_edge else two)) << h) + odd
    upper = _scaled(powers, -k, (four * c + two) << h) - odd
    s = middle >> two
    if s >= ten:
        tens = s // ten
        forty = np.uint64(40)
        holds_below, holds_above = lower <= tens * forty, tens * forty + forty <= upper
        if holds_below != holds_above:
            return tens + (one if holds_above else np.uint64(0)), k + 1
    holds_below, holds_above = lower <= four * s, four * s + four <= upper
    if holds_below != holds_above:
        return s + (one if holds_above else np.uint64(0)), k
    half = four * s + two
    goes_up = middle > half or (middle == half and (s & one) == one)
    return s + (one if goes_up else np.uint64(0)), k


@kernel
def _write_digits(digits, text, at, n):
    """Write digits so that they end before place at + n."""
    while n > 0:
        n -= 1
        tenth = digits // np.uint64(10)
        text[at + n] = np.uint8(np.uint64(ZERO) + (digits - tenth * np.uint64(10)))
        digits = tenth


@kernel
def _length_of(digits):
    n, limit = 1, np.uint64(10)
    while n < 20 and digits >= limit:
        n += 1
        if n < 20:
            limit *= np.uint64(10)
    return n


@kernel
def write_number(digits, power, text, at):
    """Write digits·10^power as `repr` does a float; return the place behind it."""
    while digits % np.uint64(10) == np.uint64(0):
        digits //= np.uint64(10)
        power += 1
    n = _length_of(digits)
    point = n + power
    if point > MOST_PLACES or point < LEAST_PLACES:
        _write_digits(digits, text, at + 1, n)
        text[at] = text[at + 1]
        if n > 1:
            text[at + 1] = POINT
            at += n + 1
        else:
            at += 1
        exponent = point - 1
        text[at], text[at + 1] = LETTER_E, MINUS if exponent < 0 else PLUS
        size = abs(exponent)
        width = 3 if size >= 100 else 2
        _write_digits(np.uint64(size), text, at + 2, width)
        return at + 2 + width
    if point <= 0:
        text[at], text[at + 1] = ZERO, POINT
        for k in range(-point):
            text[at + 2 + k] = ZERO
        _write_digits(digits, text, at + 2 - point, n)
        return at + 2 - point + n
    if point >= n:
        _write_digits(digits, text, at, n)
        for k in range(n, point):
            text[at + k] = ZERO
        text[at + point], text[at + point + 1] = POINT, ZERO
        return at + point + 2
    _write_digits(digits, text, at + 1, n)
    for k in range(point):
        text[at + k] = text[at + k + 1]
    text[at + point] = POINT
    return at + n + 1


@kernel
def _write_float(bits, is_single, powers, text, at):
    """Write a finite number that is not 0; return the place behind it."""
    exponent = (bits >> FRACTION_BITS) & EXPONENT_MASK
    fraction = np.uint64(bits & ((1 << FRACTION_BITS) - 1))
    q = (exponent if exponent > 1 else 1) - EXPONENT_BIAS
    c = fraction if exponent == 0 else fraction | np.uint64(1 << FRACTION_BITS)
    is_edge = fraction == np.uint64(0) and exponent > 1
    if is_single:
        spare = max(FRACTION_BITS - SINGLE_FRACTION_BITS, SINGLE_LEAST - q)
        c, q = c >> np.uint64(spare), q + spare
        is_edge = fraction == np.uint64(0) and q > SINGLE_LEAST
    digits, power = shortest_decimal(powers, c, q, is_edge)
    return write_number(digits, power, text, at)


@kernel
def write_numbers(numbers, doubles, singles, powers, text, ends):
    """Write whole numbers, then the bits of doubles, then those of what was float32.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
    doubles, singles : int
        Where these begin.
    powers : ndarray of uint64
        `powers_of_ten`.
    text : ndarray of uint8, shape (LONGEST * n + 1,)
    ends : ndarray of int64, shape (n + 1,)
        Filled with 0 and the place behind each number.

    Returns
    -------
    bool
        Whether all is written: an infinite number has no text.
    """
    at = 0
    ends[0] = 0
    for i in range(len(numbers)):
        bits = numbers[i]
        is_real, rest = i >= doubles, bits & NO_SIGN
        is_nan = is_real and rest > INFINITE
        if bits < 0 and not is_nan:
            text[at] = MINUS
            at += 1
        if not is_real:
            digits = np.uint64(-bits if bits < 0 else bits)
            n = _length_of(digits)
            _write_digits(digits, text, at, n)
            at += n
        elif is_nan:
            for k in range(4):
                text[at + k] = NULL[k]
            at += 4
        elif rest == 0:
            text[at], text[at + 1], text[at + 2] = ZERO, POINT, ZERO
            at += 3
        elif rest == INFINITE:
            return False
        else:
            at = _write_float(rest, i >= singles, powers, text, at)
        ends[i + 1] = at
        text[at] = COMMA
        at += 1
    return True
