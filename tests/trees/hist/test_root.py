from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from tests.trees.hist.test_histogram import naive
from workbench.trees.bins.binning import fill_records
from workbench.trees.hist.histogram import FETCHED_ROWS, HISTOGRAM_STRIDE, fetched_shape
from workbench.trees.hist.histogram_memory import Histograms
from workbench.trees.hist.root import pack_and_count_part
from workbench.trees.packing import N_GRADIENT_SUMS, N_SCALES, choose_scales, pack_rows, sum_gradients_part


class Columns(NamedTuple):
    """What the kernel reads of a `MatrixArrays`."""

    records: np.ndarray
    by_column: np.ndarray


class Memory(NamedTuple):
    """What it reads and writes of a `GrowingMemory`."""

    scales: np.ndarray
    packed: np.ndarray
    fetched: np.ndarray
    histograms: Histograms


@pytest.mark.sampled
@pytest.mark.parametrize("d", [1, 7, 8, 28, 64, 256, 259, 300])
@pytest.mark.parametrize("parts", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [2, 513, 5000])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_the_rows_of_a_tree_are_packed_and_counted(d, parts, n, share):
    rng = np.random.default_rng(d)
    gradients, hessians = rng.normal(size=n), rng.uniform(0.1, 1, n)
    sums, scales = np.empty((1, N_GRADIENT_SUMS)), np.empty(N_SCALES)
    sum_gradients_part(0, 1, gradients, hessians, sums)
    choose_scales(sums, n, scales)
    packed = np.empty(n, np.int64)
    pack_rows(0, gradients, hessians, scales, packed)

    by_column = rng.integers(0, 256, (d, n)).astype(np.uint8)
    records = np.empty((n, 1 + -(-d // 8)), np.uint64)
    fill_records(by_column, 0, n, records)
    records[:, 0] = 99  # of the tree before
    pool = np.full((2, d * HISTOGRAM_STRIDE), 99, np.int64)
    heads, head_of_part = np.full((parts, pool.shape[1]), 99, np.int64), np.full(parts, 99)
    rows = np.sort(rng.permutation(n)[: round(share * n)]).astype(np.uint32)
    memory = Memory(
        scales, np.empty((parts, FETCHED_ROWS), np.int64), np.empty((parts, *fetched_shape(d)), np.uint64),
        Histograms(pool, np.array([1]), heads, head_of_part),
    )
    for part in range(parts):
        pack_and_count_part(
            part, parts, gradients, hessians, Columns(records, by_column), None, memory, rows
        )

    np.testing.assert_array_equal(records[rows, 0].view(np.int64), packed[rows])
    for part in range(parts):
        if head_of_part[part] == 0:
            pool[1] += heads[part]
    np.testing.assert_array_equal(pool[1], naive(by_column, packed, rows))
    assert (pool[0] == 99).all()
