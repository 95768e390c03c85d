"""The rows of a small node in the order of their codes.

    bit     63 .............. 32   | 31 ..................... 0
    holds   code less the lowest   | place among the node's rows

Codes are ranks, which a node holds spread about evenly: put by their first bits into as many buckets as there
are rows they are nearly sorted, and insertion does the rest. Where they crowd they are sorted digit by digit.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.sorting import VALUE_SHIFT

FEW = 40  # rows that are sorted by insertion
MANY, FEW_BITS, MANY_BITS = 1024, 8, 11  # rows from which digits have more bits
MOST_BUCKETS = 1 << MANY_BITS
CROWD = 48  # rows of a bucket that are too many to be inserted


@kernel
def insert_keys(keys, n):
    """Sort a few keys, or many that are nearly sorted."""
    for i in range(1, n):
        key = keys[i]
        place = i
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key


@kernel
def count_digits(keys, n, shift, n_digits, begins):
    """Fill in where the keys of each digit begin, once sorted; return how many the most frequent has."""
    for digit in range(n_digits):
        begins[digit] = 0
    for i in range(n):
        begins[np.int64(keys[i] >> np.uint64(shift)) & (n_digits - 1)] += 1
    total, most = np.int64(0), np.int64(0)
    for digit in range(n_digits):
        here = begins[digit]
        most = here if here > most else most
        begins[digit] = total
        total += here
    return most


@kernel
def scatter(source, target, n, shift, n_digits, begins):
    """Sort keys by a digit; equal ones stay in their order."""
    for i in range(n):
        digit = np.int64(source[i] >> np.uint64(shift)) & (n_digits - 1)
        target[begins[digit]] = source[i]
        begins[digit] += 1


@kernel
def sort_keys(keys, n, span, begins):
    """Sort the first n keys, whose codes are below `span`; return in which of the two lines they are.

    Parameters
    ----------
    keys : ndarray of uint64, shape (2, m)
    begins : ndarray of int64, shape (>= MOST_BUCKETS,)
        Room.
    """
    if n <= FEW:
        insert_keys(keys[0], n)
        return 0
    n_bits = FEW_BITS if n < MANY else MANY_BITS
    n_digits, first = 1 << n_bits, 0
    while (span - 1) >> (first + n_bits) > 0:
        first += 1
    most = count_digits(keys[0], n, VALUE_SHIFT + first, n_digits, begins)
    if first == 0 or most <= CROWD:
        scatter(keys[0], keys[1], n, VALUE_SHIFT + first, n_digits, begins)
        if first > 0:
            insert_keys(keys[1], n)
        return 1
    line, shift = 0, 0
    while (span - 1) >> shift > 0:
        count_digits(keys[line], n, VALUE_SHIFT + shift, n_digits, begins)
        scatter(keys[line], keys[1 - line], n, VALUE_SHIFT + shift, n_digits, begins)
        line = 1 - line
        shift += n_bits
    return line
