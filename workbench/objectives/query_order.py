"""The rows of one query in order, highest first, of equals the first row; what relevances are worth."""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import bits_of, number_of
from workbench.kernels.kernel import kernel

MOST_LEVELS = 32  # of relevances that are counted
FEWEST_FOR_DIGITS = 128  # rows that are sorted digit by digit
DIGIT_BITS, N_DIGITS, N_VALUES = 9, 4, 512  # of the 35 bits of a float64 that tell float32 apart
SINGLE_BYTES = 4
SINGLE_SHIFT, SINGLE_BIAS = 29, 1 << 34
RUN = 16  # entries that are sorted by insertion
SIGN_PLACE = 63
MAGNITUDE_BITS = 0x7FFFFFFFFFFFFFFF
EXPONENT_PLACE, EXPONENT_OF_ONE = 52, 1023


@kernel
def descending_key(number):
    """Return an integer that is the less the larger a float64; −0 counts as 0."""
    bits = bits_of(number + 0.0)
    return ~(bits ^ ((bits >> SIGN_PLACE) & MAGNITUDE_BITS))


@kernel
def _sort_run(keys, order, begin, end):
    """Sort few entries by insertion, stably."""
    for i in range(begin + 1, end):
        key, row = keys[i], order[i]
        j = i
        while j > begin and keys[j - 1] > key:
            keys[j], order[j] = keys[j - 1], order[j - 1]
            j -= 1
        keys[j], order[j] = key, row


@kernel
def _merge(keys, order, begin, middle, end, other_keys, other_order):
    """Merge two runs that stand side by side, stably, into other memory."""
    i, j = begin, middle
    for k in range(begin, end):
        from_left = j >= end or (i < middle and keys[i] <= keys[j])
        at = i if from_left else j
        other_keys[k], other_order[k] = keys[at], order[at]
        i += 1 if from_left else 0
        j += 0 if from_left else 1


@kernel
def sort_by_keys(keys, order, other_keys, other_order):
    """Sort entries by their keys, ascending and stably; the others are memory to work in."""
    n = len(keys)
    for begin in range(0, n, RUN):
        _sort_run(keys, order, begin, min(begin + RUN, n))
    width = RUN
    while width < n:
        for begin in range(0, n, 2 * width):
            middle, end = min(begin + width, n), min(begin + 2 * width, n)
            _merge(keys, order, begin, middle, end, other_keys, other_order)
        for k in range(n):
            keys[k], order[k] = other_keys[k], other_order[k]
        width *= 2


@kernel(allocates=True)
def _sort_by_digits(keys, order, other_keys, other_order):
    """Sort entries by keys of float32, from the last digit to the first: no step depends on a comparison."""
    counts = np.zeros((N_DIGITS, N_VALUES), np.int64)
    n = len(keys)
    for k in range(n):
        key = (keys[k] >> SINGLE_SHIFT) + SINGLE_BIAS
        for digit in range(N_DIGITS):
            counts[digit, (key >> (DIGIT_BITS * digit)) & (N_VALUES - 1)] += 1
    for digit in range(N_DIGITS):
        shift, begin = DIGIT_BITS * digit, 0
        for value in range(N_VALUES):
            count = counts[digit, value]
            counts[digit, value] = begin
            begin += count
        source, rows = (keys, order) if digit % 2 == 0 else (other_keys, other_order)
        target, target_rows = (other_keys, other_order) if digit % 2 == 0 else (keys, order)
        for k in range(n):
            key = source[k]
            value = (((key >> SINGLE_SHIFT) + SINGLE_BIAS) >> shift) & (N_VALUES - 1)
            at = counts[digit, value]
            counts[digit, value] = at + 1
            target[at], target_rows[at] = key, rows[k]


@kernel(apart=True)
def order_of(values, rows, keys, order):
    """Fill `order[0]` with the places in `rows` of a query's rows, the highest value first.

    `values` are float32 or float64, shape (n,). `keys` and `order`, shape (2, at least the rows), are memory
    to work in; `keys[0]` equals where values do.
    """
    n = len(rows)
    for k in range(n):
        keys[0, k] = descending_key(np.float64(values[rows[k]]))
        order[0, k] = k
    if n >= FEWEST_FOR_DIGITS and values.itemsize == SINGLE_BYTES:
        _sort_by_digits(keys[0, :n], order[0, :n], keys[1, :n], order[1, :n])
    else:
        sort_by_keys(keys[0, :n], order[0, :n], keys[1, :n], order[1, :n])


@kernel(apart=True)
def order_of_relevances(target, rows, keys, order):
    """Fill `order[0]` as `order_of` does, but count where all are whole numbers from 0 to 31."""
    n = len(rows)
    ends = keys[1]
    for level in range(MOST_LEVELS if len(ends) >= MOST_LEVELS else 0):
        ends[level] = 0
    for k in range(n):
        y = target[rows[k]]
        own = np.int64(y if 0.0 <= y < MOST_LEVELS else 0.0)
        if np.float64(own) != y or len(ends) < MOST_LEVELS:
            order_of(target, rows, keys, order)
            return
        keys[0, k] = own
        ends[own] += 1
    end = n
    for level in range(MOST_LEVELS):
        end -= ends[level]
        ends[level] = end
    for k in range(n):
        own = keys[0, k]
        order[0, ends[own]] = k
        ends[own] += 1


@kernel
def gain_of(relevance):
    """Return 2**y − 1."""
    whole = np.int64(relevance)
    if np.float64(whole) == relevance:
        return number_of((whole + EXPONENT_OF_ONE) << EXPONENT_PLACE) - 1.0
    return 2.0**relevance - 1.0


@kernel
def first_query(part, parts, work):
    """Return the first query of a part, so that parts take about as long."""
    wanted = part * work[-1] // parts
    low, high = 0, len(work) - 1
    while low < high:
        middle = (low + high) // 2
        if work[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def longest_of(begins, first, end):
    """Return the rows of the longest of some queries."""
    longest = 0
    for q in range(first, end):
        longest = max(longest, begins[q + 1] - begins[q])
    return longest
