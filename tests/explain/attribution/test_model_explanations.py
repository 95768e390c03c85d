"""What a model says of itself to a script, beside scikit-learn, XGBoost, LightGBM and shap."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.inspection import permutation_importance

import workbench
from workbench.errors import WorkbenchError
from workbench.explain.attribution.permutation import permuted_losses
from workbench.parameters.training import TrainingParams

ROWS = 260


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(5)
    made = pd.DataFrame(rng.normal(size=(ROWS, 4)).astype(np.float32), columns=list("abcd"))
    made["e"] = pd.Categorical(rng.choice(["p", "q", "r", "s", "t"], ROWS))
    made.loc[rng.random(ROWS) < 0.1, "b"] = np.nan
    return made


@pytest.fixture(scope="module")
def answers(frame):
    return (frame["a"] * (frame["e"] == "q") + frame["b"].fillna(1) + 0.3 * frame["c"] ** 2 > 0.6).astype(int)


@pytest.fixture(scope="module")
def model(frame, answers):
    params = TrainingParams(objective="logistic", rounds=12, max_depth=4, gamma=0.05)
    return workbench.fit(frame, answers, params=params)


@pytest.fixture(scope="module")
def booster(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.json"
    model.save(path)
    return xgboost.Booster(model_file=path)


def rows_for(booster, frame):
    return xgboost.DMatrix(frame, enable_categorical=True)


@pytest.mark.parametrize("kind", ["gain", "total_gain", "cover", "total_cover", "weight"])
def test_importance_is_that_of_xgboost(kind, model, booster):
    theirs, ours = booster.get_score(importance_type=kind), model.importance(kind)
    assert set(ours) == set("abcde")
    for name, value in ours.items():
        if kind == "gain" and name in theirs:
            value = 2 * (value + model.params.gamma)
        if kind == "total_gain" and name in theirs:
            value = 2 * (value + model.params.gamma * model.importance("count")[name])
        assert value == pytest.approx(theirs.get(name, 0.0), rel=1e-5)
    first, figure = ours.sorted()[0]
    assert figure == max(ours.values()) == ours[first]


def test_importance_refuses_what_it_does_not_know(model, frame):
    with pytest.raises(WorkbenchError, match="no importance by 'shape'"):
        model.importance("shape")
    with pytest.raises(WorkbenchError, match="give X and y"):
        model.importance("permutation")
    with pytest.raises(WorkbenchError, match="Answers are missing"):
        model.importance("permutation", frame)
    with pytest.raises(WorkbenchError, match="cannot be taken of these rows"):
        model.importance("permutation", frame, np.zeros(ROWS), metric="merror")


@pytest.mark.parametrize(("metric", "scoring", "weight"), [
    (None, "neg_log_loss", None), ("auc", "roc_auc", np.arange(ROWS) % 3), ("error", "accuracy", None)])
def test_permutation_importance_is_that_of_scikit_learn(metric, scoring, weight, model, frame, answers):
    class AsEstimator:
        classes_ = np.array([0, 1])
        _estimator_type = "classifier"

        def fit(self, X, y):
            return self

        def predict(self, X):
            return model.predict_label(X)

        def predict_proba(self, X):
            p = model.predict(X)
            return np.stack([1 - p, p], axis=1)

        def __sklearn_tags__(self):
            from sklearn.utils import ClassifierTags, Tags, TargetTags

            return Tags("classifier", TargetTags(required=True), classifier_tags=ClassifierTags())

    theirs = permutation_importance(
        AsEstimator(), frame, answers, scoring=scoring, n_repeats=3, random_state=7, sample_weight=weight
    )
    ours = model.importance("permutation", frame, answers, weight=weight, metric=metric, repeats=3, seed=7)
    np.testing.assert_allclose(list(ours.values()), theirs.importances_mean, atol=1e-6)
    np.testing.assert_allclose(list(ours.spread.values()), theirs.importances_std, atol=1e-6)
    assert ours.metric == (metric or "logloss")


def test_weights_queries_and_linear_models_are_permuted_too(frame, answers):
    weight = np.linspace(0, 2, ROWS)
    params = TrainingParams(method="linear", objective="logistic", rounds=20)
    linear = workbench.fit(frame, answers, params=params)
    found = linear.importance("permutation", frame, answers, weight=weight, repeats=2)
    base = linear.evaluate(frame, answers, weight=weight).metrics["logloss"]
    moved = frame.assign(a=frame["a"].to_numpy()[next(iter_orders(ROWS, 0))])
    once = linear.evaluate(moved, answers, weight=weight).metrics["logloss"]
    features = linear.importance("permutation", frame, answers, weight=weight, repeats=1)
    assert features["a"] == pytest.approx(once - base, abs=1e-6)
    assert set(found.spread) == set(found)


@pytest.mark.parametrize(("weight", "words"), [
    (np.ones(5), r"shape \(5,\) where \(260,\)"), (-np.ones(ROWS), "a negative weight in row 1"),
    (np.zeros(ROWS), "weight"),
])
def test_weights_that_cannot_be_are_refused_everywhere(weight, words, model, frame, answers):
    asked = {
        "partial": lambda: model.partial_dependence(frame, "a", weight=weight),
        "accumulated": lambda: model.accumulated_effects(frame, "a", weight=weight),
        "permuted": lambda: model.importance("permutation", frame, answers, weight=weight),
        "factors": lambda: model.factor_tables(frame, answers, weight=weight),
    }
    for ask in asked.values():
        with pytest.raises(WorkbenchError, match=words):
            ask()


def iter_orders(n, seed):
    from workbench.explain.attribution.permutation import _orders

    return _orders(n, 1, seed)


def test_a_column_that_no_tree_asks_loses_nothing(model):
    ensemble = model.first_rounds(0).ensemble
    found = permuted_losses(ensemble, np.zeros((5, 5), np.float32), lambda raw: float(raw.sum()),
                            higher_is_better=True)
    assert not found.losses.any()


def test_leaves_are_those_of_xgboost(tmp_path, model, booster, frame, answers):
    leaves = model.leaf_indices(frame)
    theirs = booster.predict(rows_for(booster, frame), pred_leaf=True)
    theirs = theirs[:, booster.num_boosted_rounds() - model.rounds :]  # without the tree that holds the base
    for ours, other in zip(leaves.T, theirs.T, strict=True):  # children of category questions change places
        pairs = set(zip(ours, other, strict=True))
        assert len(pairs) == len(set(ours)) == len(set(other))
    assert np.array_equal(model.leaf_indices(frame, rounds=3), leaves[:, :3])
    values = [tree.nodes["leaf_value"][ends] for tree, ends in zip(model.trees, leaves.T, strict=True)]
    total = np.sum(values, axis=0) + model.ensemble.base_margin[0]
    np.testing.assert_allclose(total, model.predict_raw(frame), atol=1e-5)
    numbers = frame.drop(columns="e")
    plain = workbench.fit(numbers, answers, params=TrainingParams(objective="squared", rounds=5, max_depth=4))
    plain.save(tmp_path / "plain.json")
    same = xgboost.Booster(model_file=tmp_path / "plain.json")
    assert np.array_equal(plain.leaf_indices(numbers), same.predict(xgboost.DMatrix(numbers), pred_leaf=True))


@pytest.mark.parametrize("params", [
    {"objective": "softmax", "rounds": 4}, {"objective": "logistic", "rounds": 4, "rate_drop": 0.5},
    {"method": "forest", "rounds": 3, "objective": "squared"}, {"method": "linear", "rounds": 4},
])
def test_stages_are_the_predictions_after_each_round(params, frame, answers):
    y = answers + (frame["c"] > 1) if params.get("objective") == "softmax" else answers
    model = workbench.fit(frame, y, params=TrainingParams(**params))
    stages = list(model.staged_predict(frame))
    assert len(stages) == model.rounds
    for number, stage in enumerate(stages, 1):
        assert np.array_equal(stage, model.predict(frame, rounds=number))


def test_contributions_add_up_with_offsets_and_say_what_cannot_be(frame, answers):
    data = frame.assign(y=answers, known=np.linspace(-1, 1, ROWS).astype(np.float32))
    params = TrainingParams(objective="logistic", rounds=4, max_depth=3)
    model = workbench.fit(data, target="y", base_margin="known", params=params)
    raw = model.predict_raw(data)
    for made in ({}, {"background": data[:30]}, {"by": "rows"}, {"rounds": 4}):
        shares = model.contributions(data, **made)
        assert shares.dtype == np.float64
        assert shares.shape == (ROWS, 6)
        np.testing.assert_allclose(shares.sum(axis=1), raw, atol=1e-6)
    np.testing.assert_allclose(model.contributions(data, interactions=True).sum(axis=(1, 2)), raw, atol=1e-6)
    np.testing.assert_allclose(model.contributions(data, each_round=True).sum(axis=(1, 2)), raw, atol=1e-6)
    for made, words in (({"by": "gain"}, "not by 'gain'"), ({"rounds": 9}, "4 rounds"),
                        ({"interactions": True, "each_round": True}, "one of"),
                        ({"background": data[:0]}, "1 to 100,000 rows")):
        with pytest.raises(WorkbenchError, match=words):
            model.contributions(data, **made)


def test_a_linear_model_is_explained_exactly(frame, answers):
    model = workbench.fit(frame, answers, params=TrainingParams(method="linear", rounds=20))
    raw = model.predict_raw(frame)
    shares, against = model.contributions(frame), model.contributions(frame, background=frame[:50])
    for found in (shares, against):
        np.testing.assert_allclose(found.sum(axis=1), raw, atol=1e-6)
    np.testing.assert_allclose(against[:50, :-1].mean(axis=0), 0, atol=1e-9)
    pairs = model.contributions(frame, interactions=True)
    np.testing.assert_allclose(np.diagonal(pairs, axis1=1, axis2=2), shares, atol=1e-12)
    with pytest.raises(WorkbenchError, match="takes the place"):
        model.contributions(frame, each_round=True)
    with pytest.raises(WorkbenchError, match="takes the place"):
        model.contributions(frame, each_tree=True)


def test_nodes_that_weigh_by_rows_are_those_of_lightgbm(tmp_path, frame, answers):
    lightgbm = pytest.importorskip("lightgbm")
    X = frame.drop(columns="e").fillna(0.0)
    theirs = lightgbm.train({"verbose": -1, "num_leaves": 9, "objective": "binary"},
                            lightgbm.Dataset(X, answers), 6)
    theirs.save_model(tmp_path / "m.txt")
    model = workbench.load_model(tmp_path / "m.txt")
    expected = theirs.predict(X, pred_contrib=True)
    np.testing.assert_allclose(model.contributions(X, by="rows"), expected, atol=1e-5)


def test_saved_models_load_in_shap(model, booster, frame):
    shap = pytest.importorskip("shap")
    rows = rows_for(booster, frame)
    found = shap.TreeExplainer(booster).shap_values(rows)
    np.testing.assert_allclose(found, model.contributions(frame)[:, :-1], atol=1e-5)


def test_a_background_is_that_of_shap(tmp_path, frame, answers):
    shap = pytest.importorskip("shap")
    X = frame.drop(columns="e")
    model = workbench.fit(X, answers, params=TrainingParams(objective="logistic", rounds=6, max_depth=3))
    model.save(tmp_path / "m.json")
    explainer = shap.TreeExplainer(xgboost.Booster(model_file=tmp_path / "m.json"), X[:60])
    ours = model.contributions(X, background=X[:60])
    np.testing.assert_allclose(ours[:, :-1], explainer.shap_values(X), atol=1e-5)
    assert ours[0, -1] == pytest.approx(float(np.ravel(explainer.expected_value)[0]), abs=1e-5)
