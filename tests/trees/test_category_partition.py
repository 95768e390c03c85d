"""Categories parted in two: the best of all partitions, and none where they mean nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.reference.naive_split import gain_of
from tests.reference.naive_tree import leaf_of
from workbench.data.encoding import encode
from workbench.ensembles.prediction import raw_predictions
from workbench.given import make_dataset
from workbench.parameters.training import TrainingParams
from workbench.trees.bins.binning import MISSING_BIN, OTHER_BIN, bin_rows
from workbench.trees.bins.category_groups import bins_of_levels
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.category_order import sort_categories
from workbench.trees.exact.grower import ExactGrower
from workbench.trees.forced_splits import NO_SPLITS
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist.grower import TreeGrower
from workbench.trees.interaction_constraints import column_sets
from workbench.trees.restraints import Rules
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)
PARTED = GrowingParams(
    reg_lambda=1.0, learning_rate=1.0, min_child_weight=0.0, max_depth=1, max_cat_to_onehot=2
)


def grow(codes, n_categories, g, h, params, rules=None, others=(), method="hist"):
    features = np.asfortranarray(np.column_stack([codes, *others]), np.float32)
    rows = np.arange(len(codes))
    of_columns = np.array([n_categories, *(0 for _ in others)])
    cuts = find_cuts(features, rows, of_columns, 255)
    drawn = DrawnRows(rows.astype(np.uint32), np.empty(0, np.uint32))
    raw = np.zeros(len(codes), np.float32)
    grower = TreeGrower(bin_rows(features, rows, cuts))
    if method == "exact":
        grower = ExactGrower(features, rows, of_columns)
    task = TreeTask(g, h, drawn, np.arange(features.shape[1]), params, GO, raw)
    return grower.grow(task, rules=rules), raw, features


@examples(60)
@given(
    seed=st.integers(0, 10**6), n=st.integers(20, 60), n_categories=st.integers(3, 6),
    missing=st.sampled_from([0.0, 0.2]), restrained=st.booleans(), method=st.sampled_from(["hist", "exact"]),
)
def test_the_best_of_all_partitions(seed, n, n_categories, missing, restrained, method):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_categories, n).astype(float)
    codes[rng.random(n) < missing] = np.nan
    g, h = rng.normal(size=n) + 3 * np.nan_to_num(np.sin(7 * codes)), np.ones(n)
    nothing = np.zeros(1, np.int8), column_sets([], 1)
    rules = Rules(0.0, 0.0, 1, *nothing, 1.0, 0.9, np.ones(1), 1, np.arange(1), NO_SPLITS)
    tree, raw, features = grow(codes, n_categories, g, h, PARTED, rules if restrained else None, (), method)
    present = np.unique(codes[~np.isnan(codes)])
    ways = [
        np.isin(codes, chosen) | (np.isnan(codes) & missing_left)
        for size in range(1, len(present) + 1) for chosen in combinations(present, size)
        for missing_left in (False, True)
    ]
    best = max(gain_of(way, g, h, 1.0, 0.0) for way in ways if way.any() and not way.all())
    if tree.n_nodes == 1:
        assert best <= 1e-3 * (1 + best)
        return
    assert tree.nodes["gain"][0] == pytest.approx(best, rel=1e-4)
    walked = [tree.nodes["leaf_value"][leaf_of(tree, row)] for row in features]
    assert np.array_equal(raw, np.array(walked, np.float32))
    assert tree.nodes["category"][0] == tree.categories(0).min()


@pytest.mark.parametrize("method", ["hist", "exact"])
@pytest.mark.parametrize("restrained", [False, True])
def test_cat_l2_is_added_to_lambda_where_more_than_nine_categories_are_compared(method, restrained):
    """Categories of few rows and large gradients win without it."""
    sizes, means = [4, *([40] * 4), *([60] * 4), 50, 50, 50], [3.0, *np.linspace(-0.4, 0.4, 11)]
    codes = np.repeat(np.arange(12.0), sizes)
    nothing = np.zeros(1, np.int8), column_sets([], 1)
    rules = Rules(0.0, 0.0, 1, *nothing, 1.0, 0.9, np.ones(1), 1, np.arange(1), NO_SPLITS)
    for kept, cat_l2 in ((12, 0.0), (12, 30.0), (9, 0.0), (9, 30.0)):
        own = codes < kept
        g, h = np.repeat(means, sizes)[own], np.ones(own.sum())
        params = PARTED._replace(cat_l2=cat_l2)
        tree, *_ = grow(codes[own], kept, g, h, params, rules if restrained else None, (), method)
        ways = [set(np.argsort(means[:kept])[:n]) for n in range(1, kept)]
        pull = 1.0 + (cat_l2 if kept > 9 else 0.0)
        best = max(ways, key=lambda way: gain_of(np.isin(codes[own], list(way)), g, h, pull, 0.0))
        assert set(tree.categories(0)) in (best, set(range(kept)) - best)
        assert (best == set(range(1, kept))) == (pull == 1.0 or kept == 9)


@pytest.mark.parametrize("method", ["hist", "approx", "exact"])
@pytest.mark.parametrize("gamma", [0.0, 1.0])
def test_a_limit_that_nothing_comes_near_changes_no_partition(method, gamma):
    """The node as a whole is taken with λ alone, also where leaf weights are restrained."""
    _, frame, y = table_with_levels(3, 30, 1500, 0.3)
    params = {"rounds": 4, "gamma": gamma, "min_child_weight": 15.0, "tree_method": method, "threads": 1}
    free, limited = (workbench.fit(frame, y, max_delta_step=step, **params).trees for step in (0.0, 1e30))
    assert any(len(tree.categories(n)) > 1 for tree in free for n in range(tree.n_nodes))
    for one, other in zip(free, limited, strict=True):
        assert np.array_equal(one.nodes["feature"], other.nodes["feature"])
        assert np.array_equal(one.category_codes, other.category_codes)


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 3)), min_size=1, max_size=254),
    st.just(0.0) | st.floats(1e-6, 20),
)
def test_order(pairs, smooth):
    shift = 10
    histogram = np.array([g * 1024 + h for g, h in pairs])
    order, ratios = np.zeros(256, np.int64), np.zeros(256)
    n = sort_categories(histogram, len(pairs), shift, smooth, order, ratios)
    present = [b for b in range(len(pairs)) if histogram[b] != 0]

    def ratio(b):
        g, h = histogram[b] >> shift, (histogram[b] & 1023) + smooth
        return g / h if h > 0 else 0.0

    assert order[:n].tolist() == sorted(present, key=lambda b: (ratio(b), b))


def table_with_levels(seed, n_levels, n, signal):
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n, 4))
    levels = rng.integers(0, n_levels, n)
    y = numbers[:, 0] + numbers[:, 1] * numbers[:, 2] + rng.normal(size=n)
    y += signal * rng.normal(size=n_levels)[levels]
    frame = pd.DataFrame(numbers, columns=list("abcd"))
    return frame, frame.assign(level=pd.Categorical([f"L{level}" for level in levels])), y


def error(frame, y, **params):
    half = len(y) // 2
    model = workbench.fit(frame.iloc[:half], y[:half], rounds=60, **params)
    return np.sqrt(np.mean((model.predict(frame.iloc[half:]) - y[half:]) ** 2))


def test_thousands_of_levels_without_signal_do_no_harm():
    differences = []
    for seed in range(4):
        without, with_levels, y = table_with_levels(seed, 3000, 12_000, 0.0)
        differences.append(error(with_levels, y) / error(without, y) - 1)
    assert np.mean(differences) < 0.005 + 2 * np.std(differences) / 2


@pytest.mark.parametrize("method", ["hist", "approx", "exact"])
@pytest.mark.parametrize("n_kept", [0, 3])
def test_rare_levels_do_no_harm_where_nearly_all_are_rare(method, n_kept):
    rng = np.random.default_rng(0)
    numbers = pd.DataFrame(rng.normal(size=(2400, 2)), columns=list("ab"))
    levels = pd.Series([f"L{level}" for level in rng.permutation(1200).repeat(2)])
    levels[: 60 * n_kept] = [f"kept {place % max(n_kept, 1)}" for place in range(60 * n_kept)]
    y = (numbers["a"] + levels.str.startswith("kept 1") + rng.normal(size=2400)).to_numpy()
    model = workbench.fit(numbers.assign(level=levels), y, tree_method=method, rounds=20)
    names = model.schema.features[2].categories
    asked = {names[c] for tree in model.trees for n in range(tree.n_nodes) for c in tree.categories(n)}
    assert asked <= {f"kept {place}" for place in range(n_kept)}
    assert ("kept 1" in asked or "kept 0" in asked) == (n_kept > 0)


@pytest.mark.parametrize("n_levels", [200, 2000])
@pytest.mark.slow
def test_many_levels_with_signal_are_used(n_levels):
    without, with_levels, y = table_with_levels(0, n_levels, 40_000, 2.0)
    assert error(with_levels, y) < 0.6 * error(without, y)
    assert error(with_levels, y) < error(with_levels, y, max_cat_to_onehot=1000)


def test_unseen_categories_answer_no():
    frame = pd.DataFrame({"c": pd.Categorical(list("abcdef") * 30)})
    y = np.where(frame["c"].isin(["a", "d", "f"]), 5.0, -5.0)
    model = workbench.fit(frame, y, rounds=3, cat_smooth=0, cat_l2=0, min_category_rows=1)
    tree = model.trees[0]
    yes = [frame["c"].cat.categories[code] for code in tree.categories(0)]
    assert len(yes) == 3
    of_a, of_b, unseen = model.predict(pd.DataFrame({"c": ["a", "b", "z"]}))
    assert of_a != of_b
    assert unseen == (of_b if "a" in yes else of_a)


@pytest.mark.parametrize(
    "params",
    [{}, {"reg_alpha": 0.5}, {"min_leaf_rows": 40, "cat_l2": 3.0}, {"grow_policy": "best_gain"}],
    ids=str,
)
def test_exact_search_parts_categories_as_histograms_do(params):
    """Where columns hold categories alone, bins lose nothing: the same trees, bit for bit."""
    rng = np.random.default_rng(1)
    n = 3000
    frame = pd.DataFrame({
        "a": [f"k{level}" for level in rng.integers(0, 40, n)], "b": rng.choice(list("xyz"), n),
        "c": [f"v{level}" for level in rng.integers(0, 7, n)],
    })
    frame.loc[:3, "a"] = "rare"
    frame.loc[rng.random(n) < 0.1, "a"] = None
    y = frame["a"].map(effect_of).to_numpy() + (frame["b"] == "x") + rng.normal(size=n) / 2
    shape = {"rounds": 6, "subsample": 0.8, "max_leaves": 20, "valid_fraction": 0.2, **params}
    hist, exact = (
        workbench.fit(frame, y, tree_method=method, threads=1, **shape) for method in ("hist", "exact")
    )
    for one, other in zip(hist.trees, exact.trees, strict=True):
        for name in ("feature", "category", "default_left", "count", "gain", "leaf_value"):
            assert np.array_equal(one.nodes[name], other.nodes[name])
        assert np.array_equal(one.category_codes, other.category_codes)
    assert hist.history[-1]["valid:rmse"] == exact.history[-1]["valid:rmse"]


def effect_of(level):
    """A number for a level, the same in every process."""
    return np.sin(sum(map(ord, str(level))) ** 2)


@pytest.mark.parametrize("n_levels", [60, 700])
@pytest.mark.parametrize("method", ["hist", "exact"])
def test_partitions_are_walked_alike_everywhere(n_levels, method, threads_for_few_rows):
    _, frame, y = table_with_levels(1, n_levels, 6000, 1.0)
    params = {"rounds": 10, "valid_fraction": 0.3, "subsample": 0.7, "tree_method": method}
    model = workbench.fit(frame, y, threads=1, **params)
    again = workbench.fit(frame, y, threads=3, **params)
    several = [len(tree.categories(n)) > 1 for tree in model.trees for n in range(tree.n_nodes)]
    assert any(several)
    rows = encode(model.schema, frame)
    assert np.array_equal(raw_predictions(again.ensemble, rows), raw_predictions(model.ensemble, rows))
    dataset = make_dataset(frame, y, None, None, None, 0.3, TrainingParams())
    valid = dataset.valid_rows
    measured = np.sqrt(np.mean((model.predict(frame.iloc[valid]) - y[valid]) ** 2))
    assert model.history[-1]["valid:rmse"] == pytest.approx(measured, rel=1e-6)
    naive = np.full(50, model.ensemble.base_margin[0], np.float32)
    for tree in model.trees:
        naive += np.array([tree.nodes["leaf_value"][leaf_of(tree, row)] for row in rows[:50]], np.float32)
    assert np.array_equal(raw_predictions(model.ensemble, rows)[:50], naive)


def test_groups_hold_neighbours_and_about_as_much():
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 1000, 50_000).astype(np.int32)
    g, h = rng.normal(size=1000)[levels], rng.random(50_000)
    levels[:30] = 1000, *range(1000, 1029)
    levels[1:30] = 1001
    bins = bins_of_levels(levels, 1000, g, h, 1.0, 5)
    assert (bins[-2], bins[-1]) == (OTHER_BIN, MISSING_BIN)
    sums = [np.bincount(levels, w, 1002)[:1000] for w in (g, h)]
    ordered = bins[np.argsort(sums[0] / (sums[1] + 1.0))]
    assert (np.diff(ordered.astype(int)) >= 0).all()
    weight = np.bincount(bins[:1000], sums[1], 254)
    assert weight.max() < 3 * weight.mean()
    rare = bins_of_levels(np.array([0, 0, 1], np.int32), 3, np.ones(3), np.ones(3), 1.0, 2)
    assert rare.tolist() == [0, OTHER_BIN, OTHER_BIN, OTHER_BIN, MISSING_BIN]
