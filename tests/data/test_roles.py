"""The guesses: right on every shipped table, and sensible on others."""

from __future__ import annotations

import numpy as np
import pytest

from tests.data.making import numbers, table, texts
from workbench.data.reading import read_table
from workbench.data.roles import guess_roles, guess_task
from workbench.data.samples import SAMPLES, SampleTable

TASKS = ("multiclass", "binary")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_shipped_tables(sample: SampleTable) -> None:
    read = read_table(sample.path)
    roles = guess_roles(read)
    expected = {sample.target: "target", sample.weight: "weight", sample.group: "group"}
    expected |= dict.fromkeys(sample.drop, "ignore")
    assert roles == {name: expected.get(name, "feature") for name in read.names}
    expected_task = sample.task if sample.task in TASKS else "regression"
    assert guess_task(read.column(sample.target)) == expected_task


@pytest.mark.parametrize(
    ("names", "target"),
    [
        (["a", "b", "c"], "c"),
        (["target", "b", "c"], "target"),
        (["a", "Y", "c"], "Y"),
        (["class", "b"], "class"),
        (["a", "class", "price"], "price"),
        (["y", "weights"], "y"),
        (["x", "sample_weight"], "x"),
    ],
)
def test_target_by_name(names: list[str], target: str) -> None:
    roles = guess_roles(table(*(numbers(name, [1, 2, 3, 1]) for name in names)))
    assert [name for name, role in roles.items() if role == "target"] == [target]


def test_identifiers_and_empty_columns_are_ignored() -> None:
    count = 40
    roles = guess_roles(
        table(
            numbers("id", range(count)),
            texts("uuid", [f"{number:x}-{number}" for number in range(count)]),
            numbers("year", range(1900, 1900 + count)),
            numbers("nothing", [np.nan] * count),
            numbers("y", [0, 1] * (count // 2)),
        )
    )
    assert roles == {"id": "ignore", "uuid": "ignore", "year": "feature", "nothing": "ignore", "y": "target"}


def test_measured_numbers_are_no_identifiers() -> None:
    halves = [number / 2 for number in range(40)]
    columns = [numbers(name, halves) for name in ("column 1", "refractive index")]
    roles = guess_roles(table(*columns, numbers("y", [0, 1] * 20)))
    assert roles == {"column 1": "feature", "refractive index": "feature", "y": "target"}


def test_the_weight_of_a_body_is_no_row_weight() -> None:
    body = table(numbers("weight", [60, 70]), numbers("height", [1.7, 1.8]), numbers("y", [1, 2]))
    plain = table(numbers("weight", [1, 2]), numbers("x", [1.7, 1.8]), numbers("y", [1, 2]))
    assert guess_roles(body)["weight"] == "feature"
    assert guess_roles(plain)["weight"] == "weight"
    dried = table(numbers("weight", [4.17, 5.58, 5.18]), texts("group", ["a", "b", "b"]))
    assert guess_roles(dried) == {"weight": "feature", "group": "target"}


@pytest.mark.parametrize(
    ("values", "task"),
    [
        ([0, 1, 0, 1], "binary"),
        ([-1, 1, np.nan], "binary"),
        ([2.5, 7.5] * 3, "binary"),
        ([0, 1, 2] * 9, "multiclass"),
        ([0, 3, 6] * 9, "regression"),
        (range(100), "regression"),
        ([0] * 500 + [1] * 99 + [2, 3, 4], "regression"),
    ],
)
def test_task_of_numbers(values: list[float], task: str) -> None:
    assert guess_task(numbers("count", values)) == task


@pytest.mark.parametrize("name", ["Obs", "case", "No.", "Sr. No", "idcase", "DocId", "orig_index"])
def test_a_count_of_the_rows_is_no_feature(name: str) -> None:
    y = numbers("y", [0, 1] * 20)
    assert guess_roles(table(numbers(name, range(1, 41)), y))[name] == "ignore"
    assert guess_roles(table(numbers(name, [*range(2, 41), 2]), y))[name] == "feature"
    assert guess_roles(table(numbers("time", range(1, 41)), y))["time"] == "feature"


@pytest.mark.parametrize("remarks", [["late", None, None, None, None], ["late"] * 5])
def test_a_column_that_is_mostly_missing_or_constant_is_not_guessed_as_the_target(
    remarks: list[str | None],
) -> None:
    known = [numbers("x", [1, 2, 3, 1, 2]), numbers("price", [1, 2, 3, 4, 5])]
    assert guess_roles(table(*known, texts("remark", remarks)))["price"] == "target"
