from __future__ import annotations

import numpy as np
import pytest

from workbench.trees.binning import fill_records
from workbench.trees.histogram import HISTOGRAM_STRIDE, count_part, fetched_shape


def naive(by_column, packed, rows):
    histogram = np.zeros((len(by_column), HISTOGRAM_STRIDE), np.int64)
    for f, column in enumerate(by_column):
        np.add.at(histogram[f], column[rows], packed[rows])
    return histogram.ravel()


@pytest.mark.parametrize("d", [1, 5, 8, 12, 19, 24, 30, 55, 78, 256, 258, 269, 283])
@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_against_naive(d, parts):
    rng = np.random.default_rng(d)
    n = 1900
    by_column = rng.integers(0, 256, (d, n)).astype(np.uint8)
    packed = rng.integers(-(2**40), 2**40, n)
    records = np.empty((n, 1 + -(-d // 8)), np.uint64)
    fill_records(by_column, 0, n, records)
    records[:, 0] = packed.view(np.uint64)
    rows = rng.permutation(n).astype(np.uint32)
    begins = np.array([100, 0, 300, 303], np.int64)
    sizes = [150, 7, 1, 1500]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    counted, slots = np.array([7, 2, 0, 5]), np.array([1, -1, 0, -1, -1, 2, -1, 3])
    pool = np.full((4, d * HISTOGRAM_STRIDE), 99, np.int64)
    heads, head_of_part = np.empty((parts, pool.shape[1]), np.int64), np.empty(parts, np.int64)
    fetched = np.empty(fetched_shape(d), np.uint64)
    for part in range(parts):
        count_part(
            part, parts, records, rows, counted, begins, offsets, 4, slots, d, None, fetched, pool, heads,
            head_of_part,
        )
    for part in range(1, parts):
        if head_of_part[part] >= 0:
            pool[slots[head_of_part[part]]] += heads[part]
    for begin, size, node in zip(begins, sizes, counted, strict=True):
        expected = naive(by_column, packed, rows[begin : begin + size])
        np.testing.assert_array_equal(pool[slots[node]], expected)
