"""From a table and its roles to what a trainer is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from tests.data.making import numbers, table, texts
from workbench.data.dataset import build_dataset
from workbench.data.given.arrays import dataset_from_arrays
from workbench.data.reading import read_table
from workbench.data.roles import guess_roles
from workbench.data.samples import sample_file
from workbench.data.table import Column
from workbench.errors import Cancelled, WorkbenchError

if TYPE_CHECKING:
    from workbench.data.schema import Role

MADE = table(
    numbers("x", [1, 2, np.nan, 4]),
    texts("c", ["b", "a", None, "b"]),
    numbers("w", [1, 0, 2, 3]),
    texts("y", ["yes", "no", None, "yes"]),
)
ROLES = {"x": "feature", "c": "feature", "w": "weight", "y": "target"}


def test_rows_without_a_target_are_left_out() -> None:
    made = build_dataset(MADE, ROLES, valid_fraction=0)
    assert made.schema.names == ("x", "c")
    assert made.schema.class_labels == ("no", "yes")
    assert made.features.flags.f_contiguous
    np.testing.assert_array_equal(made.features, [[1, 1], [2, 0], [4, 1]])
    np.testing.assert_array_equal(made.target, [1, 0, 1])
    np.testing.assert_array_equal(made.weight, [1, 0, 3])
    np.testing.assert_array_equal(made.table_rows, [0, 1, 3])
    assert made.dropped == 1
    assert len(made.valid_rows) == 0


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (["no", "yes"], "yes"),
        (["malignant", "benign"], "malignant"),
        (["dead", "alive"], "dead"),
        (["a", "b"], "b"),
        (["false", "true"], True),
        ([0, 1], 1),
        ([-1, 1], 1),
        (["negative", "positive"], "positive"),
    ],
)
def test_the_positive_class_is_second(labels: list[str], positive: object) -> None:
    column = texts("y", labels * 3) if isinstance(labels[0], str) else numbers("y", labels * 3)
    made = build_dataset(table(numbers("x", range(6)), column), {"x": "feature", "y": "target"})
    assert made.schema.task == "binary"
    assert made.schema.class_labels[1] == positive
    assert type(made.schema.class_labels[1]) is type(positive)


def test_the_person_may_choose_the_positive_class() -> None:
    made = build_dataset(MADE, ROLES, positive="no", valid_fraction=0)
    assert made.schema.class_labels == ("yes", "no")
    np.testing.assert_array_equal(made.target, [0, 1, 0])
    with pytest.raises(WorkbenchError, match="no class 'maybe'"):
        build_dataset(MADE, ROLES, positive="maybe")


def test_number_codes_as_classes_keep_their_type() -> None:
    codes = table(numbers("x", range(9)), numbers("y", [2, 5, 9] * 3))
    made = build_dataset(codes, {"x": "feature", "y": "target"}, "multiclass")
    assert made.schema.class_labels == (2, 5, 9)
    assert [type(label) for label in made.schema.class_labels] == [int, int, int]


@pytest.mark.parametrize(
    ("roles", "task", "words"),
    [
        ({"x": "feature"}, None, "No column is the target"),
        ({"y": "target"}, None, "no column is a feature"),
        ({"x": "feature", "c": "target"}, "regression", "column 'c' has text where numbers are needed"),
        ({"x": "feature", "w": "target"}, "binary", "has 4 classes where two are needed"),
        ({"x": "feature", "same": "target"}, None, "column 'same' is 5 in every row"),
        ({"x": "feature", "one": "target"}, "binary", "column 'one' has one value 'a'"),
        ({"x": "feature", "nothing": "target"}, "regression", "'nothing' has a value in no row"),
        ({"c": "feature", "w": "target", "y": "weight"}, None, "'y' has text where weights are needed"),
        ({"c": "feature", "w": "target", "x": "weight"}, "regression", "no weight in row 3"),
        ({"c": "feature", "w": "target", "minus": "weight"}, "regression", "a negative weight in row 2"),
        ({"c": "feature", "w": "target", "zero": "weight"}, "regression", "weight is zero in every row"),
    ],
)
def test_what_cannot_train_is_said_in_words(roles: dict[str, str], task: str | None, words: str) -> None:
    more = [numbers("same", [5] * 4), texts("one", ["a"] * 4), numbers("nothing", [np.nan] * 4),
            numbers("minus", [1, -1, 1, 1]), numbers("zero", [0] * 4)]  # fmt: skip
    with pytest.raises(WorkbenchError, match=words):
        build_dataset(table(*MADE.columns, *more), roles, task)


@pytest.mark.parametrize(("role", "what"), [("weight", "weights"), ("offset", "offsets")])
def test_dates_are_no_weights_and_no_offsets(role: Role, what: str) -> None:
    days = Column("d", "date", np.array([1, 2, 3, 4], np.float32))
    with pytest.raises(WorkbenchError, match=f"column 'd' has dates where {what} are needed"):
        build_dataset(table(*MADE.columns, days), {"x": "feature", "d": role, "y": "target"})


def test_arrays_and_table_give_the_same() -> None:
    x = np.array([[1, 2], [3, np.nan], [5, 6], [7, 8.5]])
    from_arrays = dataset_from_arrays(
        x, np.array(["a", "b", "a", "b"]), weight=[1, 2, 3, 4], valid_fraction=0.5
    )
    from_table = build_dataset(
        table(
            numbers("f0", x[:, 0]),
            numbers("f1", x[:, 1]),
            numbers("w", [1, 2, 3, 4]),
            texts("y", list("abab")),
        ),
        {"f0": "feature", "f1": "feature", "w": "weight", "y": "target"}, valid_fraction=0.5,
    )  # fmt: skip
    for name in ("features", "target", "weight", "train_rows", "valid_rows", "table_rows"):
        np.testing.assert_array_equal(getattr(from_arrays, name), getattr(from_table, name))
    assert from_arrays.schema.class_labels == ("a", "b")


def test_validation_rows_given_apart() -> None:
    frame = pd.DataFrame({"c": ["u", "v", "u"], "x": [1.0, 2, 3]})
    apart = pd.DataFrame({"x": [4.0, 5], "c": ["v", "new"]})
    made = dataset_from_arrays(frame, [True, False, True], valid=(apart, [False, True]))
    np.testing.assert_array_equal(made.features, [[0, 1], [1, 2], [0, 3], [1, 4], [2, 5]])
    np.testing.assert_array_equal(made.target, [1, 0, 1, 0, 1])
    assert made.train_rows.tolist() == [0, 1, 2]
    assert made.valid_rows.tolist() == [3, 4]
    with pytest.raises(WorkbenchError, match="which the training target has not"):
        dataset_from_arrays(frame, ["a", "b", "a"], valid=(apart, ["a", "z"]))


def test_arrays_that_cannot_be_used_are_refused() -> None:
    x = np.ones((3, 2))
    with pytest.raises(WorkbenchError, match=r"target has shape \(2,\)"):
        dataset_from_arrays(x, [1, 2])
    with pytest.raises(WorkbenchError, match="features have shape"):
        dataset_from_arrays(np.ones(3), [1, 2, 3])


@pytest.mark.parametrize("beyond", [np.inf, -np.inf, 1e39, -3.5e38])
def test_what_is_infinite_is_missing_and_told_in_arrays_as_in_frames(beyond: float) -> None:
    x, y = np.array([[1, 2], [3, beyond], [5, 6]]), [1.0, 2, 3]
    text = "Column 'f1': 1 cell is infinite or beyond 3.4e38, in row 2, and set missing."
    for given in (x, x.tolist(), pd.DataFrame(x, columns=["f0", "f1"])):
        made = dataset_from_arrays(given, y, task="regression")
        np.testing.assert_array_equal(made.features[:, 1], np.float32([2, np.nan, 6]))
        assert [note.text for note in made.schema.journal] == [text]
    assert x[1, 1] == beyond


def test_regression_targets_of_arrays_keep_double_precision() -> None:
    y = np.array([1.0, 1.0 + 1e-12, 2.0])
    np.testing.assert_array_equal(dataset_from_arrays(np.ones((3, 1)), y, task="regression").target, y)


def test_no_query_is_on_both_sides() -> None:
    bakers = read_table(sample_file("baking_contest_ranking"))
    roles = guess_roles(bakers)
    assert roles["query_id"] == "group"
    made = build_dataset(bakers, roles, seed=5)
    queries = bakers.column("query_id").values[made.table_rows]
    assert len(made.valid_rows) > 0
    assert not set(queries[made.train_rows]) & set(queries[made.valid_rows])
    assert abs(len(made.valid_rows) / len(queries) - 0.25) < 0.01


def test_it_can_be_cancelled_before_each_column() -> None:
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) == calls

    roles = {"x": "feature", "z": "feature", "y": "target"}
    columns = table(numbers("x", range(6)), numbers("z", range(6)), numbers("y", range(6)))
    for calls in range(1, 5):
        asked.clear()
        with pytest.raises(Cancelled):
            build_dataset(columns, roles, cancelled=cancelled)
        assert len(asked) == calls
