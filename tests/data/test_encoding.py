"""The same rows are the same matrix, from whatever they come."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.data.making import labels_of, numbers, said, table, texts
from workbench.data.dataset import build_dataset
from workbench.data.encoding import encode
from workbench.data.given.frames import table_from_frame
from workbench.data.reading import read_table
from workbench.data.roles import guess_roles
from workbench.data.samples import SAMPLES, SampleTable
from workbench.data.schema import DataSchema, Feature
from workbench.errors import WorkbenchError

SCHEMA = DataSchema((Feature("x", "number"), Feature("c", "category", ("3", "red"))), "y", "regression")


@pytest.mark.sampled
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_frame_of_pandas_is_encoded_as_the_file(sample: SampleTable) -> None:
    read = read_table(sample.path)
    made = build_dataset(read, guess_roles(read))
    frame = pd.read_csv(sample.path)
    for rows in (frame, frame.drop(columns=sample.target), frame[frame.columns[::-1]], frame.astype(object)):
        np.testing.assert_array_equal(encode(made.schema, rows)[made.table_rows], made.features)
    np.testing.assert_array_equal(encode(made.schema, read)[made.table_rows], made.features)
    single = encode(made.schema, frame.iloc[[5]])
    np.testing.assert_array_equal(single[0], encode(made.schema, frame)[5])


def test_unseen_categories_have_a_code_of_their_own() -> None:
    encoded = encode(SCHEMA, pd.DataFrame({"c": ["red", "blue", None, 3, 3.0], "x": range(5)}))
    np.testing.assert_array_equal(encoded[:, 1], np.float32([1, 2, np.nan, 0, 0]))
    assert encoded.flags.f_contiguous
    assert encoded.dtype == np.float32


def test_labels_of_every_type_are_those_of_a_file() -> None:
    frame = pd.DataFrame(
        {
            "truth": [True, False, True],
            "maybe": [True, None, False],
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "day": pd.to_datetime(["2020-01-01 00:00", None, "1969-12-31 12:00"]),
            "kind": pd.Categorical([2.0, 10.0, None]),
            "text": ["?", " b", "a "],
        }
    )
    made = table_from_frame(frame)
    assert made.column("truth").categories == ("false", "true")
    assert made.column("maybe").categories == ("false", "true")
    np.testing.assert_array_equal(made.column("whole").values, np.float32([1, np.nan, 3]))
    np.testing.assert_array_equal(made.column("day").values, np.float32([18262, np.nan, -0.5]))
    assert made.column("kind").categories == ("2", "10")
    assert made.column("text").categories == ("a", "b")
    assert made.column("text").missing == 1


def test_a_frame_says_itself_what_is_missing() -> None:
    frame = pd.DataFrame({
        "code": ["NULL", "nan", None, "US", ""], "sort": pd.Categorical(["nan", "b", None, "b", "b"]),
        "number": ["1", "?", "2.5", None, "nan"], "y": range(5),
    })  # fmt: skip
    made = table_from_frame(frame)
    assert labels_of(made.column("code")) == ["NULL", "nan", None, "US", None]
    assert labels_of(made.column("sort")) == ["nan", "b", None, "b", "b"]
    np.testing.assert_array_equal(made.column("number").values, np.float32([1, np.nan, 2.5, np.nan, np.nan]))
    assert "Column 'code': 2 cells are 'NULL' or 'nan', first in row 1: a label" in said(made)
    schema = build_dataset(made, guess_roles(made) | {"code": "feature", "sort": "feature"}).schema
    places = [schema.names.index(name) for name in ("code", "sort")]
    for rows in (frame, frame[list(schema.names)].to_numpy(object)):
        encoded = encode(schema, rows)
        np.testing.assert_array_equal(encoded[:, places[0]], [1, 0, np.nan, 2, np.nan])
        np.testing.assert_array_equal(encoded[:, places[1]], [1, 0, np.nan, 0, 0])


def test_arrays_are_read_by_position() -> None:
    np.testing.assert_array_equal(encode(SCHEMA, np.array([[1.5, 3], [2, 4]])), [[1.5, 0], [2, 2]])
    np.testing.assert_array_equal(encode(SCHEMA, np.array([[1.5, "red"]], dtype=object)), [[1.5, 1]])
    with pytest.raises(WorkbenchError, match=r"shape \(1, 3\)"):
        encode(SCHEMA, np.ones((1, 3)))


def test_what_the_model_cannot_use_is_named() -> None:
    with pytest.raises(WorkbenchError, match="Column 'c' is missing"):
        encode(SCHEMA, table(numbers("x", [1])))
    with pytest.raises(WorkbenchError, match="'low' in row 2"):
        encode(SCHEMA, table(texts("x", ["1", "low"]), texts("c", ["red", "red"])))


def test_foreign_codes_pass_where_the_model_lists_no_categories() -> None:
    schema = DataSchema((Feature("c", "category"),), "y", "regression")
    np.testing.assert_array_equal(encode(schema, np.array([[0.0], [7.0], [np.nan]])), [[0], [7], [np.nan]])


def test_a_label_that_the_model_knows_is_not_missing_though_files_write_missing_so():
    """Other programs keep "?" and "nan" as categories of their own, beside cells that are missing."""
    schema = DataSchema(
        (Feature("thal", "category", ("?", "fixed", "nan")), Feature("x", "number")), "y", "regression"
    )
    frame = pd.DataFrame({"thal": ["?", "fixed", "nan", None, "new"], "x": ["?", "1", "2", "3", "nan"]})
    for thal in (frame["thal"], frame["thal"].astype("category")):
        found = encode(schema, frame.assign(thal=thal))
        np.testing.assert_array_equal(found[:, 0], [0, 1, 2, np.nan, 3])
        np.testing.assert_array_equal(found[:, 1], [np.nan, 1, 2, 3, np.nan])


def test_codes_with_zeros_are_known_as_they_stand() -> None:
    """Whatever the other rows hold, and as numbers where the model has only those."""
    feature = Feature("zip", "category", ("007", "010", "5"))
    schema = DataSchema((feature,), "y", "regression")
    codes = {"007": 0, "010": 1, "5": 2, "5.0": 2, "NW1": 3}
    for given in (["007", "010", None, "5"], ["010", "007", "", "5.0"], ["007", "010", "?", "5", "NW1"]):
        expected = [codes.get(text, np.nan) for text in given]
        for column in (pd.Series(given), pd.Series(given, dtype=object)):
            for rows in (pd.DataFrame({"zip": column}), column.to_numpy(object)[:, None]):
                np.testing.assert_array_equal(encode(schema, rows)[:, 0], expected)


@pytest.mark.parametrize("words", ["true false", "True False", "TRUE FALSE"])
def test_truth_values_are_known_however_they_are_written(words: str) -> None:
    for categories in (("false", "true"), ("False", "True"), ("FALSE", "TRUE")):
        schema = DataSchema((Feature("on", "boolean", categories),), "y", "regression")
        for rows in ({"on": words.split()}, {"on": [True, False]}, {"on": [True, None, False]}):
            found = encode(schema, pd.DataFrame(rows))[:, 0]
            np.testing.assert_array_equal(found[~np.isnan(found)], [1, 0])


def test_codes_that_a_table_holds_as_numbers_are_known() -> None:
    schema = DataSchema((Feature("c", "category", ("001", "007", "1.50", "3", "03")),), "y", "regression")
    encoded = encode(schema, table(numbers("c", [7, 1, 1.5, 3, 4, np.nan])))
    np.testing.assert_array_equal(encoded[:, 0], np.float32([1, 0, 2, 3, 5, np.nan]))


def test_few_rows_of_numbers_are_encoded_as_many(monkeypatch) -> None:
    frame = pd.DataFrame({
        "a": [1.5, np.nan, np.inf, -1e39, 1e300, 3.4e38, 5e-324],
        "b": np.array([2**53 + 1, -(2**62), 16777217, 0, -999, 1, 2]),
        "c": np.array([0, 1, 2, 3, 4, 5, 255], np.uint8),
        "d": np.array([0.1, np.nan, -np.inf, 1, 2, 3, 4], np.float32),
        "e": np.array([2**64 - 1, 2**63, 0, 1, 2, 3, 4], np.uint64),
    })  # fmt: skip
    names = [Feature(name, "number") for name in "ecadb"]
    for settled in ((), (("missing", ("-999",)),)):
        schema = DataSchema(tuple(names), "y", "regression", settled=settled)
        few = encode(schema, frame)
        with monkeypatch.context() as patched:
            patched.setattr("workbench.data.encoding.CELLS_AT_ONCE", 1)
            assert few.tobytes("C") == encode(schema, frame).tobytes("C")
    assert np.isnan(few[4, 4])
    assert np.isnan(encode(schema, frame.assign(a=None))[:, 2]).all()
