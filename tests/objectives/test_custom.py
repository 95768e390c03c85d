"""A person's own objective: run where they say so, checked, and never part of a model file."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest
import xgboost

import workbench
from tests.own_files import file_with, rows
from workbench.__main__ import main
from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError

LOG_COSH = """
import numpy as np

def loss(target, raw):
    return np.logaddexp(raw - target, target - raw) - np.log(2)

def gradients(target, raw):
    slope = np.tanh(raw - target)
    return slope, 1 - slope**2 + 1e-3
"""
SQUARED = """
def loss(target, raw):
    return 0.5 * (target - raw) ** 2

def gradients(target, raw):
    return raw - target, 0 * raw + 1
"""
POISSON = """
import numpy as np

def loss(target, raw):
    return np.exp(raw) - target * raw

def gradients(target, raw):
    return np.exp(raw) - target, np.exp(raw)
"""


def test_the_squared_error_written_anew(tmp_path):
    x, y = rows()
    own = workbench.load_objective(file_with(tmp_path, SQUARED))
    model = workbench.fit(x, y, objective=own, rounds=20, valid_fraction=0.2)
    plain = workbench.fit(x, y, objective="squared", rounds=20, valid_fraction=0.2)
    assert model.predict(x) == pytest.approx(plain.predict(x), rel=1e-5, abs=1e-6)
    last = model.history[-1]
    assert last["train:custom_loss"] == pytest.approx(0.5 * plain.history[-1]["train:rmse"] ** 2)
    assert last["valid:custom_loss"] == pytest.approx(0.5 * plain.history[-1]["valid:rmse"] ** 2)


@pytest.mark.parametrize("size", [0.01, 150.0, 1e6])
@pytest.mark.parametrize("with_offset", [False, True])
def test_the_base_of_a_loss_with_a_link_is_found(tmp_path, size, with_offset):
    x, y = rows()
    y = np.abs(y) * size
    own = workbench.load_objective(file_with(tmp_path, POISSON))
    offset = np.linspace(-1, 1, len(y)) if with_offset else np.zeros(len(y))
    given = {"base_margin": offset} if with_offset else {}
    model = workbench.fit(x, y, objective=own, rounds=1, **given)
    assert model.ensemble.base_margin[0] == pytest.approx(np.log(y.sum() / np.exp(offset).sum()), abs=1e-4)


def test_its_model_loads_without_the_file(tmp_path):
    x, y = rows()
    path = file_with(tmp_path, LOG_COSH)
    model = workbench.fit(x, y, objective=workbench.load_objective(path), rounds=10)
    assert model.history[-1]["train:custom_loss"] < model.history[0]["train:custom_loss"]
    model.save(tmp_path / "m.json")
    assert "logaddexp" not in (tmp_path / "m.json").read_text(encoding="utf-8")
    path.unlink()
    again = workbench.load_model(tmp_path / "m.json")
    assert np.array_equal(again.predict(x), model.predict(x))
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    margins = booster.predict(xgboost.DMatrix(x, feature_names=booster.feature_names), output_margin=True)
    assert np.array_equal(margins, model.predict_raw(x))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("loss = 3", "no function loss and no function gradients"),
        ("1 / 0", "cannot be run: ZeroDivisionError"),
        ("def broken(:", "cannot be run: SyntaxError"),
        (SQUARED.replace("raw - target, 0 * raw + 1", "raw[1:], raw"), "returned"),
        (
            SQUARED.replace("raw - target, 0 * raw + 1", "raw - target"),
            r"returned one array of shape \(\d+,\); two arrays of",
        ),
        (
            SQUARED.replace("raw - target, 0 * raw + 1", "list(raw - target)"),
            r"returned \(\), \(\), \(\) and \d+ more; two",
        ),
        (SQUARED.replace("raw - target, 0 * raw + 1", "raw / 0, raw"), "no number"),
        (SQUARED.replace("raw - target, 0 * raw + 1", "nothing"), "gradients of .* failed: NameError"),
        (SQUARED.replace("raw - target, 0 * raw + 1", "raw - target, 0 * raw - 1"), "negative second"),
        (SQUARED.replace("raw - target, 0 * raw + 1", "raw * 1j, raw"), "returned tuple; two arrays"),
        (
            SQUARED.replace("raw - target, 0 * raw + 1", "Odd(), Odd()")
            + "\nclass Odd:\n    def __array__(self, *_, **__):\n        raise RuntimeError\n",
            "returned tuple; two arrays",
        ),
        ("raise ValueError('a\\nb')", "ValueError: a b"),
        ("import sys; sys.exit(3)", "cannot be run: SystemExit"),
    ],
)
def test_what_is_wrong_with_it_is_said_in_one_line(tmp_path, text, words):
    x, y = rows()
    with pytest.raises(WorkbenchError, match=words) as said, np.errstate(all="ignore"):
        workbench.fit(x, y, objective=workbench.load_objective(file_with(tmp_path, text)), rounds=2)
    assert "\n" not in str(said.value)


def test_the_command_line_asks_first(tmp_path, monkeypatch, capsys):
    witness = tmp_path / "witness"
    path = file_with(tmp_path, LOG_COSH + f"\nopen({str(witness)!r}, 'w').close()\n")
    out = tmp_path / "m.json"
    arguments = ["train", str(sample_file("nile_flow")), "--target", "flow_1e8_m3", "--rounds", "3"]
    arguments += ["--export", str(out), "--objective-file", str(path)]
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    assert main(arguments) == 2
    assert "was not run" in capsys.readouterr().err
    assert not witness.exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert main(arguments) == 0
    assert witness.exists()
    assert workbench.load_model(out).ensemble.objective == "custom"
    assert main([*arguments, "--yes", "--quiet"]) == 0


def test_its_name_alone_trains_nothing():
    x, y = rows()
    with pytest.raises(WorkbenchError, match="needs a file"):
        workbench.fit(x, y, objective="custom", rounds=2)


def test_estimators_take_it_and_a_file_may_have_classes(tmp_path):
    from sklearn.base import clone

    from workbench.estimators import BoostedTreesRegressor

    text = SQUARED + "\nfrom dataclasses import dataclass\n\n@dataclass\nclass A:\n    x: int = 1\n"
    x, y = rows()
    own = workbench.load_objective(file_with(tmp_path, text))
    estimator = clone(BoostedTreesRegressor(objective=own, rounds=5)).fit(x, y)
    plain = BoostedTreesRegressor(rounds=5).fit(x, y)
    assert estimator.predict(x) == pytest.approx(plain.predict(x), rel=1e-5, abs=1e-6)


def test_it_clashes_with_another_objective(tmp_path, capsys):
    path = file_with(tmp_path, SQUARED)
    arguments = ["train", str(sample_file("nile_flow")), "--target", "flow_1e8_m3", "--objective", "huber"]
    arguments += ["--objective-file", str(path), "--yes", "--export", str(tmp_path / "m.json")]
    assert main(arguments) == 2
    assert "clash" in capsys.readouterr().err


def test_predictions_beyond_all_numbers_are_not_called_the_files_fault(tmp_path):
    x, y = rows()
    own = workbench.load_objective(file_with(tmp_path, SQUARED.replace("0 * raw + 1", "0 * raw + 1e-300")))
    with pytest.raises(WorkbenchError, match="In round 1 the predictions grew beyond"):
        workbench.fit(x, y, objective=own, rounds=2, reg_lambda=0, min_child_weight=0)


def test_derivatives_that_are_yielded_are_taken_and_what_fails_among_them_leaves_the_rounds(tmp_path, capsys):
    yielded = "yield raw - target\n    yield 0 * raw + 1"
    yielding = SQUARED.replace("return raw - target, 0 * raw + 1", yielded)
    x, y = rows()
    models = [
        workbench.fit(x, y, objective=workbench.load_objective(file_with(tmp_path, text)), rounds=3)
        for text in (SQUARED, yielding)
    ]
    assert np.array_equal(models[0].predict(x), models[1].predict(x))

    failing = yielding.replace("    yield raw", "    assert len(calls.append(0) or calls) < 9\n    yield raw")
    path, out = file_with(tmp_path, failing + "\ncalls = []\n"), tmp_path / "m.json"
    arguments = ["train", str(sample_file("nile_flow")), "--target", "flow_1e8_m3", "--rounds", "50"]
    arguments += ["--quiet", "--export", str(out), "--objective-file", str(path), "--yes"]
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "own.py failed: AssertionError" in said
    assert f"is in {out}" in said
    assert 0 < workbench.load_model(out).rounds < 50
