"""Restrained trees against a slow twin, node by node, for both searches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.reference.free_rules import rules_for
from tests.reference.naive_exact import ways_to_part
from tests.reference.naive_restraints import FREE, bounds_below, gain, weight
from tests.reference.naive_tree import rows_by_node
from workbench.threads.team import Team
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.exact.grower import ExactGrower
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist.grower import TreeGrower
from workbench.trees.interaction_constraints import column_sets
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)


def grow(features, g, h, params, rules, method="hist", n_categories=None, threads=1):
    n, d = features.shape
    rows = DrawnRows(np.arange(n, dtype=np.uint32), np.empty(0, np.uint32))
    n_categories = n_categories or [0] * d
    if method == "exact":
        grower = ExactGrower(features, np.arange(n), np.array(n_categories), Team(threads))
    else:
        cuts = find_cuts(features, np.arange(n), n_categories, 255)
        grower = TreeGrower(bin_rows(features, np.arange(n), cuts), Team(threads))
    raw = np.zeros(n, np.float32)
    return grower.grow(TreeTask(g, h, rows, np.arange(d), params, GO, raw), rules=rules), raw


def columns_on_way(tree, node):
    found = set()
    while node > 0:
        node = int(tree.nodes["parent"][node])
        found.add(int(tree.nodes["feature"][node]))
    return found


def check_nodes(tree, features, g, h, params, rules, is_category):
    """Weights, gains and bounds follow from the rows; splits are the best ones; leaves cannot be split."""
    bounds = {0: FREE}
    scale = 1 + abs(g).sum() ** 2 / (h.sum() + params.reg_lambda + 1e-9)
    for node, mask in enumerate(rows_by_node(tree, features)):
        record = tree.nodes[node]
        own_g, own_h, own = g[mask], h[mask], features[mask]
        expected = weight(own_g.sum(), own_h.sum(), params, rules, bounds[node])
        assert record["weight"] == pytest.approx(expected, abs=2e-5 * (1 + abs(expected)))
        best = -np.inf
        for f in range(features.shape[1]):
            for left in ways_to_part(own[:, f], is_category[f], range(4)):
                found = gain(left, own_g, own_h, params, rules, bounds[node], rules.monotone[f])
                best = max(best, found[0]) if found else best
        if record["feature"] < 0:
            if record["depth"] < params.max_depth:
                assert best < 1e-5 * scale
            continue
        assert record["gain"] == pytest.approx(best, abs=1e-5 * scale)
        left = rows_by_node(tree, features)[int(record["left"])][mask]
        direction = rules.monotone[record["feature"]]
        found, left_w, right_w = gain(left, own_g, own_h, params, rules, bounds[node], direction)
        assert record["gain"] == pytest.approx(found, abs=1e-6 * scale)
        child = int(record["left"])
        bounds[child], bounds[child + 1] = bounds_below(bounds[node], direction, left_w, right_w)


@examples(40)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 40),
    method=st.sampled_from(["hist", "exact"]),
    kinds=st.lists(st.sampled_from(["number", "category"]), min_size=1, max_size=3),
    missing=st.sampled_from([0.0, 0.3]),
    reg_lambda=st.sampled_from([0.5, 1.0, 10.0]),
    gamma=st.sampled_from([0.0, 0.1]),
    max_depth=st.integers(1, 3),
    reg_alpha=st.sampled_from([0.0, 0.3, 2.0]),
    max_delta_step=st.sampled_from([0.0, 0.2]),
    min_leaf_rows=st.sampled_from([1, 3, 8]),
    directions=st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3),
)
def test_against_naive(
    seed, n, method, kinds, missing, reg_lambda, gamma, max_depth, reg_alpha, max_delta_step, min_leaf_rows,
    directions,
):
    rng = np.random.default_rng(seed)
    features = np.empty((n, len(kinds)), np.float32, order="F")
    for f, kind in enumerate(kinds):
        features[:, f] = rng.integers(0, 4, n) if kind == "category" else rng.normal(size=n).round(1)
    features[rng.random(features.shape) < missing] = np.nan
    g, h = rng.normal(size=n), rng.random(n) + 0.1
    is_category = np.array([kind == "category" for kind in kinds])
    signs = np.where(is_category, 0, directions[: len(kinds)]).astype(np.int8)
    rules = rules_for(
        len(kinds), reg_alpha=reg_alpha, max_delta_step=max_delta_step, min_leaf_rows=min_leaf_rows,
        monotone=signs,
    )
    params = GrowingParams(reg_lambda, gamma, 0.3, 0.2, max_depth)
    n_categories = [4 if kind == "category" else 0 for kind in kinds]
    tree, raw = grow(features, g, h, params, rules, method, n_categories)
    check_nodes(tree, features, g, h, params, rules, is_category)
    assert raw == pytest.approx(np.array([
        tree.nodes["leaf_value"][max(np.flatnonzero([m[i] for m in rows_by_node(tree, features)]))]
        for i in range(n)
    ]))


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_predictions_rise_with_a_monotone_column(method):
    rng = np.random.default_rng(3)
    n = 800
    features = np.asfortranarray(rng.normal(size=(n, 3)), np.float32)
    g = -(np.sin(3 * features[:, 0]) + features[:, 0] + rng.normal(size=n)).astype(np.float64)
    rules = rules_for(3, monotone=np.array([1, 0, -1], np.int8))
    tree, _ = grow(features, g, np.ones(n), GrowingParams(max_depth=8), rules, method)
    assert tree.n_leaves > 20
    assert (tree.nodes["feature"] == 0).any()
    from tests.reference.naive_tree import leaf_of

    for row in rng.normal(size=(40, 3)).astype(np.float32):
        for column, sign in ((0, 1), (2, -1)):
            line = np.repeat(row[None], 60, axis=0)
            line[:, column] = np.linspace(-3, 3, 60)
            values = [sign * tree.nodes["weight"][leaf_of(tree, x)] for x in line]
            assert (np.diff(values) >= 0).all()


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_columns_of_different_sets_never_meet_on_a_path(method):
    rng = np.random.default_rng(4)
    features = np.asfortranarray(rng.normal(size=(600, 5)), np.float32)
    g = -(3 * features[:, 1] + 2 * features[:, 2] + features[:, 3] + features[:, 4]).astype(float)
    rules = rules_for(5, column_sets=column_sets([(0, 1), (1, 2, 3)], 5))
    tree, _ = grow(features, g, np.ones(600), GrowingParams(max_depth=6), rules, method)
    ways = [columns_on_way(tree, node) for node in np.flatnonzero(tree.is_leaf)]
    assert all(way <= {0, 1} or way <= {1, 2, 3} or way <= {4} for way in ways)
    assert {1, 2, 3} in ways


@pytest.mark.parametrize("method", ["hist", "exact"])
@pytest.mark.parametrize("threads", [1, 3])
def test_columns_drawn_by_level_and_node(method, threads, threads_for_few_rows):
    rng = np.random.default_rng(5)
    features = np.asfortranarray(rng.normal(size=(900, 6)), np.float32)
    g = -features.sum(axis=1).astype(np.float64)
    params = GrowingParams(max_depth=5)

    def columns_by_level(**changes):
        tree, _ = grow(features, g, np.ones(900), params, rules_for(6, **changes), method, threads=threads)
        split = tree.nodes[~tree.is_leaf]
        return [set(split["feature"][split["depth"] == level].tolist()) for level in range(5)]

    assert all(len(level) == 1 for level in columns_by_level(level_share=0.17))
    assert len(set.union(*columns_by_level(level_share=0.17))) > 1
    assert max(len(level) for level in columns_by_level(node_share=0.17)) > 2
    weights = np.array([1, 1, 0, 1, 0, 1.0])
    assert set.union(*columns_by_level(node_share=0.5, column_weights=weights)) <= {0, 1, 3, 5}


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_post_pruning_keeps_what_pays_below(method):
    """MATH's near-XOR: the root gains little, its children much."""
    x = np.array([[a, b] for a in (0, 1) for b in (0, 1) for _ in range(100)], np.float32)
    y = (x[:, 0] != x[:, 1]) + 0.1 * x[:, 0]
    g, h = 0.5 - y.astype(np.float64), np.ones(400)
    shape = GrowingParams(reg_lambda=0.0, gamma=2.5, learning_rate=1.0, max_depth=2)
    nothing = rules_for(2)
    for rules in (None, nothing):
        pruned, _ = grow(np.asfortranarray(x), g, h, shape._replace(post_pruning=True), rules, method)
        stopped, _ = grow(np.asfortranarray(x), g, h, shape, rules, method)
        assert (pruned.n_nodes, stopped.n_nodes) == (7, 1)
        assert pruned.nodes["gain"][0] == pytest.approx(0.5 - 2.5, rel=1e-6)
        high, _ = grow(
            np.asfortranarray(x), g, h, shape._replace(post_pruning=True, gamma=26.0), rules, method
        )
        assert high.n_nodes == 1


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_rules_that_do_not_bind_change_nothing(method):
    rng = np.random.default_rng(6)
    features = np.asfortranarray(rng.normal(size=(500, 4)).round(1), np.float32)
    features[rng.random(features.shape) < 0.1] = np.nan
    g, h = rng.normal(size=500), rng.random(500) + 0.1
    params = GrowingParams(max_depth=6)
    plain, raw = grow(features, g, h, params, None, method)
    ruled, ruled_raw = grow(features, g, h, params, rules_for(4), method)
    for name in ("feature", "threshold", "default_left", "count"):
        assert np.array_equal(plain.nodes[name], ruled.nodes[name], equal_nan=name == "threshold")
    assert raw == pytest.approx(ruled_raw, rel=1e-6)


@pytest.mark.parametrize("method", ["hist", "exact"])
@pytest.mark.parametrize("sign", [1, -1])
def test_missing_values_stand_on_the_side_that_a_monotone_column_allows(method, sign):
    rng = np.random.default_rng(7)
    x = rng.normal(size=(200, 1)).astype(np.float32)
    x[rng.random(200) < 0.4] = np.nan
    y = np.where(np.isnan(x[:, 0]), -float(sign), 0.0)  # missing lowest for a rising column: it must go left
    rules = rules_for(1, monotone=np.array([sign], np.int8))
    shape = GrowingParams(reg_lambda=0.0, learning_rate=1.0, max_depth=1)
    tree, raw = grow(np.asfortranarray(x), -y, np.ones(200), shape, rules, method)
    assert tree.n_nodes == 3
    assert raw == pytest.approx(y)
    assert np.isfinite(tree.nodes["threshold"][0])
    assert tree.nodes["default_left"][0]


@pytest.mark.parametrize("method", ["hist", "exact", "approx"])
@pytest.mark.parametrize("size", [1.0, 3.4e38])
def test_thresholds_beyond_all_values_can_be_saved(method, size, tmp_path):
    x = np.array([-size, size, np.nan] * 40, np.float32)[:, None]
    y = np.array([0.0, 0.0, -1.0] * 40)
    for params in ({}, {"monotone_constraints": {"f0": 1}}):
        model = workbench.fit(x, y, rounds=2, tree_method=method, **params)
        assert model.predict(x)[2] < model.predict(x)[0]
        model.save(tmp_path / "m.json")
        assert np.array_equal(workbench.load_model(tmp_path / "m.json").predict_raw(x), model.predict_raw(x))
        booster = xgboost.Booster(model_file=tmp_path / "m.json")
        rows = xgboost.DMatrix(x, feature_names=["f0"])
        assert np.array_equal(booster.predict(rows, output_margin=True), model.predict_raw(x))


def test_rows_of_leaves_are_counted_in_wide_columns_too():
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 600, 3000)
    frame = pd.DataFrame({"c": [f"k{level}" for level in levels], "f": rng.normal(size=3000)})
    y = 3 * rng.normal(size=600)[levels] + rng.normal(size=3000)
    model = workbench.fit(frame, y, rounds=10, min_leaf_rows=100, max_depth=3, min_category_rows=1)
    assert min(tree.nodes["count"].min() for tree in model.trees) >= 100


@pytest.mark.parametrize("method", ["hist", "exact"])
@pytest.mark.parametrize("codes", [[0, 1], [2, 3], [0, 1, 2, 3]])
@pytest.mark.parametrize("reg_alpha", [0.0, 0.1])
def test_missing_values_stand_alone_where_a_category_is_absent(method, codes, reg_alpha):
    """They take the place of a category without rows, whether it has rows elsewhere or not."""
    features = np.array([*np.repeat(codes, 5), *[np.nan] * 10], np.float32)[:, None]
    is_missing = np.isnan(features[:, 0])
    g = np.where(is_missing, 1.0, -1.0)
    rules = rules_for(1, reg_alpha=reg_alpha)
    params = GrowingParams(max_depth=1)
    tree, _ = grow(np.asfortranarray(features), g, np.ones(len(g)), params, rules, method, [4])
    parted = rows_by_node(tree, features)[int(tree.nodes["left"][0])]
    is_alone = np.array_equal(parted, is_missing) or np.array_equal(parted, ~is_missing)
    assert is_alone == (len(codes) < 4)


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_missing_rows_without_weight_count_among_the_least_rows(method):
    x = np.array([[0.0]] * 20 + [[1.0]] * 4 + [[np.nan]] * 3, np.float32)
    weight = 1.0 - np.isnan(x[:, 0])
    model = workbench.fit(
        x, (x[:, 0] > 0.5).astype(float), weight=weight, rounds=1, min_leaf_rows=5,
        min_child_weight=0.0, tree_method=method, objective="squared", valid_fraction=0.0,
    )
    assert model.trees[0].nodes["count"].tolist() == [27, 20, 7]
