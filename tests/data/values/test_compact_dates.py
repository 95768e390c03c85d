"""Days written as whole numbers, as 20200131."""

from __future__ import annotations

import datetime
import json
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import said
from workbench import TrainingParams, fit, load_model
from workbench.__main__ import main
from workbench.data.given.frames import table_from_frame
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table
from workbench.data.values.column_types import change_kind
from workbench.data.values.compact_dates import days_of, numbers_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.making import Write

EPOCH = datetime.date(1970, 1, 1)
DAYS = [datetime.date(2021, 1, 1) + datetime.timedelta(days=3 * i) for i in range(200)]
WRITTEN = [int(day.strftime("%Y%m%d")) for day in DAYS]


def since_epoch(days: list[datetime.date]) -> list[int]:
    return [(day - EPOCH).days for day in days]


@given(st.lists(st.dates(datetime.date(1000, 1, 1)), min_size=1))
def test_a_number_is_its_day_and_a_day_its_number(days: list[datetime.date]) -> None:
    numbers = np.array([float(f"{day.year:04}{day.month:02}{day.day:02}") for day in days])
    np.testing.assert_array_equal(days_of(numbers), since_epoch(days))
    np.testing.assert_array_equal(numbers_of(days_of(numbers)), numbers)


@given(st.one_of(st.integers(0, 10**9), st.integers(19000000, 21009999), st.floats()))
def test_any_other_number_is_no_day(number: float) -> None:
    found = days_of(np.array([float(number)]))[0]
    try:
        text = f"{int(number):d}" if number == int(number) else ""
        day = datetime.date(int(text[:4]), int(text[4:6]), int(text[6:])) if len(text) == 8 else None
    except (ValueError, OverflowError):
        day = None
    if day is None or day.year < 1000:
        assert np.isnan(found) or number >= 10**11
    else:
        assert found == (day - EPOCH).days


@given(st.lists(st.datetimes(datetime.datetime(1000, 1, 1)), min_size=1), st.sampled_from([4, 6]))
def test_a_number_with_a_time_is_its_moment(moments: list[datetime.datetime], digits: int) -> None:
    whole = [moment.replace(microsecond=0, second=moment.second if digits == 6 else 0) for moment in moments]
    form = "{:%m%d%H%M%S}" if digits == 6 else "{:%m%d%H%M}"
    numbers = np.array([float(f"{moment.year:04}{form.format(moment)}") for moment in whole])
    epoch = datetime.datetime(1970, 1, 1)
    seconds = [(moment - epoch).total_seconds() for moment in whole]
    np.testing.assert_allclose(days_of(numbers) * 86400, seconds, rtol=0, atol=1e-4)
    np.testing.assert_array_equal(numbers_of(days_of(numbers), digits), numbers)


@pytest.mark.parametrize("end", ["", "%S"])
def test_moments_are_dates_with_their_time(write: Write, end: str) -> None:
    moments = [datetime.datetime(2021, 3, 1, 5, 30) + datetime.timedelta(hours=7 * i) for i in range(150)]
    cells = [moment.strftime(f"%Y%m%d%H%M{end}") for moment in moments]
    for blown_up in (1, 100):
        path = write("at,x\n" + "".join(f"{cell},1\n" for cell in cells) * blown_up)
        column = read_table(path).column("at")
        assert column.kind == "date"
        assert column.exact is not None
        hours = [(moment - datetime.datetime(1970, 1, 1)).total_seconds() / 3600 for moment in moments]
        np.testing.assert_allclose(column.exact[:150] * 24, hours, rtol=0, atol=1e-6)
        assert len(np.unique(column.values)) == 150
        as_number, _ = change_kind(column, "number")
        assert as_number.exact is not None
        assert as_number.exact[:150].tolist() == list(map(float, cells))


@pytest.mark.parametrize("none", ["00000000", "0", "99999999", "99991231"])
def test_signs_for_no_day_are_no_days_however_many(write: Write, none: str) -> None:
    cells = [*map(str, WRITTEN[:30]), *[none] * 200]
    read = read_table(write("day,x\n" + "".join(f"{cell},1\n" for cell in cells)))
    assert read.column("day").kind == "date"
    assert read.column("day").values[:30].tolist() == since_epoch(DAYS[:30])
    if none != "99991231":  # a day, if a late one
        assert "200 cells are no possible date, first in row 31, and set missing." in said(read)


@pytest.mark.parametrize("repeated", [1, 200])
def test_a_column_of_days_is_dates_and_no_day_is_lost(write: Write, repeated: int) -> None:
    path = write("day,x\n" + "".join(f"{day},{i}.5\n" for i, day in enumerate(WRITTEN)) * repeated)
    read = read_table(path)
    column = read.column("day")
    assert column.kind == "date"
    assert column.values.tolist() == since_epoch(DAYS) * repeated
    assert (
        f"Column 'day': whole numbers, as 20210101, are read as dates in {200 * repeated:,} cells, first in "
        "row 1. If they are none, make it a number." in said(read)
    )
    assert "single precision" not in said(read)
    seen = preview(path, ReadOptions())
    assert seen is not None
    assert not [guess for guess in seen.doubts if guess.option == "kinds"]


@pytest.mark.parametrize("suffix", [".xlsx", ".jsonl", ".parquet", ".feather"])
def test_days_are_dates_in_every_kind_of_file(tmp_path: Path, suffix: str) -> None:
    column = read_table(written(tmp_path / f"t{suffix}", WRITTEN)).column("day")
    assert column.kind == "date"
    assert column.values.tolist() == since_epoch(DAYS)


def test_what_is_no_day_among_days_is_missing_and_said(write: Write) -> None:
    cells = [str(day) for day in WRITTEN[:40]] + ["0", "20210231", "", "99999999"]
    for blown_up in (1, 300):
        read = read_table(write("day,x\n" + "".join(f"{day},1\n" for day in cells) * blown_up))
        assert read.column("day").missing == 4 * blown_up
        assert f"{3 * blown_up:,} cells are no possible date, first in row 41, and set missing." in said(read)


def test_pandas_writes_days_beside_missing_ones_with_a_point(write: Write) -> None:
    cells = [f"{day}.0" for day in WRITTEN[:20]] + [""]
    column = read_table(write("day,x\n" + "".join(f"{day},1\n" for day in cells))).column("day")
    assert column.kind == "date"
    assert column.values[:20].tolist() == since_epoch(DAYS[:20])


@pytest.mark.parametrize("numbers", [
    [20200001 + i for i in range(500)],  # numbered in a year
    [20210000 + 37 * i for i in range(300)],
    [20210101.5 + i for i in range(20)],
    [30210101 + i for i in range(20)],
    [202101 + i for i in range(12)],
])  # fmt: skip
def test_other_whole_numbers_stay_numbers(write: Write, numbers: list[float]) -> None:
    for blown_up in (1, 1000):
        read = read_table(write("n,x\n" + "".join(f"{n},1\n" for n in numbers) * blown_up))
        assert read.column("n").kind == "number"


def test_days_can_be_turned_back(write: Write) -> None:
    for blown_up in (1, 100):
        path = write("day,x\n" + "".join(f"{day},1\n" for day in WRITTEN) * blown_up)
        as_number = read_table(path, options=ReadOptions(kinds=(("day", "number"),))).column("day")
        assert as_number.kind == "number"
        assert as_number.exact is not None
        assert as_number.exact.tolist() == WRITTEN * blown_up
        later, _ = change_kind(read_table(path).column("day"), "number")
        assert later.kind == "number"
        np.testing.assert_array_equal(later.values, as_number.values)
        assert later.exact is not None
        assert later.exact.tolist() == WRITTEN * blown_up


# --- scored -----------------------------------------------------------------------------------------------


def written(path: Path, days: list[int] | list[float] | list[str]) -> Path:
    frame = pd.DataFrame({"day": days, "z": [i % 3 for i in range(len(days))]})
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".feather":
        frame.to_feather(path)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(row) for row in frame.to_dict("records")))
    else:
        frame.to_csv(path, index=False)
    return path


def trained(tmp_path: Path, *flags: str) -> Path:
    frame = pd.DataFrame({"day": WRITTEN[:40] * 5, "z": [i % 3 for i in range(200)], "y": [*range(40)] * 5})
    frame.to_csv(tmp_path / "t.csv", index=False)
    every = ["--target", "y", "--rounds", "20", "--min-child-weight", "0", "--quiet", *flags]
    assert main(["train", str(tmp_path / "t.csv"), *every, "--export", str(tmp_path / "m.json")]) == 0
    return tmp_path / "m.json"


def predicted(model: Path, path: Path) -> np.ndarray:
    out = path.with_suffix(".out.csv")
    assert main(["predict", str(model), str(path), "--output", str(out)]) == 0
    return pd.read_csv(out)["prediction"].to_numpy(np.float32)


FEW = WRITTEN[7:10]
ISO = [day.isoformat() for day in DAYS[7:10]]


@pytest.mark.parametrize("flags", [(), ("--kind", "day=number"), ("--kind", "day=category")])
@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl", ".parquet", ".feather"])
def test_days_are_scored_as_they_were_trained(tmp_path: Path, suffix: str, flags: tuple[str, ...]) -> None:
    model = trained(tmp_path, *flags)
    for days in (FEW, WRITTEN[:40]):
        found = predicted(model, written(tmp_path / f"s{suffix}", days))
        expected = predicted(model, written(tmp_path / "s.csv", days))
        np.testing.assert_array_equal(found, expected)
    assert np.abs(expected - np.arange(40)).mean() < 7


def test_a_model_of_days_takes_them_in_any_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = trained(tmp_path)
    model, expected = load_model(path), predicted(path, written(tmp_path / "iso.csv", ISO))
    assert np.ptp(expected) > 0
    z = [0, 1, 2]
    for cells in (FEW, [float(day) for day in FEW], ISO, [str(day) for day in FEW], pd.to_datetime(ISO)):
        np.testing.assert_array_equal(model.predict(pd.DataFrame({"day": cells, "z": z})), expected)
    np.testing.assert_array_equal(model.predict(np.column_stack([FEW, z])), expected)
    np.testing.assert_array_equal(model.predict(np.column_stack([since_epoch(DAYS[7:10]), z])), expected)
    capsys.readouterr()
    predicted(path, written(tmp_path / "odd.csv", [*FEW, 20210231]))
    assert "Column 'day': 1 cell is no date and taken as missing" in capsys.readouterr().err


def test_a_model_of_numbers_takes_the_numbers_of_days(tmp_path: Path) -> None:
    path = trained(tmp_path, "--kind", "day=number")
    frame = pd.DataFrame({"day": FEW, "z": [0, 1, 2]})
    expected = predicted(path, written(tmp_path / "few.csv", FEW))
    np.testing.assert_array_equal(load_model(path).predict(frame), expected)
    np.testing.assert_array_equal(load_model(path).predict(frame.astype({"day": str})), expected)


def test_kept_columns_are_written_as_they_stand(tmp_path: Path) -> None:
    path = trained(tmp_path)
    for suffix in (".csv", ".xlsx", ".parquet"):
        out = tmp_path / "kept.csv"
        table = written(tmp_path / f"s{suffix}", WRITTEN)
        assert main(["predict", str(path), str(table), "--keep", "--output", str(out)]) == 0
        assert pd.read_csv(out)["day"].tolist() == WRITTEN


def test_moments_are_scored_as_they_were_trained(tmp_path: Path) -> None:
    cells = [int(f"{day}{i % 24:02}1500") for i, day in enumerate(WRITTEN)]
    frame = pd.DataFrame({"day": cells, "z": [i % 3 for i in range(200)]})
    frame.assign(y=range(200)).to_csv(tmp_path / "t.csv", index=False)
    model = tmp_path / "m.json"
    flags = ["--target", "y", "--rounds", "20", "--min-child-weight", "0", "--quiet", "--export", str(model)]
    assert main(["train", str(tmp_path / "t.csv"), *flags]) == 0
    expected = predicted(model, written(tmp_path / "s.csv", cells))
    assert np.abs(expected - np.arange(200)).mean() < 30
    for suffix in (".xlsx", ".jsonl", ".parquet"):
        np.testing.assert_array_equal(predicted(model, written(tmp_path / f"s{suffix}", cells)), expected)
    np.testing.assert_array_equal(load_model(model).predict(frame), expected)
    np.testing.assert_array_equal(load_model(model).predict(frame.astype({"day": str})), expected)


def test_numbers_of_a_frame_stay_numbers_and_its_dates_and_texts_are_days() -> None:
    """Who makes a frame chooses its types; a text has none."""
    frame = pd.DataFrame({"whole": WRITTEN, "single": np.array(WRITTEN, float), "text": map(str, WRITTEN)})
    frame["date"] = pd.to_datetime(frame["text"])
    model = fit(frame.assign(y=np.arange(200.0)), target="y", params=TrainingParams(rounds=2))
    assert [f.kind for f in model.schema.features] == ["number", "number", "date", "date"]
    read = table_from_frame(frame)
    assert read.column("whole").exact is not None
    assert read.column("whole").exact.tolist() == WRITTEN
    for name in ("text", "date"):
        assert read.column(name).values.tolist() == since_epoch(DAYS)
