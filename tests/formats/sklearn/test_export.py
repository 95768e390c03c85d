"""Models of scikit-learn, written by the script that runs where they are, and read again."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from workbench.__main__ import main
from workbench.data.reading import read_table
from workbench.errors import WorkbenchError
from workbench.formats.load import load_model
from workbench.formats.sklearn import export as sklearn_export
from workbench.formats.sklearn.export import document, save

ensemble = pytest.importorskip("sklearn.ensemble")
tree = pytest.importorskip("sklearn.tree")


def numbers(n=500, seed=0, missing=0.1):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 5))
    rows[:, 1] = np.round(rows[:, 1], 1)
    score = rows[:, 0] * rows[:, 1] + rows[:, 2] + rng.normal(size=n) / 5
    rows[rng.random(rows.shape) < missing] = np.nan
    return rows, score


def target_of(kind, score):
    if kind == "number":
        return score
    labels = np.array(["no", "yes"] if kind == "two" else ["a", "b", "c"])
    return labels[pd.qcut(score, len(labels), labels=False)]


def check(rows, estimator, path, names=None):
    save(estimator, path, names)
    read = load_model(path)
    if hasattr(estimator, "classes_"):
        expected = estimator.predict_proba(rows)
        expected = expected[:, 1] if len(estimator.classes_) == 2 else expected
        assert list(read.predict_label(rows)) == list(estimator.predict(rows))
    else:
        expected = estimator.predict(rows)
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(read.predict(rows), expected, rtol=1e-6, atol=1e-6 * scale)
    return read


GRADIENT = (ensemble.GradientBoostingRegressor, ensemble.GradientBoostingClassifier)
HIST = (ensemble.HistGradientBoostingRegressor, ensemble.HistGradientBoostingClassifier)
MAKERS = {
    "one tree": (tree.DecisionTreeRegressor, tree.DecisionTreeClassifier, {"max_depth": 6}),
    "random tree": (tree.ExtraTreeRegressor, tree.ExtraTreeClassifier, {"max_depth": 6}),
    "forest": (ensemble.RandomForestRegressor, ensemble.RandomForestClassifier, {"n_estimators": 7}),
    "random forest": (ensemble.ExtraTreesRegressor, ensemble.ExtraTreesClassifier, {"n_estimators": 7}),
    "gradient": (*GRADIENT, {"n_estimators": 9}), "hist": (*HIST, {"max_iter": 15}),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["number", "two", "three"])
@pytest.mark.parametrize("maker", MAKERS)
def test_predictions(maker, kind, tmp_path):
    regressor, classifier, params = MAKERS[maker]
    make = regressor if kind == "number" else classifier
    rows, score = numbers(missing=0.0 if maker == "gradient" else 0.1)
    estimator = make(random_state=1, **params).fit(rows.astype(np.float32), target_of(kind, score))
    check(rows.astype(np.float32), estimator, tmp_path / "m.json")


@pytest.mark.sampled
@pytest.mark.parametrize(("make", "params"), [
    (ensemble.GradientBoostingClassifier, {"loss": "exponential"}),
    (ensemble.GradientBoostingRegressor, {"loss": "huber", "subsample": 0.5}),
    (ensemble.GradientBoostingRegressor, {"init": "zero", "learning_rate": 0.5}),
    (ensemble.HistGradientBoostingRegressor, {"loss": "poisson"}),
    (ensemble.HistGradientBoostingRegressor, {"loss": "absolute_error", "max_leaf_nodes": 4}),
    (ensemble.HistGradientBoostingRegressor, {"max_bins": 8, "l2_regularization": 3.0}),
])  # fmt: skip
def test_losses(make, params, tmp_path):
    rows, score = numbers(missing=0.0)
    target = score > 0 if "Classifier" in make.__name__ else np.exp(score / 3)
    estimator = make(random_state=1, **params).fit(rows.astype(np.float32), target)
    check(rows.astype(np.float32), estimator, tmp_path / "m.json")


def test_categories_missing_ones_and_those_never_seen(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "number": rng.normal(size=900), "kind": rng.choice(["a", "b", "c,d", "é", "f", "g"], 900),
        "code": rng.choice(["10", "20"], 900),
    })  # fmt: skip
    target = frame["number"] * (frame["kind"] < "c") + frame["kind"].map({"a": 3, "é": -2}).fillna(0)
    frame.loc[rng.random(900) < 0.1, "kind"] = None
    frame[["kind", "code"]] = frame[["kind", "code"]].astype("category")
    estimator = ensemble.HistGradientBoostingRegressor(
        categorical_features="from_dtype", min_samples_leaf=5, max_iter=40
    ).fit(frame, target)
    read = check(frame, estimator, tmp_path / "m.json")
    assert read.schema.names == ("number", "kind", "code")
    assert read.schema.features[1].categories == ("a", "b", "c,d", "f", "g", "é")
    other = frame.astype({"kind": object})
    other.loc[::3, "kind"] = "new"
    np.testing.assert_allclose(read.predict(other), estimator.predict(other.astype({"kind": "category"})),
                               rtol=1e-6, atol=1e-5)  # fmt: skip


def test_the_script_runs_alone(tmp_path):
    """Copied elsewhere, it needs nothing of the Workbench."""
    command = [sys.executable, "-m", "workbench", "script", "--output", str(tmp_path / "sklearn_export.py")]
    subprocess.run(command, check=True, timeout=100)
    code = (
        "import sys, sklearn.tree as t; sys.path[:] = [p for p in sys.path if 'wt' not in p]\n"
        "import sklearn_export\n"
        "m = t.DecisionTreeRegressor(max_depth=1).fit([[0.], [1.], [2.]], [0, 0, 6])\n"
        "sklearn_export.save(m, 'm.json', ['x']); assert 'workbench' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, timeout=100)
    np.testing.assert_allclose(load_model(tmp_path / "m.json").predict(np.array([[1.0], [2.0]])), [0, 6])


@pytest.mark.parametrize("estimator", [
    tree.DecisionTreeRegressor(max_depth=6), tree.ExtraTreeRegressor(max_depth=6, random_state=1),
    ensemble.RandomForestRegressor(7, random_state=1), ensemble.ExtraTreesRegressor(7, random_state=1),
])  # fmt: skip
def test_several_targets(estimator, tmp_path):
    rows, score = numbers(300, missing=0.0)
    targets = np.column_stack([score, 5 - 2 * score**2, rows[:, 1]])
    read = check(rows, estimator.fit(rows, targets), tmp_path / "m.json")
    assert read.ensemble.output_names == ("output 1", "output 2", "output 3")


def test_what_cannot_be_written_is_said():
    from sklearn.linear_model import LinearRegression

    rows, score = numbers(50, missing=0.0)
    with pytest.raises(ValueError, match="LinearRegression cannot be written"):
        document(LinearRegression().fit(rows, score))
    classes = np.column_stack([score > 0, score > 1])
    with pytest.raises(ValueError, match="several targets, each of classes"):
        document(tree.DecisionTreeClassifier().fit(rows, classes))
    boosted = ensemble.GradientBoostingRegressor(n_estimators=2, init=LinearRegression()).fit(rows, score)
    with pytest.raises(ValueError, match="init='zero'"):
        document(boosted)
    with pytest.raises(ValueError, match="3 names, and the model has 5"):
        document(tree.DecisionTreeRegressor().fit(rows, score), ["a", "b", "c"])


@pytest.mark.parametrize(("change", "words"), [
    (lambda d: d["trees"][0]["left"].pop(), "right has"),
    (lambda d: d["trees"][0]["left"].__setitem__(0, 0), "loop"),
    (lambda d: d["trees"][0]["feature"].__setitem__(0, 99), "column"),
    (lambda d: d["trees"][0]["value"].__setitem__(0, None), "value"),
    (lambda d: d.update(link="mystery"), "damaged"),
    (lambda d: d.update(base=[]), "last round"),
    (lambda d: d.update(version=99), "newer script"),
    (lambda d: d["trees"][0].update(output=7), "output"),
    (lambda d: d.update(classes=["only"]), "number of outputs"),
])  # fmt: skip
def test_damage_is_said_in_one_line(change, words, tmp_path):
    rows, score = numbers(80, missing=0.0)
    record = document(tree.DecisionTreeRegressor(max_depth=3).fit(rows, score))
    change(record)
    (tmp_path / "m.json").write_text(json.dumps(record))
    with pytest.raises(WorkbenchError, match=words):
        load_model(tmp_path / "m.json")


def test_a_forest_of_several_classes_is_kept_in_xgboosts_file(tmp_path):
    rows, score = numbers(missing=0.0)
    forest = ensemble.RandomForestClassifier(5, max_depth=4, random_state=0)
    forest.fit(rows.astype(np.float32), target_of("three", score))
    save(forest, tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    model.save(tmp_path / "again.json", "xgboost")
    again = load_model(tmp_path / "again.json")
    np.testing.assert_array_equal(again.predict(rows), model.predict(rows))
    assert list(again.predict_label(rows)) == list(forest.predict(rows.astype(np.float32)))
    xgboost = pytest.importorskip("xgboost")
    booster = xgboost.Booster(model_file=str(tmp_path / "again.json"))
    matrix = xgboost.DMatrix(rows, feature_names=list(model.schema.names), nthread=1)
    np.testing.assert_allclose(booster.predict(matrix), model.predict(rows), atol=2e-6)


def test_the_script_runs_in_the_pythons_of_old_models():
    text = Path(sklearn_export.__file__).read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(text, feature_version=(3, 8))))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    given = {word.arg for node in nodes if isinstance(node, ast.Call) for word in node.keywords}
    assert not names & {"removesuffix", "removeprefix"}
    assert "strict" not in given
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    asked = [call.args[1] for call in calls if getattr(call.func, "id", "") == "isinstance"]
    assert asked
    assert not any(isinstance(kind, ast.BinOp) for kind in asked)


def test_models_made_of_another_say_what_to_give():
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = np.arange(40.0).reshape(20, 2), np.arange(20.0)
    forest = ensemble.RandomForestRegressor(n_estimators=2, random_state=0)
    whole = make_pipeline(StandardScaler(), forest).fit(x, y)
    with pytest.raises(ValueError, match=r"give model\[-1\]\. Tables must then pass the steps before it"):
        document(whole)
    assert document(whole[-1])["estimator"] == "RandomForestRegressor"
    searched = GridSearchCV(forest, {"max_depth": [1, 2]}, cv=2).fit(x, y)
    with pytest.raises(ValueError, match=r"give model\.best_estimator_"):
        document(searched)


def test_trees_of_numbers_have_no_classes_even_where_old_ones_list_none():
    x, y = np.arange(40.0).reshape(20, 2), np.arange(20.0)
    estimator = tree.DecisionTreeRegressor(max_depth=2).fit(x, y)
    estimator.classes_ = [None]  # as scikit-learn 0.22 left it
    assert document(estimator)["classes"] == []


def test_categories_that_are_their_own_numbers_have_codes():
    """Until 1.3 scikit-learn did not number categories anew."""
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.choice([1, 4, 6, 9], 400).astype(float), rng.normal(size=400)])
    y = np.isin(x[:, 0], [4, 9]) * 2.0 + x[:, 1]
    model = ensemble.HistGradientBoostingRegressor(max_iter=4, categorical_features=[0]).fit(x, y)
    coded = model._preprocessor.transform(x)[:, 0]  # as an old model would have been given the column
    old = SimpleNamespace(
        n_features_in_=2, is_categorical_=np.array([True, False]), _predictors=model._predictors,
        _baseline_prediction=model._baseline_prediction, loss="squared_error",
        _bin_mapper=SimpleNamespace(bin_thresholds_=[np.unique(coded), np.zeros(0)]),
    )
    made = sklearn_export._hist_boosting(old, [])
    assert made["trees"] == document(model)["trees"]
    assert made["categories"] == [[0.0, 1.0, 2.0, 3.0], None]


def test_an_objective_that_the_file_does_not_tell_is_called_unknown(tmp_path, capsys):
    rows, score = np.arange(40.0)[:, None], np.arange(40.0) % 7
    save(ensemble.RandomForestRegressor(2, random_state=0).fit(rows, score), str(tmp_path / "m.json"))
    assert main(["inspect", str(tmp_path / "m.json")]) == 0
    first, *others = capsys.readouterr().out.split("\n")
    assert first == "Model with an unknown objective, of an unknown target (regression)"
    assert any("so is the objective, for which 'squared' stands by its link" in line for line in others)
    assert main(["inspect", str(tmp_path / "m.json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["objective"], found["link"]) == (None, "identity")
    assert "objective" not in found["params"]
    model = load_model(tmp_path / "m.json")
    assert repr(model) == "Model(an unknown objective of 'target', 1 round, 1 column)"
    model.save(tmp_path / "m.html")
    page = (tmp_path / "m.html").read_text(encoding="utf-8")
    assert "objective unknown, 1 round" in page
    for format_ in ("json", "xgboost", "onnx"):
        model.save(tmp_path / "again", format=format_)
        assert load_model(tmp_path / "again").objective is None


@pytest.mark.parametrize(("estimator", "objective"), [
    (ensemble.HistGradientBoostingRegressor(loss="quantile", quantile=0.8), "quantile"),
    (ensemble.HistGradientBoostingRegressor(loss="gamma"), "gamma"),
    (ensemble.GradientBoostingRegressor(loss="quantile", alpha=0.8), "quantile"),
    (ensemble.GradientBoostingRegressor(loss="absolute_error"), "absolute"),
    (ensemble.GradientBoostingClassifier(), "logistic"),
    (ensemble.HistGradientBoostingClassifier(), "softmax"),
])  # fmt: skip
def test_the_loss_of_a_boosted_model_is_told(estimator, objective, tmp_path):
    rows, score = np.arange(60.0)[:, None], np.arange(60.0) % 7 + 1
    score = score % {"logistic": 2, "softmax": 3}.get(objective, 99)
    estimator.set_params(**{"n_estimators" if "n_estimators" in estimator.get_params() else "max_iter": 2})
    model = check(rows, estimator.fit(rows, score), tmp_path / "m.json")
    assert model.objective == objective
    assert ("quantile_alpha" in model.known_params) == (objective == "quantile")
    if objective == "quantile":
        assert model.params.quantile_alpha == (0.8,)
    older = json.loads((tmp_path / "m.json").read_text()) | {"loss": "of another link"}
    (tmp_path / "m.json").write_text(json.dumps(older))
    assert load_model(tmp_path / "m.json").objective is None


@pytest.mark.slow
def test_a_forest_of_more_trees_than_training_grows_side_by_side(tmp_path):
    rows, score = numbers(60)
    forest = ensemble.RandomForestRegressor(1001, max_depth=1, random_state=0).fit(rows, score)
    model = check(rows, forest, tmp_path / "m.json")
    assert model.ensemble.n_parallel == 1001
    assert model.known_params == ("rounds",)


def test_columns_of_the_same_name_are_numbered_and_it_is_said(tmp_path):
    rows, score = numbers(missing=0.0)
    rows = rows.astype(np.float32)
    model = check(rows, tree.DecisionTreeRegressor(max_depth=5).fit(rows, score), tmp_path / "m.json",
                  ["a", "b", "a", "a", "a (2)"])  # fmt: skip
    assert model.schema.names == ("a", "b", "a (3)", "a (4)", "a (2)")
    assert "were numbered, as those of a table are: 'a (3)', 'a (4)'" in model.provenance["notes"][-1]
    expected = model.predict(rows)
    np.testing.assert_array_equal(model.predict(rows.astype(object)), expected)
    frame = pd.DataFrame(rows, columns=["a", "b", "a", "a", "a (2)"])
    np.testing.assert_array_equal(model.predict(frame), expected)
    frame.to_csv(tmp_path / "t.csv", index=False)
    np.testing.assert_allclose(model.predict(read_table(tmp_path / "t.csv")), expected, rtol=1e-6)
