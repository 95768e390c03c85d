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
from tests.reference.naive_shapley import shapley
from workbench.data.encoding import encode
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.explain.attribution.shap_explainer import ShapExplainer


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


def tree_of_columns(rng, n_splits, d):
    tree = random_tree(rng, n_splits)
    nodes = tree.nodes.copy()
    nodes["feature"][~tree.is_leaf] = rng.integers(0, d, n_splits)
    nodes["leaf_value"][tree.is_leaf] = rng.normal(size=n_splits + 1)
    nodes["default_left"] = rng.random(len(nodes)) < 0.5
    nodes["sum_hessian"][rng.random(len(nodes)) < 0.1] = 0
    nodes["sum_hessian"][0] = 1
    return type(tree)(nodes, tree.category_begin, tree.category_codes)


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
