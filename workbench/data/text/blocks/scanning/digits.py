"""Decimal digits in a text as a whole number, eight of them at once.

Eight neighbours are loaded as one word, the first in the lowest byte. Those that are digits are pushed to the
top, zeros below them standing for digits in front; then pairs, fours and eights of bytes are joined:

    text     "314159,7"
    pushed   0  0  3  1  4  1  5  9      one a byte
    pairs    0     31    41    59
    fours    31          4159
    eight    314159
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import eight_bytes, lowest_bit
from workbench.kernels.kernel import kernel

AT_ONCE = 8
POWERS_OF_TEN = 10 ** np.arange(AT_ONCE + 1)

_ZERO = ord("0")
_ZEROS = np.uint64(0x3030303030303030)
_TO_EIGHTY = np.uint64(0x7676767676767676)  # what is above 9 comes to 0x80
_HIGH_BITS = np.uint64(0x8080808080808080)
_THREE, _EIGHT = np.uint64(3), np.uint64(8)
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)


@kernel
def read_digits(data, place, w):
    """Return `w` with the digits from `place` on behind it (modulo 2^64), and where they end."""
    while place + AT_ONCE <= len(data):
        word = eight_bytes(data, np.int64(place)) ^ _ZEROS
        others = ((word + _TO_EIGHTY) | word) & _HIGH_BITS  # exact up to the first that is none
        if others == 0:
            w = POWERS_OF_TEN[AT_ONCE] * w + _number_of(word)
            place += AT_ONCE
            continue
        found = lowest_bit(others) >> _THREE
        if found == 0:
            return w, place
        word <<= (_EIGHT - found) * _EIGHT
        return POWERS_OF_TEN[found] * w + _number_of(word), place + np.int64(found)
    digit = np.int64(data[place]) - _ZERO
    while 0 <= digit <= 9:
        w = 10 * w + digit
        place += 1
        digit = np.int64(data[place]) - _ZERO
    return w, place


@kernel
def _number_of(word):
    """Return the number that eight digits of one byte each are, the first in the lowest byte."""
    word = (word * np.uint64(10) + (word >> _EIGHT)) & _PAIRS
    word = (word * np.uint64(100) + (word >> np.uint64(16))) & _FOURS
    return np.int64((word * np.uint64(10000) + (word >> np.uint64(32))) & np.uint64(0xFFFFFFFF))
