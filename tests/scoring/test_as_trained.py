"""Cells of a table that is scored are read as the training table's were settled, and that is told."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from workbench.__main__ import main
from workbench.data.readers.options import ReadOptions
from workbench.data.schema import DataSchema, Feature
from workbench.errors import WorkbenchError
from workbench.formats.model import load_model
from workbench.formats.schema_record import schema_of, schema_record

FLAGS = ["--dates", "dmy", "--decimal", "comma", "--missing", "9"]


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        f"{d:02}/{m:02}/2020;{v // 1000},{v % 1000:03};{rng.integers(1, 10)};{d + m * v / 1000}"
        for d, m, v in rng.integers((1, 1, 1000), (13, 13, 9999), (80, 3))
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["when;amount;code;y", *rows]) + "\n")
    return path


@pytest.fixture
def model(tmp_path, table):
    path = tmp_path / "model.json"
    flags = ["--target", "y", "--rounds", "20", "--min-child-weight", "0", "--export", str(path), "--quiet"]
    assert main(["train", str(table), *flags, *FLAGS]) == 0
    return path


def test_what_was_settled_holds_for_the_next_table(tmp_path, table, model, capsys):
    settled, left_open, otherwise = (tmp_path / f"{name}.csv" for name in ("settled", "open", "otherwise"))
    assert main(["predict", str(model), str(table), "--output", str(settled), *FLAGS]) == 0
    assert capsys.readouterr().err == ""
    assert main(["predict", str(model), str(table), "--output", str(left_open)]) == 0
    said = capsys.readouterr().err
    assert said == (
        "note: Cells are read as they were for training: a comma is the decimal sign; 9 stands for missing; "
        "dates begin with the day.\n"
    )
    assert left_open.read_bytes() == settled.read_bytes()
    assert main(["predict", str(model), str(table), "--output", str(otherwise), "--dates", "mdy"]) == 0
    assert otherwise.read_bytes() != settled.read_bytes()


def test_doubts_are_told_where_nothing_was_settled(tmp_path, table, model, capsys):
    schema = load_model(model).schema
    assert dict(schema.settled) == {"decimal": ",", "missing": ("9",), "dates": "dmy"}
    open_model = tmp_path / "open.json"
    flags = ["--target", "y", "--rounds", "2", "--export", str(open_model), "--quiet"]
    assert main(["train", str(table), *flags]) == 0
    capsys.readouterr()
    assert main(["predict", str(open_model), str(table), "--output", str(tmp_path / "p.csv")]) == 0
    said = capsys.readouterr().err
    assert "doubtful: 'amount' has" in said
    assert "--decimal" in said
    assert "'when': no first date tells day from month; as for training, the month comes first." in said


def test_a_file_cannot_settle_what_does_not_exist():
    schema = DataSchema((Feature("a", "number"),), "y", "regression", settled=(("usual_missing", False),))
    record = schema_record(schema)
    assert schema_of(record) == schema
    for settled in ({"decimal": "x"}, {"dates": 3}, {"missing": "9"}, [1]):
        with pytest.raises(WorkbenchError):
            schema_of(record | {"settled": settled})
    assert ReadOptions(dates="mdy").filled(schema.settled) == ReadOptions(dates="mdy", usual_missing=False)


# --- an order of dates that the training table told ------------------------------------------------------


DAYS = [(day, month) for month in range(1, 13) for day in (1, 3, 7, 12, 25)]


def dated(rows, month_first=False):
    order = [(month, day) if month_first else (day, month) for day, month in rows]
    return [f"{first:02}/{second:02}/2020" for first, second in order]


def write_as(path, cells):
    frame = pd.DataFrame({"when": cells, "z": [i % 3 for i in range(len(cells))]})
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(row) for row in frame.to_dict("records")))
    else:
        frame.to_csv(path, index=False)
    return path


@pytest.fixture
def of_days(tmp_path):
    """A model of a table in which a 25 tells that the day comes first."""
    path = tmp_path / "days.csv"
    frame = pd.DataFrame({"when": dated(DAYS), "z": [i % 3 for i in range(len(DAYS))]})
    frame["y"] = [100 * month + day for day, month in DAYS]
    frame.to_csv(path, index=False)
    flags = ["--target", "y", "--rounds", "30", "--min-child-weight", "0", "--quiet"]
    assert main(["train", str(path), *flags, "--export", str(tmp_path / "m.json")]) == 0
    return tmp_path / "m.json"


def predicted(model, path, tmp_path, *flags):
    out = tmp_path / "out.csv"
    assert main(["predict", str(model), str(path), "--output", str(out), *flags]) == 0
    return pd.read_csv(out)["prediction"].to_numpy()


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl"])
def test_an_order_that_training_told_holds_where_a_table_leaves_it_open(tmp_path, of_days, capsys, suffix):
    assert load_model(of_days).schema.features[0].writing.order == "dmy"
    path = write_as(tmp_path / f"open{suffix}", dated([(3, 11), (7, 1)]))
    found = predicted(of_days, path, tmp_path)
    said = capsys.readouterr().err
    assert "doubtful" not in said
    assert "the first part of a date is read as the day" in said or "the day comes first" in said
    np.testing.assert_array_equal(found, predicted(of_days, path, tmp_path, "--dates", "dmy"))
    assert abs(found[0] - 1103) < 150
    assert abs(found[1] - 107) < 150


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl"])
def test_another_order_than_in_training_is_told(tmp_path, of_days, capsys, suffix):
    path = write_as(tmp_path / f"other{suffix}", dated([(3, 11), (25, 1)], month_first=True))
    found = predicted(of_days, path, tmp_path)
    assert (
        "warning: Column 'when': dates begin with the month here, and began with the day where the model was "
        "trained. They are read as they stand here." in capsys.readouterr().err
    )
    assert abs(found[0] - 1103) < 150


def test_a_file_cannot_tell_an_order_that_does_not_exist(of_days):
    record = schema_record(load_model(of_days).schema)
    assert schema_of(record).features[0].writing.order == "dmy"
    record["features"][0]["order"] = "ymd"
    with pytest.raises(WorkbenchError, match="order of dates"):
        schema_of(record)
