"""A person's own metric: run where they say so, checked, watched, and never part of a model file."""

from __future__ import annotations

import io
import pickle
import sys

import numpy as np
import pytest

import workbench
from tests.own_files import file_with, rows
from workbench.__main__ import main
from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError
from workbench.session.opening.imported import run_of

RMSE = """
higher_is_better = False

def metric(target, prediction, weight):
    return float(((weight * (target - prediction) ** 2).sum() / weight.sum()) ** 0.5)
"""
RIGHT = """
higher_is_better = True

def metric(target, prediction, weight):
    if prediction.ndim == 1:
        found = prediction > 0.5
    else:
        found = prediction.argmax(axis=1)
    return (weight * (found == target)).sum() / weight.sum()
"""


def test_it_is_taken_as_the_programs_own_would_be(tmp_path):
    x, y = rows()
    own = workbench.load_metric(file_with(tmp_path, RMSE))
    weight = np.random.default_rng(1).integers(0, 3, len(y))
    model = workbench.fit(x, y, weight=weight, metric=own, more_metrics=["mae"], rounds=5, valid_fraction=0.3)
    assert model.provenance["watched"] == "own"
    for record in model.history:
        for part in ("train", "valid"):
            assert record[f"{part}:own"] == pytest.approx(record[f"{part}:rmse"], rel=1e-5)


@pytest.mark.parametrize(("text", "sign"), [(RMSE, 1), (RMSE.replace("False", "True"), -1)])
def test_early_stopping_watches_it_in_its_direction(tmp_path, text, sign):
    x, y = rows()
    text = text.replace("return ", f"return {sign} * ")
    own = workbench.load_metric(file_with(tmp_path, text))
    given = {"rounds": 200, "valid_fraction": 0.3, "early_stopping_rounds": 5}
    model = workbench.fit(x, y, metric=own, **given)
    plain = workbench.fit(x, y, metric="rmse", **given)
    assert model.rounds == plain.rounds < 200
    assert np.array_equal(model.predict(x), plain.predict(x))


def test_it_sees_probabilities_of_classes_and_raw_predictions(tmp_path):
    x, y = rows()
    classes = np.digitize(y, [-1, 1])
    own = workbench.load_metric(file_with(tmp_path, RIGHT))
    model = workbench.fit(x, classes, more_metrics=[own], rounds=3)
    assert model.history[-1]["train:own"] == pytest.approx(1 - model.history[-1]["train:merror"])
    two = workbench.fit(x, y > 0, more_metrics=[own], rounds=3)
    assert two.history[-1]["train:own"] == pytest.approx(1 - two.history[-1]["train:error"])
    raw = RIGHT.replace("> 0.5", "> 0").replace("higher", "reads = 'raw'\nhigher")
    odds = workbench.load_metric(file_with(tmp_path, raw, "odds.py"))
    both = workbench.fit(x, y > 0, more_metrics=[own, odds], rounds=3)
    assert both.history[-1]["train:own"] == both.history[-1]["train:odds"]


def test_it_sees_every_quantile(tmp_path):
    text = RMSE.replace("return ", "assert prediction.shape == (len(target), 2)\n    return 0.0\n    ")
    x, y = rows()
    own = workbench.load_metric(file_with(tmp_path, text))
    model = workbench.fit(x, y, objective="quantile", quantile_alpha=[0.1, 0.9], more_metrics=[own], rounds=2)
    assert model.history[-1]["train:own"] == 0.0


def test_its_model_keeps_the_name_and_never_runs_the_file(tmp_path):
    x, y = rows()
    witness = tmp_path / "witness"
    path = file_with(tmp_path, RIGHT.replace("higher", f"open({str(witness)!r}, 'w').close()\nhigher"))
    model = workbench.fit(x, y > 0, metric=workbench.load_metric(path), rounds=3)
    model.save(tmp_path / "m.json")
    witness.unlink()
    assert "argmax" not in (tmp_path / "m.json").read_text(encoding="utf-8")
    again = workbench.load_model(tmp_path / "m.json")
    assert not witness.exists()
    assert again.params.metric == "own"
    assert run_of(again).facts.metric("own").higher_is_better
    with pytest.raises(WorkbenchError, match="no metric called 'own'"):
        workbench.fit(x, y > 0, params=again.params)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 / 0", r"cannot be run: ZeroDivisionError: division by zero \(line 1\)"),
        ("\n\ndef broken(:", r"cannot be run: SyntaxError: .*line 3"),
        ("higher_is_better = True", "no function metric"),
        (RMSE.replace("higher", "lower"), "does not say which way is better"),
        (RMSE.replace("False", "'yes'"), "does not say which way is better"),
        (RMSE.replace("higher", "reads = 'odds'\nhigher"), "reads = 'odds'"),
        (RMSE.replace("return ", "return nothing + "), r"own.py failed: NameError: .* \(line 5\)"),
        (RMSE.replace("return ", "target[0] = 1\n    return "), r"read-only \(line 5\)"),
        (RMSE.replace("return ", "return float('nan') * "), r"own.py \(line 4\) returned nan"),
        (RMSE.replace("return ", "return target\n    "), r"\(line 4\) returned an array of shape \(500,\)"),
        (RMSE.replace("return ", "return None\n    "), r"\(line 4\) returned NoneType"),
        (RMSE.replace("return ", "exit(3)\n    "), "failed: SystemExit: 3"),
        (
            RMSE.replace("return ", "return Odd()\n    ")
            + "\nclass Odd:\n    def __float__(self):\n        raise RuntimeError\n",
            r"\(line 4\) returned Odd; a number",
        ),
    ],
)
def test_what_is_wrong_with_it_is_said_in_one_line(tmp_path, text, words):
    x, y = rows()
    with pytest.raises(WorkbenchError, match=words) as said:
        workbench.fit(x, y, metric=workbench.load_metric(file_with(tmp_path, text)), rounds=2)
    assert "\n" not in str(said.value)
    assert "own.py" in str(said.value)


@pytest.mark.parametrize("name", ["mae", "auto", "roc_auc", "ndcg@7"])
def test_a_taken_name_is_refused(tmp_path, name):
    with pytest.raises(WorkbenchError, match=f"metric '{name}' already"):
        workbench.load_metric(file_with(tmp_path, RMSE, f"{name}.py"))


def test_two_files_of_one_name_are_refused(tmp_path):
    (tmp_path / "other").mkdir()
    both = [workbench.load_metric(file_with(folder, RMSE)) for folder in (tmp_path, tmp_path / "other")]
    x, y = rows(50)
    with pytest.raises(WorkbenchError, match="Two metric files are called 'own'"):
        workbench.fit(x, y, more_metrics=both, rounds=1)


def test_a_metric_can_be_pickled_and_estimators_take_it(tmp_path):
    from sklearn.base import clone

    from workbench.estimators import BoostedTreesRegressor

    x, y = rows()
    own = workbench.load_metric(file_with(tmp_path, RMSE))
    again = pickle.loads(pickle.dumps(own))
    assert again.by_rows(y, y + 1, np.ones(len(y))) == pytest.approx(1.0)
    estimator = clone(BoostedTreesRegressor(metric=own, more_metrics=["mae"], rounds=3)).fit(x, y)
    assert estimator.model_.history[-1]["train:own"] > 0


def test_the_command_line_asks_first(tmp_path, monkeypatch, capsys):
    witness = tmp_path / "witness"
    own = file_with(tmp_path, RMSE + f"\nopen({str(witness)!r}, 'w').close()\n")
    other = file_with(tmp_path, RMSE, "other.py")
    out = tmp_path / "m.json"
    arguments = ["train", str(sample_file("nile_flow")), "--target", "flow_1e8_m3", "--rounds", "3"]
    arguments += ["--export", str(out), "--metric-file", str(own), str(other), "--metric", "other"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\nn\n"))
    assert main(arguments) == 2
    assert "other.py was not run" in capsys.readouterr().err
    assert not witness.exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    assert main(arguments) == 0
    assert witness.exists()
    model = workbench.load_model(out)
    assert model.provenance["watched"] == "other"
    assert model.history[-1]["train:own"] == pytest.approx(model.history[-1]["train:rmse"], rel=1e-5)
    assert main([*arguments, "--yes", "--quiet"]) == 0


def test_rounds_before_a_failure_are_kept(tmp_path, capsys):
    text = RMSE.replace("return ", "assert len(calls.append(0) or calls) < 8\n    return ") + "\ncalls = []\n"
    out = tmp_path / "m.json"
    arguments = ["train", str(sample_file("nile_flow")), "--target", "flow_1e8_m3", "--rounds", "50"]
    arguments += ["--quiet", "--export", str(out), "--metric-file", str(file_with(tmp_path, text)), "--yes"]
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "own.py failed: AssertionError" in said
    assert "The model after 6 rounds is in" in said
    assert workbench.load_model(out).rounds == 6
