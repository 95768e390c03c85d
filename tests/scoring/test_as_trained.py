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
from workbench.formats.load import load_model
from workbench.formats.own.schema_record import schema_of, schema_record

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


def test_what_was_guessed_for_training_holds_too(tmp_path, table, model, capsys):
    schema = load_model(model).schema
    assert dict(schema.settled) == {"decimal": ",", "missing": ("9",), "dates": "dmy"}
    open_model = tmp_path / "open.json"
    flags = ["--target", "y", "--rounds", "2", "--export", str(open_model), "--quiet"]
    assert main(["train", str(table), *flags]) == 0
    capsys.readouterr()
    assert main(["predict", str(open_model), str(table), "--output", str(tmp_path / "p.csv")]) == 0
    said = capsys.readouterr().err
    assert "doubtful" not in said
    assert "'amount': no first number tells the decimal sign; as for training, it is the point." in said
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


@pytest.mark.slow
def test_later_rows_that_tell_another_order_are_told(tmp_path, of_days, capsys):
    cells = dated([(3, 11)] * 60_000) + dated([(25, 1)] * 7, month_first=True)
    predicted(of_days, write_as(tmp_path / "late.csv", cells), tmp_path)
    said = capsys.readouterr().err
    assert (
        "warning: Column 'when': the day is read as the first part of dates, and 7 cells tell otherwise, "
        "first '01/25/2020' in row 60,001. Where all are so, give the other order." in said
    )
    assert "7 cells are no dates and taken as missing" in said


@pytest.mark.parametrize("suffix", [".xlsx", ".jsonl"])
def test_rows_of_another_order_are_told_of_every_kind_of_file(tmp_path, of_days, capsys, suffix):
    cells = dated([(25, 11)] * 30) + dated([(25, 1)] * 2, month_first=True)
    predicted(of_days, write_as(tmp_path / f"late{suffix}", cells), tmp_path)
    said = capsys.readouterr().err
    assert "the day is read as the first part of dates, and 2 cells tell otherwise, as 01/25/2020" in said


def test_python_reads_dates_in_the_order_of_training(tmp_path, of_days):
    model = load_model(of_days)
    path = write_as(tmp_path / "open.csv", dated([(3, 11), (7, 1)]))
    expected = predicted(of_days, path, tmp_path).astype(np.float32)
    frame = pd.read_csv(path)
    np.testing.assert_array_equal(model.predict(frame), expected)
    np.testing.assert_array_equal(model.predict(frame.iloc[:1]), expected[:1])
    path = write_as(tmp_path / "other.csv", dated([(3, 11), (25, 1)], month_first=True))
    np.testing.assert_array_equal(
        model.predict(pd.read_csv(path)), predicted(of_days, path, tmp_path).astype(np.float32)
    )


def test_python_reads_texts_as_was_settled_for_training(tmp_path, table, model):
    loaded = load_model(model)
    expected = predicted(model, table, tmp_path).astype(np.float32)
    frame = pd.read_csv(table, sep=";")
    np.testing.assert_array_equal(loaded.predict(frame), expected)
    np.testing.assert_array_equal(loaded.predict(frame.astype({"code": float})), expected)
    np.testing.assert_array_equal(loaded.predict(frame.astype({"code": str})), expected)


# --- a decimal sign that the training table showed --------------------------------------------------------


def write_cells(path, cells, **more):
    frame = pd.DataFrame({"x": cells, "z": [f"c{i % 3}" for i in range(len(cells))], **more})
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(row) for row in frame.to_dict("records")))
    else:
        frame.to_csv(path, index=False, sep=";")
    return path


def with_comma(value):
    return f"{value:,.3f}".translate(str.maketrans(",.", ".,"))


VALUES = [i * 1.25 for i in range(1, 1200, 7)]


def of_signs(tmp_path, write, n_more=None):
    more = {} if n_more is None else {"n": n_more}
    path = write_cells(tmp_path / "signs.csv", [write(value) for value in VALUES], y=VALUES, **more)
    flags = ["--target", "y", "--rounds", "60", "--min-child-weight", "0", "--quiet", "--kind", "y=number"]
    assert main(["train", str(path), *flags, "--export", str(tmp_path / "s.json")]) == 0
    return tmp_path / "s.json"


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl"])
@pytest.mark.parametrize(("write", "open_cells"), [
    (with_comma, ["1,234", "2,500", "1.231"]), ("{:,.3f}".format, ["1,234", "2.500", "1.231"]),
])  # fmt: skip
def test_a_decimal_sign_that_training_showed_holds_where_a_table_leaves_it_open(
    tmp_path, capsys, suffix, write, open_cells
):
    model = of_signs(tmp_path, write)
    sign = "," if write is with_comma else "."
    assert load_model(model).schema.features[0].writing.decimal == sign
    capsys.readouterr()
    path = write_cells(tmp_path / f"open{suffix}", open_cells)
    found = predicted(model, path, tmp_path)
    said = capsys.readouterr().err
    assert "doubtful" not in said
    other = "." if sign == "," else ","
    meant = [float(cell.replace(other, "").replace(sign, ".")) for cell in open_cells]
    np.testing.assert_allclose(found, meant, atol=25)
    if suffix == ".csv":
        word = "comma" if sign == "," else "point"
        assert f"'x': no first number tells the decimal sign; as for training, it is the {word}." in said


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl"])
def test_another_decimal_sign_than_in_training_is_told(tmp_path, capsys, suffix):
    model = of_signs(tmp_path, with_comma)
    capsys.readouterr()
    found = predicted(model, write_cells(tmp_path / f"t{suffix}", ["1.5", "1,234.5", "20.25"]), tmp_path)
    assert (
        "warning: Column 'x': a point is the decimal sign here, and a comma was where the model was trained. "
        "It is read as it stands here." in capsys.readouterr().err
    )
    np.testing.assert_allclose(found, [1.5, 1234.5, 20.25], atol=25)


def test_a_column_that_shows_no_decimal_sign_has_that_of_the_others(tmp_path):
    model = of_signs(tmp_path, with_comma, n_more=[round(value) for value in VALUES])
    path = tmp_path / "t.csv"
    path.write_text("x;n\n1,25;1.234\n1,25;12\n")
    scored = predicted(model, path, tmp_path)
    path.write_text("x;n\n1,25;1234\n1,25;12\n")
    np.testing.assert_array_equal(scored, predicted(model, path, tmp_path))


def test_a_file_cannot_tell_a_decimal_sign_that_does_not_exist(tmp_path):
    record = schema_record(load_model(of_signs(tmp_path, with_comma)).schema)
    record["features"][0]["decimal"] = ";"
    with pytest.raises(WorkbenchError, match="decimal sign"):
        schema_of(record)


def test_python_reads_numbers_with_the_sign_of_training(tmp_path):
    model = load_model(of_signs(tmp_path, with_comma))
    frame = pd.DataFrame({"x": ["1,234", "1.231"], "z": ["c0", "c1"]})
    expected = model.predict(frame.assign(x=[1.234, 1231.0]))
    np.testing.assert_array_equal(model.predict(frame), expected)


# --- the names and words of the model ---------------------------------------------------------------------


def test_the_columns_of_a_model_are_known_where_names_recur_below(tmp_path, capsys):
    rows = [f"{word},c{i % 3},{i}" for i, word in enumerate(["1", "2", "x"] * 40)]
    (tmp_path / "t.csv").write_text("\n".join(["x,z,y", *rows]) + "\n")
    model = tmp_path / "m.json"
    flags = ["--target", "y", "--rounds", "3", "--quiet", "--export", str(model)]
    assert main(["train", str(tmp_path / "t.csv"), *flags]) == 0
    capsys.readouterr()
    (tmp_path / "s.csv").write_text("x,z\nx,c1\nx,c1\n2,z\n")
    assert len(predicted(model, tmp_path / "s.csv", tmp_path)) == 3
    said = capsys.readouterr().err
    assert "first line is taken" not in said
    assert "doubtful" not in said


def test_truth_values_are_known_in_any_letters(tmp_path, capsys):
    rows = [f"{word},{i},{10 * (word == 'yes')}" for i, word in enumerate(["yes", "no"] * 40)]
    (tmp_path / "t.csv").write_text("\n".join(["x,z,y", *rows]) + "\n")
    model = tmp_path / "m.json"
    flags = ["--target", "y", "--rounds", "9", "--quiet", "--objective", "squared", "--export", str(model)]
    assert main(["train", str(tmp_path / "t.csv"), *flags]) == 0
    capsys.readouterr()
    (tmp_path / "s.csv").write_text("x,z\nYes,1\nNO,1\nyes,1\nno,1\n")
    found = predicted(model, tmp_path / "s.csv", tmp_path)
    np.testing.assert_array_equal(found[:2], found[2:])
    assert found[0] > found[1]
    assert "new categories" not in capsys.readouterr().err
    frame = pd.read_csv(tmp_path / "s.csv")
    np.testing.assert_array_equal(load_model(model).predict(frame), found.astype(np.float32))
