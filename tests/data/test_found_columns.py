"""Columns that a model reads, found in tables by their names."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.data.encoding import encode
from workbench.data.found_columns import found_columns
from workbench.data.reading import read_table
from workbench.data.schema import DataSchema, Feature
from workbench.errors import WorkbenchError
from workbench.scoring.matching import match_columns


def schema_of(*names, blanks_underscored=True):
    features = tuple(Feature(name, "number") for name in names)
    return DataSchema(features, "target", "regression", blanks_underscored=blanks_underscored)


@pytest.mark.parametrize(("model", "table", "found"), [
    (["inc_ome"], ["inc ome"], {"inc_ome": "inc ome"}),
    (["inc_ome"], ["inc ome", "inc_ome"], {"inc_ome": "inc_ome"}),
    (["a_b_c"], ["a b_c", "a_b c"], {}),
    (["a__b"], ["a b"], {}),
    (["_b", "a"], ["a", "b"], {"a": "a", "_b": "b"}),
    (["_b", "b"], ["b"], {"b": "b"}),
    (["_b", "b_"], ["b"], {}),
    (["_b"], ["b", " b"], {}),
    (["a-b"], ["a b"], {}),
])  # fmt: skip
def test_a_name_with_blanks_is_found_where_it_is_the_only_one(model, table, found):
    assert found_columns(schema_of(*model), table) == found


def test_other_programs_keep_blanks():
    schema = schema_of("inc_ome", " x ", blanks_underscored=False)
    assert found_columns(schema, ["inc ome", "x"]) == {" x ": "x"}


@pytest.mark.parametrize("names", [
    ("Unnamed: 0", "b"), ("\ufeffa", "b"), ("a\u200b", "b"), ("'a'", "'b'"), ("", "b"), ("\xa0a ", "b"),
    ("b", "Unnamed: 1"),
])  # fmt: skip
def test_names_of_other_programs_are_found_in_the_table_they_were_trained_on(names, tmp_path):
    schema = schema_of(*names, blanks_underscored=False)
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=list(names))
    np.testing.assert_array_equal(encode(schema, frame), frame)
    written = [name if "Unnamed" not in name else "" for name in names]
    frame.to_csv(tmp_path / "t.csv", index=False, header=written)
    np.testing.assert_array_equal(encode(schema, read_table(tmp_path / "t.csv")), frame)


TWINS = [(" a", "a"), ("a", " a"), ("a\u200b", "a "), ("column 2", "Unnamed: 1")]


@pytest.mark.parametrize("names", TWINS)
@pytest.mark.parametrize("swapped", [False, True])
def test_names_that_are_one_where_tables_are_read_are_told_apart_in_frames(names, swapped):
    frame = pd.DataFrame([[1.0, 2.0]], columns=list(names))
    found = encode(schema_of(*names, blanks_underscored=False), frame[list(names[:: -1 if swapped else 1])])
    np.testing.assert_array_equal(found, [[1, 2]])


@pytest.mark.parametrize("names", TWINS)
@pytest.mark.parametrize("swapped", [False, True])
def test_what_to_do_about_names_that_are_one_where_tables_are_read(names, swapped, tmp_path):
    frame = pd.DataFrame([[1.0, 2.0]], columns=list(names))[list(names[:: -1 if swapped else 1])]
    frame.to_csv(tmp_path / "t.csv", index=False)
    schema = schema_of(*names, blanks_underscored=False)
    advice = "Call these columns 'model column 1', 'model column 2' in the table"
    with pytest.raises(WorkbenchError, match=advice):
        encode(schema, read_table(tmp_path / "t.csv"))
    with pytest.raises(WorkbenchError, match=advice):
        match_columns(schema, ["a", "a (2)", "column 2"], "t.csv")
    called = dict(zip(names, ["model column 1", "model column 2"], strict=True))
    frame.rename(columns=called).to_csv(tmp_path / "t.csv", index=False)
    np.testing.assert_array_equal(encode(schema, read_table(tmp_path / "t.csv")), [[1, 2]])


def test_one_of_two_such_names_alone_says_what_to_do():
    schema = schema_of("x", " a", "a", blanks_underscored=False)
    told = match_columns(schema, ["x", "a", "a (2)"], "t.csv").differences()
    missing = [one.text.partition("every row. ")[2] for one in told if one.kind == "missing"]
    assert missing == 2 * [
        "The names ' a', 'a' of the model are one where tables are read. Call these columns "
        "'model column 2', 'model column 3' in the table."
    ]
    told = match_columns(schema, ["x", "model column 2", "model column 3"], "t.csv").differences()
    assert [one.text for one in told] == [
        "Column ' a' is read from 'model column 2'.", "Column 'a' is read from 'model column 3'."
    ]  # fmt: skip


@given(st.lists(st.text("a_ ", min_size=1, max_size=4), min_size=1, max_size=6, unique=True), st.randoms())
def test_no_column_is_read_twice_and_blanks_are_all_that_differs(table, random):
    written = [name.replace(" ", "_") for name in table]
    names = [name for name in written if written.count(name) == 1]
    random.shuffle(table)
    found = found_columns(schema_of(*names), table)
    assert len(set(found.values())) == len(found)
    for name, here in found.items():
        assert name.strip("_") == here.replace(" ", "_").strip("_")
        assert here == name or name not in table


def test_frames_are_encoded_by_it_and_two_that_could_be_meant_are_named():
    frame = pd.DataFrame({"a b": ["1", "x"], "n o": [1.0, 2.0], "more": [0, 0]})
    features = (Feature("n_o", "number"), Feature("a_b", "category", ("x", "1")))
    schema = DataSchema(features, "target", "regression", blanks_underscored=True)
    np.testing.assert_array_equal(encode(schema, frame), [[1, 1], [2, 0]])
    twins = pd.DataFrame({"a b_c": [1.0], "a_b c": [2.0]})
    words = "Column 'a_b_c' is missing, and the model needs it. The table has 'a b_c' and 'a_b c'; rename"
    with pytest.raises(WorkbenchError, match=words):
        encode(schema_of("a_b_c"), twins)


def test_an_array_is_taken_by_position_whatever_the_names_are():
    array = np.array([["1", "2"]], object)
    np.testing.assert_array_equal(encode(schema_of(" a", "a"), array), [[1, 2]])
