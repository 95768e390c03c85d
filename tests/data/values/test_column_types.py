"""Changing what a column is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import labels_of, numbers, texts
from workbench.data.values.column_types import change_kind, convert
from workbench.data.values.columns import number_column
from workbench.errors import WorkbenchError

HIGHEST = float(np.nextafter(np.float32(3.4e38), np.float32(0)))  # of what is read; see `columns.LARGEST`


@given(st.lists(st.one_of(st.none(), st.floats(-HIGHEST, HIGHEST, width=32)), min_size=1))
def test_a_number_becomes_a_category_and_comes_back(values: list[float | None]) -> None:
    column = numbers("x", [np.nan if value is None else value for value in values])
    category = convert(column, "category")
    assert category.missing == column.missing
    np.testing.assert_array_equal(convert(category, "number").values, column.values)


def test_whole_numbers_have_labels_without_a_point() -> None:
    assert labels_of(convert(numbers("x", [3, np.nan, -1, 0.5]), "category")) == ["3", None, "-1", "0.5"]


def test_a_text_is_named_with_its_row() -> None:
    with pytest.raises(WorkbenchError, match="Column 'x' cannot be a number: 'red' in row 3"):
        convert(texts("x", ["1", None, "red"]), "number")


def test_a_boolean_has_two_values() -> None:
    assert convert(numbers("x", [0, 1, 1]), "boolean").categories == ("0", "1")
    with pytest.raises(WorkbenchError, match="3 values"):
        convert(numbers("x", [0, 1, 2]), "boolean")


def test_dates_keep_their_day_as_a_category() -> None:
    column = convert(texts("day", ["2020-02-29", "2020-02-28"]), "date")
    np.testing.assert_array_equal(column.values, [18321, 18320])
    assert labels_of(convert(column, "category")) == ["2020-02-29", "2020-02-28"]


def test_most_labels_numbers_sets_the_rest_missing_and_says_which() -> None:
    column = texts("price", ["1,5", "2.000,25", "defekt", None, "3", "defekt"])
    changed, notes = change_kind(column, "number")

    np.testing.assert_array_equal(changed.values, np.float32([1.5, 2000.25, np.nan, np.nan, 3, np.nan]))
    assert [note.text for note in notes] == [
        "Column 'price': a comma is read as the decimal point in 2 cells, first in row 1.",
        "Column 'price': a point is read as thousands in 1 cell, row 2.",
        "Column 'price': 2 cells are no number, first in row 3, and set missing: 'defekt'.",
    ]
    with pytest.raises(WorkbenchError, match="'defekt' in row 3 is none"):
        convert(column, "number")
    with pytest.raises(WorkbenchError, match="'a' in row 2 is none"):
        change_kind(texts("x", ["1", "a", "b"]), "number")


def test_numbers_that_are_days_written_without_marks_become_those_days() -> None:
    days = [20200131.0, 20191231.0, np.nan, 20200229.0]
    column, notes = number_column("day", np.array(days))
    assert not notes
    changed = convert(column, "date")
    assert labels_of(convert(changed, "category")) == ["2020-01-31", "2019-12-31", None, "2020-02-29"]
    other = convert(number_column("day", np.array([20200131.0, 20200132.0]))[0], "date")
    np.testing.assert_array_equal(other.values, np.float32([20200131, 20200132]))
    assert convert(numbers("day", [18292, np.nan]), "date").values[0] == 18292
