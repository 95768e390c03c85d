"""Ridge, lasso, elastic net and logistic regression are scikit-learn's, on the same standardised columns."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.preprocessing import StandardScaler

import workbench
from workbench.linear.columns import columns_of
from workbench.linear.path import next_lambda

CLOSE = 1e-6


def fitted(X, y, **values):
    params = workbench.TrainingParams(method="linear", rounds=values.pop("rounds", 20), **values)
    model = workbench.fit(X.astype(np.float32), y, params=params)
    return model, model.ensemble.linear[-1]


def standardised(X):
    return StandardScaler().fit_transform(X.astype(np.float32).astype(np.float64))


@pytest.mark.parametrize(
    ("reg_lambda", "l1_ratio"), [(0.01, 0.0), (1.0, 0.0), (0.1, 1.0), (3.0, 1.0), (0.05, 0.5)]
)
def test_numbers(reg_lambda, l1_ratio):
    X, y = load_diabetes(return_X_y=True)
    model, part = fitted(X, y, reg_lambda=reg_lambda, l1_ratio=l1_ratio)
    peer = Ridge(alpha=reg_lambda * len(y)) if not l1_ratio else ElasticNet(
        alpha=reg_lambda, l1_ratio=l1_ratio, tol=1e-13, max_iter=1_000_000
    )  # fmt: skip
    peer.fit(standardised(X), y)
    np.testing.assert_allclose(part.coefficients[0], peer.coef_, rtol=CLOSE, atol=CLOSE)
    np.testing.assert_allclose(part.intercepts[0], peer.intercept_, rtol=CLOSE)
    np.testing.assert_allclose(
        model.predict(X.astype(np.float32)), peer.predict(standardised(X)), rtol=CLOSE
    )


def logistic_peer(n, reg_lambda, l1_ratio):
    inverse = 1.0 / (n * reg_lambda)
    if not l1_ratio:
        return LogisticRegression(C=inverse, solver="newton-cholesky", tol=1e-12)
    return LogisticRegression(C=inverse, l1_ratio=l1_ratio, solver="saga", tol=1e-10, max_iter=20_000)


@pytest.mark.parametrize(("reg_lambda", "l1_ratio"), [(1e-3, 0.0), (3e-2, 1.0), (1e-2, 0.5)])
def test_two_classes(reg_lambda, l1_ratio):
    X, y = load_breast_cancer(return_X_y=True)
    _, part = fitted(X, y.astype(str), reg_lambda=reg_lambda, l1_ratio=l1_ratio)
    peer = logistic_peer(len(y), reg_lambda, l1_ratio).fit(standardised(X), y)
    np.testing.assert_allclose(part.coefficients, peer.coef_, atol=CLOSE)
    np.testing.assert_allclose(part.intercepts, peer.intercept_, atol=CLOSE)


@pytest.mark.parametrize(("reg_lambda", "l1_ratio"), [(1e-2, 0.0), (1e-2, 1.0), (1e-2, 0.5)])
def test_three_classes(reg_lambda, l1_ratio):
    X, y = load_wine(return_X_y=True)
    _, part = fitted(X, y.astype(str), reg_lambda=reg_lambda, l1_ratio=l1_ratio)
    peer = logistic_peer(len(y), reg_lambda, l1_ratio).fit(standardised(X), y)
    np.testing.assert_allclose(part.coefficients, peer.coef_, atol=CLOSE)
    apart = part.intercepts - part.intercepts.mean()
    np.testing.assert_allclose(apart, peer.intercept_ - peer.intercept_.mean(), atol=CLOSE)


def test_classes_one_after_another_come_to_the_same(monkeypatch):
    X, y = load_wine(return_X_y=True)
    _, together = fitted(X, y.astype(str), reg_lambda=0.05, l1_ratio=0.5, rounds=3)
    monkeypatch.setattr("workbench.linear.fit.MOST_TOGETHER", 0)
    _, alone = fitted(X, y.astype(str), reg_lambda=0.05, l1_ratio=0.5, rounds=3)
    np.testing.assert_allclose(alone.coefficients, together.coefficients, atol=1e-7)


def test_weights_count_as_rows_that_stand_there_so_often():
    X, y = load_diabetes(return_X_y=True)
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 4, len(y))
    params = workbench.TrainingParams(method="linear", rounds=5, reg_lambda=0.5, l1_ratio=0.5)
    weighted = workbench.fit(X.astype(np.float32), y, weight=weight, params=params)
    more, targets = np.repeat(X, weight, axis=0).astype(np.float32), np.repeat(y, weight)
    repeated = workbench.fit(more, targets, params=params)
    one, other = weighted.ensemble.linear[-1], repeated.ensemble.linear[-1]
    np.testing.assert_allclose(one.columns.scales, other.columns.scales, rtol=1e-10)
    np.testing.assert_allclose(one.coefficients, other.coefficients, atol=1e-8)


def test_missing_numbers_count_as_the_mean_and_categories_have_a_column_each():
    features = np.array([[1, 0], [3, 1], [np.nan, 1], [5, np.nan]], np.float32)
    columns = columns_of(features, np.arange(4), np.ones(4), (0, 2))
    np.testing.assert_allclose(columns.centres, [3.0, 0.25, 0.5])
    np.testing.assert_allclose(columns.scales, [np.sqrt(2.0), 1.0, 1.0])
    assert [columns.level_of(column) for column in range(3)] == [-1, 0, 1]


def test_a_path_comes_to_its_end_in_equal_ratios_from_wherever_it_stands():
    way = [8.0]
    for left in (3, 2, 1):
        way.append(next_lambda(way[-1], 1.0, left))
    np.testing.assert_allclose(way, [8, 4, 2, 1])
    assert way[-1] == 1.0
    assert next_lambda(4.0, 0.0, 1) == 0.0
    assert 0.0 < next_lambda(4.0, 0.0, 2) < 4.0
