"""Runs of linear models: their rounds, branches, files, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.data.encoding import encode
from workbench.ensembles.control import RunControl
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.events import EndReason, RoundFinished
from workbench.errors import WorkbenchError
from workbench.explain.attribution.shap_explainer import ShapExplainer
from workbench.explain.importance import feature_importance
from workbench.explain.row_growth import row_growth
from workbench.formats.load import load_model

TASKS = ("regression", "binary", "multiclass")


def frame_of(task, n=240):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({
        "a": rng.normal(100, 5, n), "b": rng.normal(size=n), "kind": rng.choice(["u", "v", "w"], n),
        "one": 1.0,
    })  # fmt: skip
    raw = 0.3 * (frame.a - 100) + frame.b + (frame.kind == "u") + rng.normal(size=n)
    frame.loc[::7, "a"], frame.loc[::11, "kind"] = np.nan, None
    classes = {"regression": raw, "binary": np.where(raw > 0, "yes", "no"),
               "multiclass": np.array(["low", "mid", "top"])[np.digitize(raw, [-1, 1])]}  # fmt: skip
    frame["y"] = classes[task]
    return frame


def params_of(**values):
    return workbench.TrainingParams(**{"method": "linear", "rounds": 12, "l1_ratio": 0.5} | values)


def rounds_of(frame, params, **rest):
    events = workbench.train(frame, target="y", params=params, **rest)
    return [event for event in events if isinstance(event, RoundFinished)]


@pytest.fixture(scope="module", params=TASKS)
def fitted(request):
    frame = frame_of(request.param)
    return frame, workbench.fit(frame, target="y", params=params_of())


def test_the_path_begins_where_all_are_0_and_ends_at_the_wanted_penalty(fitted):
    _, model = fitted
    parts = model.ensemble.linear
    assert len(parts) == model.rounds == 12
    assert parts[-1].reg_lambda == 0.001
    lambdas = [part.reg_lambda for part in parts]
    ratios = np.diff(np.log(lambdas))
    np.testing.assert_allclose(ratios, ratios[0])
    first = lambdas[0] / np.exp(ratios[0])
    above = params_of(rounds=1, reg_lambda=float(first) * 1.0001)
    at_first = workbench.fit(fitted[0], target="y", params=above)
    assert not at_first.ensemble.linear[-1].coefficients.any()
    assert (parts[0].coefficients != 0).sum() < (parts[-1].coefficients != 0).sum()


def test_a_constant_column_weighs_nothing(fitted):
    assert feature_importance(fitted[1].ensemble)[3] == 0.0
    assert (feature_importance(fitted[1].ensemble)[:3] > 0).all()


def test_contributions_and_growth_add_up_to_the_raw_predictions(fitted):
    frame, model = fitted
    rows, raw = encode(model.schema, frame)[:20], model.predict_raw(frame)[:20].reshape(20, -1)
    explainer = ShapExplainer(model.ensemble)
    shares = explainer.contributions(rows)
    np.testing.assert_allclose(shares.sum(axis=2) + explainer.base, raw, atol=2e-6)
    growth = row_growth(model.ensemble, rows[3])
    np.testing.assert_array_equal(growth.raw[-1], raw[3])
    np.testing.assert_array_equal(growth.raw[5], np.ravel(model.predict_raw(frame, 5)[3]))


def test_a_new_category_and_a_missing_one_are_in_no_column(fitted):
    frame, model = fitted
    new, missing = frame.assign(kind="never seen"), frame.assign(kind=None)
    np.testing.assert_array_equal(model.predict_raw(new), model.predict_raw(missing))


def test_the_readable_file_holds_every_round(fitted, tmp_path):
    frame, model = fitted
    model.save(tmp_path / "model.plain.json")
    read = load_model(tmp_path / "model.plain.json")
    for rounds in (0, 1, 7, None):
        np.testing.assert_array_equal(read.predict_raw(frame, rounds), model.predict_raw(frame, rounds))


@pytest.mark.parametrize(("damage", "words"), [
    (lambda linear: linear["rounds"].pop(), "another number of rounds"),
    (lambda linear: linear["rounds"][0]["coefficients"][0].pop(), "entries instead of"),
    (lambda linear: linear["scales"].__setitem__(0, 0.0), "above 0"),
    (lambda linear: linear["rounds"][1].__setitem__("l1_ratio", 2.0), "cannot be"),
    (lambda linear: linear["rounds"][1]["intercepts"].__setitem__(0, "x"), "numbers only"),
])  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path, damage, words):
    path = tmp_path / "model.plain.json"
    workbench.fit(frame_of("regression"), target="y", params=params_of(rounds=3)).save(path)
    record = json.loads(path.read_text())
    damage(record["linear"])
    path.write_text(json.dumps(record))
    with pytest.raises(WorkbenchError, match=words):
        load_model(path)


def test_a_name_for_xgboost_gets_our_own_json_and_a_line_that_says_why(tmp_path, caplog):
    frame = frame_of("regression")
    model = workbench.fit(frame, target="y", params=params_of(rounds=3))
    model.save(tmp_path / "model.json")
    assert "a linear model has none" in caplog.text
    np.testing.assert_array_equal(load_model(tmp_path / "model.json").predict(frame), model.predict(frame))
    for name in ("xgboost", "python", "sql", "onnx", "html"):
        with pytest.raises(WorkbenchError, match="Write it as readable JSON"):
            model.save(tmp_path / "other", format=name)


@pytest.mark.parametrize("task", TASKS)
def test_going_on_from_a_round_is_going_through(task):
    frame, params = frame_of(task), params_of(rounds=8)
    whole = rounds_of(frame, params)
    model = workbench.fit(frame, target="y", params=params)
    begun = model.first_rounds(5)
    gone_on = workbench.fit(frame, target="y", params=params.change(rounds=3), init_model=begun)
    for ours, theirs in zip(gone_on.ensemble.linear, (event.linear for event in whole), strict=True):
        np.testing.assert_array_equal(ours.coefficients, theirs.coefficients)
        np.testing.assert_array_equal(ours.intercepts, theirs.intercepts)
        assert ours.reg_lambda == theirs.reg_lambda
    np.testing.assert_array_equal(gone_on.predict_raw(frame), model.predict_raw(frame))


def test_a_linear_model_and_trees_do_not_go_on_from_each_other():
    frame = frame_of("regression")
    linear = workbench.fit(frame, target="y", params=params_of(rounds=2))
    trees = workbench.fit(frame, target="y", params=workbench.TrainingParams(rounds=2))
    for start, params in ((linear, workbench.TrainingParams(rounds=2)), (trees, params_of(rounds=2))):
        with pytest.raises(WorkbenchError, match="cannot go on from it"):
            workbench.fit(frame, target="y", params=params, init_model=start)


def test_the_bits_do_not_depend_on_the_threads():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120_000, 4)).astype(np.float32)
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int).astype(str)
    models = [workbench.fit(X, y, params=params_of(rounds=3, threads=threads)) for threads in (1, 2)]
    parts = [model.ensemble.linear[-1] for model in models]
    np.testing.assert_array_equal(parts[0].coefficients, parts[1].coefficients)
    np.testing.assert_array_equal(parts[0].intercepts, parts[1].intercepts)


def test_a_stopped_run_keeps_its_path_and_a_changed_penalty_is_approached():
    frame, control = frame_of("binary"), RunControl()
    events = []
    for event in workbench.train(frame, target="y", params=params_of(rounds=10), control=control):
        events.append(event)
        if isinstance(event, RoundFinished) and event.round == 4:
            control.change(params_of(rounds=10, reg_lambda=0.05))
        if isinstance(event, RoundFinished) and event.round == 8:
            control.stop()
    assert events[-1].reason is EndReason.STOPPED
    rounds = [event for event in events if isinstance(event, RoundFinished)]
    assert len(rounds) == 8
    lambdas = np.log([event.linear.reg_lambda for event in rounds])
    np.testing.assert_allclose(np.diff(lambdas)[4:], np.diff(lambdas)[4])
    assert (lambdas[-1] - np.log(0.05)) == pytest.approx(-2 * np.diff(lambdas)[4])


def test_offsets_stand_under_the_columns():
    frame = frame_of("regression")
    offset = (50.0 * (np.arange(len(frame)) % 2)).astype(np.float32)
    plain = workbench.fit(frame, target="y", params=params_of())
    moved = workbench.fit(
        frame.assign(y=frame.y + offset), target="y", base_margin=offset, params=params_of()
    )
    one, other = plain.ensemble.linear[-1], moved.ensemble.linear[-1]
    np.testing.assert_allclose(one.coefficients, other.coefficients, atol=1e-6)
    raw = moved.predict_raw(frame, base_margin=offset)
    np.testing.assert_allclose(raw, plain.predict_raw(frame) + offset, atol=1e-4)


def test_objective_and_penalty_fall_along_the_path():
    rounds = rounds_of(frame_of("binary"), params_of())
    assert [event.loss for event in rounds] == sorted((event.loss for event in rounds), reverse=True)
    for event in rounds:
        assert event.omega == pytest.approx(event.linear.penalty * 240)
        assert event.promised == pytest.approx(event.delivered, rel=0.3)


def test_parameters_of_trees_are_refused():
    with pytest.raises(WorkbenchError, match="max_depth"):
        workbench.fit(frame_of("binary"), target="y", params=params_of(max_depth=3))


def test_a_model_without_rounds_is_its_base():
    empty = Ensemble("squared", 2, 1, np.ones(1, np.float32))
    assert not empty.is_linear
