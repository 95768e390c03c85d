"""What people type out of another library's habit counts as it does there, or is refused with what can be."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss
from sklearn.utils.class_weight import compute_class_weight

import workbench
from workbench.errors import WorkbenchError


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    return X, (X[:, 0] - X[:, 1] + rng.normal(size=400) > 0.7).astype(int)


def grown(rows, **given):
    usual = {"objective": "logistic"}
    usual |= {} if {"iterations", "rounds"} & given.keys() else {"rounds": 3}
    usual |= {} if {"depth", "max_depth"} & given.keys() else {"max_depth": 3}
    return workbench.fit(*rows, **usual | given)


def same(one, other):
    return all(a.nodes.tobytes() == b.nodes.tobytes() for a, b in zip(one.trees, other.trees, strict=True))


@pytest.mark.parametrize(("typed", "meant"), [
    ({"random_state": None, "n_jobs": -1, "verbosity": 0, "booster": "gbtree", "device": "cpu"}, {}),
    ({"random_state": 7, "colsample_bytree": 0.5}, {"seed": 7, "colsample_bytree": 0.5}),
    ({"max_depth": -1}, {"max_depth": 0}),
    ({"max_depth": None}, {"max_depth": 6}),
    ({"monotone_constraints": (1, 0, -1)}, {"monotone_constraints": {"f0": 1, "f2": -1}}),
    ({"monotone_constraints": "(1,0,-1)"}, {"monotone_constraints": {"f0": 1, "f2": -1}}),
    ({"monotone_constraints": {0: 1}}, {"monotone_constraints": {"f0": 1}}),
    ({"interaction_constraints": "[[0, 1], [2]]"}, {"interaction_constraints": [["f0", "f1"], ["f2"]]}),
    ({"interaction_constraints": [[0, 2]]}, {"interaction_constraints": [["f0", "f2"]]}),
    ({"feature_weights": [1, 5, 1], "colsample_bynode": 0.5},
     {"feature_weights": {"f1": 5}, "colsample_bynode": 0.5}),
    ({"tree_method": "auto", "missing": np.nan, "boosting_type": "gbdt"}, {}),
    ({"iterations": 2, "depth": 2, "l2_leaf_reg": 3, "border_count": 64, "rsm": 0.7, "thread_count": 1},
     {"rounds": 2, "max_depth": 2, "reg_lambda": 3, "max_bin": 64, "colsample_bylevel": 0.7, "threads": 1}),
    ({"max_features": "sqrt"}, {"colsample_bytree": 1 / 3}),
    ({"grow_policy": "lossguide", "early_stopping": False}, {"grow_policy": "best_gain"}),
    ({"eval_metric": ["auc", "error"]}, {"metric": "error", "more_metrics": ("auc",)}),
    ({"params": {"eta": 0.3, "objective": "binary:logistic"}, "eval_set": []}, {"learning_rate": 0.3}),
    ({"params": {"eta": 0.1, "learning_rate": 0.2}, "learning_rate": 0.3}, {"learning_rate": 0.3}),
])  # fmt: skip
def test_it_counts_as_in_our_own_words(rows, typed, meant):
    one, other = grown(rows, **typed), grown(rows, **meant)
    assert same(one, other)
    assert one.params == other.params


@pytest.mark.parametrize(("typed", "words"), [
    ({"device": "cuda"}, "the processor"), ({"num_class": 3}, "counted in the target"),
    ({"callbacks": [print]}, "workbench.train"), ({"missing": "?"}, "must be a number"),
    ({"importance_type": "gain"}, "model.importance"), ({"booster": "tree"}, "one of gbtree"),
    ({"monotone_constraints": (1, 0)}, "2 values for 3 columns"),
    ({"interaction_constraints": [[0, 3]]}, "there are 0 to 2"), ({"enable_categorical": False}, "make them"),
    ({"max_features": "all"}, "max_features is 'all'; it must be a number above 0, 1 at most. Its name here"),
    ({"l2_leaf_reg": -1}, "l2_leaf_reg is -1; "), ({"cat_features": [0]}, "Give categories"),
    ({"min_samples_split": 10}, "Give min_leaf_rows"), ({"extra_trees": True}, "method='extra_trees'"),
    ({"weight": 1.0, "sample_weight": 1.0}, "one of them"),
    ({"class_weight": "balanced", "objective": "squared"}, "no classes"),
    ({"valid_fractoin": 0.2}, "nearest is 'valid_fraction'"), ({"targt": "y"}, "nearest is 'target'"),
    ({"sample_weights": [1.0]}, "nearest is 'sample_weight'"), ({"evalset": []}, "nearest is 'eval_set'"),
    ({"lr": 0.1}, "Give learning_rate"), ({"evals": [(1, 2)]}, "Give valid"),
    ({"params": 3}, "give TrainingParams, or a dict"),
    ({"params": {"max_dept": 3}}, "nearest is 'max_depth'"),
    ({"params": {"valid_fraction": 0.2}}, "'valid_fraction' is an argument of its own"),
    ({"params": {"eta": 0.1, "learning_rate": 0.2}}, "eta and learning_rate are one parameter"),
    ({"eta": 0.1, "learning_rate": 0.2}, "eta and learning_rate are one parameter"),
])  # fmt: skip
def test_what_cannot_be_is_refused_with_what_can(rows, typed, words):
    with pytest.raises(WorkbenchError, match=words):
        grown(rows, **typed)


def test_every_function_knows_its_own_arguments(rows):
    with pytest.raises(WorkbenchError, match=r"verbose is 1, which cannot be. workbench.fit"):
        workbench.train(*rows, verbose=1)
    with pytest.raises(WorkbenchError, match="nearest is 'control'"):
        workbench.train(*rows, controll=None)
    with pytest.raises(WorkbenchError, match=r"no parameter 'controll'. Known"):
        workbench.fit(*rows, controll=None)


def test_balanced_classes_weigh_as_in_scikit_learn(rows):
    X, y = rows
    weights = compute_class_weight("balanced", classes=np.array([0, 1]), y=y)
    model = grown(rows, class_weight="balanced")
    assert dict(model.params.class_weights) == pytest.approx({"0": weights[0], "1": weights[1]}, abs=1e-12)
    by_row = grown(rows, sample_weight=weights[y])
    assert model.predict(X) == pytest.approx(by_row.predict(X), abs=1e-6)


def test_training_rows_among_validation_rows_are_left_out(rows):
    X, y = rows
    one = grown((X[:300], y[:300]), eval_set=[(X[300:], y[300:])], early_stopping_rounds=2, rounds=40)
    first = X[:300]
    other = grown((first, y[:300]), eval_set=[(first, y[:300]), (X[300:], y[300:])], early_stopping_rounds=2,
                  rounds=40)
    assert same(one, other)


def log_odds_derivatives(target, raw):
    share = 1 / (1 + np.exp(-raw))
    return share - target, share * (1 - share)


def test_an_objective_may_be_a_function_of_its_derivatives(rows):
    X, y = rows
    known, given = grown(rows), grown(rows, objective=log_odds_derivatives)
    assert given.predict_raw(X) == pytest.approx(known.predict_raw(X), abs=1e-5)
    events = list(workbench.train(X, y, objective=log_odds_derivatives, rounds=3))
    told = [event for event in events if hasattr(event, "loss")]
    # the loss from 0 on: ln(1 + e^raw) − y·raw − ln 2, by quadrature
    exact = log_loss(y, workbench.fit(X, y, objective="logistic", rounds=3).predict(X)) - np.log(2)
    assert told[-1].train["custom_loss"] == pytest.approx(exact, abs=1e-5)


def test_a_metric_may_be_a_function_and_its_name_says_which_way_is_better(rows):
    X, y = rows

    def share_right(target, prediction):
        return float(np.mean((prediction > 0.5) == target))

    share_right.higher_is_better = True
    told = list(workbench.train(X, y, objective="logistic", rounds=2, valid=(X[:100], y[:100]),
                                metric=share_right, more_metrics=[log_loss]))
    model = workbench.fit(X, y, objective="logistic", rounds=2, valid=(X[:100], y[:100]))
    last = [event for event in told if hasattr(event, "valid")][-1]
    predicted = model.predict(X[:100])
    assert last.valid["share_right"] == accuracy_score(y[:100], predicted > 0.5)
    assert last.valid["log_loss"] == pytest.approx(log_loss(y[:100], predicted), abs=1e-7)

    def broken(target, prediction):
        return 1 / 0

    with pytest.raises(WorkbenchError, match="The metric broken failed: ZeroDivisionError"):
        grown(rows, metric=broken)


def test_verbose_prints_every_so_many_rounds(rows, capsys):
    grown(rows, rounds=5, verbose=2, metric="logloss")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("]")[0] for line in lines] == ["[1", "[2", "[4"]
    assert "train logloss 0." in lines[0]
    grown(rows, verbose=-1)  # LightGBM's silence
    assert not capsys.readouterr().out


def test_the_estimators_take_and_refuse_the_same_words():
    from workbench.estimators import BoostedTreesRegressor

    made = BoostedTreesRegressor(iterations=3, depth=2, verbosity=0, booster="gbtree")
    assert (made.rounds, made.max_depth) == (3, 2)
    for given, words in (({"cat_features": [0]}, "Give categories"), ({"device": "cuda"}, "the processor"),
                         ({"valid_fractoin": 0.2}, "nearest is 'valid_fraction'")):
        with pytest.raises(WorkbenchError, match=words):
            BoostedTreesRegressor(**given)
