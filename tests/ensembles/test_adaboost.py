"""AdaBoost beside scikit-learn's, beside its published form, and where it ends."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_hastie_10_2,
)
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import workbench
from tests.reference.tables import dataset, train
from workbench.ensembles.events import EndReason
from workbench.ensembles.prediction import leaf_indices
from workbench.errors import WorkbenchError
from workbench.objectives.adaboost_weights import LEAST_SHARE

ADA = {"method": "adaboost", "tree_method": "exact", "threads": 1}


def ten_gaussians(n=500, seed=0):
    x, y = make_hastie_10_2(n, random_state=seed)
    return x.astype(np.float32), (y > 0).astype(int)


@pytest.mark.parametrize(("n", "seed", "rounds"), [(500, 0, 60), (400, 3, 40)])
def test_discrete_is_scikit_learns(n, seed, rounds):
    x, y = ten_gaussians(n, seed)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=rounds, learning_rate=0.7)
    theirs.fit(x, y)
    model = workbench.fit(x, y, rounds=rounds, learning_rate=0.7, **ADA)
    assert len(theirs.estimators_) == model.rounds == rounds
    error = theirs.estimator_errors_
    betas = [np.abs(tree.nodes["weight"][tree.is_leaf]).max() for tree in model.trees]
    assert betas == pytest.approx(0.5 * np.log((1 - error) / error), abs=1e-5)
    assert [row["err"] for row in model.history] == pytest.approx(error, abs=1e-5)
    assert [row["beta"] for row in model.history] == pytest.approx(betas)
    assert np.array_equal(model.predict_label(x), theirs.predict(x))


def test_discrete_on_a_real_table():
    x, y = load_breast_cancer(return_X_y=True)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=80).fit(x, y)
    model = workbench.fit(x, y, rounds=80, **ADA)
    assert np.array_equal(model.predict_label(x), theirs.predict(x))


@pytest.mark.parametrize(
    ("load", "depth", "rounds"), [(load_wine, 1, 40), (load_iris, 1, 30), (load_digits, 3, 6)]
)
def test_several_classes_are_scikit_learns_samme(load, depth, rounds):
    x, y = load(return_X_y=True)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=rounds).fit(x, y)
    model = workbench.fit(x, y, rounds=rounds, max_depth=depth, **ADA)
    agree = np.isclose([row["err"] for row in model.history], theirs.estimator_errors_, atol=1e-5)
    assert agree[:5].all()  # ties may part them later
    k = len(np.unique(y))
    error = theirs.estimator_errors_[agree]
    wanted = 0.5 * (np.log((1 - error) / error) + np.log(k - 1))
    assert np.array([row["beta"] for row in model.history])[agree] == pytest.approx(wanted, abs=1e-4)
    assert np.mean(model.predict_label(x) == theirs.predict(x)) > 0.98


def test_trees_of_several_classes_vote():
    x, y = load_iris(return_X_y=True)
    whole = workbench.fit(x, y, rounds=9, learning_rate=0.5, **ADA)
    for number, row in enumerate(whole.history):
        trees = whole.trees[3 * number : 3 * number + 3]
        alpha = 2 * row["beta"]
        for tree in trees:
            leaf = tree.nodes[tree.is_leaf]
            assert leaf["leaf_value"] == pytest.approx(0.5 * leaf["weight"], rel=1e-6)
            assert set(np.round(leaf["weight"] / alpha, 6)) <= {round(2 / 3, 6), round(-1 / 3, 6)}
            assert tree.nodes["sum_hessian"][0] == pytest.approx(len(y))
        assert sum(tree.nodes["sum_gradient"][0] for tree in trees) == pytest.approx(-len(y))
    part = workbench.fit(x, y, rounds=4, learning_rate=0.5, **ADA)
    joined = workbench.fit(x, y, rounds=5, learning_rate=0.5, init_model=part, **ADA)
    assert np.array_equal(joined.predict_raw(x), whole.predict_raw(x))


def naive_adaboost(x, y, weight, trees, *, is_real):
    """Yield the values of each tree's leaves by the published rules, and the weights they were grown on."""
    s, w = 2.0 * y - 1, weight / weight.sum()
    for tree in trees:
        leaves = leaf_indices((tree,), x)[:, 0]
        found = np.zeros(tree.n_nodes)
        for leaf in np.unique(leaves):
            rows = leaves == leaf
            p = w[rows & (y == 1)].sum() / w[rows].sum()
            kept = np.clip(p, LEAST_SHARE, 1 - LEAST_SHARE)
            found[leaf] = 0.5 * np.log(kept / (1 - kept)) if is_real else (1.0 if p > 0.5 else -1.0)
        if not is_real:
            error = w[np.sign(found[leaves]) != s].sum()
            found *= 0.5 * np.log((1 - error) / error)
        yield found, w
        w = w * np.exp(-s * found[leaves])
        w /= w.sum()


@pytest.mark.parametrize("kind", ["discrete", "real"])
@pytest.mark.parametrize("depth", [1, 2])
def test_leaves_and_splits_are_the_published_ones(kind, depth):
    x, y = ten_gaussians()
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    model = workbench.fit(x, y, weight=weight, rounds=12, adaboost=kind, max_depth=depth, **ADA)
    naive = naive_adaboost(x, y, weight, model.trees, is_real=kind == "real")
    for tree, (values, weights) in zip(model.trees, naive, strict=True):
        leaf = tree.is_leaf
        assert tree.nodes["weight"][leaf] == pytest.approx(values[leaf], rel=1e-4, abs=1e-5)
        stump = DecisionTreeClassifier(max_depth=1).fit(x, y, sample_weight=weights).tree_
        assert tree.nodes["feature"][0] == stump.feature[0]
        assert tree.nodes["threshold"][0] == pytest.approx(stump.threshold[0], rel=1e-5)


def samme_r(x, y, rounds, depth):
    """Yield what each round adds to the rows, h_k, by Zhu et al. (2009), algorithm 4, and its tree."""
    k = len(np.unique(y))
    coded = np.where(y[:, None] == np.arange(k), 1.0, -1.0 / (k - 1))
    w = np.full(len(y), 1.0 / len(y))
    for _ in range(rounds):
        tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(x, y, sample_weight=w)
        logs = np.log(np.clip(tree.predict_proba(x), LEAST_SHARE, 1 - LEAST_SHARE))
        yield (k - 1) * (logs - logs.mean(axis=1, keepdims=True)), tree
        w = w * np.exp(-(k - 1) / k * (coded * logs).sum(axis=1))
        w /= w.sum()


@pytest.mark.parametrize("n_classes", [3, 5])
@pytest.mark.parametrize("depth", [1, 2])
def test_real_adaboost_of_several_classes_is_samme_r(n_classes, depth):
    x, y = make_classification(
        600, 8, n_informative=6, n_classes=n_classes, n_clusters_per_class=1, random_state=3
    )
    x, rounds = x.astype(np.float32), 12
    model = workbench.fit(x, y, rounds=rounds, adaboost="real", max_depth=depth, **ADA)
    total = np.zeros((len(y), n_classes))
    for number, (added, theirs) in enumerate(samme_r(x, y, rounds, depth), start=1):
        tree = model.trees[n_classes * (number - 1)]
        assert (tree.nodes["feature"][0], tree.n_leaves) == (theirs.tree_.feature[0], theirs.get_n_leaves())
        assert tree.nodes["threshold"][0] == pytest.approx(theirs.tree_.threshold[0], rel=1e-5)
        total += added
        assert (n_classes - 1) * model.predict_raw(x, number) == pytest.approx(total, abs=1e-3)
    assert np.array_equal(model.predict_label(x), total.argmax(axis=1))
    assert "beta" not in model.history[-1]


def test_weights_are_the_nodes_hessians():
    """H of the root is the weight of all rows, and G follows from the shares: ω(1 − 2p)."""
    x, y = ten_gaussians()
    model = workbench.fit(x, y, rounds=5, **ADA)
    for tree in model.trees:
        assert tree.nodes["sum_hessian"][0] == pytest.approx(len(y))
        g, h = (tree.nodes[name][tree.is_leaf] for name in ("sum_gradient", "sum_hessian"))
        assert np.array_equal(np.sign(tree.nodes["weight"][tree.is_leaf]), -np.sign(g))
        assert (np.abs(g) <= h).all()
    assert model.history[0]["effective rows"] == pytest.approx(len(y))
    assert model.history[0]["largest weight"] == pytest.approx(1.0)
    assert model.history[-1]["effective rows"] < len(y)


def test_a_perfect_tree_ends_it_and_is_kept():
    x = np.arange(20, dtype=np.float32)[:, None]
    _, rounds, ended = train(dataset(x, x[:, 0] > 8, "binary"), rounds=10, **ADA)
    assert len(rounds) == 1
    assert ended.reason is EndReason.LEARNT
    assert "err = 0" in ended.notes[0]
    assert rounds[0].extras["err"] == 0.0
    assert rounds[0].extras["beta"] == 0.5


def test_chance_ends_it_before_the_tree():
    x = np.repeat(np.arange(2, dtype=np.float32), 10)[:, None]
    y = np.tile([0.0, 1.0], 10)
    _, rounds, ended = train(dataset(x, y, "binary"), rounds=10, **ADA)
    assert rounds == []
    assert ended.reason is EndReason.LEARNT
    assert "no better than chance" in ended.notes[0]


def test_an_ended_run_stays_ended():
    x = np.arange(20, dtype=np.float32)[:, None]
    y = (x[:, 0] > 8).astype(int)
    with pytest.warns(workbench.errors.WorkbenchWarning, match="err = 0"):
        part = workbench.fit(x, y, rounds=3, **ADA)
    with pytest.warns(workbench.errors.WorkbenchWarning, match="err = 0"):
        again = workbench.fit(x, y, rounds=5, init_model=part, **ADA)
    assert again.rounds == part.rounds == 1


@pytest.mark.parametrize("kind", ["discrete", "real"])
def test_a_branch_goes_through_and_files_predict_the_same(kind, tmp_path):
    x, y = ten_gaussians()
    given = ADA | {"adaboost": kind}
    whole = workbench.fit(x, y, rounds=12, **given)
    joined = workbench.fit(x, y, rounds=7, init_model=workbench.fit(x, y, rounds=5, **given), **given)
    assert np.array_equal(joined.predict_raw(x), whole.predict_raw(x))
    whole.save(tmp_path / "m.json")
    matrix = xgboost.DMatrix(x, feature_names=list(whole.schema.names))
    theirs = xgboost.Booster(model_file=tmp_path / "m.json").predict(matrix)
    assert theirs == pytest.approx(whole.predict(x), abs=1e-6)
    again = workbench.load_model(tmp_path / "m.json")
    assert again.params.adaboost == kind
    assert np.array_equal(again.predict(x), whole.predict(x))


def test_threads_change_no_bit():
    x, y = make_classification(6000, 20, random_state=0)
    models = [workbench.fit(x, y, method="adaboost", rounds=10, threads=threads) for threads in (1, 2)]
    assert np.array_equal(*(model.predict_raw(x) for model in models))


def test_what_it_lacks_is_refused():
    x, y = ten_gaussians(60)
    for given, words in (
        ({"subsample": 0.5}, "subsample"), ({"objective": "logistic"}, "takes one of"),
        ({"reg_lambda": 1.0}, "reg_lambda"),
    ):
        with pytest.raises(WorkbenchError, match=words):
            workbench.fit(x, y, **ADA, **given)
    with pytest.raises(WorkbenchError, match="regression"):
        workbench.fit(x, np.linspace(0, 1, 60), **ADA)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "figure"), [("discrete", 0.116), ("real", 0.0525)])
def test_nested_spheres(kind, figure):
    """400 Gini stumps, 2,000 rows: 11.6 % error; real AdaBoost 5.25 % (Hastie et al., 10.2)."""
    errors = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, test = rng.normal(size=(2000, 10)), rng.normal(size=(10_000, 10))
        y, truth = ((rows**2).sum(axis=1) > 9.34 for rows in (x, test))
        model = workbench.fit(x, y, rounds=400, adaboost=kind, method="adaboost", tree_method="exact")
        errors.append(np.mean(model.predict_label(test) != truth))
    assert np.mean(errors) == pytest.approx(figure, abs=0.005)
