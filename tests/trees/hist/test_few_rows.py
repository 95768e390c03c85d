"""Nodes that are searched without a histogram."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from workbench.threads.team import Team
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist.grower import TreeGrower
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)


@examples(25)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 600),
    d=st.integers(1, 10),
    decimals=st.integers(0, 2),
    missing=st.sampled_from([0.0, 0.3]),
    max_bin=st.sampled_from([4, 255]),
    params=st.sampled_from([
        GrowingParams(), GrowingParams(max_depth=0, max_leaves=25, by_gain=True, reg_lambda=0.0),
        GrowingParams(max_depth=4, gamma=0.2, post_pruning=True, min_child_weight=3.0),
        GrowingParams(max_depth=0, reg_lambda=0.0, min_child_weight=0.0),
    ]),
    equal_hessians=st.booleans(),
    few_rows=st.sampled_from([1, 7, 96, 1000]),
    threads=st.sampled_from([1, 3]),
    pool_bytes=st.sampled_from([0, 2**20]),
)
def test_trees_are_those_that_histograms_grow(
    seed, n, d, decimals, missing, max_bin, params, equal_hessians, few_rows, threads, pool_bytes
):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, d)).round(decimals).astype(np.float32)
    features[rng.random((n, d)) < missing] = np.nan
    g, h = rng.normal(size=n), np.ones(n) if equal_hessians else rng.random(n)
    drawn = rng.random(n) < 0.8
    drawn[0] = True
    rows = DrawnRows(np.flatnonzero(drawn).astype(np.uint32), np.flatnonzero(~drawn).astype(np.uint32))
    cuts = find_cuts(features, np.flatnonzero(drawn), [0] * d, max_bin)
    matrix = bin_rows(features, np.arange(n), cuts)
    grown = []
    for few in (0, few_rows):
        grower = TreeGrower(matrix, Team(threads), pool_bytes=pool_bytes, few_rows=few)
        for _ in range(2):  # the second finds the memory as the first has left it
            raw = np.zeros(n, np.float32)
            tree = grower.grow(TreeTask(g, h, rows, np.arange(d), params, GO, raw))
            grown.append((tree.nodes.tobytes(), raw.tobytes()))
    assert len(set(grown)) == 1
