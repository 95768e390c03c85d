from __future__ import annotations

import numpy as np
import pytest

from workbench.trees.leaf_sums import N_LEAF_SUMS, add_blocks, size_for, sum_leaves_part


def sums_of(parts, rows, labels, gradients, hessians, n_nodes):
    scratch = np.full(size_for(len(labels), n_nodes), np.nan)
    for part in range(parts):
        sum_leaves_part(part, parts, rows, labels, gradients, hessians, n_nodes, scratch)
    sums = np.full((n_nodes, N_LEAF_SUMS), np.nan)
    add_blocks(scratch, len(rows), n_nodes, sums)
    return sums


@pytest.mark.parametrize("n_nodes", [1, 5, 63, 5000])
def test_every_leaf_gets_the_sums_of_its_own_drawn_rows(n_nodes):
    rng = np.random.default_rng(n_nodes)
    n_rows = 50_001
    labels = rng.integers(n_nodes // 2, n_nodes, n_rows).astype(np.int32)
    rows = np.flatnonzero(rng.random(n_rows) < 0.8).astype(np.uint32)
    gradients, hessians = rng.normal(size=n_rows), rng.random(n_rows)
    expected = np.zeros((n_nodes, N_LEAF_SUMS))
    for row in rows:
        expected[labels[row]] += gradients[row], hessians[row], 1.0

    found = [sums_of(parts, rows, labels, gradients, hessians, n_nodes) for parts in (1, 2, 3)]

    np.testing.assert_allclose(found[0], expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])
