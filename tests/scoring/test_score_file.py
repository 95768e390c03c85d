"""A second table scored from file to file: as XGBoost predicts, whatever the chunks; differences are told."""

from __future__ import annotations

import csv
import gzip
import itertools

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import xgboost

import workbench
from workbench.data import room
from workbench.data.encoding import encode
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import read_table
from workbench.data.samples import sample_file
from workbench.data.text.stream.text_stream import TextStream
from workbench.errors import Cancelled, OutputError, WorkbenchError
from workbench.scoring.preview import preview_scores
from workbench.scoring.score_file import look_through, score_file
from workbench.scoring.wanted import Wanted
from workbench.views.table.cells import MISSING, cell_text

COLOURS = ["blue", "green", "red"]


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def column(rows, name):
    return np.array([np.float32(row[name]) for row in rows])


def made_frame(n, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x1": rng.normal(size=n).astype(np.float32).round(3), "x2": rng.normal(size=n)})
    frame["colour"] = rng.choice(COLOURS, n)
    frame["since"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    frame.loc[rng.random(n) < 0.1, "x1"] = np.nan
    frame.loc[rng.random(n) < 0.1, "colour"] = None
    return frame


@pytest.fixture(scope="module")
def model():
    frame = made_frame(400)
    target = frame["x1"].fillna(1) * (frame["colour"] == "red") + (frame["since"].dt.year == 2021)
    frame["y"] = target + np.random.default_rng(1).normal(size=400) / 9
    return workbench.fit(frame, target="y", params=workbench.TrainingParams(rounds=8, max_depth=4))


@pytest.fixture
def other(tmp_path):
    """A second table with NaN and categories that nobody has seen."""
    frame = made_frame(500, seed=5)
    frame.loc[::50, "colour"] = "teal"
    frame.loc[3, "colour"] = "=1+1"
    path = tmp_path / "other.csv"
    frame.to_csv(path, index=False)
    return path


def test_predictions_are_those_of_xgboost(model, other, tmp_path):
    score_file(model, other, tmp_path / "out.csv", Wanted(raw=True, explained=True))
    model.save(tmp_path / "m.json")
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    features = encode(model.schema, pd.read_csv(other, parse_dates=["since"]))
    matrix = xgboost.DMatrix(features, feature_names=list(model.schema.names), enable_categorical=True,
                             feature_types=["c" if f.is_categorical else "q" for f in model.schema.features])
    rows = rows_of(tmp_path / "out.csv")
    assert np.array_equal(column(rows, "raw"), booster.predict(matrix, output_margin=True))
    theirs = booster.predict(matrix, pred_contribs=True)
    ours = np.column_stack([column(rows, f"contribution_{name}") for name in model.schema.names])
    np.testing.assert_allclose(ours, theirs[:, :-1], atol=1e-5)
    np.testing.assert_allclose(ours.sum(axis=1) + column(rows, "base"), column(rows, "raw"), atol=1e-6)


SAMPLES = ["heart_disease", "penguins", "crash_survival", "bike_rentals", "seattle_weather"]


@pytest.mark.sampled
@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_scored_as_its_model_predicts(name, tmp_path):
    from workbench.data.roles import guess_roles, target_of

    path = sample_file(name)
    table = read_table(path)
    target = target_of(guess_roles(table))
    model = workbench.fit(pd.read_csv(path), target=target, params=workbench.TrainingParams(rounds=4))
    scored = score_file(model, path, tmp_path / "out.csv", Wanted(raw=True))
    rows, raw = rows_of(tmp_path / "out.csv"), model.predict_raw(table)
    ours = np.column_stack([column(rows, k) for k in rows[0] if k.startswith("raw")]).squeeze()
    assert np.array_equal(ours, raw)
    assert not [d for d in scored.differences if d.is_warning]
    assert scored.evaluation.rows == pd.read_csv(path)[target].notna().sum()


def cut_small(monkeypatch, size):
    """Let text be read in blocks of so many bytes."""
    made = TextStream.__init__

    def cut(self, *args, **more):
        made(self, *args, **more | {"block_bytes": size})

    monkeypatch.setattr(TextStream, "__init__", cut)


@pytest.fixture
def small_blocks(monkeypatch):
    cut_small(monkeypatch, 1 << 17)


def test_chunks_change_nothing(model, other, tmp_path, monkeypatch):
    wanted = Wanted(row_numbers=True, kept=None, raw=True, explained=True)
    whole = score_file(model, other, tmp_path / "whole.csv", wanted)
    cut_small(monkeypatch, 700)
    pieces = score_file(model, other, tmp_path / "pieces.csv", wanted)
    assert (tmp_path / "pieces.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert [d.text for d in pieces.differences] == [d.text for d in whole.differences]
    assert pieces.evaluation is whole.evaluation is None


@pytest.mark.slow
def test_a_long_file_is_read_as_numbers_until_one_is_none(model, tmp_path):
    frame = made_frame(30_000, seed=2)
    texts = frame.assign(since=frame["since"].dt.strftime("%Y-%m-%d")).astype({"x2": object})
    texts.loc[29_000, "x2"] = "broken"
    texts.loc[29_500, "x2"] = "1e999"
    texts.to_csv(tmp_path / "long.csv", index=False)
    scored = score_file(model, tmp_path / "long.csv", tmp_path / "out.csv", Wanted(raw=True, kept=("x2",)))
    frame.loc[[29_000, 29_500], "x2"] = np.nan
    assert np.array_equal(column(rows_of(tmp_path / "out.csv"), "raw"), model.predict_raw(frame))
    assert rows_of(tmp_path / "out.csv")[29_000]["x2"] == "broken"
    assert [d.text for d in scored.differences] == [
        "Column 'x2': 2 cells are no numbers and taken as missing, first 'broken' in row 29,001."
    ]


def test_parquet_and_feather_go_in_and_parquet_comes_out(model, other, tmp_path):
    frame = pd.read_csv(other, parse_dates=["since"]).assign(note="a", many=[[1]] * 500)
    frame.to_parquet(tmp_path / "t.parquet")
    feather.write_feather(frame.drop(columns="many"), tmp_path / "t.feather")
    score_file(model, other, tmp_path / "out.csv", Wanted(raw=True))
    wanted = column(rows_of(tmp_path / "out.csv"), "raw")
    for file in ("t.parquet", "t.feather"):
        scored = score_file(model, tmp_path / file, tmp_path / "out.parquet", Wanted(True, None, True))
        table = pq.read_table(tmp_path / "out.parquet")
        assert np.array_equal(table["raw"].to_numpy(), wanted)
        assert table["row"].to_pylist() == list(range(1, 501))
        assert table.column_names == ["row", "x1", "x2", "colour", "since", "note", "prediction", "raw"]
        assert table["since"].to_pandas().equals(frame["since"])
        assert table["colour"].null_count == frame["colour"].isna().sum()
        np.testing.assert_array_equal(table["x2"].to_numpy(), frame["x2"])
        assert "1 column is not the model's and left alone: 'note'." in [d.text for d in scored.differences]


@pytest.mark.parametrize("kind", ["xlsx", "jsonl", "folder"])
def test_other_tables_are_scored_too(model, other, tmp_path, kind):
    frame = pd.read_csv(other, parse_dates=["since"])
    path = tmp_path / f"t.{kind}"
    if kind == "xlsx":
        frame.to_excel(path, index=False)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True, date_format="iso")
    else:
        path.mkdir()
        for part in range(2):
            frame[250 * part : 250 * part + 250].to_csv(path / f"{part}.csv", index=False)
    score_file(model, path, tmp_path / "out.csv", Wanted(raw=True))
    assert np.array_equal(column(rows_of(tmp_path / "out.csv"), "raw"), model.predict_raw(frame))


def test_differences_are_listed(model, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "X1,x2,colour,extra,since\n0.5,low,teal,1,2020-02-30\n0.5,2,pink,1,2020-02-03\n"
        "0.5,high,teal,1,yesterday\n0.5,?,red,1,\n"
    )
    scored = score_file(model, path, tmp_path / "out.csv")
    assert [d.text for d in scored.differences] == [
        "Column 'x1' is missing, and taken as missing in every row. The table has 'X1'; rename it if that "
        "is meant.",
        "2 columns are not the model's and left alone: 'X1', 'extra'.",
        "Column 'x2': 2 cells are no numbers and taken as missing, first 'low' in row 1.",
        "Column 'colour': 3 rows have 2 new categories ('teal', 'pink'), for which every question is "
        "answered no.",
        "Column 'since': 2 cells are no dates and taken as missing, first '2020-02-30' in row 1.",
    ]
    known = pd.DataFrame({"x1": np.nan, "x2": [np.nan, 2, np.nan, np.nan],
                          "colour": ["teal", "pink", "teal", "red"],
                          "since": pd.to_datetime([None, "2020-02-03", None, None])})
    assert np.array_equal(column(rows_of(tmp_path / "out.csv"), "prediction"), model.predict(known))
    seen = look_through(model, path)
    assert (seen.rows, seen.differences) == (4, scored.differences)


def test_a_table_without_any_of_the_columns_is_refused(model, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(WorkbenchError, match="none of the model's 4 columns: 'x1' is missing"):
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == [tmp_path / "t.csv"]
    (tmp_path / "t.csv").write_text("a,X1\n1,2\n")
    with pytest.raises(WorkbenchError, match=r"'x1' is missing.* has 'X1'; rename it if that is meant"):
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")


def test_the_row_alone_settles_its_prediction(model, tmp_path):
    """A code among texts, a number among words: what other rows hold changes nothing."""
    head = "x1,x2,colour,since\n"
    lines = ["0.5,1,red,2020-01-05\n", "0.5,1,007,2020-01-05\n", "-,oops,red,\n", "1e-3,2,green,2021-03-01\n"]
    first = None
    for order in itertools.permutations(lines):
        (tmp_path / "t.csv").write_text(head + "".join(order))
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
        found = dict(zip(order, column(rows_of(tmp_path / "out.csv"), "prediction"), strict=True))
        first = first or found
        assert found == first


@pytest.mark.parametrize("labels", [("007", "010"), ("7", "10"), ("true", "false"), ("no", "yes")])
def test_categories_are_known_however_their_column_was_read(labels, tmp_path):
    frame = pd.DataFrame({"c": pd.Categorical(list(labels) * 30), "x": range(60), "y": [0.0, 1.0] * 30})
    model = workbench.fit(frame, target="y", params=workbench.TrainingParams(rounds=3))
    written = {"true": "TRUE", "7": "7.0"}
    (tmp_path / "t.csv").write_text("c,x\n" + "".join(f"{written.get(label, label)},3\n" for label in labels))
    scored = score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    assert not scored.differences
    low, high = column(rows_of(tmp_path / "out.csv"), "prediction")
    assert low < 0.5 < high


@pytest.mark.slow
def test_codes_with_zeros_are_known_in_a_long_table_too(tmp_path):
    """The first half megabyte shows only digits, which would be read as numbers."""
    frame = pd.DataFrame({"zip": ["00007", "00010", "00700"] * 30, "y": ["01", "02", "02"] * 30})
    frame["zip"] = frame["zip"].astype("category")
    model = workbench.fit(frame, target="y", params=workbench.TrainingParams(rounds=20))
    lines = "00007,01\n00010,02\n00700,02\n" * 30_000
    (tmp_path / "t.csv").write_text("zip,y\n" + lines)
    scored = score_file(model, tmp_path / "t.csv", tmp_path / "out.csv", Wanted(kept=("zip",)))
    assert (scored.differences, scored.evaluation.rows) == ([], 90_000)
    rows = rows_of(tmp_path / "out.csv")
    assert [(row["zip"], row["prediction"]) for row in rows[-3:]] == [
        ("00007", "01"), ("00010", "02"), ("00700", "02")
    ]  # fmt: skip


def test_decimal_commas_and_days_first_follow_the_first_rows(model, tmp_path):
    (tmp_path / "t.csv").write_text("x1;x2;colour;since\n0,5;1,25;red;31/01/2021\n1.000,5;2;red;01/02/2021\n")
    score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    known = pd.DataFrame({"x1": [0.5, 1000.5], "x2": [1.25, 2], "colour": ["red", "red"],
                          "since": pd.to_datetime(["2021-01-31", "2021-02-01"])})
    assert np.array_equal(column(rows_of(tmp_path / "out.csv"), "prediction"), model.predict(known))


@pytest.mark.slow
def test_a_file_that_is_not_utf8_after_all_begins_anew(model, tmp_path):
    lines = ["0.5,1,red,2020-01-05,a\n"] * 60_000 + ["0.5,1,red,2020-01-05,\xe9\n"]
    (tmp_path / "t.csv").write_bytes(("x1,x2,colour,since,n\n" + "".join(lines)).encode("cp1252"))
    scored = score_file(model, tmp_path / "t.csv", tmp_path / "out.csv", Wanted(kept=("n",)))
    assert scored.rows == 60_001
    rows = rows_of(tmp_path / "out.csv")
    assert (len(rows), rows[-1]["n"]) == (60_001, "é")


def test_cancelling_leaves_no_file(model, other, tmp_path):
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "out.csv"
    with pytest.raises(Cancelled):
        score_file(model, other, target, cancelled=lambda: True)
    assert not list(target.parent.iterdir())
    target.write_text("old")
    with pytest.raises(Cancelled):
        score_file(model, other, target, cancelled=lambda: True)
    assert [p.read_text() for p in target.parent.iterdir()] == ["old"]


@pytest.mark.slow
def test_a_file_that_is_damaged_further_down_leaves_nothing(model, tmp_path):
    lines = ["0.5,1,red,2020-01-05\n"] * 60_000 + ["0.5,1,red,2020-01-05,9,9\n"]
    (tmp_path / "t.csv").write_text("x1,x2,colour,since\n" + "".join(lines))
    with pytest.raises(WorkbenchError, match="Line 60002 has 6 fields"):
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


def test_a_full_disk_is_told_in_one_line(model, other):
    with pytest.raises(OutputError, match=r"Cannot write /dev/full: no space left"):
        score_file(model, other, "/dev/full")


def test_formulas_are_made_harmless_on_request_only(model, tmp_path):
    cells = ["=1+1", "+cmd", "-2+3", "@x", "\t=1", "-1.5", "+3", "-1,5", "plain", "'quoted"]
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([["x1", "x2", "colour", "=name"], *([-0.5, 1, "red", c] for c in cells)])
    for neutralise in (False, True):
        wanted = Wanted(kept=("=name", "x1"), raw=True)
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv", wanted, neutralise=neutralise)
        rows = rows_of(tmp_path / "out.csv")
        assert next(iter(rows[0])) == ("'=name" if neutralise else "=name")
        kept = [next(iter(row.values())) for row in rows]
        harmful = [cell.startswith(tuple("=+-@\t")) and cell not in ("-1.5", "+3", "-1,5") for cell in cells]
        assert kept == [f"'{c}" if bad and neutralise else c for c, bad in zip(cells, harmful, strict=True)]
        assert {row["x1"] for row in rows} == {"-0.5"}


@pytest.mark.parametrize("neutralise", [False, True])
def test_the_preview_shows_cells_as_the_file_gets_them(model, tmp_path, neutralise):
    table, output = tmp_path / "other.csv", tmp_path / "scored.csv"
    table.write_text(
        "x1;x2;colour;since;code;truth\n-0,5;1e-7;red;10/04/2021;007;TRUE\n1,50;;=1+1;31/12/2021;010;no\n"
        "NA;3;blue;;;\n"
    )
    wanted = Wanted(kept=None, raw=True, row_numbers=True)
    score_file(model, table, output, wanted, serial=True, neutralise=neutralise)
    shown = preview_scores(model, table, wanted, neutralise=neutralise).table
    written = rows_of(output)
    assert [c.name for c in shown.columns] == list(written[0])
    for column_ in shown.columns:
        assert list(column_.texts) == [row[column_.name] for row in written]
        for i, text in enumerate(column_.texts):
            assert cell_text(column_, i) == (text or MISSING)
    assert shown.column("since").kind == "date"
    assert shown.column("since").texts[0] == "10/04/2021"


def test_a_kept_column_that_is_called_like_ours_keeps_its_name(model, tmp_path):
    (tmp_path / "t.csv").write_text("x1,x2,colour,since,prediction\n1,2,red,2020-01-01,mine\n")
    score_file(model, tmp_path / "t.csv", tmp_path / "out.csv", Wanted(kept=None))
    row = rows_of(tmp_path / "out.csv")[0]
    assert row["prediction"] == "mine"
    assert np.float32(row["prediction_"]) == model.predict(pd.DataFrame(
        {"x1": [1.0], "x2": [2.0], "colour": ["red"], "since": pd.to_datetime(["2020-01-01"])}))[0]


def test_an_offset_must_be_there_in_every_row(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80)})
    model = workbench.fit(frame, rng.normal(size=80), base_margin=rng.normal(size=80),
                          params=workbench.TrainingParams(rounds=2))
    name = model.schema.offset
    (tmp_path / "t.csv").write_text(f"x,{name}\n1,0.5\n2,\n")
    with pytest.raises(WorkbenchError, match=f"The offset '{name}' is no number in row 2"):
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    (tmp_path / "t.csv").write_text("x\n1\n")
    with pytest.raises(WorkbenchError, match=f"offset '{name}' is missing"):
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    (tmp_path / "t.csv").write_text(f"x,{name}\n1,0.5\n2,0.25\n")
    score_file(model, tmp_path / "t.csv", tmp_path / "out.csv", Wanted(raw=True, explained=True))
    rows = rows_of(tmp_path / "out.csv")
    raw = model.predict_raw(pd.DataFrame({"x": [1.0, 2.0]}), base_margin=[0.5, 0.25])
    assert np.array_equal(column(rows, "raw"), raw)
    np.testing.assert_allclose(column(rows, "base") + column(rows, "contribution_x"), raw, atol=1e-6)


def test_metrics_are_those_of_the_rows_with_an_answer(tmp_path):
    from sklearn.metrics import log_loss

    path = sample_file("heart_disease")
    frame = pd.read_csv(path)
    model = workbench.fit(frame, target="disease", params=workbench.TrainingParams(rounds=5))
    lines = path.read_text().splitlines()
    place = lines[0].split(",").index("disease")
    cells = lines[1].split(",")
    cells[place] = ""
    (tmp_path / "t.csv").write_text("\n".join([*lines, ",".join(cells)]) + "\n")
    scored = score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    assert (scored.rows, scored.evaluation.rows) == (304, 303)
    shares = column(rows_of(tmp_path / "out.csv"), "probability_yes")[:303]
    wanted = log_loss(frame["disease"] == "yes", shares.astype(np.float64))
    assert np.isclose(scored.evaluation.metrics["logloss"], wanted, rtol=1e-5)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_table(model, tmp_path, small_blocks):
    import tracemalloc

    lines = "".join(f"{i % 7},{i % 9},red,2020-01-05\n" for i in range(30_000))
    peaks = []
    for times in (1, 8):
        with (tmp_path / "t.csv").open("w") as stream:
            stream.write("x1,x2,colour,since\n")
            for _ in range(times):
                stream.write(lines)
        tracemalloc.start()
        score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_a_parquet_file_that_is_torn_is_told(model, other, tmp_path):
    pq.write_table(pa.table({"x1": np.arange(1000.0)}), tmp_path / "t.parquet")
    whole = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(whole[:4] + bytes(2000) + whole[2004:])
    with pytest.raises(WorkbenchError, match="is a damaged Parquet file"):
        score_file(model, tmp_path / "t.parquet", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_script_is_refused_where_the_command_line_lists(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [2.0, 1, 4, 3], "y": [1.0, 2, 3, 4]})
    learnt = workbench.fit(frame, target="y", rounds=1)
    assert repr(learnt).endswith("1 round, 2 columns)")
    path = tmp_path / "t.csv"
    path.write_text("a\n1\nx\n")
    told = [one.kind for one in look_through(learnt, path).differences]
    assert told == ["missing", "type"]
    with pytest.raises(WorkbenchError, match="'b' is missing"):
        learnt.predict(frame[["a"]])
    with pytest.raises(WorkbenchError, match="'a' has text where the model needs numbers"):
        learnt.predict(frame.assign(a="x"))


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
def test_a_packed_table_that_unpacks_beyond_proportion_is_scored_where_a_person_says_so(
    model, tmp_path, monkeypatch
):
    monkeypatch.setattr(room, "MUCH_TEXT", 1 << 20)
    monkeypatch.setattr(room, "TOLD_BY", 1 << 16)
    path, output, told = tmp_path / "t.csv.gz", tmp_path / "out.csv", []
    path.write_bytes(gzip.compress(b"x1,x2,colour,since\n" + b"1,2,red,2020-01-05\n" * 200_000))
    for score in (score_file, lambda model, path, _output, **told: look_through(model, path, **told)):
        with pytest.raises(WorkbenchError, match=r"to [1-4] MiB or more, .* with --unpack-all"):
            score(model, path, output, progress=lambda done, _total: told.append(done))
    assert not told or max(told) < 100_000
    assert not output.exists()
    assert score_file(model, path, output, options=ReadOptions(unpacks_all=True)).rows == 200_000
