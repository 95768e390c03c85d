"""Cells of a table that is scored are read as the training table's were settled, and that is told."""

from __future__ import annotations

import numpy as np
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
    assert "doubtful: 'when' has" in said
    assert "--dates" in said


def test_a_file_cannot_settle_what_does_not_exist():
    schema = DataSchema((Feature("a", "number"),), "y", "regression", settled=(("usual_missing", False),))
    record = schema_record(schema)
    assert schema_of(record) == schema
    for settled in ({"decimal": "x"}, {"dates": 3}, {"missing": "9"}, [1]):
        with pytest.raises(WorkbenchError):
            schema_of(record | {"settled": settled})
    assert ReadOptions(dates="mdy").filled(schema.settled) == ReadOptions(dates="mdy", usual_missing=False)
