"""The scale of the sums changes nothing that is learnt; and what cannot be learnt is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import workbench
from tests.reference.tables import dataset, random_dataset, train
from workbench.errors import WorkbenchWarning
from workbench.explain.replay import Replay
from workbench.trees.structure_score import LEAST_LOSS_CHANGE
from workbench.trees.tree import NODE_DTYPE

pytestmark = pytest.mark.filterwarnings("ignore::workbench.errors.WorkbenchWarning")

METHODS = ("hist", "approx", "exact")


def table(n=400):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 3))
    y = 2 * x[:, 0] + np.sin(3 * x[:, 1])
    return x, y / y.std()


def fitted(x, y, **given):
    given = {"objective": "squared", "rounds": 60, "learning_rate": 0.3} | given
    return workbench.fit(x, y, **given)


def r2(model, x, y):
    return 1 - np.mean((model.predict(x).astype(float) - y) ** 2) / np.var(y)


def notes(model):
    return model.provenance["notes"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [2.0**-17, 2.0**-60, 2.0**-90])
def test_a_target_in_small_units_is_learnt_as_in_large_ones(method, scale):
    x, y = table()
    small, usual = (fitted(x, y * s, tree_method=method) for s in (scale, 1.0))
    assert r2(small, x, y * scale) > 0.99
    for tree, other in list(zip(small.trees, usual.trees, strict=True))[:5]:
        assert np.array_equal(tree.nodes["threshold"], other.nodes["threshold"], equal_nan=True)
        assert np.array_equal(tree.nodes["weight"], other.nodes["weight"] * np.float32(scale))
    assert notes(small) == []


def test_small_weights_are_learnt_from_where_the_limits_are_as_small():
    x, y = table()
    limits = {"min_child_weight": 1.0, "reg_lambda": 1.0}
    usual = fitted(x, y, rounds=5, **limits)
    small = fitted(x, y, rounds=5, weight=np.full(400, 2.0**-40), **dict.fromkeys(limits, 2.0 ** (-40)))
    assert [t.n_nodes for t in small.trees] == [t.n_nodes for t in usual.trees]
    assert all(np.array_equal(a.nodes["weight"], b.nodes["weight"])
               for a, b in zip(small.trees, usual.trees, strict=True))  # fmt: skip


@pytest.mark.parametrize("given", [{}, {"base_score": 0.5}])
def test_at_ordinary_scales_the_least_gain_is_that_of_xgboost(given):
    data = random_dataset()
    started, rounds, _ = train(data, rounds=1, **given)
    replay = Replay(data, started.ensemble, started.params, rounds)
    assert replay.grown(1, 0).growing.least_gain == LEAST_LOSS_CHANGE
    small = replace(data, target=data.target * 1e-6)
    started, rounds, _ = train(small, rounds=1, **given)
    least = Replay(small, started.ensemble, started.params, rounds).grown(1, 0).growing.least_gain
    assert 0 < least < 1e-15


def test_going_on_with_a_small_target_is_one_longer_run():
    x, y = table()
    whole = fitted(x, y * 1e-6, rounds=12)
    both = fitted(x, y * 1e-6, rounds=6, init_model=fitted(x, y * 1e-6, rounds=6))
    assert all(np.array_equal(a.nodes["weight"], b.nodes["weight"])
               for a, b in zip(whole.trees, both.trees, strict=True))  # fmt: skip


@pytest.mark.parametrize(("objective", "remedy"), [
    ("squared", "Subtract 10,000,000 from it before training, and add that"),
    ("absolute", "Subtract 10,000,000 from it"), ("quantile", "Subtract 10,000,000 from it"),
    ("poisson", "Divide it by 10,000,000 before training, and multiply the predictions"),
])  # fmt: skip
def test_a_target_too_large_for_its_spread_is_told(objective, remedy):
    x, y = table()
    with pytest.warns(WorkbenchWarning) as warned:
        model = fitted(x, y + 1e7, objective=objective, rounds=3)
    (note,) = notes(model)
    assert "'target' varies by about 1 around 10,000,000" in note
    assert remedy in note
    assert note in [str(told.message) for told in warned]


def test_a_target_below_0_is_raised():
    x, y = table()
    (note,) = notes(fitted(x, y - 1e7, rounds=3))
    assert "around −10,000,000, which" in note
    assert "Add 10,000,000 to it before training, and subtract that" in note


@pytest.mark.parametrize("y", [1e4, 1e5, -3e5])
def test_a_target_that_single_precision_holds_is_not_told_of(y):
    x, own = table()
    model = fitted(x, own + y)
    assert notes(model) == []
    assert r2(model, x, own + y) > 0.99


@pytest.mark.parametrize(("given", "words"), [
    ({"weight": np.full(400, 1 / 400)}, "needs 1. Lower min_child_weight, or make the weights larger."),
    ({"min_child_weight": 300}, "Lower min_child_weight."),
    ({"min_child_weight": 150, "subsample": 0.5}, "the rows of a tree add up to 200"),
    ({"gamma": 1e6}, "none gains γ = 1e+06, the cost of a leaf. Lower gamma."),
    ({"reg_alpha": 1e6}, "Lower reg_alpha."), ({"min_leaf_rows": 300}, "Lower min_leaf_rows."),
    ({"reg_lambda": 1e14}, "Lower reg_lambda."),
])  # fmt: skip
@pytest.mark.parametrize("method", ["hist", "exact"])
def test_nothing_learnt_is_said_with_what_to_do(method, given, words):
    x, y = table()
    if method == "exact" and "min_leaf_rows" in given:
        return
    (note,) = notes(fitted(x, y, rounds=2, tree_method=method, **given))
    assert note.startswith("None of the 2 rounds made a split, so no column has a say in the predictions: ")
    assert words in note


def test_columns_of_one_value_are_said():
    (note,) = notes(fitted(np.ones((20, 2)), np.arange(20.0), rounds=1))
    assert note.startswith("The one round made no split")
    assert "no column has two values to cut between" in note


def test_leaves_that_weigh_next_to_nothing_are_said():
    x, y = table()
    (note,) = notes(fitted(x, y, rounds=2, weight=np.full(400, 1e-5), min_child_weight=0))
    assert "reg_lambda 1 outweighs the hessians of all rows, which add up to 0.004" in note


# --- rows of weight 0 -------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_row_of_weight_0_is_no_place_to_cut(method):
    x, weight = np.array([[0.0], [1.0], [1.8], [3.0]]), np.array([1.0, 1.0, 0.0, 1.0])
    model = workbench.fit(
        x, [0, 0, 5, 3.0], weight=weight, rounds=1, tree_method=method, reg_lambda=0, objective="squared",
        max_depth=1,
    )
    assert model.trees[0].nodes["threshold"][0] == 2.0


@pytest.mark.sampled
@pytest.mark.parametrize(("method", "given"), [
    *((method, given) for method in METHODS for given in (
        {}, {"subsample": 0.5}, {"sampling_method": "goss"}, {"objective": "absolute"},
        {"max_cat_to_onehot": 2, "min_category_rows": 30},
    )),
    ("hist", {"max_bin": 8}), ("hist", {"max_bin": 400, "max_leaves": 9}), ("hist", {"reg_alpha": 0.1}),
    ("approx", {"max_bin": 8}),
])  # fmt: skip
def test_values_in_rows_of_weight_0_change_no_tree(method, given):
    data = random_dataset(n_valid=50, weighted=True)
    idle = data.weight == 0
    features = data.features.copy(order="K")
    features[idle] = 2.9 * features[idle] - 0.2
    features[idle, 1] = (data.features[idle, 1] + 1) % 5
    other = replace(data, features=features)
    # A missing value counts as one in exact's choice of the default, and where sides score the same.
    names = [n for n in NODE_DTYPE.names if n != "count" and (n != "default_left" or method != "exact")]
    (_, rounds, _), (_, others, _) = (train(d, rounds=3, tree_method=method, **given) for d in (data, other))
    assert 100 < idle.sum() < 300
    for own, its in zip(rounds, others, strict=True):
        a, b = own.trees[0].nodes, its.trees[0].nodes
        assert len(a) > 3
        assert all(np.array_equal(a[name], b[name], equal_nan=name == "threshold") for name in names)
        assert a["count"][0] == b["count"][0]
        assert own.loss == its.loss


@pytest.mark.parametrize("method", METHODS)
def test_trees_are_those_without_the_rows_of_weight_0(method):
    data = random_dataset(n_valid=0, weighted=True)
    rows = np.flatnonzero(data.weight)
    few = dataset(data.features[rows], data.target[rows], categories={1: 5}, weight=data.weight[rows])
    whole, without = (train(d, rounds=3, tree_method=method)[1] for d in (data, few))
    for own, other in zip(whole, without, strict=True):
        a, b = own.trees[0].nodes, other.trees[0].nodes
        assert np.array_equal(a["threshold"], b["threshold"], equal_nan=True)
        assert a["leaf_value"] == pytest.approx(b["leaf_value"], rel=1e-6)
        assert a["count"][0] == 500
        assert b["count"][0] == len(rows)


def test_a_class_of_weight_0_is_no_place_to_cut_either():
    x = np.array([[0.0], [1.0], [1.8], [3.0], [3.0]])
    data = dataset(x, [0, 0, 1, 2, 2], "multiclass")
    _, rounds, _ = train(data, rounds=1, class_weights=(("1", 0.0),), min_child_weight=0, max_depth=1)
    assert {t.nodes["threshold"][0] for t in rounds[0].trees if t.n_nodes > 1} == {np.float32(2.0)}


def test_rows_all_of_weight_0_stay():
    data = dataset([[1.0], [2.0], [3.0]], [1, 2, 3], weight=[0, 0, 1], n_valid=1)
    assert train(data, rounds=1)[2].notes
