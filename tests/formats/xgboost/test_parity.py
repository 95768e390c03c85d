"""What we write, stock XGBoost loads and predicts bit for bit (INTERCHANGE, section 7)."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.making import TASKS, leaves, make_model, make_rows, margins, same_model
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.load import load_model

xgboost = pytest.importorskip("xgboost")
OBJECTIVES = tuple(TASKS)
RAW_TO_XGBOOST = ("root", "cross_entropy_lambda")  # links that it does not know
XGB = FORMATS.get("xgboost")


def booster_of(data):
    booster = xgboost.Booster()
    booster.load_model(bytearray(data))
    booster.set_param({"nthread": 1})
    return booster


def matrix(booster, rows):
    return xgboost.DMatrix(
        rows, feature_names=booster.feature_names, feature_types=booster.feature_types, nthread=1
    )


def check_margins(model):
    rows = make_rows(model)
    ours = margins(model, rows) * np.float32(2 if model.ensemble.objective == "exponential" else 1)
    booster = booster_of(XGB.write(model))
    np.testing.assert_array_equal(booster.predict(matrix(booster, rows), output_margin=True), ours)
    inplace = booster.inplace_predict(rows, predict_type="margin", validate_features=False)
    np.testing.assert_array_equal(inplace, ours)
    singly = [booster.predict(matrix(booster, rows[i : i + 1]), output_margin=True) for i in range(8)]
    np.testing.assert_array_equal(np.concatenate(singly), ours[:8])
    return booster, rows


@examples(60)
@given(
    st.integers(0, 10**6), st.sampled_from(OBJECTIVES), st.integers(0, 6), st.integers(1, 5), st.booleans()
)
def test_margins_and_leaves_agree_on_random_trees(seed, objective, rounds, n_features, dart):
    model = make_model(seed, objective, n_features, rounds, dart=dart)
    booster, rows = check_margins(model)
    if rounds and not dart:
        lead = booster.num_boosted_rounds() - rounds
        first = booster.predict(matrix(booster, rows), output_margin=True, iteration_range=(0, lead + 1))
        factor = np.float32(2 if objective == "exponential" else 1)
        np.testing.assert_array_equal(first, factor * margins(model.first_rounds(1), rows))
    found = booster.predict(matrix(booster, rows), pred_leaf=True).reshape(len(rows), -1)
    lead = found.shape[1] - len(model.trees)
    assert lead in (0, model.ensemble.n_classes)
    written = json.loads(XGB.write(model))["learner"]["gradient_booster"]
    swapped = written.get("gbtree", written)["model"]["trees"]
    for k, tree in enumerate(model.trees):
        values = np.array(swapped[lead + k]["split_conditions"], np.float32)[found[:, lead + k].astype(int)]
        values /= 2 if objective == "exponential" else 1
        np.testing.assert_array_equal(values, tree.nodes["leaf_value"][leaves(tree, rows)])


@pytest.mark.sampled
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("base", [0.0, 0.5, -0.5, 5.0, -5.0, 10.0, -10.0, 15.0, -15.0, 1e-30, 1.2345678])
@pytest.mark.parametrize("rounds", [0, 2])
def test_intercepts_are_exact(objective, base, rounds):
    model = make_model(3, objective, rounds=rounds, base=base)
    check_margins(model)
    same_model(model, XGB.read(XGB.write(model)))


def test_different_intercepts_by_class():
    check_margins(make_model(5, "softmax", base=[0.0, -3.25, 0.1]))


def test_constant_model_of_one_leaf_and_no_columns_used():
    check_margins(make_model(1, "squared", n_features=1, rounds=0, base=2.5))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_probabilities(objective):
    model = make_model(8, objective)
    rows = make_rows(model)
    raw = margins(model, rows).astype(np.float64)
    theirs = raw if objective in RAW_TO_XGBOOST else None
    if objective == "softmax":
        expected = np.exp(raw - raw.max(1, keepdims=True))
        expected /= expected.sum(1, keepdims=True)
    elif objective in ("logistic", "exponential", "focal", "one_vs_rest"):
        expected = 1 / (1 + np.exp(-raw * (2 if objective == "exponential" else 1)))
    elif objective in ("poisson", "gamma", "tweedie", "cox", "aft"):
        expected = np.exp(raw)
    elif objective == "hinge":
        expected = raw > 0
    elif objective == "root":
        expected = np.sign(raw) * raw**2
    elif objective == "cross_entropy_lambda":
        expected = np.log1p(np.exp(raw))
    else:
        expected = raw
    booster = booster_of(XGB.write(model))
    found = booster.predict(matrix(booster, rows))
    np.testing.assert_allclose(found, expected if theirs is None else theirs, rtol=1e-5, atol=2e-7)
    np.testing.assert_allclose(
        model.transform(margins(model, rows)), expected, rtol=1e-5, atol=2e-7
    )


@examples(15)
@given(st.integers(0, 10**6), st.sampled_from(OBJECTIVES))
def test_saved_again_by_xgboost_it_is_still_ours(tmp_path_factory, seed, objective):
    model = make_model(seed, objective)
    booster = booster_of(XGB.write(model))
    for again in (booster, pickle.loads(pickle.dumps(booster)), copy.deepcopy(booster), copy.copy(booster)):
        same_model(model, XGB.read(bytes(again.save_raw("json"))))
    through = booster_of(bytes(booster.save_raw("ubj")))
    same_model(model, XGB.read(bytes(through.save_raw("json"))))


@pytest.mark.parametrize(
    "names",
    [
        ["length [cm]", "length (cm)", "a<b", "a_b"],
        ['say "x"', "C:\\users\\new", "tab\there", "line\nbreak"],
        ["🌲 tree", "übung", " spaced ", "\x00\x08\x0c"],
        ["", "a,b:c=d", "\\", "x\ud800"],
    ],
)
def test_odd_feature_names_survive(names):
    model = make_model(2, "squared", names=names)
    booster, _ = check_margins(model)
    assert len(set(booster.feature_names)) == len(names)
    same_model(model, XGB.read(XGB.write(model)))
    same_model(model, XGB.read(bytes(booster.save_raw("json"))))


@examples(15)
@given(st.integers(0, 10**6))
def test_permuted_pandas_categories_are_recoded(seed):
    model = make_model(seed, "squared", ascii_only=True)
    rows = make_rows(model)
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame()
    for i, feature in enumerate(model.schema.features):
        column = rows[:, i]
        if feature.is_categorical:
            known = ~np.isnan(column) & (column < len(feature.categories))
            column[~known] = np.nan
            labels = [feature.categories[int(c)] if k else None for c, k in zip(column, known, strict=True)]
            frame[feature.name] = pd.Categorical(labels, rng.permutation(feature.categories))
        else:
            frame[feature.name] = column
    booster = booster_of(XGB.write(model))
    data = xgboost.DMatrix(frame, enable_categorical=True, nthread=1)
    np.testing.assert_array_equal(booster.predict(data, output_margin=True), margins(model, rows))


def test_categories_that_xgboost_cannot_match_are_refused_not_misread():
    made = (make_model(seed, "squared", n_features=1) for seed in range(100))
    model = next(m for m in made if m.schema.features[0].kind == "category")
    assert not model.schema.features[0].categories[0].isascii()
    labels = pd.Categorical(list(model.schema.features[0].categories)[::-1])
    frame = pd.DataFrame({f.name: labels for f in model.schema.features})
    booster = booster_of(XGB.write(model))
    with pytest.raises(xgboost.core.XGBoostError):
        booster.predict(xgboost.DMatrix(frame, enable_categorical=True, nthread=1))


def test_names_that_xgboost_cuts_are_said(tmp_path):
    frame = pd.DataFrame({"city": pd.Categorical(["Bern", "Zürich", "a"] * 40)})
    frame["plan"] = pd.Categorical(["x", "y"] * 60)
    matrix = xgboost.DMatrix(frame, np.arange(120) % 3, enable_categorical=True)
    xgboost.train({"max_depth": 2}, matrix, 2).save_model(tmp_path / "m.json")
    with pytest.raises(WorkbenchError, match=r"'city' .* not ASCII") as error:  # "Züric" and "h"?
        load_model(tmp_path / "m.json")
    assert "'plan'" not in str(error.value)
    assert "\n" not in str(error.value)


def test_categories_without_names_are_said(tmp_path):
    """As in a slice, and in every file written before XGBoost kept the names."""
    frame = pd.DataFrame({"x": np.arange(60.0), "plan": pd.Categorical(["a", "b", "c"] * 20)})
    matrix = xgboost.DMatrix(frame, np.arange(60) % 3, enable_categorical=True, nthread=1)
    booster = xgboost.train({"max_depth": 2, "nthread": 1}, matrix, 4)
    for made, told in ((booster, False), (booster[1:3], True)):
        made.save_model(tmp_path / "m.json")
        model = load_model(tmp_path / "m.json")
        notes = [note for note in model.provenance["notes"] if note.endswith("have them too, in 'plan'.")]
        assert len(notes) == told
        given = frame.assign(plan=frame["plan"].cat.codes) if told else frame
        np.testing.assert_array_equal(model.predict_raw(given), made.predict(matrix, output_margin=True))
