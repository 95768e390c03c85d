from __future__ import annotations

import numpy as np
import pytest

from workbench.trees.binning import BINS_A_WORD, fill_words
from workbench.trees.histogram import HISTOGRAM_STRIDE, count_nodes
from workbench.trees.parallel import parts_for


def naive(by_column, packed, rows):
    histogram = np.zeros((-(-len(by_column) // BINS_A_WORD) * BINS_A_WORD, HISTOGRAM_STRIDE), np.int64)
    for f, column in enumerate(by_column):
        np.add.at(histogram[f], column[rows], packed[rows])
    return histogram.ravel()


@pytest.mark.parametrize("d", [1, 5, 8, 19])
@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_against_naive(d, parts):
    rng = np.random.default_rng(d)
    n = 900
    by_column = rng.integers(0, 256, (d, n)).astype(np.uint8)
    packed = rng.integers(-(2**40), 2**40, n)
    words = np.empty((n, -(-d // 8)), np.uint64)
    fill_words(by_column, 0, n, words)
    rows = rng.permutation(n).astype(np.uint32)
    begins = np.array([100, 0, 300, 303], np.int64)
    sizes = [150, 7, 1, 500]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    slots = np.array([3, 0, 1, 2])
    pool = np.full((4, words.shape[1] * 8 * HISTOGRAM_STRIDE), 99, np.int64)
    heads, head_of_part = np.empty((parts, pool.shape[1]), np.int64), np.empty(parts, np.int64)
    count_nodes(parts, words, packed, rows, begins, offsets, slots, d, pool, heads, head_of_part)
    for part in range(1, parts):
        if head_of_part[part] >= 0:
            pool[slots[head_of_part[part]]] += heads[part]
    for begin, size, slot in zip(begins, sizes, slots, strict=True):
        np.testing.assert_array_equal(pool[slot], naive(by_column, packed, rows[begin : begin + size]))


def test_parts_are_worth_it():
    assert parts_for(8, 100) == 1
    assert parts_for(8, 10_000) == 2
    assert parts_for(8, 10**6) == 8
