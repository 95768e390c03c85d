"""Figures that textbooks and scikit-learn's documentation print for boosting."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.datasets import make_friedman1, make_hastie_10_2
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import workbench

STUMPS = {
    "max_depth": 1, "reg_lambda": 0.0, "min_child_weight": 0.0, "tree_method": "exact", "threads": 2,
}


def test_deviance_stumps_on_ten_gaussians():
    """scikit-learn's user guide: 100 stumps with ν = 1, accuracy 0.913."""
    x, y = make_hastie_10_2(random_state=0)
    model = workbench.fit(x[:2000], y[:2000], objective="logistic", rounds=100, learning_rate=1.0, **STUMPS)
    accuracy = np.mean(model.predict_label(x[2000:]) == y[2000:])
    assert accuracy == pytest.approx(0.913, abs=0.004)


def test_squared_stumps_on_friedman_1():
    """scikit-learn's user guide: 100 stumps with ν = 0.1, mean squared error 5.009."""
    x, y = make_friedman1(n_samples=1200, random_state=0, noise=1.0)
    model = workbench.fit(
        x[:200], y[:200], objective="squared", rounds=100, learning_rate=0.1, **STUMPS
    )
    assert np.mean((model.predict(x[200:]) - y[200:]) ** 2) == pytest.approx(5.009, abs=0.05)


def nested_spheres(rng, n):
    """y = Σx² > 9.34, the median of χ² with ten degrees (Hastie, Tibshirani and Friedman, 10.2)."""
    x = rng.normal(size=(n, 10))
    return x, (x**2).sum(axis=1) > 9.34


@pytest.mark.parametrize("objective", ["exponential", "logistic"])
def test_nested_spheres(objective):
    """400 stumps with ν = 1: about 5.5 % error by exponential and by deviance boosting (MATH.md)."""
    errors = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x, y = nested_spheres(rng, 2000)
        test, truth = nested_spheres(rng, 10_000)
        model = workbench.fit(x, y, objective=objective, rounds=400, learning_rate=1.0, **STUMPS)
        errors.append(np.mean(model.predict_label(test) != truth))
    assert np.mean(errors) == pytest.approx(0.055, abs=0.006)


def test_one_stump_on_nested_spheres():
    """45.8 to 46.2 % error (Hastie, Tibshirani and Friedman, figure 10.2)."""
    errors = []
    for seed in range(20):
        rng = np.random.default_rng(100 + seed)
        x, y = nested_spheres(rng, 2000)
        test, truth = nested_spheres(rng, 10_000)
        model = workbench.fit(x, y, objective="logistic", rounds=1, learning_rate=1.0, **STUMPS)
        errors.append(np.mean(model.predict_label(test) != truth))
    assert 0.452 < np.mean(errors) < 0.466


def discrete_adaboost(x, y, test, rounds):
    """Return the votes of our stumps, each grown on the weights that AdaBoost gives to rows (MATH.md).

    With ŷ = 0 the exponential loss has g = −yω and h = ω, so that the gain of a split is Gini's. The booster
    gives a weight to each of the two leaves; AdaBoost takes their signs alone, and one weight β for both.
    """
    sign, weight, votes = np.where(y, 1.0, -1.0), np.full(len(y), 1 / len(y)), np.zeros(len(test))
    chosen = STUMPS | {"objective": "exponential", "rounds": 1, "learning_rate": 1.0, "base_score": 0.5}
    for _ in range(rounds):
        stump = workbench.fit(x, y, weight=weight, **chosen | {"threads": 1})
        here, there = (np.where(stump.predict_raw(rows) > 0, 1.0, -1.0) for rows in (x, test))
        error = weight[here != sign].sum()
        beta = 0.5 * np.log((1 - error) / error)
        votes += beta * there
        weight *= np.exp(-beta * sign * here)
        weight /= weight.sum()
    return votes


def test_adaboost_of_our_stumps_is_scikit_learns():
    rng = np.random.default_rng(1)
    x, y = nested_spheres(rng, 2000)
    test, _ = nested_spheres(rng, 10_000)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=60).fit(x, y).predict(test)
    assert np.mean((discrete_adaboost(x, y, test, 60) > 0) == theirs) > 0.999


@pytest.mark.slow
def test_adaboost_of_our_stumps_on_nested_spheres():
    """400 Gini stumps: 11.6 % ± 0.5 error (MATH.md)."""
    errors = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, y = nested_spheres(rng, 2000)
        test, truth = nested_spheres(rng, 10_000)
        errors.append(np.mean((discrete_adaboost(x, y, test, 400) > 0) != truth))
    assert np.mean(errors) == pytest.approx(0.116, abs=0.005)


@pytest.mark.filterwarnings("ignore::workbench.errors.WorkbenchWarning")
def test_near_xor_beside_xgboost():
    """With γ = 2.5 pruning afterwards keeps 7 nodes, as XGBoost's exact; stopping leaves 1, as its hist."""
    x = np.random.default_rng(0).integers(0, 2, (400, 2)).astype(np.float32)
    y = (x[:, 0] != x[:, 1]) + 0.1 * x[:, 0]
    shape = {"max_depth": 2, "reg_lambda": 0.0, "learning_rate": 1.0, "base_score": 0.5}
    for method in ("exact", "hist", "approx"):
        for pruning in ("post", "pre"):
            model = workbench.fit(
                x, y, objective="squared", rounds=1, gamma=2.5, tree_method=method, pruning=pruning, **shape
            )
            assert model.trees[0].n_nodes == {"post": 7, "pre": 1}[pruning]
        theirs = xgboost.train(shape | {"gamma": 5.0, "tree_method": method}, xgboost.DMatrix(x, y), 1)
        assert len(theirs.trees_to_dataframe()) == (7 if method == "exact" else 1)


FULL_TREE = STUMPS | {"max_depth": 0, "rounds": 1, "learning_rate": 1.0, "objective": "squared"}


def test_one_full_tree_on_nested_spheres():
    """24.7 to 25.9 % error; the squared gain on 0 and 1 is that of Gini (Hastie et al., figure 10.2)."""
    errors = []
    for seed in range(10):
        rng = np.random.default_rng(200 + seed)
        x, y = nested_spheres(rng, 2000)
        test, truth = nested_spheres(rng, 10_000)
        model = workbench.fit(x, y.astype(float), **FULL_TREE)
        errors.append(np.mean((model.predict(test) > 0.5) != truth))
    assert 0.243 < np.mean(errors) < 0.264


@pytest.mark.parametrize(
    ("figure", "tolerance", "params"),
    [
        (13.5, 0.6, {}),
        (6.5, 0.4, {"num_parallel_tree": 25, "subsample": 0.632}),
        (7.2, 0.4, {"num_parallel_tree": 100, "subsample": 0.632, "colsample_bynode": 1 / 3}),
    ],
    ids=["tree", "25 bagged", "forest of 100"],
)
@pytest.mark.slow
def test_full_trees_on_friedman_1(figure, tolerance, params):
    """Mean squared errors of MATH.md, 200 train, 1,000 test, 20 repetitions.

    The trees side by side draw 63.2 % of the rows, what a bootstrap sample has of different ones.
    """
    errors = []
    for repetition in range(20):
        x, y = make_friedman1(1200, noise=1.0, random_state=repetition)
        model = workbench.fit(x[:200], y[:200], seed=repetition, **FULL_TREE, **params)
        errors.append(np.mean((model.predict(x[200:]) - y[200:]) ** 2))
    assert np.mean(errors) == pytest.approx(figure, abs=tolerance)


def spam():
    """4,601 messages × 57 shares of words and signs, and whether each is spam.

    Hopkins M, Reeber E, Forman G, Suermondt J (1999) Spambase. UCI MLR, CC BY 4.0.
    """
    table = pd.read_csv(Path(__file__).with_name("spam.csv.xz"))
    return table.drop(columns="type").to_numpy(np.float32), (table["type"] == "spam").to_numpy(float)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "params", "theirs"),
    [
        (
            0.045,
            {"objective": "logistic", "rounds": 500, "max_depth": 0, "max_leaves": 6},
            GradientBoostingClassifier(n_estimators=500, max_depth=None, max_leaf_nodes=6),
        ),
        (
            0.049,
            FULL_TREE | {"num_parallel_tree": 100, "subsample": 0.632, "colsample_bynode": 7 / 57},
            RandomForestClassifier(100, n_jobs=2),
        ),
        (
            0.054,
            FULL_TREE | {"num_parallel_tree": 100, "subsample": 0.632},
            RandomForestClassifier(100, max_features=None, n_jobs=2),
        ),
        (0.09, FULL_TREE | {"gamma": 0.5}, DecisionTreeClassifier(ccp_alpha=0.001)),
    ],
    ids=["boosting", "forest", "bagging", "one tree"],
)
def test_spam(figure, params, theirs):
    """Errors of Hastie et al. on one partition, each ± 0.6 %; scikit-learn's on the six drawn here."""
    x, y = spam()
    ours, peers = [], []
    for seed in range(6):
        rows = np.random.default_rng(seed).permutation(len(y))
        train, test = rows[:3065], rows[3065:]
        model = workbench.fit(x[train], y[train], seed=seed, **params)
        ours.append(np.mean((model.predict(x[test]) > 0.5) != y[test]))
        peer = theirs.set_params(random_state=seed).fit(x[train], y[train])
        peers.append(np.mean(peer.predict(x[test]) != y[test]))
    assert np.mean(ours) == pytest.approx(figure, abs=0.012)
    assert np.mean(ours) == pytest.approx(np.mean(peers), abs=0.005)
