"""Friedman's gradient boosting beside scikit-learn's, and its leaves beside a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    load_wine,
    make_friedman1,
    make_hastie_10_2,
)
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

import workbench
from tests.reference.tables import random_dataset, train
from workbench.ensembles.prediction import leaf_indices
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams

THEIRS = {
    "absolute": {"loss": "absolute_error"}, "huber": {"loss": "huber"},
    "quantile": {"loss": "quantile", "alpha": 0.8}, "exponential": {"loss": "exponential"},
}  # fmt: skip


def parts_alike(ours, theirs):
    """Whether two trees part the rows alike, told by the leaf of each row."""
    pairs = np.unique(np.column_stack([ours, theirs]), axis=0)
    return len(pairs) == len(np.unique(ours)) == len(np.unique(theirs))


def agreeing_rounds(model, theirs, x):
    """Return how many first rounds part the rows alike; ties in gain end that."""
    k = model.ensemble.n_classes
    leaves = leaf_indices(model.trees, x)
    for number, trees in enumerate(theirs.estimators_):
        ours = leaves[:, k * number : k * number + k].T
        if not all(parts_alike(own, tree.apply(x)) for own, tree in zip(ours, trees, strict=True)):
            return number
    return len(theirs.estimators_)


def both(x, y, objective, rounds=40, **params):
    x = x.astype(np.float32)
    quantile = {"quantile_alpha": (0.8,)} if objective == "quantile" else {}
    model = workbench.fit(
        x, y, method="friedman", objective=objective, rounds=rounds, tree_method="exact", threads=1,
        **quantile, **params,
    )
    number = objective in ("squared", "absolute", "huber", "quantile")
    kind = GradientBoostingRegressor if number else GradientBoostingClassifier
    given = {"n_estimators": rounds, "random_state": 0} | THEIRS.get(objective, {})
    return x, model, kind(**given, **params).fit(x, y)


@pytest.mark.parametrize(
    ("objective", "load", "least"),
    [
        ("squared", load_diabetes, 40), ("absolute", load_diabetes, 2), ("huber", load_diabetes, 5),
        ("quantile", load_diabetes, 1), ("logistic", load_breast_cancer, 5),
        ("exponential", load_breast_cancer, 5), ("softmax", load_iris, 0), ("softmax", load_wine, 0),
    ],
)
def test_predictions_are_scikit_learns_where_splits_agree(objective, load, least):
    x, model, theirs = both(*load(return_X_y=True), objective)
    agree = agreeing_rounds(model, theirs, x)
    assert agree >= least
    if hasattr(theirs, "classes_"):
        staged = [theirs.init_.predict_proba(x), *theirs.staged_predict_proba(x)]
    else:
        staged = [theirs.init_.predict(x).ravel(), *theirs.staged_predict(x)]
    for rounds in {0, agree // 2, agree}:
        known = staged[rounds][:, 1] if objective in ("logistic", "exponential") else staged[rounds]
        assert model.predict(x, rounds) == pytest.approx(known, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("objective", ["squared", "absolute", "huber"])
def test_numbers_without_ties(objective):
    x, y = make_friedman1(400, noise=1.0, random_state=0)
    x, model, theirs = both(x, y, objective, max_depth=2, learning_rate=0.3)
    agree = agreeing_rounds(model, theirs, x)
    assert agree >= {"squared": 40, "huber": 30}.get(objective, 1)
    known, found = list(theirs.staged_predict(x))[agree - 1], model.predict(x, agree)
    assert found == pytest.approx(known, rel=2e-6, abs=1e-6)
    assert np.abs(found - known).max() < 1e-6 * np.abs(known).max()


def naive_step(objective, y, raw, weight, k, n_classes):
    """Return the step of a leaf with these rows, as Friedman's paper writes it."""
    if objective == "squared":
        return np.average(y - raw[0], weights=weight)
    if objective in ("absolute", "quantile"):
        order = np.argsort(y - raw[0])
        share = 0.5 if objective == "absolute" else 0.8
        below = np.cumsum(weight[order])
        return (y - raw[0])[order][np.argmax(below >= share * below[-1] * (1 - 1e-12))]
    if objective == "exponential":
        s = 2 * y - 1
        loss = weight * np.exp(-s * raw[0])
        return (s * loss).sum() / loss.sum()
    p = 1 / (1 + np.exp(-raw[0])) if objective == "logistic" else np.exp(raw[k]) / np.exp(raw).sum(axis=0)
    r = (y == 1) - p if objective == "logistic" else (y == k) - p
    scale = 1.0 if objective == "logistic" else (n_classes - 1) / n_classes
    return scale * (weight * r).sum() / (weight * p * (1 - p)).sum()


@pytest.mark.parametrize(
    ("objective", "task"),
    [
        ("squared", "regression"), ("absolute", "regression"), ("quantile", "regression"),
        ("logistic", "binary"), ("exponential", "binary"), ("softmax", "multiclass"),
    ],
)
def test_leaves_take_the_step_of_the_paper(objective, task):
    data = random_dataset(task, 300, n_valid=0, weighted=True)
    started, rounds, _ = train(
        data, method="friedman", objective=objective, rounds=4, learning_rate=0.5, quantile_alpha=(0.8,)
    )
    raw = np.repeat(started.ensemble.base_margin.astype(float)[:, None], len(data.target), axis=1)
    for event in rounds:
        steps = np.zeros_like(raw)
        for k, tree in enumerate(event.trees):
            leaves = leaf_indices((tree,), data.features)[:, 0]
            for leaf in np.unique(leaves):
                rows = leaves == leaf
                own = data.target[rows], raw[:, rows], data.weight[rows]
                wanted = naive_step(objective, *own, k, len(raw))
                assert tree.nodes["weight"][leaf] == pytest.approx(wanted, rel=2e-5, abs=1e-6)
                steps[k, rows] = tree.nodes["leaf_value"][leaf]
            assert tree.nodes["sum_hessian"][0] == pytest.approx(data.weight.sum())
        raw += steps


def test_huber_clips_at_a_quantile_or_at_the_slope():
    x, y = make_friedman1(200, noise=1.0, random_state=1)
    x = x.astype(np.float32)
    base = np.median(y)
    for quantile, slope in ((0.9, np.sort(np.abs(y - np.float32(base)))[179]), (None, 1.0)):
        model = workbench.fit(
            x, y, method="friedman", objective="huber", rounds=1, huber_quantile=quantile, threads=1
        )
        tree = model.trees[0]
        middle = y - model.ensemble.base_margin[0]
        assert tree.nodes["sum_gradient"][0] == pytest.approx(-np.clip(middle, -slope, slope).sum(), rel=1e-5)
    with pytest.raises(WorkbenchError, match="newton has no huber_quantile"):
        workbench.fit(x, y, objective="huber", huber_quantile=0.5)


@pytest.mark.parametrize("objective", ["squared", "absolute", "huber"])
def test_a_branch_goes_through(objective, tmp_path):
    x, y = make_friedman1(200, random_state=0)
    params = TrainingParams(method="friedman", objective=objective, rounds=12, subsample=0.7, threads=1)
    whole = workbench.fit(x, y, params=params)
    part = workbench.fit(x, y, params=params.change(rounds=5))
    joined = workbench.fit(x, y, params=params.change(rounds=7), init_model=part)
    assert np.array_equal(joined.predict_raw(x), whole.predict_raw(x))
    whole.save(tmp_path / "m.json")
    theirs = xgboost.Booster(model_file=tmp_path / "m.json")
    matrix = xgboost.DMatrix(x.astype(np.float32), feature_names=list(whole.schema.names))
    assert np.array_equal(theirs.predict(matrix, output_margin=True), whole.predict_raw(x))
    again = workbench.load_model(tmp_path / "m.json")
    assert again.params.method == "friedman"
    assert np.array_equal(again.predict(x), whole.predict(x))


def test_what_it_lacks_is_refused():
    x, y = make_friedman1(50, random_state=0)
    for given, words in (({"reg_lambda": 1.0}, "reg_lambda"), ({"objective": "poisson"}, "takes one of")):
        with pytest.raises(WorkbenchError, match=words):
            workbench.fit(x, y, method="friedman", **given)


def test_offsets_are_searched_from():
    x, y = make_hastie_10_2(300, random_state=0)
    offset = np.linspace(-1, 1, 300)
    ours, newtons = (
        workbench.fit(x, y > 0, base_margin=offset, method=method, rounds=1, threads=1)
        for method in ("friedman", "newton")
    )
    assert ours.ensemble.base_margin == pytest.approx(newtons.ensemble.base_margin, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("objective", "figure"), [("logistic", 0.913), ("squared", 5.009)]
)
def test_figures_of_scikit_learns_guide(objective, figure):
    """Stumps: deviance with ν = 1 on ten Gaussians, accuracy; squared with ν = 0.1 on Friedman #1, error."""
    stumps = {"objective": objective, "rounds": 100, "max_depth": 1, "tree_method": "exact"}
    if objective == "logistic":
        x, y = make_hastie_10_2(random_state=0)
        model = workbench.fit(x[:2000], y[:2000], learning_rate=1.0, method="friedman", **stumps)
        assert np.mean(model.predict_label(x[2000:]) == y[2000:]) == pytest.approx(figure, abs=0.004)
    else:
        x, y = make_friedman1(n_samples=1200, random_state=0, noise=1.0)
        model = workbench.fit(x[:200], y[:200], learning_rate=0.1, method="friedman", **stumps)
        assert np.mean((model.predict(x[200:]) - y[200:]) ** 2) == pytest.approx(figure, abs=0.02)
