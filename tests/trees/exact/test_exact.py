"""Trees of exact search are checked against the slow twin on the rows themselves, node by node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.reference.naive_exact import best_exact_split
from tests.reference.naive_tree import rows_by_node
from workbench.threads.team import Team
from workbench.trees.exact.columns import sort_columns
from workbench.trees.exact.grower import ExactGrower
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)
NOBODY = np.empty(0, np.uint32)
LEVELS = 5


def table(rng, n, kinds, missing):
    features = np.empty((n, len(kinds)), np.float32, order="F")
    for f, kind in enumerate(kinds):
        values = rng.normal(size=n)
        features[:, f] = rng.integers(0, LEVELS, n) if kind == "category" else values.round(1 if f % 2 else 7)
    features[rng.random(features.shape) < missing] = np.nan
    return features


def is_category(kinds):
    return np.array([kind == "category" for kind in kinds])


def grow(features, kinds, g, h, params, threads=1, drawn=None, columns=None):
    n, d = features.shape
    mask = np.ones(n, bool) if drawn is None else drawn
    rows = DrawnRows(np.flatnonzero(mask).astype(np.uint32), np.flatnonzero(~mask).astype(np.uint32))
    grower = ExactGrower(features, np.arange(n), LEVELS * is_category(kinds), Team(threads))
    raw = np.zeros(n, np.float32)
    columns = np.arange(d) if columns is None else columns
    tree = grower.grow(TreeTask(g, h, rows, columns, params, GO, raw))
    return tree, raw


def check_against_naive(tree, features, kinds, columns, g, h, params, drawn):
    """G, H and counts are sums over rows; splits are best splits; leaves could not be split."""
    for node, mask in enumerate(rows_by_node(tree, features)):
        record = tree.nodes[node]
        own = mask & drawn
        assert record["count"] == own.sum()
        assert record["sum_gradient"] == pytest.approx(g[own].sum(), abs=1e-9 * (1 + abs(g).sum()))
        assert record["sum_hessian"] == pytest.approx(h[own].sum(), rel=1e-9, abs=1e-12)
        weight_sum = h[own].sum() + params.reg_lambda
        expected = -g[own].sum() / weight_sum if weight_sum > 0 else 0.0
        assert record["weight"] == pytest.approx(expected, rel=1e-6, abs=1e-9)
        best = best_exact_split(
            features[own], columns, is_category(kinds), range(LEVELS), g[own], h[own], params.reg_lambda,
            params.gamma, params.min_child_weight,
        )
        slack = 1e-5 * (1 + abs(g).sum() ** 2 / max(h.sum() + params.reg_lambda, 1e-9))
        if record["feature"] >= 0:
            assert record["feature"] in columns
            assert record["gain"] == pytest.approx(best.gain, abs=slack)
            assert record["gain"] >= 0
            left = int(record["left"])
            children = tree.nodes[left : left + 2]
            assert record["right"] == left + 1
            assert (children["parent"] == node).all()
            assert (children["depth"] == record["depth"] + 1).all()
            assert (children["sum_hessian"] >= params.min_child_weight).all()
            assert (children["count"] > 0).all()
            check_threshold(record, features[own])
        elif (params.max_depth == 0 or record["depth"] < params.max_depth) and best is not None:
            assert best.gain < slack


def check_threshold(record, features):
    """A threshold lies midway between two adjacent values of the node itself."""
    if record["category"] >= 0:
        assert np.isnan(record["threshold"])
        return
    values = features[:, record["feature"]]
    values = np.unique(values[~np.isnan(values)])
    k = np.searchsorted(values, record["threshold"])
    if k < len(values):
        assert record["threshold"] == np.float32((values[k - 1] + values[k]) * np.float32(0.5))
    else:
        assert np.isnan(features[:, record["feature"]]).any()
        assert not record["default_left"]


@examples(100)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 60),
    kinds=st.lists(st.sampled_from(["number", "category"]), min_size=1, max_size=4),
    missing=st.sampled_from([0.0, 0.3, 0.9]),
    reg_lambda=st.sampled_from([0.0, 0.5, 1.0, 10.0]),
    gamma=st.sampled_from([0.0, 0.1, 2.0]),
    max_depth=st.integers(0, 6),
    min_child_weight=st.sampled_from([0.0, 0.3, 3.0]),
    weights=st.sampled_from(["equal", "various", "some 0"]),
    sampled=st.booleans(),
    threads=st.sampled_from([1, 2]),
)
def test_against_naive(
    seed, n, kinds, missing, reg_lambda, gamma, max_depth, min_child_weight, weights, sampled, threads
):
    rng = np.random.default_rng(seed)
    features = table(rng, n, kinds, missing)
    h = np.ones(n) if weights == "equal" else rng.random(n) + 0.01
    if weights == "some 0":
        h[rng.random(n) < 0.3] = 0.0
    g = rng.normal(size=n) * h
    drawn = rng.random(n) < 0.7 if sampled else np.ones(n, bool)
    drawn[0] = True
    columns = np.arange(len(kinds))
    if sampled:
        columns = columns[:: 2 if len(kinds) > 2 else 1].copy()
    params = GrowingParams(reg_lambda, gamma, 0.3, min_child_weight, max_depth)
    tree, raw = grow(features, kinds, g, h, params, threads, drawn, columns)
    check_against_naive(tree, features, kinds, columns, g, h, params, drawn)
    for node, mask in enumerate(rows_by_node(tree, features)):
        if tree.is_leaf[node]:
            assert (raw[mask] == np.float32(0.3 * tree.nodes["weight"][node])).all()


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_many_cuts(missing):
    """More cuts than go into a block: the root's split against running sums in full precision."""
    rng = np.random.default_rng(5)
    n = 3000
    features = table(rng, n, ["number"] * 3, missing)
    g, h = rng.normal(size=n) + np.where(features[:, 0] > 1.2, 0.2, 0.0), rng.random(n) + 0.5
    tree, _ = grow(features, ["number"] * 3, g, h, GrowingParams(max_depth=1))
    best = best_exact_split(features, range(3), [False] * 3, [[]] * 3, g, h, 1.0, 0.0, 1.0)
    assert tree.nodes["gain"][0] == pytest.approx(best.gain, rel=1e-9)
    assert tree.nodes["count"][1] == best.left.sum()


@pytest.mark.slow
def test_missing_values_can_be_parted_from_all_others():
    x = np.array([1, 2, 3, np.nan, np.nan, 4], np.float32)[:, None]
    g = np.array([1, 1, 1, -2, -2, 1.0])
    params = GrowingParams(reg_lambda=0, learning_rate=1, max_depth=3)
    tree, raw = grow(x, ["number"], g, np.ones(6), params)
    assert tree.n_nodes == 3
    assert raw.tolist() == [-1, -1, -1, 2, 2, -1]
    assert tree.nodes["threshold"][0] == np.float32(4) + (np.float32(4) + np.float32(1e-6))


def test_missing_values_stand_for_an_absent_category():
    x = np.array([0, 1, 2, 1, np.nan, 0, 2, np.nan], np.float32)[:, None]
    y = np.array([0, 0, 1, 0, 2, 0, 1, 2.0])
    tree, raw = grow(
        np.asfortranarray(x), ["category"], -y, np.ones(8), GrowingParams(0.0, 0.0, 1.0, 0.0, max_depth=2)
    )
    assert raw.tolist() == y.tolist()
    assert tree.n_leaves == 3


def test_thresholds_between_neighbours_in_float32():
    below = np.float32(1.0)
    above = np.nextafter(below, np.float32(2.0))
    huge = np.finfo(np.float32).max
    for a, b in ((below, above), (-above, -below), (np.float32(0.0), np.float32(1e-45)), (huge * 0.9, huge)):
        x = np.array([a, a, b, b], np.float32)[:, None]
        tree, raw = grow(x, ["number"], np.array([1, 1, -1, -1.0]), np.ones(4), GrowingParams(max_depth=1))
        assert a < tree.nodes["threshold"][0] <= b
        assert raw[0] < 0 < raw[3]


def test_thresholds_lie_between_the_values_of_the_node():
    x = np.array([[0, 0], [0, 1], [0, 2], [0, 9], [1, 3], [1, 4], [1, 5], [1, 6]], np.float32)
    g = np.array([-10, -10, -10, -13, 10, 10, 10, 10.0])
    tree, _ = grow(np.asfortranarray(x), ["number"] * 2, g, np.ones(8), GrowingParams(0.0, max_depth=2))
    assert tree.nodes["threshold"][:2].tolist() == [0.5, 5.5]  # between 2 and 9: 3 … 6 are elsewhere


def test_columns_are_sorted():
    nan = np.nan
    features = np.asfortranarray([[3, -0.0], [nan, 0], [-1.5, nan], [3, -2], [0.5, 1]], np.float32)
    columns = sort_columns(features.T, np.array([0, 1, 2, 3, 4]), np.zeros(2, bool))
    assert (columns.entries & 0xFFFFFFFF).tolist() == [[2, 4, 0, 3, 1], [3, 0, 1, 4, 2]]
    assert (columns.entries >> 32).tolist() == [[0, 1, 2, 2, 3], [0, 1, 1, 2, 3]]
    assert columns.values.tolist() == [-1.5, 0.5, 3.0, -2.0, 0.0, 1.0]
    assert columns.begins.tolist() == [0, 3, 6]
    some = sort_columns(features.T, np.array([0, 3]), np.zeros(2, bool))
    assert some.values.tolist() == [3.0, -2.0, 0.0]


@pytest.mark.parametrize("features", [np.full((10, 1), np.nan), np.ones((10, 1)), np.zeros((10, 3))])
def test_nothing_to_ask_is_a_leaf(features):
    features = np.asfortranarray(features, np.float32)
    for kind in ("number", "category"):
        kinds = [kind] * features.shape[1]
        tree, raw = grow(features, kinds, np.arange(10.0), np.ones(10), GrowingParams())
        assert tree.n_nodes == 1
        assert raw == pytest.approx(np.full(10, -0.1 * 45 / 11))


def test_a_raised_flag_breaks_off():
    features = np.asfortranarray(np.arange(10)[:, None], np.float32)
    everything = DrawnRows(np.arange(10, dtype=np.uint32), NOBODY)
    raw = np.zeros(10, np.float32)
    for threads in (1, 2):
        grower = ExactGrower(features, np.arange(10), is_category(["number"]), Team(threads))
        stop, g, h = np.ones(1, np.uint8), np.arange(10.0), np.ones(10)
        assert grower.grow(TreeTask(g, h, everything, np.arange(1), GrowingParams(), stop, raw)) is None
        assert (raw == 0).all()


def test_held_out_rows_are_walked_down():
    rng = np.random.default_rng(2)
    kinds = ["number", "category", "number"]
    features = table(rng, 300, kinds, 0.2)
    train, valid = np.arange(0, 300, 2), np.arange(1, 300, 2)
    features[valid[:5], 1] = 99  # categories that training has not seen
    grower = ExactGrower(features, train, LEVELS * is_category(kinds))
    raw, valid_raw = np.zeros(150, np.float32), np.zeros(150, np.float32)
    task = TreeTask(
        rng.normal(size=150), np.ones(150), DrawnRows(np.arange(150, dtype=np.uint32), NOBODY), np.arange(3),
        GrowingParams(), GO, raw, valid_raw,
    )
    tree = grower.grow(task, grower.held_out(valid))
    for node, mask in enumerate(rows_by_node(tree, features)):
        if tree.is_leaf[node]:
            assert (raw[mask[train]] == tree.nodes["leaf_value"][node]).all()
            assert (valid_raw[mask[valid]] == tree.nodes["leaf_value"][node]).all()


@examples(40)
@given(
    seed=st.integers(0, 10**6), n=st.integers(2, 60), max_leaves=st.integers(2, 12),
    max_depth=st.sampled_from([0, 2, 4]), by_gain=st.booleans(), missing=st.sampled_from([0.0, 0.3]),
)
def test_limited_leaves_against_naive(seed, n, max_leaves, max_depth, by_gain, missing):
    rng = np.random.default_rng(seed)
    kinds = ["number", "number", "category"]
    features = table(rng, n, kinds, missing)
    g, h = rng.normal(size=n), rng.random(n) + 0.01
    free = GrowingParams(1.0, 0.05, 0.3, 0.3, max_depth)
    whole, _ = grow(features, kinds, g, h, free)
    tree, raw = grow(features, kinds, g, h, free._replace(max_leaves=max_leaves, by_gain=by_gain))
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


@pytest.mark.parametrize("max_leaves", [0, 90])
def test_trees_do_not_depend_on_the_width_of_waves(max_leaves):
    rng = np.random.default_rng(8)
    features = table(rng, 500, ["number"] * 3, 0.1)
    everything = DrawnRows(np.arange(500, dtype=np.uint32), NOBODY)
    g, h = rng.normal(size=500), np.ones(500)
    params = GrowingParams(reg_lambda=0.0, min_child_weight=0.0, max_depth=0, max_leaves=max_leaves)
    trees = []
    for most_found in (1, 10, 10_000):
        grower = ExactGrower(features, np.arange(500), is_category(["number"] * 3), most_found=most_found)
        raw = np.zeros(500, np.float32)
        trees.append(grower.grow(TreeTask(g, h, everything, np.arange(3), params, GO, raw)))
    assert trees[0].n_leaves > 80
    assert trees[1].nodes.tobytes() == trees[0].nodes.tobytes()
    assert trees[2].nodes.tobytes() == trees[0].nodes.tobytes()


SHAPES = [
    GrowingParams(max_depth=7),
    GrowingParams(reg_lambda=0.0, min_child_weight=0.0, max_depth=0),
    GrowingParams(max_depth=0, max_leaves=50, by_gain=True),
]


@pytest.mark.parametrize("params", SHAPES)
@pytest.mark.parametrize("equal_hessians", [True, False])
def test_threads_change_nothing(equal_hessians, params):
    rng = np.random.default_rng(3)
    n = 12_000
    kinds = ["number", "category", "number", "number", "number"]
    features = table(rng, n, kinds, 0.1)
    g = rng.normal(size=n) + np.nan_to_num(features[:, 0])
    h = np.ones(n) if equal_hessians else rng.random(n)
    drawn = rng.random(n) < 0.8
    results = [grow(features, kinds, g, h, params, threads, drawn) for threads in (1, 2, 3)]
    for tree, raw in results[1:]:
        assert tree.nodes.tobytes() == results[0][0].nodes.tobytes()
        np.testing.assert_array_equal(raw, results[0][1])
