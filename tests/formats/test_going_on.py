"""Training that goes on from models of other programs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.__main__ import main
from workbench.errors import WorkbenchError
from workbench.formats.load import load_model
from workbench.formats.sklearn.export import save

xgboost = pytest.importorskip("xgboost")


def table(n=300):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "size": np.round(rng.normal(size=n), 2), "town": rng.choice(["Bonn", "Köln", "Ulm"], n),
        "age": rng.integers(0, 90, n).astype(float), "on": rng.random(n) < 0.5,
    })  # fmt: skip
    frame.loc[::9, "size"] = np.nan
    return frame, frame["size"].fillna(1) + (frame["town"] == "Ulm") + frame["on"] + frame["age"] / 50


@pytest.fixture
def foreign(tmp_path):
    """A model of XGBoost's, to which truth values are a category too."""
    frame, target = table()
    theirs = frame.astype({"on": str}).astype({"town": "category", "on": "category"})
    theirs["town"] = theirs["town"].cat.rename_categories({"Köln": "Koeln"})
    matrix = xgboost.DMatrix(theirs, target, enable_categorical=True, nthread=1)
    booster = xgboost.train({"nthread": 1, "max_depth": 3}, matrix, 5)
    booster.save_model(tmp_path / "theirs.json")
    return load_model(tmp_path / "theirs.json"), booster.predict(matrix)


def test_rounds_are_added_to_it(foreign):
    model, expected = foreign
    frame, target = table()
    frame["town"] = frame["town"].replace("Köln", "Koeln")
    longer = workbench.fit(frame, target, init_model=model, rounds=20)
    assert longer.rounds == 25
    np.testing.assert_allclose(longer.predict(frame, rounds=5), expected, rtol=1e-6)
    assert np.std(longer.predict(frame) - target) < 0.5 * np.std(expected - target)


def without(name):
    return lambda frame: frame.drop(columns=name)


@pytest.mark.parametrize(("change", "words"), [
    (without("age"), "the model alone has 'age'. Give"),
    (lambda f: f.rename(columns={"age": "Age"}), "the model alone has 'age'; the table alone has 'Age'"),
    (lambda f: f.assign(more=1.5, other="x"), "the table alone has 'more', 'other'"),
    (lambda f: f.assign(age=f["age"].astype(str) + " y"), "'age' is a number in the model and a category"),
    (lambda f: f.assign(town=f["age"] % 3), "'town' is a category in the model and a number in the table"),
    (lambda f: f.assign(age=pd.Timestamp("2020") + pd.to_timedelta(f["age"], unit="D")),
     "'age' is a number in the model and a date in the table"),
    (lambda f: f.replace({"town": {"Koeln": "Köln"}}), "'town' has the category 'Koeln' in the model alone"),
    (lambda f: f.replace({"town": {"Koeln": "Bonn"}}), "'town' has the category 'Koeln' in the model alone"),
    (lambda f: f[f["town"] != "x"].assign(town=f["town"].where(f["age"] > 9, "x")),
     "'town' has the category 'x' in the table alone"),
    (lambda f: f[["town", "size", "age", "on"]], "'size' where the table has 'town'"),
    (lambda f: f[["town"]].assign(**{f"x{k}": 1.0 * k for k in range(9)}),
     "the model alone has 'size', 'age', 'on'; the table alone has 'x0', 'x1', 'x2', 'x3' and 5 more"),
])  # fmt: skip
def test_tables_that_are_not_its_own_are_refused_in_a_line(foreign, change, words):
    frame, target = table()
    frame["town"] = frame["town"].replace("Köln", "Koeln")
    with pytest.raises(WorkbenchError, match=words) as refused:
        workbench.fit(change(frame), target, init_model=foreign[0], rounds=2)
    assert "\n" not in str(refused.value)


def test_other_classes_are_named(tmp_path):
    frame, target = table()
    frame, grown = frame[["size", "age"]], (target > 2).astype(int)
    booster = xgboost.train(
        {"nthread": 1, "objective": "binary:logistic"}, xgboost.DMatrix(frame, grown, nthread=1), 2
    )
    booster.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    assert workbench.fit(frame, grown, init_model=model, rounds=1).rounds == 3
    with pytest.raises(WorkbenchError, match="the classes 0, 1, and the table has the classes no, yes"):
        workbench.fit(frame, np.where(grown, "yes", "no"), init_model=model, rounds=1)
    with pytest.raises(WorkbenchError, match="predicts the classes 0, 1, and the table has a number"):
        workbench.fit(frame, target, init_model=model, rounds=1)


def test_the_command_line_says_it_too(tmp_path, capsys):
    frame, target = table()
    rows = frame[["size", "age"]]
    booster = xgboost.train({"nthread": 1}, xgboost.DMatrix(rows, target, nthread=1), 2)
    booster.save_model(tmp_path / "m.json")
    rows.rename(columns={"size": "length"}).assign(y=target).to_csv(tmp_path / "t.csv", index=False)
    code = main(["train", str(tmp_path / "t.csv"), "--target", "y", "--continue", str(tmp_path / "m.json"),
                 "--rounds", "2", "--export", str(tmp_path / "o.json"), "--quiet"])  # fmt: skip
    assert code == 2
    assert "the model alone has 'size'; the table alone has 'length'" in capsys.readouterr().err
    assert not (tmp_path / "o.json").exists()


def test_names_in_which_lightgbm_puts_underscores_for_blanks(tmp_path, capsys):
    lightgbm = pytest.importorskip("lightgbm")
    frame, target = table()
    frame = frame.rename(columns={"size": "size of it", "age": "a_ge"}).drop(columns="on")
    theirs = frame.astype({"town": "category"})
    booster = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(theirs, target), 4)
    booster.save_model(tmp_path / "m.txt")
    model = load_model(tmp_path / "m.txt")
    assert model.schema.names == ("size_of_it", "town", "a_ge")
    longer = workbench.fit(frame, target, init_model=model, rounds=3)
    assert longer.schema.names == ("size of it", "town", "a_ge")
    np.testing.assert_allclose(longer.predict(frame, rounds=4), booster.predict(theirs), rtol=1e-6)
    said = "Column 'size of it' is 'size_of_it' in the model that training goes on from."
    assert longer.provenance["notes"][-1] == said
    frame.assign(y=target).to_csv(tmp_path / "t.csv", index=False)
    code = main(["train", str(tmp_path / "t.csv"), "--target", "y", "--continue", str(tmp_path / "m.txt"),
                 "--rounds", "2", "--export", str(tmp_path / "o.json")])  # fmt: skip
    assert code == 0
    assert capsys.readouterr().err.count(said) == 1
    assert load_model(tmp_path / "o.json").rounds == 6


def test_any_objective_of_its_link_goes_on_where_the_file_tells_none(tmp_path):
    tree = pytest.importorskip("sklearn.tree")
    frame, target = table()
    rows = frame[["age", "on"]].astype(float)
    save(tree.DecisionTreeRegressor(max_depth=2).fit(rows, target), tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    given = {"init_model": model, "rounds": 2}
    longer = workbench.fit(rows, target, objective="absolute", **given)
    assert repr(longer).startswith("Model('absolute' of 'target', 3 rounds")
    with pytest.raises(WorkbenchError, match="does not tell its objective, but the link of 'squared', which"):
        workbench.fit(rows, target, objective="poisson", **given)
