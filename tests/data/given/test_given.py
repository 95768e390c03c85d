"""Whatever a script gives as rows, columns and targets: read as what it says, or refused in words."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from workbench.data.encoding import encode
from workbench.data.given.answers import answers_of, is_missing
from workbench.data.given.arrays import category_places, dataset_from_arrays
from workbench.data.given.frames import table_from_frame
from workbench.data.given.plain_series import numbers_of
from workbench.data.given.rows import is_pair, places_of, rows_of, taken_out, values_of
from workbench.errors import WorkbenchError, WorkbenchWarning

if TYPE_CHECKING:
    from collections.abc import Callable

pa = pytest.importorskip("pyarrow")

X = np.arange(24.0).reshape(12, 2) % 7
FRAME = pd.DataFrame(
    {
        "a": X[:, 0],
        "whole": pd.array([1, None, 2**53 + 1] * 4, dtype="Int64"),
        "text": ["u", "v", None] * 4,
        "day": pd.date_range("2020-01-30", periods=12),
        "truth": pd.array([True, None, False] * 4, dtype="boolean"),
    }
)
TABLE = pa.Table.from_pandas(FRAME, preserve_index=False)
BIG = 2**53


class Stream:
    """What polars, DuckDB and others are, seen through Arrow's interface alone."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def arrow(values: Any) -> pd.Series:
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([values])))


@pytest.mark.parametrize(
    "give",
    [
        lambda: TABLE,
        lambda: TABLE.to_batches()[0],
        lambda: TABLE.to_reader(),
        lambda: Stream(TABLE),
        lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"),
        lambda: pa.concat_tables([TABLE[:5], TABLE[5:]]),
    ],
)
def test_tables_of_arrow_are_read_as_the_frame_that_they_are(give: Callable[[], Any]) -> None:
    y = np.arange(12.0)
    expected, made = dataset_from_arrays(FRAME, y), dataset_from_arrays(give(), y)
    assert made.schema.features == expected.schema.features
    assert [feature.kind for feature in made.schema.features] == [
        "number", "number", "category", "date", "boolean",
    ]  # fmt: skip
    np.testing.assert_array_equal(made.features, expected.features)
    np.testing.assert_array_equal(encode(expected.schema, give()), expected.features)


@pytest.mark.parametrize(
    ("values", "kind", "first"),
    [
        (pa.array([datetime.date(2020, 1, 2), None], pa.date32()), "date", 18263),
        (pa.array([datetime.date(2020, 1, 2), None], pa.date64()), "date", 18263),
        (pa.array([datetime.datetime(2020, 1, 2, 12), None], pa.timestamp("ns", "UTC")), "date", 18263.5),
        (pa.array(["b", None, "a"]).dictionary_encode(), "category", 1),
        (pa.array([5, None, 3]).dictionary_encode(), "category", 1),
        (pa.array(["b", None, "a"], pa.string_view()), "category", 1),
        (pa.array([Decimal("1.5"), None]), "number", 1.5),
        (pa.array([2**64 - 1, None], pa.uint64()), "number", 2**64),
        (pa.array([True, None]), "boolean", 0),
        (pa.array(np.array([1.5, 2], np.float16)), "number", 1.5),
        (pa.RunEndEncodedArray.from_arrays([1, 3], [1.5, 2.5]), "number", 1.5),
    ],
)
def test_series_of_arrow_have_the_kind_of_their_type(values: Any, kind: str, first: float) -> None:
    column = table_from_frame(pd.DataFrame({"x": arrow(values)})).columns[0]
    assert (column.kind, column.values[0]) == (kind, first)
    assert column.missing == values.null_count


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (arrow(pa.array([[1], [2]])), "'x' holds lists"),
        (arrow(pa.array([{"a": 1}])), "'x' holds records"),
        (arrow(pa.array([b"a", b"b"])), "'x' holds bytes"),
        (pd.Series([[1], [2]]), "'x' holds a list"),
        (pd.Series([{"a": 1}, 2.5]), "'x' holds a dict"),
        (pd.Series([1j, 2.0]), "Complex data not supported. Column 'x'"),
        (pd.Series([1j, "a"], dtype=object), "Complex data not supported. Column 'x'"),
    ],
)
def test_cells_that_are_no_single_values_are_refused(cells: pd.Series, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        table_from_frame(pd.DataFrame({"x": cells}))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "cannot be None"),
        ({"a": [1]}, "cannot be a dict. Give a frame"),
        ("table.csv", "cannot be of type str"),
        ((row for row in X), "cannot be of type generator"),
        ({1, 2}, "cannot be of type set"),
        (3, "cannot be of type int"),
        ([[1, 2], [3]], "differ in length"),
        (X + 1j, "Complex data not supported"),
        ([{"a": 1}], "cannot be records"),
        (np.zeros(3, [("a", float)]), "cannot be records"),
        (pa.chunked_array([[1, 2]]), "are one column"),
    ],
)
def test_what_is_no_table_is_refused_by_what_it_is(given: Any, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        rows_of(given)


@pytest.mark.parametrize("make", ["csr_matrix", "coo_array"])
def test_sparse_matrices_are_rows_with_their_zeros_and_no_target(make: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    assert rows_of(getattr(sparse, make)(X)).tolist() == X.tolist()
    with pytest.raises(WorkbenchError, match="The target cannot be sparse"):
        values_of(getattr(sparse, make)(X), "target")


def test_masked_cells_are_missing() -> None:
    masked = np.ma.MaskedArray(X, mask=X > 5)
    holes = np.where(X > 5, np.nan, X)
    made = dataset_from_arrays(masked, np.arange(12.0))
    np.testing.assert_array_equal(made.features, holes)
    np.testing.assert_array_equal(encode(made.schema, masked), holes)
    whole = dataset_from_arrays(masked.astype(int), np.arange(12.0))
    np.testing.assert_array_equal(whole.features, holes)
    answers = dataset_from_arrays(X, np.ma.MaskedArray(np.arange(12), mask=np.arange(12) < 3))
    assert answers.table_rows.tolist() == list(range(3, 12))
    with pytest.raises(WorkbenchError, match="no weight in row 1"):
        dataset_from_arrays(X, np.arange(12.0), weight=np.ma.MaskedArray(np.ones(12), mask=np.arange(12) < 1))


@pytest.mark.parametrize(
    ("target", "labels", "missing"),
    [
        (pd.array([True, None, False], dtype="boolean"), [False, True], 1),
        (pd.Series([True, pd.NA, False], dtype=object), [False, True], 1),
        (pa.array([True, None, False]), [False, True], 1),
        (np.array([2, 1, 2], object), [1, 2], 0),
        (np.array([2, None, 1], object), [1, 2], 1),
        ([2.5, None, 1.5], [1.5, 2.5], 1),
        ([Decimal("2.5"), Decimal("NaN"), 1], [1.0, 2.5], 1),
        ([np.float32(2), np.int8(1), pd.NA], [1, 2], 1),
        (np.array([BIG, BIG + 1, 5]), [5, BIG, BIG + 1], 0),
        ([BIG, BIG + 1, None, 7], [7, BIG, BIG + 1], 1),
        (pd.array([BIG, BIG + 1, None], dtype="Int64"), [BIG, BIG + 1], 1),
        (pa.chunked_array([[BIG, BIG + 1, None]]), [BIG, BIG + 1], 1),
        (np.array([2**64 - 1, 2**64 - 2], np.uint64), [2**64 - 2, 2**64 - 1], 0),
        ([2**70 + 1, 2**70, -5], [-5, 2**70, 2**70 + 1], 0),
        (["b", float("nan"), "a"], ["a", "b"], 1),
        (["b", None, 1], ["1", "b"], 1),
        (np.array([b"b", b"a"]), ["a", "b"], 0),
        (pd.Categorical(["b", None, "a"], ["a", "b", "c"]), ["a", "b"], 1),
        (pd.Series([datetime.date(1970, 1, 3), None]), [2], 1),
        (pd.Series(pd.to_datetime(["1970-01-03 00:00", None, "1970-01-02 12:00"])), [1.5, 2.0], 1),
        ([[2], [1]], [1, 2], 0),
        (pd.DataFrame({"y": [2, 1]}), [1, 2], 0),
        ([None, None], [], 2),
    ],
)
def test_targets_keep_their_type_and_their_digits(target: Any, labels: list[Any], missing: int) -> None:
    answers = answers_of(target, len(target), "y")
    assert list(answers.labels) == labels
    assert list(map(type, answers.labels)) == list(map(type, labels))
    assert np.count_nonzero(answers.missing) == np.count_nonzero(answers.codes < 0) == missing


def test_two_long_numbers_are_two_classes() -> None:
    assert answers_of([BIG, BIG + 1] * 3, 6, "y").task() == "binary"
    made = dataset_from_arrays(X, [BIG, BIG + 1, 5, 7] * 3, task="multiclass")
    assert made.schema.class_labels == (5, 7, BIG, BIG + 1)
    assert made.target.tolist() == [2, 3, 0, 1] * 3


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (np.arange(12) + 1j, "Complex data not supported: the target 'target'"),
        ([1j, *range(11)], "Complex data not supported"),
        (pd.Series([[1]] * 12), "holds a list"),
        ({"a": 1}, "cannot be a dict"),
        (None, "cannot be None"),
        (FRAME, "has 5 columns where one is needed"),
        ([None] * 12, "'target' has no value"),
    ],
)
def test_targets_that_cannot_be_used_are_refused(target: Any, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        dataset_from_arrays(X, target)


def test_missing_values_are_known_without_asking_them() -> None:
    assert all(map(is_missing, [None, np.nan, pd.NA, pd.NaT, np.float32("nan"), Decimal("NaN")]))
    assert not any(map(is_missing, [0, "", False, "nan", np.ones(2)]))


@pytest.mark.parametrize(
    ("target", "task", "labels"),
    [
        (["yes"], None, ("not yes", "yes")),
        (["no"], None, ("no", "not no")),
        ([True], None, (False, True)),
        ([0], "binary", (0, 1)),
        ([1], "binary", (0, 1)),
        ([-1], "binary", (-1, 1)),
        ([7], "binary", (0, 7)),
        (["a"], "multiclass", ("a", "not a")),
        ([3.5], None, ()),
        ([3.5], "regression", ()),
    ],
)
def test_one_value_in_every_row_is_warned_of(target: list[Any], task: Any, labels: tuple[Any, ...]) -> None:
    with pytest.warns(WorkbenchWarning, match="in every row: nothing can be learnt"):
        made = dataset_from_arrays(X, target * 12, task=task)
    assert made.schema.class_labels == labels
    assert "nothing can be learnt" in made.schema.journal[0].text


def test_the_other_class_is_the_positive_one_where_that_is_named() -> None:
    with pytest.warns(WorkbenchWarning, match="is 'no' in every row"):
        made = dataset_from_arrays(X, ["no"] * 12, positive="yes")
    assert made.schema.class_labels == ("no", "yes")
    assert not made.target.any()


def test_columns_are_found_by_labels_of_any_type() -> None:
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=pd.Index([0, "0", ("a", 1), 2.5], dtype=object))
    assert [places_of(frame, name) for name in (0, "0", ("a", 1), 2.5, "2.5", np.int64(0), True, [0])] == [
        [0], [1], [2], [3], [3], [0], [], [],
    ]  # fmt: skip
    rest, column = taken_out(frame, ("a", 1))
    assert column.tolist() == [3]
    assert list(rest.columns) == [0, "0", 2.5]


@pytest.mark.parametrize(
    ("categories", "places"),
    [
        (["b"], [1]),
        ("b", [1]),
        (pd.Index(["a", "b"]), [0, 1]),
        (np.array([0]), [0]),
        ([-1, "b"], [1]),
        ([False, True], [1]),
        ({"b"}, [1]),
        (None, []),
        ((), []),
    ],
)
def test_categories_are_named_or_placed(categories: Any, places: list[int]) -> None:
    assert category_places(categories, ("a", "b")) == places


@pytest.mark.parametrize(
    ("categories", "words"),
    [
        ([99], "has the place 99; there are 2 columns"),
        ([-3], "has the place -3"),
        ([True], "1 truth values for 2 columns"),
        (["bb"], "names 'bb', which is no column. The nearest is 'b'"),
        (5, "give a list"),
    ],
)
def test_categories_that_no_column_is_are_refused(categories: Any, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        category_places(categories, ("a", "b"))


def test_labels_that_are_numbers_come_before_places() -> None:
    assert category_places([1], ("1", "2"), [1, 2]) == [0]


def test_equal_names_are_refused_where_the_model_needs_one() -> None:
    y = np.arange(12.0)
    schema = dataset_from_arrays(pd.DataFrame(X, columns=["a", "b"]), y).schema
    twice = pd.DataFrame(np.column_stack([X, X[:, 0] + 1]), columns=["a", "b", "a"])
    with pytest.raises(WorkbenchError, match="2 columns called 'a', and the model needs one"):
        encode(schema, twice)
    np.testing.assert_array_equal(encode(schema, twice.set_axis(["a", "b", "c"], axis=1)), X)
    np.testing.assert_array_equal(encode(schema, twice.set_axis(["a ", "b", "a"], axis=1))[:, 0], X[:, 0] + 1)
    both = dataset_from_arrays(twice, y)
    np.testing.assert_array_equal(encode(both.schema, twice), both.features)


def test_rows_with_a_target_are_told_from_rows() -> None:
    y = np.arange(12.0)
    assert all(map(is_pair, [(X, y), [FRAME, y], (X, y, y), (X.tolist(), y), (TABLE, y), ([[1, 2]], [3])]))
    assert not any(map(is_pair, [X, FRAME, (X,), X.tolist(), [[1, 2], [3, 4]], y]))


def test_numbers_of_a_row_each() -> None:
    for given in ([1, None], pd.array([1, None], dtype="Int64"), pa.array([1, None]), [[1], [np.nan]]):
        np.testing.assert_array_equal(numbers_of(given, "weight"), [1, np.nan])
    for given in (["a", "b"], np.ones(2) + 1j):
        with pytest.raises(WorkbenchError, match="weight holds"):
            numbers_of(given, "weight")


def test_columns_that_only_tell_rows_apart_are_used_and_warned_of() -> None:
    frame = pd.DataFrame({"id": range(30), "code": [f"n{i}" for i in range(30)], "x": np.arange(30) % 7.0})
    with pytest.warns(WorkbenchWarning) as warned:
        made = dataset_from_arrays(frame, np.arange(30.0))
    assert made.schema.names == ("id", "code", "x")
    assert [str(one.message).split("'")[1] for one in warned] == ["id", "code"]
    assert warned[0].filename == __file__
    assert [note.column for note in made.schema.journal] == ["id", "code"]
