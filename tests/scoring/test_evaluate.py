"""A model held against answers: from Python, from files, on the command line."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk

import workbench
from workbench.__main__ import main
from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError

HEART = sample_file("heart_disease")


@pytest.fixture(scope="module")
def frame():
    return pd.read_csv(HEART)


@pytest.fixture(scope="module")
def model(frame):
    return workbench.fit(frame, target="disease", rounds=8, positive="yes")


def test_two_classes_as_scikit_learn_says(frame, model):
    weight = np.where(frame["sex"] == "male", 2.0, 1.0)
    found = model.evaluate(frame, weight=weight, by="sex")
    truth, p = frame["disease"] == "yes", model.predict(frame).astype(float)
    assert found.rows == len(frame)
    assert found.metrics["logloss"] == pytest.approx(sk.log_loss(truth, p, sample_weight=weight), rel=1e-5)
    assert found.metrics["auc"] == pytest.approx(sk.roc_auc_score(truth, p, sample_weight=weight))
    wanted = sk.confusion_matrix(truth, p > 0.5, sample_weight=weight)
    assert found.labels == ("no", "yes")
    np.testing.assert_allclose(found.confusion, wanted)
    men = frame["sex"] == "male"
    assert found.by["male"].metrics["error"] == pytest.approx(np.mean((p > 0.5)[men] != truth[men]))
    assert sum(one.rows for one in found.by.values()) == len(frame)
    early = model.evaluate(frame.drop(columns="disease"), frame["disease"], rounds=2)
    assert early.metrics["logloss"] == pytest.approx(sk.log_loss(truth, model.predict(frame, 2)), rel=1e-5)


def test_answers_that_are_not_known_are_left_out(frame, model):
    odd = frame.copy()
    odd.loc[:9, "disease"] = None
    odd.loc[10:14, "disease"] = "perhaps"
    assert model.evaluate(odd).rows == len(frame) - 15
    assert model.evaluate(odd).metrics == model.evaluate(frame.iloc[15:]).metrics
    with pytest.raises(WorkbenchError, match="Answers are missing: give y"):
        model.evaluate(frame.drop(columns="disease"))
    with pytest.raises(WorkbenchError, match="no column 'sexx' to tell"):
        model.evaluate(frame, by="sexx")


def test_of_its_own_table_the_rows_held_out_are_told_apart(frame, tmp_path, capsys):
    model = workbench.fit(frame, target="disease", rounds=8, valid_fraction=0.25, scale_pos_weight=2.0)
    held = model.held_out(frame)
    found = model.evaluate(frame, by="sex")
    for name, rows in (("hold-out", held.valid), ("training", held.train)):
        wanted = model.evaluate(frame.iloc[rows], by="sex")
        assert found.parts[name].metrics == wanted.metrics
        assert found.parts[name].by["male"].metrics == wanted.by["male"].metrics
    assert found.told is found.parts["hold-out"]
    assert "227 rows trained it, 76 were held out" in repr(found)
    assert "held out while" in model.evaluate(frame.iloc[held.valid]).note
    assert "do not tell" in model.evaluate(frame.iloc[held.train]).note
    others = frame.copy()
    others["age"] += np.arange(len(others)) % 7
    assert (model.evaluate(others).parts, model.evaluate(others).note) == ({}, "")
    assert set(model.evaluate(frame, rounds=3).parts) == {"hold-out", "training"}
    path = tmp_path / "model.json"
    model.save(path)
    assert main(["evaluate", str(path), str(HEART), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["parts"]["hold-out"]
    assert said["rows"] == 76
    assert said["metrics"] == pytest.approx(found.parts["hold-out"].metrics, rel=1e-6)
    assert main(["predict", str(path), str(HEART), "--output", str(tmp_path / "p.csv")]) == 0
    assert "227 rows trained it" in capsys.readouterr().out


def test_of_its_own_file_a_column_tells_the_rows_held_out(tmp_path, capsys):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.normal(size=90), "q": np.repeat(np.arange(9), 10)})
    frame["y"] = frame["a"] + rng.normal(size=90)
    frame.to_csv(tmp_path / "t.csv", index=False)
    table, path = str(tmp_path / "t.csv"), str(tmp_path / "m.json")
    told = ["--target", "y", "--rounds", "3", "--valid-groups", "q", "--valid-fraction", "0.3"]
    assert main(["train", table, *told, "--export", path, "--quiet"]) == 0
    model = workbench.load_model(path)
    held = model.held_out(table)
    assert main(["evaluate", path, table, "--json"]) == 0
    parts = json.loads(capsys.readouterr().out)["parts"]
    assert parts["hold-out"]["rows"] == len(held.valid)
    wanted = model.evaluate(frame.iloc[held.valid]).metrics
    assert parts["hold-out"]["metrics"] == pytest.approx(wanted, rel=1e-5)


def test_many_classes_are_told_in_few_lines():
    rng = np.random.default_rng(1)
    x, kind = rng.normal(size=(600, 2)), rng.integers(0, 30, 600).astype(str)
    found = workbench.fit(x, kind, rounds=1).evaluate(x, kind)
    assert len(repr(found).splitlines()) < 25
    assert len(found.per_class) == 30
    recall = np.diagonal(found.confusion) / found.confusion.sum(axis=1)
    assert [one["recall"] for one in found.per_class.values()] == pytest.approx(list(recall))
    assert found.to_dict()["per_class"]["7"]["rows"] == (kind == "7").sum()


def test_metrics_of_other_objectives_are_taken_where_they_are_asked_for():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(100, 2))
    y = np.exp(x[:, 0])
    model = workbench.fit(x, y, rounds=2)
    assert "poisson_deviance" not in model.evaluate(x, y).metrics
    assert "mape" in model.evaluate(x, y).metrics
    found = model.evaluate(x, y, metrics=["poisson_deviance"]).metrics["poisson_deviance"]
    assert found == pytest.approx(sk.mean_poisson_deviance(y, model.predict(x)), rel=1e-5)
    with pytest.raises(WorkbenchError, match="'auc' cannot be taken"):
        model.evaluate(x, y, metrics=["auc"])


def test_a_share_of_nothing_is_not_defined():
    x = np.arange(40.0)[:, None]
    model = workbench.fit(x, x[:, 0], objective="squared", rounds=2, metric="mape")
    found = model.evaluate(x, x[:, 0])
    assert np.isnan(found.metrics["mape"])
    assert "mape   not defined  because 1 row has the value 0" in repr(found)
    assert found.to_dict()["metrics"]["mape"] is None
    assert "mape" not in model.evaluate(x[1:], x[1:, 0]).undefined
    weight = (x[:, 0] > 0).astype(float)
    assert model.evaluate(x, x[:, 0], weight=weight).metrics["mape"] > 0


def test_several_classes_and_quantiles():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 3)).astype(np.float32)
    kind = np.array(["a", "b", "c"])[np.digitize(x[:, 0], [-0.5, 0.7])]
    found = workbench.fit(x, kind, rounds=3).evaluate(x, kind)
    assert found.confusion.shape == (3, 3)
    assert found.metrics["merror"] == pytest.approx(1 - np.trace(found.confusion) / 400)
    lines = workbench.fit(x, x[:, 1], rounds=20, objective="quantile", quantile_alpha=[0.1, 0.9])
    covered = lines.evaluate(x, x[:, 1]).coverage
    low, high = (np.mean(x[:, 1] <= line) for line in lines.predict(x).T)
    assert covered == pytest.approx({"quantile 0.1": low, "quantile 0.9": high})


def test_many_columns_that_are_missing_are_one_line(capsys, tmp_path, frame, model):
    path, table = tmp_path / "model.json", tmp_path / "t.csv"
    model.save(path)
    frame[["age", "sex", "thal", "disease"]].to_csv(table, index=False)
    assert main(["predict", str(path), str(table), "--output", str(tmp_path / "p.csv")]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "missing in every row" in line]
    assert len(lines) == 1
    assert lines[0].startswith("warning: 10 columns are missing, and taken as missing in every row: '")
    assert lines[0].endswith(" and 5 more.")


def test_on_the_command_line(capsys, tmp_path, frame, model):
    path = tmp_path / "model.json"
    model.save(path)
    assert main(["evaluate", str(path), str(HEART), "--json", "--by", "sex", "--rounds", "3"]) == 0
    said = json.loads(capsys.readouterr().out)
    wanted = model.first_rounds(3).evaluate(frame, by="sex").to_dict()
    assert said["confusion"] == wanted["confusion"]
    assert said["metrics"] == pytest.approx(wanted["metrics"], rel=1e-6)
    assert said["by"]["female"]["metrics"] == pytest.approx(wanted["by"]["female"]["metrics"], rel=1e-6)
    assert main(["evaluate", str(path), str(HEART)]) == 0
    assert "taken for" in capsys.readouterr().out
    assert main(["predict", str(path), str(HEART), "--output", str(tmp_path / "p.csv")]) == 0
    assert "The table knows the answers of 303 rows:" in capsys.readouterr().out
    frame.drop(columns="disease").to_csv(tmp_path / "bare.csv", index=False)
    assert main(["evaluate", str(path), str(tmp_path / "bare.csv")]) == 2
    assert "knows no answers" in capsys.readouterr().err


def test_the_columns_of_weights_and_queries_are_those_that_fit_was_told():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"weight": rng.gamma(1, 100, 80), "a": rng.normal(size=80)})
    frame["w"] = rng.gamma(1, 2, 80)
    frame["y"] = frame["a"] * frame["weight"]
    model = workbench.fit(frame, target="y", weight="w", rounds=2)
    p = model.predict(frame)
    wanted = sk.root_mean_squared_error(frame["y"], p, sample_weight=frame["w"])
    assert model.evaluate(frame).metrics["rmse"] == pytest.approx(wanted, rel=1e-5)
    X = frame[["weight", "a"]]  # a feature that has the name of weights that have none
    model = workbench.fit(X, frame["y"], sample_weight=frame["w"], rounds=2)
    wanted = sk.root_mean_squared_error(frame["y"], model.predict(X))
    assert model.evaluate(X, frame["y"]).metrics["rmse"] == pytest.approx(wanted, rel=1e-5)


def test_a_ranking_is_measured_by_query_alone(tmp_path, capsys):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"a": rng.normal(size=60), "q": np.repeat(np.arange(6), 10)})
    frame["y"] = (frame["a"] > 0).astype(int)
    model = workbench.fit(frame, target="y", group="q", objective="lambdarank", rounds=2)
    found = model.evaluate(frame).metrics
    assert {name.partition("@")[0] for name in found} == {"ndcg", "map"}
    with pytest.raises(WorkbenchError, match="give the query of each row as group"):
        model.evaluate(frame.drop(columns="q"))
    model.save(tmp_path / "m.json")
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert main(["evaluate", str(tmp_path / "m.json"), str(tmp_path / "t.csv")]) == 0
    told = capsys.readouterr()
    assert "ndcg" in told.out
    assert "rmse" not in told.out
    assert "left alone" not in told.err


def test_the_table_that_trained_a_model_is_known_in_another_order():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    frame["y"] = np.where(frame.a + rng.normal(size=200) > 0, "yes", "no")
    for target in ("y", "b"):
        model = workbench.fit(frame, target=target, rounds=4, valid_fraction=0.25)
        assert "Only the hold-out rows tell" in model.evaluate(frame).note
        note = model.evaluate(frame.sample(frac=1, random_state=1)).note
        assert "in another order: 150 trained it, 50 were held out" in note
        others = frame.copy()
        others.iloc[:20] = frame.iloc[20:40].to_numpy()
        assert not model.evaluate(others).note
