"""SHAP values against their definition and against XGBoost."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.made_trees import random_tree
from tests.reference.naive_background import interaction, shapley_against
from tests.reference.naive_shapley import expectation, leaf, shapley
from workbench.data.encoding import encode
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.explain.attribution.shap_explainer import ShapExplainer
from workbench.trees.tree import NODE_DTYPE, Tree


def frame_of(rng, n=300):
    frame = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    frame["e"] = pd.Categorical(rng.choice(["p", "q", "r", "s", "t"], n))
    frame[rng.random(frame.shape) < 0.1] = np.nan
    return frame


def answers_of(rng, frame, task):
    score = frame["a"].fillna(2) * (frame["e"] == "q") + frame["b"].fillna(0) ** 2
    score += rng.normal(size=len(frame))
    if task == "squared":
        return score
    edges = [1.0] if task == "logistic" else [0.3, 1.5]
    return np.digitize(score, edges)


@pytest.mark.parametrize("task", ["squared", "logistic", "softmax"])
@pytest.mark.parametrize("more", [{}, {"rate_drop": 0.3}, {"max_cat_to_onehot": 2}])
def test_contributions_are_those_of_xgboost(tmp_path, task, more):
    rng = np.random.default_rng(7)
    frame = frame_of(rng)
    params = workbench.TrainingParams(objective=task, rounds=12, max_depth=4, **more)
    model = workbench.fit(frame, answers_of(rng, frame, task), params=params)
    model.save(tmp_path / "m.json")
    features = encode(model.schema, frame)
    explainer = ShapExplainer(model.ensemble)
    shares = explainer.contributions(features)
    raw = np.asarray(model.predict_raw(frame)).reshape(len(frame), -1)
    np.testing.assert_allclose(shares.sum(axis=2) + explainer.base, raw, atol=5e-6)
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    rows = xgboost.DMatrix(features, feature_names=list("abcde"), feature_types=list("qqqqc"),
                           enable_categorical=True)
    theirs = booster.predict(rows, pred_contribs=True).reshape(len(frame), -1, 6)
    np.testing.assert_allclose(shares, theirs[:, :, :-1], atol=2e-5)
    np.testing.assert_allclose(np.tile(explainer.base, (len(frame), 1)), theirs[:, :, -1], atol=2e-5)
    few = rows.slice(range(40))
    pairs = booster.predict(few, pred_interactions=True).reshape(40, -1, 6, 6)
    np.testing.assert_allclose(explainer.interactions(features[:40]), pairs, atol=2e-5)
    of_base = booster.num_boosted_rounds() - model.rounds  # trees of one leaf that hold it
    cut = booster.predict(few, pred_contribs=True, iteration_range=(0, of_base + 5)).reshape(40, -1, 6)
    of_five = model.contributions(frame[:40], rounds=5).reshape(cut.shape)
    if not more.get("rate_drop"):  # whose trees XGBoost weighs as they count in the end
        np.testing.assert_allclose(of_five, cut, atol=2e-5)
    by_round = model.contributions(frame[:40], each_round=True)
    assert by_round.shape[:2] == (40, 13)
    np.testing.assert_allclose(by_round.sum(axis=1), model.contributions(frame[:40]), atol=1e-9)


@pytest.mark.parametrize("task", ["squared", "softmax"])
def test_each_tree_adds_what_its_values_by_definition_are(task):
    rng = np.random.default_rng(8)
    frame = frame_of(rng, 80)
    params = {"objective": task, "num_parallel_tree": 2, "subsample": 0.5}
    model = workbench.fit(frame, answers_of(rng, frame, task), rounds=2, max_depth=3, **params)
    features, trees, ensemble = encode(model.schema, frame), model.trees, model.ensemble
    each = model.contributions(frame, each_tree=True)
    assert each.shape == (80, len(trees), 6)
    for place, tree in enumerate(trees):
        slow = shapley(tree, features[5]) * ensemble.tree_weights[place]
        np.testing.assert_allclose(each[5, place, :-1], slow, atol=1e-9)
    whole = np.zeros((80, ensemble.n_classes, 6))
    whole[..., -1] = ensemble.base_margin
    for place, tree in enumerate(trees):
        whole[:, tree.class_index] += each[:, place]
    summed = model.contributions(frame)
    np.testing.assert_allclose(whole.reshape(summed.shape), summed, atol=1e-9)
    explainer = ShapExplainer(ensemble)
    rounds, last = explainer.by_round_and_last_trees(features)
    np.testing.assert_allclose(rounds, explainer.by_round(features), rtol=0, atol=1e-12)
    np.testing.assert_allclose(last, each[:, len(trees) // 2 :], rtol=0, atol=1e-12)


def test_large_contributions_are_those_of_xgboost_to_its_precision(tmp_path):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 4)).astype(np.float32)
    model = workbench.fit(x, 1e6 + 1e5 * x[:, 0] * x[:, 1], rounds=30, max_depth=4)
    model.save(tmp_path / "m.json")
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    matrix = xgboost.DMatrix(x, feature_names=booster.feature_names)
    theirs = booster.predict(matrix, pred_contribs=True)
    explainer = ShapExplainer(model.ensemble)
    ours = np.column_stack([explainer.contributions(x)[:, 0], np.full(len(x), explainer.base[0])])
    assert np.abs(ours - theirs).max() > 1e-4
    assert (np.abs(ours - theirs) <= 1e-5 * np.abs(theirs).max(axis=1, keepdims=True)).all()


def tree_of_columns(rng, n_splits, d):
    tree = random_tree(rng, n_splits)
    nodes = tree.nodes.copy()
    nodes["feature"][~tree.is_leaf] = rng.integers(0, d, n_splits)
    nodes["leaf_value"][tree.is_leaf] = rng.normal(size=n_splits + 1)
    nodes["default_left"] = rng.random(len(nodes)) < 0.5
    nodes["sum_hessian"][rng.random(len(nodes)) < 0.1] = 0
    nodes["sum_hessian"][0] = 1
    return type(tree)(nodes, tree.category_begin, tree.category_codes)


@examples(10)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_interactions_and_a_background_are_what_their_definitions_say(seed, n_splits):
    rng, d = np.random.default_rng(seed), 4
    tree = tree_of_columns(rng, n_splits, d)
    row, others = rng.normal(size=(1, d)).astype(np.float32), rng.normal(size=(3, d)).astype(np.float32)
    row[rng.random(row.shape) < 0.2] = np.nan
    ensemble = Ensemble("squared", d, 1, np.zeros(1, np.float32), (tree,))
    pairs = ShapExplainer(ensemble).interactions(row)[0, 0]
    for one in range(d):
        for other in range(one):
            expected = interaction(tree, row[0], one, other, expectation)
            assert pairs[one, other] == pairs[other, one] == pytest.approx(expected, abs=1e-9)
        partners = ShapExplainer(ensemble).partners(row, one)[0]
        np.testing.assert_allclose(np.delete(partners, one), np.delete(pairs[one, :-1], one), atol=1e-12)
    np.testing.assert_allclose(pairs[:-1, :-1].sum(axis=1), shapley(tree, row[0]), atol=1e-9)
    explainer = ShapExplainer(ensemble, background=others)
    found = explainer.contributions(row)[0, 0]
    np.testing.assert_allclose(found, shapley_against(tree, row[0], others), atol=1e-9)
    assert found.sum() + explainer.base[0] == pytest.approx(leaf(tree, row[0]), abs=1e-9)
    against = explainer.interactions(row)[0, 0]
    for one in range(d):
        for other in range(one):
            expected = interaction(tree, row[0], one, other, mean_against(others))
            assert against[one, other] == pytest.approx(expected, abs=1e-9)
            assert against[other, one] == pytest.approx(expected, abs=1e-9)
    np.testing.assert_allclose(against[:-1, :-1].sum(axis=1), found, atol=1e-9)


def mean_against(background):
    """Return what a tree says of a row where the columns that are not known are those of other rows."""

    def expected(tree, row, known):
        mixed = background.copy()
        mixed[:, list(known)] = row[list(known)]
        return np.mean([leaf(tree, one) for one in mixed])

    return expected


@examples(10)
@given(st.integers(0, 2**32 - 1))
def test_nodes_weigh_by_their_rows_where_that_is_asked(seed):
    rng, d = np.random.default_rng(seed), 4
    tree = tree_of_columns(rng, 6, d)
    counted = tree.nodes.copy()
    counted["count"] = rng.integers(0, 9, len(counted))
    counted["count"][0] = 9
    as_hessian = counted.copy()
    as_hessian["sum_hessian"] = counted["count"]
    made, twin = (Tree(nodes, tree.category_begin, tree.category_codes) for nodes in (counted, as_hessian))
    row = rng.normal(size=(1, d)).astype(np.float32)
    ensemble = Ensemble("squared", d, 1, np.zeros(1, np.float32), (made,))
    np.testing.assert_allclose(
        ShapExplainer(ensemble, "rows").contributions(row)[0, 0], shapley(twin, row[0]), atol=1e-9)


def test_a_deep_tree_of_many_columns_adds_up():
    rng, d, deep = np.random.default_rng(3), 70, 70
    tree = chain(rng, d, deep)
    rows = rng.normal(size=(40, d)).astype(np.float32)
    rows[0] = -9.0
    explainer = ShapExplainer(Ensemble("squared", d, 1, np.zeros(1, np.float32), (tree,)))
    found = explainer.contributions(rows)
    leaves = [leaf(tree, row) for row in rows]
    np.testing.assert_allclose(found[:, 0].sum(axis=1) + explainer.base[0], leaves, atol=1e-12)
    with pytest.raises(WorkbenchError, match="more than 62 columns"):
        ShapExplainer(Ensemble("squared", d, 1, np.zeros(1, np.float32), (tree,)), background=rows)


def chain(rng, d, deep):
    """Each node asks the next column, and only what is left of the cut is asked further."""
    nodes = np.zeros(2 * deep + 1, NODE_DTYPE)
    for name in ("feature", "left", "right", "category", "parent"):
        nodes[name] = -1
    node = 0
    for place in range(deep):
        left = 2 * place + 1
        nodes["feature"][node], nodes["left"][node] = place % d, left
        nodes["right"][node], nodes["threshold"][node] = left + 1, 1.0
        nodes["parent"][left], nodes["parent"][left + 1] = node, node
        node = left
    nodes["leaf_value"] = np.where(nodes["left"] < 0, rng.normal(size=len(nodes)), 0)
    nodes["sum_hessian"] = rng.uniform(0.1, 1, len(nodes))
    return Tree(nodes, np.zeros(len(nodes) + 1, np.int32), np.empty(0, np.int32))


@examples(40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_contributions_are_shapley_values_by_their_definition(seed, n_splits):
    rng, d = np.random.default_rng(seed), 5
    tree = tree_of_columns(rng, n_splits, d)
    row = rng.normal(size=(1, d)).astype(np.float32)
    row[rng.random(row.shape) < 0.2] = np.nan
    found = ShapExplainer(Ensemble("squared", d, 1, np.zeros(1, np.float32), (tree,))).contributions(row)
    np.testing.assert_allclose(found[0, 0], shapley(tree, row[0]), atol=1e-9)


def test_the_number_of_threads_changes_no_bit():
    rng = np.random.default_rng(1)
    frame = frame_of(rng, 20_000)
    model = workbench.fit(frame, answers_of(rng, frame, "squared"), params=workbench.TrainingParams(rounds=2))
    features, explainer = encode(model.schema, frame), ShapExplainer(model.ensemble)
    serial = explainer.contributions(features, serial=True)
    assert np.array_equal(serial, explainer.contributions(features, threads=3))


def test_trees_without_weights_cannot_explain():
    tree = random_tree(np.random.default_rng(0), 3)
    nodes = tree.nodes.copy()
    nodes["sum_hessian"], nodes["count"] = np.nan, 0
    bare = type(tree)(nodes, tree.category_begin, tree.category_codes)
    with pytest.raises(WorkbenchError, match="neither H nor the number of rows"):
        ShapExplainer(Ensemble("squared", 9, 1, np.zeros(1, np.float32), (bare,)))
