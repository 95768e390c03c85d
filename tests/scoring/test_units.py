"""Numbers with units, scored by a model that was trained on one unit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import WorkbenchError, load_model
from workbench.__main__ import main
from workbench.data.values.units import factor_between
from workbench.formats.own.schema_record import schema_of, schema_record

if TYPE_CHECKING:
    from pathlib import Path

WEIGHTS = [0.05 * i for i in range(1, 200)]
TABLES = [".csv", ".xlsx", ".jsonl", ".parquet"]


def write(path: Path, cells: list[str] | list[float]) -> Path:
    frame = pd.DataFrame({"w": cells, "z": [f"c{i % 3}" for i in range(len(cells))]})
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(row) for row in frame.to_dict("records")))
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    return path


def train(tmp_path: Path, cells: list[str] | list[float]) -> Path:
    table = pd.read_csv(write(tmp_path / "t.csv", cells)).assign(y=WEIGHTS)
    table.to_csv(tmp_path / "t.csv", index=False)
    flags = ["--target", "y", "--rounds", "40", "--min-child-weight", "0", "--quiet", "--kind", "y=number"]
    assert main(["train", str(tmp_path / "t.csv"), *flags, "--export", str(tmp_path / "m.json")]) == 0
    return tmp_path / "m.json"


@pytest.fixture
def of_kilograms(tmp_path: Path) -> Path:
    return train(tmp_path, [f"{weight:.2f} kg" for weight in WEIGHTS])


def predicted(model: Path, path: Path) -> np.ndarray:
    out = path.parent / "out.csv"
    assert main(["predict", str(model), str(path), "--output", str(out)]) == 0
    return pd.read_csv(out)["prediction"].to_numpy(np.float32)


def test_the_unit_stands_in_the_model(of_kilograms: Path) -> None:
    schema = load_model(of_kilograms).schema
    assert schema.features[0].writing.unit == "kg"
    assert schema_of(schema_record(schema)).features[0].writing == schema.features[0].writing


@pytest.mark.parametrize("suffix", TABLES)
def test_the_same_unit_is_no_difference(tmp_path: Path, of_kilograms: Path, suffix: str, capsys) -> None:
    predicted(of_kilograms, write(tmp_path / f"s{suffix}", ["2.50 kg", "7.50 kg"]))
    assert "unit" not in capsys.readouterr().err.replace("the unit kg is left out", "")


@pytest.mark.sampled
@pytest.mark.parametrize("suffix", TABLES)
@pytest.mark.parametrize("cells", [["2500 g", "7500 g"], ["2500 g", "7.5 kg"], ["2500g", "7500000 mg"]])
def test_another_unit_is_brought_to_that_of_training(
    tmp_path: Path, of_kilograms: Path, suffix: str, cells: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = predicted(of_kilograms, write(tmp_path / "kg.csv", ["2.5 kg", "7.5 kg"]))
    capsys.readouterr()
    np.testing.assert_array_equal(
        predicted(of_kilograms, write(tmp_path / f"s{suffix}", cells)), expected
    )
    count = "1 cell is" if cells[1] == "7.5 kg" else "2 cells are"
    said = capsys.readouterr().err
    words = "in another unit and brought to kg, as for training, first '2500"
    assert f"note: Column 'w': {count} {words}" in said


@pytest.mark.parametrize("suffix", TABLES)
def test_a_unit_that_cannot_be_brought_to_it_is_missing_and_told(
    tmp_path: Path, of_kilograms: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = predicted(of_kilograms, write(tmp_path / "gap.csv", ["", "7.5 kg"]))
    capsys.readouterr()
    found = predicted(of_kilograms, write(tmp_path / f"s{suffix}", ["3 l", "7.5 kg"]))
    np.testing.assert_array_equal(found, expected)
    assert (
        "warning: Column 'w': 1 cell is in a unit that cannot be brought to kg, and taken as missing, first "
        "'3 l' in row 1." in capsys.readouterr().err
    )


@pytest.mark.parametrize("suffix", TABLES)
@pytest.mark.parametrize("cells", [[2.5, 7.5], ["2.5", "7.5 kg"]])
def test_a_number_without_a_unit_is_told(
    tmp_path: Path, of_kilograms: Path, suffix: str, cells: list, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = predicted(of_kilograms, write(tmp_path / "kg.csv", ["2.5 kg", "7.5 kg"]))
    capsys.readouterr()
    np.testing.assert_array_equal(
        predicted(of_kilograms, write(tmp_path / f"s{suffix}", cells)), expected
    )
    are = "2 cells are" if cells[0] == 2.5 else "1 cell is"
    assert (
        f"warning: Column 'w': {are} without a unit and taken as kg, as for training, first '2.5' in row 1."
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("suffix", TABLES)
def test_a_unit_where_the_model_knows_none_is_told(
    tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = train(tmp_path, WEIGHTS)
    capsys.readouterr()
    predicted(model, write(tmp_path / f"s{suffix}", ["300 g", "250 g"]))
    assert (
        "warning: Column 'w': 2 cells are with a unit, which is left out, as the model knows none for this "
        "column, first '300" in capsys.readouterr().err
    )


def test_python_brings_units_together_or_refuses_them(of_kilograms: Path) -> None:
    model = load_model(of_kilograms)
    expected = model.predict(pd.DataFrame({"w": [2.5, 7.5], "z": ["c0", "c1"]}))
    for cells in (["2.5 kg", "7.5 kg"], ["2500 g", "7500 g"], ["2500 g", "7.5 kg"]):
        found = model.predict(pd.DataFrame({"w": cells, "z": ["c0", "c1"]}))
        np.testing.assert_array_equal(found, expected)
    for cells in (["2 l", "3 l"], ["2 l", "3 kg"]):
        with pytest.raises(WorkbenchError, match="has numbers in l, and the model was trained on kg"):
            model.predict(pd.DataFrame({"w": cells, "z": ["c0", "c1"]}))


@pytest.mark.parametrize(("unit", "wanted", "factor"), [
    ("g", "kg", 0.001), ("month", "year", 1 / 12), ("m/s", "km/h", 3.6), ("%", "‰", 10), ("EUR", "€", 1),
    ("€", "$", None), ("°C", "°F", None), ("kB", "KiB", None), ("month", "day", None), ("oz", "g", None),
    ("mW", "MW", 1e-9), ("m2", "ha", 1e-4), ("acre", "sq ft", 43_560), ("m²", "m", None), ("m³", "cm3", 1e6),
])  # fmt: skip
def test_only_what_is_sure_is_brought_together(unit: str, wanted: str, factor: float | None) -> None:
    assert factor_between(unit, wanted) == (None if factor is None else pytest.approx(factor))


@given(st.sampled_from(["g", "kg", "mm", "km", "h", "week", "€", "kWh"]), st.sampled_from(["mg", "m", "day"]))
def test_there_and_back_is_nothing(one: str, other: str) -> None:
    there, back = factor_between(one, other), factor_between(other, one)
    assert (there is None) == (back is None)
    assert there is None or there * (back or 0) == pytest.approx(1)


MINUTES = [3 * i for i in range(1, 200)]


def as_clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}:00"


@pytest.mark.sampled
@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl"])
@pytest.mark.parametrize("cells", [
    ["90 min", "150 min"], ["1h 30m", "2h 30m"], ["1.5 h", "2.5 h"], ["PT1H30M", "PT2H30M"],
    ["5400 s", "2.5 hours"],
])  # fmt: skip
def test_durations_are_the_same_in_any_unit(tmp_path: Path, suffix: str, cells: list[str]) -> None:
    model = train(tmp_path, [as_clock(minutes) for minutes in MINUTES])
    expected = predicted(model, write(tmp_path / "clock.csv", ["1:30:00", "2:30:00"]))
    np.testing.assert_array_equal(predicted(model, write(tmp_path / f"s{suffix}", cells)), expected)
    found = load_model(model).predict(pd.DataFrame({"w": cells, "z": ["c0", "c1"]}))
    np.testing.assert_array_equal(found, expected)


def test_durations_of_parquet_are_those_of_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = train(tmp_path, [as_clock(minutes) for minutes in MINUTES])
    expected = predicted(model, write(tmp_path / "clock.csv", ["1:30:00", "2:30:00"]))
    table = pd.DataFrame({"w": pd.to_timedelta([90, 150], unit="min"), "z": ["c0", "c1"]})
    table.to_parquet(tmp_path / "d.parquet")
    np.testing.assert_array_equal(predicted(model, tmp_path / "d.parquet"), expected)
    durations = pd.DataFrame({"w": pd.to_timedelta(MINUTES, unit="min"), "z": "c0", "y": WEIGHTS})
    durations.to_parquet(tmp_path / "t.parquet")
    flags = ["--target", "y", "--rounds", "40", "--min-child-weight", "0", "--quiet", "--export", str(model)]
    assert main(["train", str(tmp_path / "t.parquet"), *flags]) == 0
    expected = predicted(model, tmp_path / "d.parquet")
    capsys.readouterr()
    found = predicted(model, write(tmp_path / "clock.csv", ["1:30:00", "2:30:00"]))
    np.testing.assert_array_equal(found, expected)
    assert "brought to s, as for training" in capsys.readouterr().err
