"""Python's side: fit, train, predictions by name and by position, estimators."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import workbench
from tests.formats.making import same_tree
from workbench.ensembles.events import RoundFinished, TrainingEnded, TrainingStarted
from workbench.errors import WorkbenchError, WorkbenchWarning
from workbench.estimators import BoostedTreesClassifier, BoostedTreesRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
Y = X[:, 0] + (X[:, 1] > 0) + 0.1 * RNG.normal(size=300)
FRAME = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
    kind=np.where(X[:, 2] > 0, "up", "down"), y=Y, weight=np.abs(X[:, 0]) + 0.1
)
FEW = {"rounds": 8}


def test_fit_by_name_and_by_arrays():
    by_name = workbench.fit(FRAME[["a", "b", "c", "y"]], target="y", **FEW)
    by_array = workbench.fit(X, Y, params=workbench.TrainingParams(**FEW))
    np.testing.assert_array_equal(by_name.predict(FRAME), by_array.predict(X))
    np.testing.assert_array_equal(by_name.predict(FRAME[["c", "b", "a"]]), by_array.predict(X))
    assert by_name.schema.names == ("a", "b", "c")
    assert by_name.rounds == 8
    assert by_name.predict(X).shape == (300,)
    assert by_name.predict_raw(X).dtype == np.float32
    assert by_name.trees[3].nodes["gain"][0] > 0


def test_a_number_for_missing_is_missing_wherever_the_model_predicts(tmp_path):
    rows = X.copy()
    rows[::3, 0] = -9
    blank = np.where(rows == -9, np.nan, rows)
    plain = workbench.fit(blank, Y, valid=(blank[:50], Y[:50]), **FEW)
    model = workbench.fit(rows, Y, valid=(rows[:50], Y[:50]), missing=-9, **FEW)
    assert model.history[-1]["valid:rmse"] == plain.history[-1]["valid:rmse"]
    model.save(tmp_path / "m.json")
    for known in (model, workbench.load_model(tmp_path / "m.json")):
        for given in (rows, blank, rows.astype(object), pd.DataFrame(rows, columns=model.schema.names)):
            np.testing.assert_array_equal(known.predict(given), plain.predict(blank))
    frame = pd.DataFrame({"a": rows[:, 0], "kind": (X[:, 2] > 0).astype(int) - 9})
    of_frame = workbench.fit(frame.assign(y=-9 * Y), target="y", categories=["kind"], missing=-9, **FEW)
    assert of_frame.schema.features[1].categories == ("-8",)
    empty = frame.mask(frame == -9)
    np.testing.assert_array_equal(of_frame.predict(frame), of_frame.predict(empty))


def test_weights_by_name_and_by_array():
    by_name = workbench.fit(FRAME.drop(columns="kind"), target="y", weight="weight", **FEW)
    by_array = workbench.fit(X, Y, weight=FRAME["weight"].to_numpy(), **FEW)
    np.testing.assert_allclose(by_name.predict(X), by_array.predict(X), rtol=1e-5)
    assert not np.array_equal(by_array.predict(X), workbench.fit(X, Y, **FEW).predict(X))


def test_categories_are_read_by_name(tmp_path):
    model = workbench.fit(FRAME, target="y", **FEW)
    model.save(tmp_path / "m.json")
    again = workbench.load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(model.predict(FRAME), again.predict(FRAME))
    permuted = FRAME.assign(kind=pd.Categorical(FRAME["kind"], ["up", "never", "down"]))
    np.testing.assert_array_equal(model.predict(FRAME), model.predict(permuted))


def test_classes_two_and_many():
    two = workbench.fit(X, np.where(Y > 0, "yes", "no"), **FEW)
    assert two.predict(X).shape == (300,)
    assert set(two.predict_label(X)) == {"yes", "no"}
    assert np.mean((two.predict(X) > 0.5) == (Y > 0)) > 0.9
    many = workbench.fit(X, np.digitize(Y, [-1, 1]) * 10, objective="softmax", **FEW)
    assert many.predict(X).shape == (300, 3)
    np.testing.assert_allclose(many.predict(X).sum(1), 1, atol=1e-6)
    assert set(many.predict_label(X).tolist()) == {0, 10, 20}
    with pytest.raises(WorkbenchError, match="not a class"):
        workbench.fit(X, Y, **FEW).predict_label(X)


def test_validation_rows_given_or_held_out():
    events = list(workbench.train(X[:200], Y[:200], valid=(X[200:], Y[200:]), **FEW))
    assert isinstance(events[0], TrainingStarted)
    assert isinstance(events[-1], TrainingEnded)
    assert (events[0].n_train, events[0].n_valid) == (200, 100)
    assert sum(isinstance(e, RoundFinished) for e in events) == 8
    by_frame = list(workbench.train(FRAME[:200], target="y", weight="weight", valid=FRAME[200:], **FEW))
    assert by_frame[0].n_valid == 100
    held = next(workbench.train(X, Y, valid_fraction=0.2, **FEW))
    assert (held.n_train, held.n_valid) == (240, 60)
    model = workbench.fit(X, Y, valid_fraction=0.3, rounds=300, learning_rate=1.0, early_stopping_rounds=3)
    assert model.rounds == model.best_round == len(model.history) - 3
    assert replace(model, provenance={}).best_round is None


@pytest.mark.parametrize("valid", [(X, Y), [X, Y], [(X, Y)], [[X, Y, np.ones(300)]]])
def test_validation_rows_in_every_form(valid):
    assert workbench.fit(X, Y, valid=valid, **FEW).provenance["n_valid"] == 300


def test_validation_rows_in_a_frame_that_stands_alone_in_a_tuple():
    assert workbench.fit(FRAME, target="y", valid=(FRAME,), **FEW).provenance["n_valid"] == 300


NAMES = ([3, 1, 0, 2], [("u", 1), ("u", 2), ("v", 1), ("v", 2)], [1.5, None, "x", True])


@pytest.mark.parametrize("names", NAMES)
def test_columns_whose_names_are_no_text(names, tmp_path):
    """A file says them as text; frames that have them are found by them."""
    xgboost = pytest.importorskip("xgboost")
    frame = pd.DataFrame(np.column_stack([X, Y]), columns=pd.Index(names))
    rest = frame.iloc[:, :3]
    by_target = workbench.fit(frame, target=names[3], objective="squared", valid=frame, **FEW)
    for model in (by_target, workbench.fit(rest, frame.iloc[:, 3], **FEW)):
        assert model.schema.names == tuple(map(str, names[:3]))
        assert model.schema.target == str(names[3])
        model.save(tmp_path / "m.json")
        again = workbench.load_model(tmp_path / "m.json")
        np.testing.assert_array_equal(again.predict(frame), model.predict(X))
        booster = xgboost.Booster(model_file=tmp_path / "m.json")
        assert booster.feature_names == list(model.schema.names)


def test_weights_groups_and_offsets_whose_names_are_no_text():
    frame = pd.DataFrame(np.column_stack([X, np.abs(Y), np.round(np.abs(Y)), np.arange(300) // 10]))
    weighted = workbench.fit(frame, target=4, weight=3, objective="squared", **FEW)
    assert weighted.schema.names == ("0", "1", "2", "5")
    offset = workbench.fit(frame, target=4, base_margin=3, objective="squared", **FEW)
    assert offset.schema.offset == "3"
    apart = offset.predict(frame[[0, 1, 2, 5]], base_margin=frame[3])
    np.testing.assert_array_equal(offset.predict(frame), apart)
    ranked = workbench.fit(frame, target=4, group=5, objective="lambdarank", **FEW)
    assert ranked.schema.names == ("0", "1", "2", "3")


def test_a_target_at_place_0_keeps_its_name():
    assert workbench.fit(pd.DataFrame(X), target=0, **FEW).schema.target == "0"


@pytest.mark.parametrize(
    ("objective", "value", "predicted"),
    [("squared", 3.25, 3.25), ("absolute", 2, 2), ("gamma", 2, 2), ("poisson", 0, 0), ("logistic", 1, 1),
     ("logistic", 0, 0), ("exponential", 1, 1)],
)  # fmt: skip
def test_a_target_of_one_value_makes_a_constant(objective, value, predicted, tmp_path):
    with pytest.warns(WorkbenchWarning, match="in every row: nothing can be learnt"):
        model = workbench.fit(X, np.full(300, value), objective=objective, **FEW)
    np.testing.assert_allclose(model.predict(X), predicted, atol=2e-6)
    assert len(set(model.predict(X).tolist())) == 1
    assert "nothing can be learnt" in model.provenance["notes"][0]
    model.save(tmp_path / "m.json")
    np.testing.assert_array_equal(workbench.load_model(tmp_path / "m.json").predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("target", "given", "words"),
    [
        (np.full(300, 3.25), {}, "is 3.25 in every row"),
        (np.array(["a"] * 300), {}, "is 'a' in every row"),
        (Y, {"gamma": 1e9, "objective": "squared"}, "none gains γ = 1e+09"),
        (Y + 1e9, {"objective": "squared"}, "too little beside its size"),
    ],
)
def test_what_bears_on_the_result_is_warned_of_once_at_the_line_of_the_script(target, given, words):
    with pytest.warns() as warned:
        model = workbench.fit(X, target, **FEW, **given)
    (told,) = warned
    assert told.category is workbench.WorkbenchWarning
    assert told.filename == __file__
    assert words in str(told.message)
    assert model.provenance["notes"] == [str(told.message)]


def test_long_labels_come_back_from_files(tmp_path):
    labels = [2**64 - 1, 2**64 - 2, 5]
    model = workbench.fit(X, np.array(labels * 100, np.uint64), objective="softmax", **FEW)
    for name in ("m.json", "m.ubj"):
        model.save(tmp_path / name)
        again = workbench.load_model(tmp_path / name)
        assert set(again.predict_label(X).tolist()) <= set(labels)
        assert again.schema.class_labels == (5, 2**64 - 2, 2**64 - 1)


ROUNDS_ALONE = {
    "before": ({"monotone_constraints": {"f0": 1}}, {}, "holds up to round 8 alone"),
    "after": ({}, {"monotone_constraints": {"f0": 1}}, "holds from round 9 on alone"),
    "other": ({"forbidden_columns": ["f0"]}, {"forbidden_columns": ["f1"]}, "trained with others"),
}


@pytest.mark.parametrize("case", ROUNDS_ALONE)
def test_restraints_of_some_rounds_alone_are_told(case):
    before, after, words = ROUNDS_ALONE[case]
    start = workbench.fit(X, Y, **FEW, **before)
    with pytest.warns(WorkbenchWarning, match=words):
        model = workbench.fit(X, Y, init_model=start, **FEW, **after)
    assert words in model.provenance["notes"][0]
    assert not workbench.fit(X, Y, init_model=start, **FEW, **before).provenance["notes"]


def test_events_and_fit_are_the_same_run():
    model = workbench.fit(X, Y, **FEW)
    finished = [e for e in workbench.train(X, Y, **FEW) if isinstance(e, RoundFinished)]
    for tree, event in zip(model.trees, finished, strict=True):
        same_tree(tree, event.trees[0])
    assert [row["loss"] for row in model.history] == [e.loss for e in finished]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: workbench.fit(X), "no target"),
        (lambda: workbench.fit(X, target="y"), "no DataFrame"),
        (lambda: workbench.fit(FRAME, target="z"), "no single column 'z'"),
        (lambda: workbench.fit(X, Y[:5]), "shape"),
        (lambda: workbench.fit(X, Y * 1e300), "'target' is infinite or beyond 3.4e38 in row 0"),
        (lambda: workbench.fit(X, "y"), "If it names a column of X, give it as target"),
        (lambda: workbench.fit(X, Y, weight=np.zeros(300)), "weight is zero in every row"),
        (lambda: workbench.fit(X, Y, valid=X), r"give \(X, y\) or \(X, y, weight\)"),
        (lambda: workbench.fit(X, Y, valid=()), "valid has 0 parts"),
        (lambda: workbench.fit(X, Y, valid=(X, Y, Y, Y)), "valid has 4 parts"),
        (lambda: workbench.fit(X, Y, valid=[(X, Y), (X, Y)]), "2 sets of validation rows"),
        (lambda: workbench.fit(X, Y, categories=[99]), "has the place 99"),
        (lambda: workbench.fit(X, Y, **FEW).predict({"f0": [1]}), "cannot be a dict"),
        (lambda: workbench.fit(X, Y, weight=["a"] * 300), "The weight holds something that is no number"),
        (lambda: workbench.fit(X, Y, etaa=1), "no parameter 'etaa'"),
        (lambda: workbench.fit(X, Y, valid_fraction=1.0), "valid_fraction"),
        (lambda: workbench.fit(X, Y, early_stopping_rounds=3), "validation rows"),
        (lambda: workbench.fit(X, Y, **FEW).predict(X[:, :2]), "shape"),
        (lambda: workbench.fit(FRAME, target="y", **FEW).predict(FRAME[["a"]]), "'b' is missing"),
        (lambda: workbench.fit(X, Y, **FEW).predict_raw(X, rounds=9), "has 8 rounds; 9 cannot be taken"),
        (lambda: workbench.fit(X, Y, **FEW).predict_raw(X, rounds=-1), "has 8 rounds; -1 cannot be taken"),
        (lambda: workbench.fit(X, Y, **FEW).predict(X, rounds=1.5), "has 8 rounds; 1.5 cannot be taken"),
        (lambda: workbench.fit(X, Y, **FEW).first_rounds(2.0), "has 8 rounds; 2.0 cannot be taken"),
        (lambda: BoostedTreesRegressor().predict(X), "not fitted"),
        (lambda: BoostedTreesRegressor(rounds=0).fit(X, Y), "rounds"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(WorkbenchError, match=words):
        call()


def test_columns_of_categories_by_place():
    codes = np.round(X, 0)
    by_place = [workbench.fit(codes, Y, categories=places, **FEW) for places in ([1], np.array([1]))]
    assert [feature.kind for feature in by_place[1].schema.features] == ["number", "category", "number"]
    np.testing.assert_array_equal(by_place[0].predict(codes), by_place[1].predict(codes))


def test_first_rounds():
    model = workbench.fit(X, Y, **FEW)
    short = replace(model, ensemble=model.ensemble.first_rounds(3))
    np.testing.assert_array_equal(model.predict(X, rounds=3), short.predict(X))


def test_unknown_name():
    with pytest.raises(AttributeError):
        _ = workbench.nothing


def test_regressor():
    estimator = BoostedTreesRegressor(n_estimators=8, reg_lambda=2.0).fit(X, Y)
    expected = workbench.fit(X, Y, rounds=8, reg_lambda=2.0).predict(X)
    np.testing.assert_array_equal(estimator.predict(X), expected)
    assert estimator.score(X, Y) > 0.5
    assert estimator.get_params()["rounds"] == 8
    assert repr(estimator) == "BoostedTreesRegressor(reg_lambda=2.0, rounds=8)"
    assert estimator.feature_importances_.shape == (3,)
    assert estimator.feature_importances_.sum() == pytest.approx(1)
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.predict(X), expected)


@pytest.mark.parametrize("labels", [["b", "a"], [False, True], [3, -1], ["x", "y", "z"], [1.5, 2.5, 0.5]])
def test_classifier(labels, tmp_path):
    y = np.array(labels)[np.digitize(Y, [-0.5, 1])[:] % len(labels)]
    estimator = BoostedTreesClassifier(rounds=8).fit(X, y, eval_set=[(X[:50], y[:50])])
    np.testing.assert_array_equal(estimator.classes_, np.unique(y))
    proba = estimator.predict_proba(X)
    assert proba.shape == (300, len(labels))
    np.testing.assert_allclose(proba.sum(1), 1, atol=1e-6)
    np.testing.assert_array_equal(estimator.predict(X), estimator.classes_[proba.argmax(1)])
    assert estimator.score(X, y) > 0.7
    estimator.model_.save(tmp_path / "m.json")
    loaded = workbench.load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(loaded.predict_label(X), estimator.predict(X))
    with pytest.raises(WorkbenchError, match="validation target"):
        estimator.fit(X[:50], y[:50], eval_set=[(X[:1], np.array([99 if y.dtype.kind != "U" else "new"]))])


def test_inside_scikit_learn():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.base import clone, is_classifier, is_regressor
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    assert sklearn.__version__
    regressor = BoostedTreesRegressor(rounds=4, categories=[])
    assert clone(regressor).get_params() == regressor.get_params()
    assert is_regressor(regressor)
    assert is_classifier(BoostedTreesClassifier())
    search = GridSearchCV(regressor, {"max_depth": [1, 3], "n_estimators": [2, 4]}, cv=2).fit(X, Y)
    assert search.best_params_["max_depth"] in (1, 3)
    labels = np.where(Y > 0, "yes", "no")
    pipeline = make_pipeline(StandardScaler(), BoostedTreesClassifier(rounds=4))
    assert cross_val_score(pipeline, X, labels, cv=3, scoring="roc_auc").mean() > 0.8


def test_a_model_notes_what_xgboost_cannot_match():
    frame = pd.DataFrame({"stadt": ["Köln", "Ulm"] * 20, "bay": ["a", "b"] * 20, "x": range(40)})
    (note,) = workbench.fit(frame, np.arange(40.0), rounds=1).provenance["notes"]
    assert note.startswith("Column 'stadt' has category names that are not ASCII")


def test_a_model_says_what_it_is_in_one_line():
    x = np.random.default_rng(0).normal(size=(60, 2))
    events = list(workbench.train(x, x[:, 0], rounds=3))
    model = workbench.fit(x, x[:, 0], rounds=3)
    assert repr(model) == "Model('squared' of 'target', 3 rounds, 2 columns)"
    assert all("\n" not in repr(thing) for thing in (model.trees[0], model.ensemble, *events))
    assert len(repr(events[1])) < 2500


@pytest.mark.parametrize("tree_method", ["hist", "exact", "approx"])
def test_numbers_below_the_normal_ones_are_told_apart_as_by_xgboost(tmp_path, tree_method):
    """Of single precision: from 1.4e-45, the least, to 1.2e-38."""
    xgboost = pytest.importorskip("xgboost")
    steps = np.arange(400) % 8 + 1
    for size in (1.4e-45, 1e-42, 1e-39):
        x = (steps * size).astype(np.float32)[:, None]
        y = steps % 3 * 1.5 + steps / 4
        model = workbench.fit(x, y, rounds=40, learning_rate=0.5, reg_lambda=0, tree_method=tree_method)
        np.testing.assert_allclose(model.predict(x), y, atol=1e-2)
        model.save(tmp_path / "m.json")
        booster = xgboost.Booster(model_file=tmp_path / "m.json")
        rows = xgboost.DMatrix(x, feature_names=booster.feature_names)
        np.testing.assert_array_equal(booster.predict(rows), model.predict(x))
