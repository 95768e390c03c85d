"""Rows held out by a column: whole groups, the latest rows, those that it names; and found again."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import TimeSeriesSplit

import workbench
from workbench.data.dataset import build_dataset
from workbench.data.given.frames import table_from_frame
from workbench.data.schema import Split
from workbench.data.split_columns import likely_column, rows_by_column
from workbench.data.splits import hold_out_latest
from workbench.errors import WorkbenchError

DAYS = pd.to_datetime(["2024-01-01", None, "2024-01-03", None])


def frame(n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    made = pd.DataFrame({
        "x": rng.normal(size=n), "customer": rng.integers(0, 17, n),
        "day": pd.date_range("2024-01-01", periods=n),
        "part": rng.choice(["train", "valid"], n), "y": rng.integers(0, 2, n),
    })  # fmt: skip
    return made.sample(frac=1, random_state=5).reset_index(drop=True)


def split_of(table, by, column, fraction=0.25, seed=0):
    every = np.arange(table.n_rows)
    return rows_by_column(table.column(column), every, Split(fraction, seed, True, by, column))


def test_the_latest_rows_are_held_out_and_equal_moments_stay_together() -> None:
    moments = np.array([3.0, 1, 2, 2, 5, 5, 4, 5])
    train, valid = hold_out_latest(moments, 0.25)
    assert valid.tolist() == [4, 5, 7]  # three rows are of the last moment
    assert moments[train].max() < moments[valid].min()
    whole = hold_out_latest(np.arange(30.0), 1 / 6)
    assert whole[1].tolist() == list(TimeSeriesSplit(5).split(np.zeros(30)))[-1][1].tolist()


def test_by_time_by_groups_and_by_name() -> None:
    rows = frame()
    table = table_from_frame(rows)
    train, valid = split_of(table, "time", "day")
    assert rows.day[train].max() < rows.day[valid].min()
    assert len(valid) == 30
    train, valid = split_of(table, "groups", "customer")
    assert not set(rows.customer[train]) & set(rows.customer[valid])
    train, valid = split_of(table, "column", "part")
    assert (rows.part[valid] == "valid").all()
    assert (rows.part[train] == "train").all()
    likely = [likely_column(table, by, "y") for by in ("time", "groups", "column")]
    assert likely == ["day", "customer", "part"]


@pytest.mark.parametrize(("by", "values", "words"), [
    ("time", DAYS, "no value in 2 rows, the first of them row 2"),
    ("time", ["a", "b", "c", "d"], "text where dates or numbers are needed"),
    ("time", [1.0, 1, 1, 1], "one moment only"),
    ("groups", ["a", "a", "a", "a"], "one group only"),
    ("column", ["train", "train", "train", "train"], "names no row held out"),
    ("column", ["valid", "valid", "valid", "valid"], "names no row to train on"),
    ("column", ["train", "valid", "later", "train"], "says 'later' in row 3"),
    ("column", [0, 1, None, 1], "no value in row 3"),
])  # fmt: skip
def test_what_cannot_be_is_one_clear_line(by, values, words) -> None:
    table = table_from_frame(pd.DataFrame({"c": values}))
    with pytest.raises(WorkbenchError, match=words) as refused:
        split_of(table, by, "c")
    assert "\n" not in str(refused.value)


def test_test_rows_beside_valid_are_in_neither_part() -> None:
    table = table_from_frame(pd.DataFrame({"c": ["train", "test", "valid", "train"]}))
    train, valid = split_of(table, "column", "c")
    assert (train.tolist(), valid.tolist()) == ([0, 3], [2])


WAYS = (
    {"valid_fraction": 0.3}, {"valid_fraction": 0.3, "split_seed": 9},
    {"valid_fraction": 0.3, "valid_groups": "customer"}, {"valid_fraction": 0.2, "valid_time": "day"},
    {"valid_column": "part"}, {"valid_fraction": 0.3, "group": "customer"},
)  # fmt: skip
NAMED = ("valid_groups", "valid_time", "valid_column", "group")
FIND = """
import sys, json, pandas, workbench
for number in range(int(sys.argv[2])):
    model = workbench.load_model(f"{sys.argv[1]}/{number}.json")
    found = model.held_out(pandas.read_pickle(f"{sys.argv[1]}/{number}.pkl"))
    print(json.dumps([found.train.tolist(), found.valid.tolist()]))
"""


def figures(model):
    return [{k: v for k, v in record.items() if k != "seconds"} for record in model.history]


@pytest.mark.slow
def test_the_rows_are_found_again_from_the_model_file_in_another_process(tmp_path) -> None:
    rows, made = frame(), []
    rows["y"] = rows.y + 0.5 * rows.x
    rows.loc[[4, 60], "y"] = np.nan  # rows without an answer are in neither part
    for number, given in enumerate(WAYS):
        kept = rows.drop(columns=[name for name in ("day", "part") if name not in given.values()])
        model = workbench.fit(kept, target="y", rounds=2, max_depth=2, **given)
        model.save(tmp_path / f"{number}.json")
        kept.to_pickle(tmp_path / f"{number}.pkl")
        made.append((given, kept, model))
    told = [sys.executable, "-c", FIND, str(tmp_path), str(len(WAYS))]
    said = subprocess.run(told, capture_output=True, text=True, check=True)
    for (given, kept, model), line in zip(made, said.stdout.splitlines(), strict=True):
        train, valid = json.loads(line)
        assert (len(train), len(valid)) == (model.provenance["n_train"], model.provenance["n_valid"])
        assert not {4, 60} & {*train, *valid}
        used = kept.drop(columns=[given[name] for name in NAMED if name in given])
        apart = workbench.fit(used.iloc[train], target="y", valid=used.iloc[valid], rounds=2, max_depth=2)
        assert figures(apart) == figures(model), given


def test_a_second_table_is_the_hold_out() -> None:
    first, second = table_from_frame(frame(100), "a"), table_from_frame(frame(40), "b")
    roles = dict.fromkeys(first.names, "feature") | {"y": "target", "day": "ignore"}
    made = build_dataset(first, roles, "binary", valid=second)
    assert (len(made.train_rows), len(made.valid_rows)) == (100, 40)
    assert made.valid_rows.min() == made.table_rows[made.valid_rows].min() == 100
    np.testing.assert_array_equal(made.features[100:], build_dataset(second, roles, "binary").features)
    without = table_from_frame(frame(40).drop(columns="y"), "b")
    with pytest.raises(WorkbenchError, match="b cannot be the hold-out: There is no column 'y'"):
        build_dataset(first, roles, "binary", valid=without)


def test_ways_that_clash_are_refused() -> None:
    rows = frame()
    for given, words in (
        ({"valid_groups": "customer"}, "needs the share"),
        ({"valid_column": "part", "valid_fraction": 0.2}, "leave valid_fraction out"),
        ({"valid_column": "part", "valid_time": "day"}, "held out in one way"),
        ({"valid_fraction": 0.2, "valid_time": "dya"}, "no single column 'dya'"),
    ):
        with pytest.raises(WorkbenchError, match=words):
            workbench.fit(rows, target="y", **given)
