"""One rule turns a value into a label, in arrays, lists, frames, files and exports."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.__main__ import main
from workbench.data.encoding import encode
from workbench.data.schema import DataSchema, Feature
from workbench.data.values.known_labels import label_codes
from workbench.data.values.value_labels import label_of
from workbench.formats.load import load_model

IN_CATEGORIES = {"rounds": 30, "learning_rate": 0.5, "objective": "squared", "min_child_weight": 0}
ANSWERS = np.repeat([0.0, 5, 1, 7], 25)
MOMENTS = pd.DatetimeIndex(["2020-01-01", "2020-01-02T10:30", "2020-01-03T00:00:01.5", "1969-12-31"])


def ways_of(frame):
    """The rows of one column in every form that a script may hold them in."""
    whole = frame.to_numpy()
    yield from (frame, whole, whole.tolist(), frame.astype(object), whole.astype(object))
    yield frame.astype("category")


def exported(model, path):
    model.save(path)
    space = {}
    exec(compile(path.read_text(encoding="utf-8"), "model.py", "exec"), space)
    return space["predict"]


def scored(model, frame, folder, suffix):
    model.save(folder / "m.json")
    path = folder / f"t.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    (folder / "o.csv").unlink(missing_ok=True)
    main(["predict", str(folder / "m.json"), str(path), "--output", str(folder / "o.csv")])
    return pd.read_csv(folder / "o.csv")["prediction"].to_numpy()


@pytest.mark.parametrize(("value", "label"), [
    (True, "true"), (np.False_, "false"), (1, "1"), (1.0, "1"), (-0.0, "0"), (np.float32(0.1), "0.1"),
    (0.1, "0.1"), (2**53 + 1, "9007199254740993"), (2.0**60, "1152921504606846976"), (1e300, None),
    (np.inf, None), (np.nan, None), (None, None), (pd.NA, None), (pd.NaT, None), (1e25, "1e+25"),
    (datetime.date(2020, 1, 31), "2020-01-31"), (pd.Timestamp("2020-01-31"), "2020-01-31"),
    (np.datetime64("2020-01-31T00", "h"), "2020-01-31"),
    (datetime.datetime(2020, 1, 31, 7), "2020-01-31 07:00:00"),
    (pd.Timestamp("2020-01-31 01:00", tz="Europe/Berlin"), "2020-01-31"), ("007", "007"),
    (np.datetime64("2020-01-31T00:00:00.250000000", "ns"), "2020-01-31 00:00:00.25"),
])  # fmt: skip
def test_a_value_has_one_label_whatever_its_type(value, label):
    assert label_of(value) == label


@pytest.fixture(scope="module")
def truths():
    frame = pd.DataFrame({"b": [True, False] * 50})
    return workbench.fit(frame, frame.b * 2.0, rounds=50, learning_rate=0.5, objective="squared")


@pytest.mark.parametrize("kind", [bool, int, float, np.float32, "boolean", "Int64", "Float64", str])
def test_truth_values_are_known_in_every_form(truths, kind):
    frame = pd.DataFrame({"b": [True, False]}).astype(kind)
    for rows in ways_of(frame):
        np.testing.assert_allclose(truths.predict(rows), [2, 0], atol=1e-3)


@pytest.mark.parametrize("words", [["1", "0"], ["1.0", "0.0"], ["true", "false"], ["TRUE", "False"]])
def test_truth_values_are_known_as_texts(truths, words, tmp_path):
    frame = pd.DataFrame({"b": words})
    for rows in (*ways_of(frame), [[words[0]], [words[1]]], np.array(words)[:, None]):
        np.testing.assert_allclose(truths.predict(rows), [2, 0], atol=1e-3)
    np.testing.assert_allclose(scored(truths, frame, tmp_path, "csv"), [2, 0], atol=1e-3)
    mixed = pd.DataFrame({"b": [*words, "other"]})  # no row depends on another
    np.testing.assert_allclose(truths.predict(mixed)[:2], [2, 0], atol=1e-3)


@pytest.mark.parametrize("kind", [bool, int, float])
def test_files_of_truth_values_are_known_without_a_warning(truths, kind, tmp_path, capsys):
    frame = pd.DataFrame({"b": [True, False]}).astype(kind)
    for suffix in ("csv", "parquet"):
        np.testing.assert_allclose(scored(truths, frame, tmp_path, suffix), [2, 0], atol=1e-3)
    assert "new categories" not in capsys.readouterr().err


def test_the_python_export_takes_the_same_values(truths, tmp_path):
    predict = exported(truths, tmp_path / "model.py")
    for yes, no in ((True, False), (1, 0), (1.0, 0.0), ("1", "0"), ("1.0", "0.0"), ("TRUE", "false"),
                    (np.True_, np.False_), (np.int64(1), np.float32(0))):  # fmt: skip
        np.testing.assert_allclose([predict({"b": yes}), predict([no])], [2, 0], atol=1e-3)
    assert predict([np.inf]) == predict([None]) == predict(["1e400"])
    assert predict([2]) == predict(["other"])


def test_numbers_that_are_0_and_1_are_known_as_truth_values(tmp_path):
    x = np.repeat([0, 1], 50)
    model = workbench.fit(x[:, None], x * 2.0, categories=[0], **IN_CATEGORIES)
    predict = exported(model, tmp_path / "model.py")
    for frame in (pd.DataFrame({"f0": [True, False]}), pd.DataFrame({"f0": ["True", "false"]})):
        for rows in ways_of(frame):
            np.testing.assert_allclose(model.predict(rows), [2, 0], atol=1e-3)
    np.testing.assert_allclose([predict([True]), predict(["false"])], [2, 0], atol=1e-3)


@pytest.mark.parametrize("ids", [
    16_777_216 + np.arange(4), 2**53 + np.arange(4), -(2**53) - np.arange(4),
    np.uint64(2**63) + np.arange(4, dtype=np.uint64), 16_777_216.0 + np.arange(4), 0.1 + np.arange(4) * 1e-9,
], ids=str)  # fmt: skip
def test_large_identifiers_do_not_pass_through_float32(ids, tmp_path):
    column = np.repeat(ids, 25)
    frame = pd.DataFrame({"f0": column})
    for rows in (column[:, None], frame, column[:, None].tolist(), frame.astype(object)):
        model = workbench.fit(rows, ANSWERS, categories=[0], **IN_CATEGORIES)
        assert len(model.schema.features[0].categories) == 4
        for given in ways_of(frame[::25]):
            np.testing.assert_allclose(model.predict(given), [0, 5, 1, 7], atol=1e-3)
    for suffix in ("csv", "parquet"):
        np.testing.assert_allclose(scored(model, frame[::25], tmp_path, suffix), [0, 5, 1, 7], atol=1e-3)
    predict = exported(model, tmp_path / "model.py")
    np.testing.assert_allclose([predict([value]) for value in ids], [0, 5, 1, 7], atol=1e-3)


def test_an_identifier_that_is_not_known_is_new_though_float64_has_it_equal_to_another():
    known = 2**53 + np.array([0, 2, 4, 6])
    model = workbench.fit(np.repeat(known, 25)[:, None], ANSWERS, categories=[0], **IN_CATEGORIES)
    new = encode(model.schema, np.array([[2**53 + 1]]))
    assert new == 4
    for rows in (pd.DataFrame({"f0": [2**53 + 1]}), [[2**53 + 1]], pd.DataFrame({"f0": [str(2**53 + 1)]})):
        assert encode(model.schema, rows) == new


def test_fractions_are_known_in_single_precision_too():
    values = np.array([0.123456789, 1 / 3, 2.5, 1e-7])
    for trained in (values, values.astype(np.float32)):
        model = workbench.fit(np.repeat(trained, 25)[:, None], ANSWERS, categories=[0], **IN_CATEGORIES)
        for given in (values, values.astype(np.float32), values.astype(np.float32).astype(np.float64)):
            np.testing.assert_allclose(model.predict(given[:, None]), [0, 5, 1, 7], atol=1e-3)


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("as_categories", [True, False])
def test_categories_that_are_dates_are_known_from_everywhere(zone, as_categories, tmp_path):
    moments = MOMENTS if zone is None else MOMENTS.tz_localize(zone)
    frame = pd.DataFrame({"d": moments.repeat(25)})
    rows = frame[::25]
    model = workbench.fit(
        frame.astype("category") if as_categories else frame, ANSWERS, categories=["d"], **IN_CATEGORIES
    )
    assert len(model.schema.features[0].categories) == 4
    for given in (*ways_of(rows), rows.astype(str)):
        np.testing.assert_allclose(model.predict(given), [0, 5, 1, 7], atol=1e-3)
    for suffix in ("csv", "parquet"):
        np.testing.assert_allclose(scored(model, rows, tmp_path, suffix), [0, 5, 1, 7], atol=1e-3)
    predict = exported(model, tmp_path / "model.py")
    for given in (moments, moments.to_pydatetime(), moments.to_numpy()):
        np.testing.assert_allclose([predict([value]) for value in given], [0, 5, 1, 7], atol=1e-3)


def test_labels_of_older_models_are_known_as_the_dates_they_are():
    labels = ("2020-01-01 00:00:00", "2020-01-02 10:30", "2020-01-03T00:00:00+01:00")
    feature = Feature("d", "category", labels)
    schema = DataSchema((feature,), "y", "regression")
    rows = pd.DataFrame({"d": pd.DatetimeIndex(["2020-01-01", "2020-01-02T10:30", "2020-01-02T23:00"])})
    for given in ways_of(rows):
        assert encode(schema, given)[:, 0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("categories", [(), [0]])
def test_infinity_is_missing_everywhere(categories, tmp_path):
    x = np.repeat([1.0, 2, 3, np.nan], 25)
    model = workbench.fit(x[:, None], ANSWERS, categories=categories, **IN_CATEGORIES)
    values = [np.inf, -np.inf, 3.5e38, 1e300, np.nan]
    frame = pd.DataFrame({"f0": values})
    with np.errstate(over="ignore"):
        single = frame.to_numpy(np.float32)
    for rows in (frame, frame.to_numpy(), single, frame.to_numpy().tolist(), frame.astype(object)):
        np.testing.assert_allclose(model.predict(rows), 7, atol=1e-2)
    for suffix in ("csv", "parquet"):
        np.testing.assert_allclose(scored(model, frame, tmp_path, suffix), 7, atol=1e-2)
    predict = exported(model, tmp_path / "model.py")
    np.testing.assert_allclose([predict([value]) for value in values], 7, atol=1e-2)


def test_codes_of_other_programs_are_rounded_as_there(tmp_path):
    names = ("0", "1", "2")
    values = np.array([2.5, -0.5, 0.99, 3, np.nan])
    for fractions, expected in (("", [3, 3, 3, 3]), ("down", [2, 3, 0, 3]), ("to zero", [2, 0, 0, 3])):
        feature = Feature("c", "category", names, fractions=fractions)
        schema = DataSchema((feature,), "y", "regression")
        for rows in (values[:, None], pd.DataFrame({"c": values}), pd.DataFrame({"c": values.astype(str)})):
            found = encode(schema, rows)[:, 0]
            assert found[:4].tolist() == expected
            assert np.isnan(found[4])


def test_lightgbm_and_xgboost_are_followed_where_a_code_is_no_whole_number(tmp_path):
    lightgbm, xgboost = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    x = np.tile(np.arange(6.0), 60)[:, None]
    y = np.array([0.0, 5, 1, 7, 3, 9])[x[:, 0].astype(int)]
    rows = np.array([0, 2.5, 2.999, -0.5, -1, 5.9, 6.5, np.nan])[:, None]
    few = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 1, "cat_smooth": 0, "min_data_per_group": 1}
    theirs = lightgbm.train(few, lightgbm.Dataset(x, y, categorical_feature=[0]), 5)
    theirs.save_model(tmp_path / "m.txt")
    model = load_model(tmp_path / "m.txt")
    np.testing.assert_allclose(model.predict(rows), theirs.predict(rows), rtol=1e-6)
    model.save(tmp_path / "again.json")
    again = load_model(tmp_path / "again.json")
    frame = pd.DataFrame(rows, columns=again.schema.names)
    np.testing.assert_allclose(again.predict(frame), theirs.predict(rows), rtol=1e-6)
    predict = exported(model, tmp_path / "model.py")
    np.testing.assert_allclose([predict(row) for row in rows.tolist()], theirs.predict(rows), rtol=1e-6)

    def matrix(x, y=None):
        return xgboost.DMatrix(x, y, feature_types=["c"], enable_categorical=True, nthread=1)

    booster = xgboost.train({"nthread": 1, "max_cat_to_onehot": 1}, matrix(x, y), 5)
    booster.save_model(tmp_path / "x.json")
    model = load_model(tmp_path / "x.json")
    np.testing.assert_allclose(model.predict(rows), booster.predict(matrix(rows)), rtol=1e-6)


def test_other_labels_stay_apart_from_truth_values():
    codes = label_codes(Feature("c", "category", ("false", "true", "unknown")))
    assert "1" not in codes
    assert codes["True"] == 1
    codes = label_codes(Feature("c", "category", ("1", "true")))
    assert (codes["1"], codes["true"]) == (0, 1)
