"""Every tree is checked against the slow twin on the rows themselves, node by node."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.reference.naive_split import best_split
from tests.reference.naive_tree import rows_by_node
from workbench.kernels.kernel import Kernel
from workbench.threads.team import Team
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist.boosting_step import finish_part
from workbench.trees.hist.grower import TreeGrower
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)
TOLERANCE = 5e-7


def table(rng, n, d, kinds, missing):
    features = np.empty((n, d), np.float32, order="F")
    for f, kind in enumerate(kinds):
        features[:, f] = rng.integers(0, 5, n) if kind == "category" else rng.normal(size=n).round(1)
    features[rng.random((n, d)) < missing] = np.nan
    return features


def grow(features, n_categories, g, h, params, threads=1, max_bin=255, drawn=None):
    rows = np.arange(len(features))
    cuts = find_cuts(features, rows, n_categories, max_bin)
    matrix = bin_rows(features, rows, cuts)
    mask = np.ones(len(features), bool) if drawn is None else drawn
    split = DrawnRows(np.flatnonzero(mask).astype(np.uint32), np.flatnonzero(~mask).astype(np.uint32))
    grower = TreeGrower(matrix, Team(threads))
    raw = np.zeros(len(features), np.float32)
    tree = grower.grow(TreeTask(g, h, split, np.arange(features.shape[1]), params, GO, raw))
    return matrix, tree, raw


def check_against_naive(matrix, tree, features, g, h, params, drawn):
    """G, H and counts are sums over rows; splits are best splits; leaves could not be split."""
    bins, cuts = matrix.by_column.T, matrix.cuts
    for node, mask in enumerate(rows_by_node(tree, features)):
        record = tree.nodes[node]
        own = mask & drawn
        assert record["count"] == own.sum()
        assert record["sum_gradient"] == pytest.approx(g[own].sum(), abs=1e-9 * (1 + abs(g).sum()))
        assert record["sum_hessian"] == pytest.approx(h[own].sum(), rel=1e-9, abs=1e-12)
        expected = -g[own].sum() / (h[own].sum() + params.reg_lambda)
        assert record["weight"] == pytest.approx(expected, rel=1e-6, abs=1e-9)
        best = best_split(
            bins[own], range(bins.shape[1]), cuts.is_category, cuts.n_bins, g[own], h[own],
            params.reg_lambda, params.gamma, params.min_child_weight,
        )
        slack = 1e-5 * (1 + abs(g).sum() ** 2 / (h.sum() + params.reg_lambda))
        if record["feature"] >= 0:
            assert record["gain"] == pytest.approx(best.gain, abs=slack)
            assert record["gain"] >= 0
            left = int(record["left"])
            children = tree.nodes[left : left + 2]
            assert record["right"] == left + 1
            assert (children["parent"] == node).all()
            assert (children["depth"] == record["depth"] + 1).all()
            assert (children["sum_hessian"] >= params.min_child_weight).all()
        elif record["depth"] < params.max_depth and best is not None:
            assert best.gain < slack


@examples(60)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 60),
    kinds=st.lists(st.sampled_from(["number", "category"]), min_size=1, max_size=4),
    missing=st.sampled_from([0.0, 0.3]),
    reg_lambda=st.sampled_from([0.0, 0.5, 1.0, 10.0]),
    gamma=st.sampled_from([0.0, 0.1, 2.0]),
    max_depth=st.integers(1, 6),
    min_child_weight=st.sampled_from([0.0, 0.3, 3.0]),
    max_bin=st.sampled_from([3, 255]),
    equal_hessians=st.booleans(),
    sampled=st.booleans(),
)
def test_against_naive(
    seed, n, kinds, missing, reg_lambda, gamma, max_depth, min_child_weight, max_bin, equal_hessians, sampled
):
    rng = np.random.default_rng(seed)
    features = table(rng, n, len(kinds), kinds, missing)
    g = rng.normal(size=n)
    h = np.ones(n) if equal_hessians else rng.random(n) + 0.01
    drawn = rng.random(n) < 0.7 if sampled else np.ones(n, bool)
    drawn[0] = True
    params = GrowingParams(reg_lambda, gamma, 0.3, min_child_weight, max_depth)
    n_categories = [5 if kind == "category" else 0 for kind in kinds]
    matrix, tree, raw = grow(features, n_categories, g, h, params, max_bin=max_bin, drawn=drawn)
    check_against_naive(matrix, tree, features, g, h, params, drawn)
    for node, mask in enumerate(rows_by_node(tree, features)):
        if tree.is_leaf[node]:
            assert (raw[mask] == np.float32(0.3 * tree.nodes["weight"][node])).all()


def test_nodes_are_numbered_breadth_first():
    rng = np.random.default_rng(0)
    features = table(rng, 400, 3, ["number"] * 3, 0.0)
    _, tree, _ = grow(features, [0] * 3, rng.normal(size=400), np.ones(400), GrowingParams(max_depth=8))
    assert (np.diff(tree.nodes["depth"]) >= 0).all()
    lefts = tree.nodes["left"][~tree.is_leaf]
    assert lefts.tolist() == list(range(1, tree.n_nodes, 2))


@pytest.mark.slow
def test_missing_values_can_be_parted_from_all_others():
    x = np.array([1, 2, 3, np.nan, np.nan, 4], np.float32)[:, None]
    g = np.array([1, 1, 1, -2, -2, 1.0])
    _, tree, raw = grow(x, [0], g, np.ones(6), GrowingParams(reg_lambda=0, learning_rate=1, max_depth=3))
    assert tree.n_nodes == 3
    assert raw.tolist() == [-1, -1, -1, 2, 2, -1]
    assert np.isfinite(tree.nodes["threshold"][0])
    assert tree.nodes["count"].tolist() == [6, 4, 2]


def test_default_side_without_missing_values_has_more_hessian():
    x = np.arange(5, dtype=np.float32)[:, None]
    few_left = np.array([-1, 1, 1, 1, 1.0])
    for g, expected in ((few_left, False), (few_left[::-1].copy(), True)):
        _, tree, _ = grow(x, [0], g, np.ones(5), GrowingParams(max_depth=1))
        assert tree.nodes["default_left"][0] == expected


def test_a_category_goes_left():
    x = np.array([0, 1, 2, 1, 0, 2], np.float32)[:, None]
    g = np.where(x[:, 0] == 1, 3.0, -1.0)
    _, tree, _ = grow(x, [3], g, np.ones(6), GrowingParams(max_depth=1))
    assert tree.nodes["category"][0] == 1
    assert tree.categories(0).tolist() == [1]
    assert np.isnan(tree.nodes["threshold"][0])
    assert tree.nodes["count"][1] == 2
    assert tree.category_begin.tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("features", [np.full((10, 1), np.nan), np.ones((10, 1)), np.zeros((10, 3))])
def test_nothing_to_ask_is_a_leaf(features):
    features = np.asfortranarray(features, np.float32)
    _, tree, raw = grow(features, [0] * features.shape[1], np.arange(10.0), np.ones(10), GrowingParams())
    assert tree.n_nodes == 1
    assert raw == pytest.approx(np.full(10, -0.1 * 45 / 11))


@pytest.mark.slow
def test_zero_gradients_and_zero_weights():
    features = np.asfortranarray(np.arange(10)[:, None], np.float32)
    loose = GrowingParams(reg_lambda=0, min_child_weight=0, max_depth=10)
    _, tree, _ = grow(features, [0], np.zeros(10), np.zeros(10), loose)
    assert tree.n_nodes == 1
    assert tree.nodes["weight"][0] == 0
    g = np.where(np.arange(10) < 5, 0.0, np.arange(10) - 7.0)
    h = np.where(np.arange(10) < 5, 0.0, 1.0)
    _, tree, _ = grow(features, [0], g, h, loose)
    assert np.isfinite(tree.nodes["weight"]).all()
    assert (tree.nodes["gain"][~tree.is_leaf] > 0).all()


SHAPES = [
    GrowingParams(reg_lambda=0.0, min_child_weight=0, max_depth=30),
    GrowingParams(reg_lambda=0.0, min_child_weight=0, max_depth=0),
    GrowingParams(max_depth=0, max_leaves=200),
    GrowingParams(max_depth=0, max_leaves=200, by_gain=True),
]


@pytest.mark.slow
@pytest.mark.parametrize("params", SHAPES)
def test_trees_do_not_depend_on_the_memory(params):
    rng = np.random.default_rng(0)
    features = np.asfortranarray(rng.normal(size=(3000, 2)), np.float32)
    rows = np.arange(3000)
    matrix = bin_rows(features, rows, find_cuts(features, rows, [0, 0], 255))
    everything = DrawnRows(rows.astype(np.uint32), np.empty(0, np.uint32))
    g, h = rng.normal(size=3000), np.ones(3000)
    wide, narrow = TreeGrower(matrix), TreeGrower(matrix, pool_bytes=0)
    trees = [
        grower.grow(TreeTask(g, h, everything, np.arange(2), params, GO, np.zeros(3000, np.float32)))
        for grower in (wide, narrow)
    ]
    assert trees[0].n_leaves == params.max_leaves or trees[0].depth > 12
    assert trees[0].nodes.tobytes() == trees[1].nodes.tobytes()


def test_a_raised_flag_breaks_off():
    features = np.asfortranarray(np.arange(10)[:, None], np.float32)
    rows = np.arange(10)
    matrix = bin_rows(features, rows, find_cuts(features, rows, [0], 255))
    everything = DrawnRows(rows.astype(np.uint32), np.empty(0, np.uint32))
    stop, g, h = np.ones(1, np.uint8), np.arange(10.0), np.ones(10)
    raw = np.zeros(10, np.float32)
    task = TreeTask(g, h, everything, rows[:1], GrowingParams(), stop, raw)
    assert TreeGrower(matrix).grow(task) is None
    assert (raw == 0).all()


@examples(40)
@given(
    seed=st.integers(0, 10**6), n=st.integers(2, 60), max_leaves=st.integers(2, 12),
    max_depth=st.sampled_from([0, 2, 4]), by_gain=st.booleans(), missing=st.sampled_from([0.0, 0.3]),
)
def test_limited_leaves_against_naive(seed, n, max_leaves, max_depth, by_gain, missing):
    rng = np.random.default_rng(seed)
    features = table(rng, n, 3, ["number", "number", "category"], missing)
    g, h = rng.normal(size=n), rng.random(n) + 0.01
    free = GrowingParams(1.0, 0.05, 0.3, 0.3, max_depth)
    params = free._replace(max_leaves=max_leaves, by_gain=by_gain)
    _, whole, _ = grow(features, [0, 0, 5], g, h, free)
    _, tree, raw = grow(features, [0, 0, 5], g, h, params)
    waiting, kept = [0], 1
    splits = set()
    while waiting and kept < max_leaves:
        best = max(waiting, key=lambda k: (whole.nodes["gain"][k], -k)) if by_gain else min(waiting)
        waiting.remove(best)
        if whole.is_leaf[best]:
            continue
        splits.add(best)
        kept += 1
        left = int(whole.nodes["left"][best])
        waiting += [left, left + 1]
    split_gains = sorted(whole.nodes["gain"][sorted(splits)].tolist())
    assert sorted(tree.nodes["gain"][~tree.is_leaf]) == pytest.approx(split_gains, rel=1e-9)
    assert tree.n_leaves == kept
    for node, mask in enumerate(rows_by_node(tree, features)):
        if tree.is_leaf[node]:
            assert (raw[mask] == tree.nodes["leaf_value"][node]).all()


@pytest.mark.parametrize("equal_hessians", [True, False])
def test_threads_change_nothing(equal_hessians):
    rng = np.random.default_rng(3)
    n = 40_000
    features = table(rng, n, 5, ["number", "category", "number", "number", "number"], 0.1)
    g = rng.normal(size=n) + np.nan_to_num(features[:, 0])
    h = np.ones(n) if equal_hessians else rng.random(n)
    drawn = rng.random(n) < 0.8
    results = [
        grow(features, [0, 5, 0, 0, 0], g, h, GrowingParams(max_depth=7), threads, drawn=drawn)
        for threads in (1, 2, 3)
    ]
    for _, tree, raw in results[1:]:
        assert tree.nodes.tobytes() == results[0][1].nodes.tobytes()
        np.testing.assert_array_equal(raw, results[0][2])


@pytest.mark.parametrize("method_params", [{"by_gain": True}, {"max_leaves": 3000}, {}])
def test_many_leaves_are_the_same_however_they_come(method_params):
    """A tree without limits has the same leaves by depth and by gain, however few histograms there are."""
    rng = np.random.default_rng(0)
    n = 3000
    features = np.asfortranarray(rng.normal(size=(n, 3)), np.float32)
    g, h = rng.normal(size=n), np.ones(n)
    matrix = bin_rows(features, np.arange(n), find_cuts(features, np.arange(n), [0] * 3, 255))
    rows = DrawnRows(np.arange(n, dtype=np.uint32), np.empty(0, np.uint32))
    trees = []
    for pool_bytes in (0, 2**26):
        grower = TreeGrower(matrix, pool_bytes=pool_bytes)
        params = GrowingParams(max_depth=0, **method_params)
        raw = np.zeros(n, np.float32)
        trees.append((grower.grow(TreeTask(g, h, rows, np.arange(3), params, GO, raw)), raw))
    plain = TreeGrower(matrix).grow(
        TreeTask(g, h, rows, np.arange(3), GrowingParams(max_depth=0), GO, np.zeros(n, np.float32))
    )
    for tree, raw in trees:
        assert tree.n_leaves == plain.n_leaves > 500
        assert np.array_equal(np.sort(tree.nodes["count"]), np.sort(plain.nodes["count"]))
        assert np.array_equal(raw, trees[0][1])


def test_the_list_of_every_row_is_in_order_again_after_a_tree():
    rng = np.random.default_rng(0)
    x, g = rng.normal(size=(5000, 4)).astype(np.float32), rng.normal(size=5000)
    rows = np.arange(len(x))
    grower = TreeGrower(bin_rows(x, rows, find_cuts(x, rows, (0,) * 4, 255)), Team(2))
    every = DrawnRows(rows.astype(np.uint32), np.empty(0, np.uint32))
    for stop in (GO, np.ones(1, np.uint8)):
        raw = np.zeros(len(x), np.float32)
        grower.grow(TreeTask(g, np.ones(len(x)), every, np.arange(4), GrowingParams(), stop, raw))
        np.testing.assert_array_equal(every.drawn, rows)


def test_the_warm_up_compiles_the_second_half_as_it_is_called(monkeypatch):
    """Were it otherwise, the process of the warm-up that compiles it would die."""
    given = []
    monkeypatch.setattr(Kernel, "compile_for_kernels", lambda _kernel, *arguments: given.append(arguments))
    features = np.asfortranarray(np.arange(4, dtype=np.float32)[:, None])
    rows, numbers = np.arange(4), np.zeros(1, np.int64)
    grower = TreeGrower(bin_rows(features, rows, find_cuts(features, rows, numbers, 255)), Team(1))
    split = DrawnRows(rows.astype(np.uint32), np.empty(0, np.uint32))
    params, raw = GrowingParams(1.0, 0.0, 0.3, 1.0, 2), np.zeros(4, np.float32)
    grower.compile_finish(TreeTask(np.ones(4), np.ones(4), split, np.arange(1), params, GO, raw))
    (arguments,) = given
    signature(finish_part.plain).bind(*arguments)
