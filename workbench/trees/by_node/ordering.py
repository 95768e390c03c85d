"""The rows of a small node in the order of their codes.

    bit 63 .............. 32 | 31 ..................... 0
    code less the lowest     | place among the node's rows
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel

FEW = 48  # rows that are sorted by insertion
DIGIT = 8  # bits
N_DIGITS = 256


@kernel
def insert_keys(keys, n):
    """Sort a few keys."""
    for i in range(1, n):
        key = keys[i]
        place = i
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key


@kernel
def count_digits(keys, n, shift, begins):
    """Fill in where the keys of each digit begin, once sorted by it."""
    for digit in range(N_DIGITS):
        begins[digit] = 0
    for i in range(n):
        begins[np.int64(keys[i] >> np.uint64(shift)) & (N_DIGITS - 1)] += 1
    total = np.int64(0)
    for digit in range(N_DIGITS):
        here = begins[digit]
        begins[digit] = total
        total += here


@kernel
def sort_keys(keys, n, span, begins):
    """Sort the first n keys, whose codes are below `span`; return in which of the two lines they are.

    Parameters
    ----------
    keys : ndarray of uint64, shape (2, m)
    begins : ndarray of int64, shape (256,)
        Room.
    """
    if n <= FEW:
        insert_keys(keys[0], n)
        return 0
    line, shift = 0, 32
    while (span - 1) >> (shift - 32) > 0:
        source, target = keys[line], keys[1 - line]
        count_digits(source, n, shift, begins)
        for i in range(n):
            digit = np.int64(source[i] >> np.uint64(shift)) & (N_DIGITS - 1)
            target[begins[digit]] = source[i]
            begins[digit] += 1
        line = 1 - line
        shift += DIGIT
    return line
