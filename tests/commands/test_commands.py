"""The command line, called in process."""

from __future__ import annotations

import csv
import errno
import json
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.commands.base import COMMANDS
from workbench.data.reading import preview, read_table
from workbench.data.samples import sample_file
from workbench.ensembles.events import RoundFinished
from workbench.errors import OutputError
from workbench.formats.bytes import files
from workbench.formats.load import load_model
from workbench.parameters.training import PARAMETERS

HEART = str(sample_file("heart_disease"))
CARS = str(sample_file("fuel_economy"))
PENGUINS = str(sample_file("penguins"))


@pytest.fixture(scope="module")
def heart(tmp_path_factory):
    """A small model of two classes."""
    path = tmp_path_factory.mktemp("model") / "heart.json"
    code = main(["train", HEART, "--target", "disease", "--rounds", "5", "--export", str(path), "--quiet"])
    assert code == 0
    return path


def refused(capsys, *argv):
    """Return the one line that bad input is answered with."""
    code = _code(argv)
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def _code(argv):
    try:
        return main([str(a) for a in argv])
    except SystemExit as ended:
        return ended.code


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_train_says_how_it_goes(tmp_path, capsys):
    out, history = tmp_path / "m.json", tmp_path / "h.csv"
    code = main(
        ["train", HEART, "--target", "disease", "--rounds", "7", "--reg-lambda", "2.5",
         "--valid-fraction", "0.25", "--export", str(out), "--history", str(history)]
    )  # fmt: skip
    said = capsys.readouterr()
    assert code == 0
    assert "round 7 of 7  train logloss" in said.err
    assert "valid logloss" in said.err
    assert said.out.startswith("7 rounds of 7 kept (all rounds done")
    model = load_model(out)
    assert (model.rounds, model.params.reg_lambda, model.trees[0].reg_lambda) == (7, 2.5, 2.5)
    rows = rows_of(history)
    assert [r["round"] for r in rows] == [str(i) for i in range(1, 8)]
    assert {"train:logloss", "valid:logloss", "loss", "omega", "gain", "reg_lambda"} <= set(rows[0])


def test_train_says_what_the_reader_noted(tmp_path, capsys):
    table, out = tmp_path / "t.csv", str(tmp_path / "m.json")
    table.write_text("a,y\n" + "".join(f"{i},{('Ja', 'nein', 'ja')[i % 3]}\n" for i in range(60)))
    train = ["train", str(table), "--target", "y", "--rounds", "1", "--export", out]
    assert main(train) == 0
    said = (
        "warning: Column 'y': categories that differ only by case, as Ja, ja, stay apart in 20 cells, "
        "first in row 3."
    )
    assert said in capsys.readouterr().err.splitlines()
    assert main([*train, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.fixture
def doubtful(tmp_path):
    """A table with a code, dates of which no day is above 12, and codes that lose their zeros."""
    days = [f"0{n % 6 + 1}/0{n % 5 + 1}/2020" for n in range(60)]
    rows = [f"{-999 if n % 9 == 0 else n % 8},{day},00{n % 4},{n % 3}" for n, day in enumerate(days)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["n,day,code,y", *rows]))
    return path


def test_doubts_are_those_of_the_page_of_import(doubtful, tmp_path, capsys):
    seen = preview(doubtful).doubts
    assert {guess.option for guess in seen} == {"missing", "dates", "kinds"}
    assert main(["describe", str(doubtful), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["doubts"]
    assert [(doubt["option"], doubt["text"], doubt["column"]) for doubt in found] == [
        (guess.option, guess.reason, guess.column) for guess in seen
    ]
    assert main(["describe", str(doubtful)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if line.startswith("doubtful: ")] == [
        "doubtful: 'n' has -999, far from its other numbers. If it means missing, name it a code. Settle it "
        "with --missing.",
        "doubtful: 'day' has 01/01/2020, read month first; no date tells which it is. Settle it with "
        "--dates.",
        "doubtful: 'code' has 000: as a number it loses its zeros. A category keeps them. Settle it with "
        "--kind.",
    ]
    train = ["train", str(doubtful), "--target", "y", "--rounds", "1", "--export", str(tmp_path / "m.json")]
    assert main(train) == 0
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if line.startswith("doubtful: ")] == [
        line for line in said if line.startswith("doubtful: ")
    ]
    settled = ["--missing", "-999", "--dates", "dmy", "--kind", "code=category"]
    assert main([*train, *settled]) == 0
    assert "doubtful" not in capsys.readouterr().err
    assert main([*train, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_train_names_the_first_of_many_doubts(tmp_path, capsys):
    table = tmp_path / "t.csv"
    names = [f"code{k}" for k in range(9)]
    table.write_text("\n".join([",".join([*names, "y"]), *(f"00{n % 4}," * 9 + str(n) for n in range(60))]))
    out = str(tmp_path / "m.json")
    assert main(["train", str(table), "--target", "y", "--rounds", "1", "--export", out]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("doubtful: ")]
    assert len(told) == 6
    assert told[-1] == "doubtful: 4 more; workbench describe lists them all."


def test_quiet_and_json(tmp_path, capsys):
    out = str(tmp_path / "m.json")
    assert main(["train", CARS, "--target", "combined_mpg", "--rounds", "2", "--export", out, "--quiet"]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")
    argv = ["train", CARS, "--target", "combined_mpg", "--rounds", "2", "--export", out, "--quiet", "--json"]
    assert main(argv) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["rounds"] == 2
    assert summary["objective"] == "squared"
    assert summary["metrics"]["train:rmse"] > 0


def test_early_stopping_keeps_the_best_round(tmp_path, capsys):
    out = tmp_path / "m.json"
    code = main(
        ["train", HEART, "--target", "disease", "--rounds", "500", "--learning-rate", "0.5", "--quiet",
         "--json", "--early-stopping-rounds", "5", "--valid-fraction", "0.3", "--export", str(out)]
    )  # fmt: skip
    summary = json.loads(capsys.readouterr().out)
    assert code == 0
    assert summary["ended"] == "early stopping"
    assert summary["rounds"] == summary["best_round"] == summary["rounds_grown"] - 5
    model = load_model(out)
    assert (model.rounds, len(model.history)) == (summary["rounds"], summary["rounds_grown"])


def test_roles_by_flag(tmp_path):
    out = tmp_path / "m.json"
    code = main(
        ["train", HEART, "--target", "disease", "--rounds", "1", "--weight", "age", "--ignore", "sex", "thal",
         "--ignore", "cholesterol", "--positive", "no", "--export", str(out), "--quiet"]
    )  # fmt: skip
    schema = load_model(out).schema
    assert code == 0
    assert schema.weight == "age"
    assert not {"sex", "thal", "cholesterol", "age", "disease"} & set(schema.names)
    assert [str(label).lower() for label in schema.class_labels][1] in ("no", "false")


@pytest.mark.parametrize("code", ["-999", "-999,9", "-1e20", "-.5"])
def test_a_negative_number_is_no_flag(tmp_path, capsys, code):
    path = tmp_path / "t.csv"
    path.write_text("a;b\n" + f"1;2\n3;{code}\n" * 9)
    assert main(["describe", str(path), "--missing", code, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["columns"][1]["missing"] == 9


@pytest.fixture
def numbers(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("x,two,four\n" + "".join(f"{n},{3 + 2 * (n % 3 == 0)},{n % 4}\n" for n in range(60)))
    return path


@pytest.mark.parametrize(("positive", "classes"), [("3", [5, 3]), ("5", [3, 5])])
def test_the_positive_class_may_be_a_number(numbers, tmp_path, positive, classes):
    out = tmp_path / "m.json"
    main(["train", str(numbers), "--target", "two", "--positive", positive, "--rounds", "1", "--quiet",
          "--export", str(out)])  # fmt: skip
    assert list(load_model(out).schema.class_labels) == classes


@pytest.mark.parametrize(
    ("target", "flags", "what"),
    [("x", [], "a number"), ("four", [], "one of several classes"),
     ("two", ["--objective", "squared"], "a number"), ("four", ["--objective", "logistic"], "4 classes")],
)  # fmt: skip
def test_a_positive_class_of_other_than_two_is_refused(numbers, tmp_path, capsys, target, flags, what):
    out = tmp_path / "m.json"
    said = refused(capsys, "train", numbers, "--target", target, "--positive", 3, *flags, "--export", out)
    assert what in said
    assert not out.exists()


def test_every_parameter_has_a_flag(capsys):
    assert _code(["train", "--help"]) == 0
    said = capsys.readouterr().out
    for parameter in PARAMETERS:
        assert parameter.flag in said
        assert " ".join(parameter.help.split()[:3]) in " ".join(said.split())


@pytest.mark.parametrize(
    ("file", "target", "columns"),
    [
        (CARS, "combined_mpg", ["prediction", "raw"]),
        (HEART, "disease", ["prediction", "probability_no", "probability_yes", "raw"]),
        (PENGUINS, "species", ["prediction", *(f"{w}_{k}" for w in ("probability", "raw")
                                               for k in ("Adelie", "Chinstrap", "Gentoo"))]),
    ],
)  # fmt: skip
def test_predictions_are_those_of_the_model(tmp_path, file, target, columns):
    from workbench.data.reading import read_table

    out, predictions = tmp_path / "m.json", tmp_path / "p.csv"
    assert main(["train", file, "--target", target, "--rounds", "4", "--export", str(out), "--quiet"]) == 0
    assert main(["predict", str(out), file, "--output", str(predictions), "--raw"]) == 0
    rows, model, table = rows_of(predictions), load_model(out), read_table(file)
    assert list(rows[0]) == columns
    assert len(rows) == table.n_rows
    raw = np.array([[r[c] for c in columns if c.startswith("raw")] for r in rows], np.float32)
    np.testing.assert_array_equal(raw.squeeze(), model.predict_raw(table))
    if model.schema.class_labels:
        labels = [str(label) for label in model.predict_label(table).tolist()]
        assert [r["prediction"] for r in rows] == labels
        shares = np.array([[float(r[c]) for c in columns if c.startswith("prob")] for r in rows])
        np.testing.assert_allclose(shares.sum(1), 1, atol=1e-5)


def test_differences_of_a_second_table_go_to_stderr(heart, tmp_path, capsys):
    table, out = tmp_path / "t.csv", tmp_path / "p.csv"
    lines = Path(HEART).read_text().splitlines()
    heads = ["AGE" if name == "age" else name for name in lines[0].split(",")]
    table.write_text("\n".join([",".join(heads), *lines[1:]]))
    capsys.readouterr()
    assert main(["predict", str(heart), str(table), "--output", str(out)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("The table knows the answers of 303 rows:\nlogloss")
    assert said.err.splitlines() == [
        "warning: Column 'age' is missing, and taken as missing in every row. The table has 'AGE'; rename it "
        "if that is meant.",
        "note: 1 column is not the model's and left alone: 'AGE'.",
    ]
    assert main(["predict", str(heart), str(table), "--output", str(out), "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_rows_are_kept_numbered_and_explained(heart, tmp_path):
    import pyarrow.parquet as pq

    out = tmp_path / "p.parquet"
    flags = ["--row-numbers", "--keep", "thal", "age", "--raw", "--explain"]
    assert main(["predict", str(heart), HEART, "--output", str(out), *flags]) == 0
    table, model = pq.read_table(out), load_model(heart)
    names = [f"contribution_{name}" for name in model.schema.names]
    shown = ["row", "thal", "age", "prediction", "probability_no", "probability_yes", "raw", "base"]
    assert table.column_names == [*shown, *names]
    total = sum(table[name].to_numpy() for name in ["base", *names])
    np.testing.assert_allclose(total, table["raw"].to_numpy(), atol=1e-6)


def test_formulas_are_neutralised_on_request(heart, tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "p.csv"
    lines = Path(HEART).read_text().splitlines()
    note = '=HYPERLINK("http://x")'
    quoted = '"' + note.replace('"', '""') + '"'
    table.write_text("\n".join([f"{lines[0]},note", *(f"{line},{quoted}" for line in lines[1:])]))
    for flags, begin in (([], "="), (["--neutralise-formulas"], "'=")):
        assert main(["predict", str(heart), str(table), "--output", str(out), "--keep", "note", *flags]) == 0
        assert {row["note"] for row in rows_of(out)} == {begin + note[1:]}


def test_describe(capsys):
    assert main(["describe", HEART]) == 0
    text = capsys.readouterr().out
    assert "303 rows, 14 columns" in text
    assert main(["describe", HEART, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"], len(found["columns"])) == (303, 14)
    thal = next(c for c in found["columns"] if c["name"] == "thal")
    assert thal == {"name": "thal", "kind": "category", "missing": 2, "distinct": 3, "role": "feature"}


@pytest.mark.slow
def test_an_order_of_dates_that_a_late_row_tells_is_no_doubt(tmp_path, capsys):
    rows = [f"{i},{i % 12 + 1:02}/{i * 5 % 12 + 1:02}/2024\n" for i in range(20_000)]
    (tmp_path / "t.csv").write_text("x,day\n" + "".join(rows) + "1,25/01/2024\n")
    assert main(["describe", str(tmp_path / "t.csv")]) == 0
    said = capsys.readouterr().out
    assert "the first part of a date is read as the day" in said
    assert "doubtful" not in said


@pytest.mark.parametrize("format_", ["xgboost", "xgboost-ubjson", "json"])
def test_a_model_is_not_taken_for_a_table(heart, tmp_path, capsys, format_):
    model = tmp_path / "a model"
    load_model(heart).save(model, format=format_)
    said = refused(capsys, "describe", model)
    assert f"is a model, not a table. See it with: workbench inspect '{model}'\n" in said
    assert "is a model" in refused(capsys, "train", model, "--target", "y", "--export", tmp_path / "m.json")


def test_a_model_of_xgboost_is_not_taken_for_a_table(tmp_path, capsys):
    xgboost = pytest.importorskip("xgboost")
    X = np.arange(40.0).reshape(20, 2)
    booster = xgboost.train({"max_depth": 2}, xgboost.DMatrix(X, X[:, 0]), 2)
    for name in ("m.json", "m.ubj"):
        booster.save_model(tmp_path / name)
        assert "is a model, not a table" in refused(capsys, "describe", tmp_path / name)


def test_tables_that_begin_like_models_are_described(tmp_path, capsys):
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"learner": "Ann", "score": 3}\r\n{"learner": "Bob", "score": 4}\r\n')
    assert main(["describe", str(lines)]) == 0
    assert "2 rows, 2 columns" in capsys.readouterr().out


def test_flags_settle_how_a_table_is_read(tmp_path, capsys):
    file, out = tmp_path / "t.csv", tmp_path / "m.json"
    lines = [f"{n};{n % 7},5;00{n % 3};{'-1' if n % 5 == 0 else n}" for n in range(60)]
    file.write_bytes("\n".join(["größe;b;code;n", *lines]).encode("cp1252"))
    flags = ["--separator", "semicolon", "--encoding", "cp1252", "--decimal", "comma", "--missing", "-1"]
    flags += ["--kind", "code=category"]
    assert main(["describe", str(file), "--json", *flags]) == 0
    columns = json.loads(capsys.readouterr().out)["columns"]
    assert [(c["name"], c["kind"], c["missing"]) for c in columns] == [
        ("größe", "number", 0), ("b", "number", 0), ("code", "category", 0), ("n", "number", 12),
    ]  # fmt: skip
    assert main(["describe", str(file), "--json", "--no-header", "--encoding", "cp1252"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 61
    train = ["train", str(file), "--target", "b", "--rounds", "1", "--export", str(out), "--quiet", *flags]
    assert main(train) == 0
    assert main(["predict", str(out), str(file), "--output", str(tmp_path / "p.csv"), *flags]) == 0
    assert len(rows_of(tmp_path / "p.csv")) == 60


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--separator", "ab"], "cannot separate fields"), (["--encoding", "klingon"], "no text encoding"),
        (["--decimal", ";"], "a point or a comma"), (["--sheet", "x"], "which has no sheets"),
        (["--header", "--no-header"], "clash"), (["--kind", "age"], "COLUMN=KIND"),
        (["--kind", "size=number"], "There is no column 'size'"),
    ],
)  # fmt: skip
def test_flags_of_reading_that_cannot_be(capsys, flags, words):
    assert words in refused(capsys, "describe", HEART, *flags)


def test_inspect(heart, capsys):
    assert main(["inspect", str(heart)]) == 0
    text = capsys.readouterr().out
    assert "logistic model of 'disease'" in text
    assert "Gain by column" in text
    cuts = load_model(heart).provenance["cuts"]
    assert f"Cuts: age {cuts[0]}, sex {cuts[1]}, " in text
    assert text.split("Cuts: ")[1].split("\n")[0].count(",") == len(cuts) - 1, "columns without a split too"
    assert main(["inspect", str(heart), "--tree", "5"]) == 0
    tree = capsys.readouterr().out
    model = load_model(heart)
    assert tree.count("leaf ") == model.trees[4].n_leaves
    assert len(tree.splitlines()) == model.trees[4].n_nodes + 1
    assert main(["inspect", str(heart), "--tree", "5", "--json"]) == 0
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    assert [n["count"] for n in nodes] == model.trees[4].nodes["count"].tolist()
    assert main(["inspect", str(heart), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["trees"]) == 5


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("--reg-lamda", "The nearest is '--reg-lambda'."), ("--n-estimators", "It is --rounds here."),
        ("--min-split-loss", "It is --gamma here, with 0.5 times the value."),
        ("--eta", "It is --learning-rate here."), ("--targt", "The nearest is '--target'."),
        ("-3", "-3 5. ("), ("--output", "It is --export here."),
    ],
)
def test_a_flag_that_there_is_not_is_answered_with_the_one_that_is_meant(capsys, flag, words):
    said = refused(capsys, "train", HEART, "--target", "disease", "--export", "m.json", flag, "5")
    assert f"unrecognized arguments: {flag} 5." in said
    assert words in said


@pytest.mark.parametrize(
    ("words", "likely"),
    [
        (("train", HEART, "--targt", "disease", "--export", "m.json"), "--target"),
        (("train", HEART, "--targt=disease", "--export", "m.json"), "--target"),
        (("train", "-target", "disease", "--exprt", "m.json"), "--target"),
        (("train", "--target", "disease", "--exprt", "m.json"), "--export"),
        (("convert", "m.json", "--to", "onnx", "--ouput", "m.onnx"), "--output"),
        (("predict", "--ouput", "p.csv"), "--output"),
    ],
)
def test_a_misspelt_flag_is_told_before_the_one_that_is_missing(capsys, words, likely):
    said = refused(capsys, *words)
    assert "unrecognized arguments: -" in said
    assert f"The nearest is '{likely}'." in said
    assert "required" not in said


def test_what_is_missing_is_told_where_nothing_is_misspelt(capsys):
    assert "required: FILE, --target, --export" in refused(capsys, "train")
    assert "required: --target" in refused(capsys, "train", HEART, "--export", "m.json")
    with pytest.raises(SystemExit):
        main(["convert", "--help"])
    assert "[--output" not in capsys.readouterr().out


def test_inspect_writes_parameters_as_they_are_typed(tmp_path, capsys):
    path = tmp_path / "m.json"
    chosen = ("--objective", "quantile", "--quantile-alpha", "0.1, 0.9", "--one-drop", "yes")
    ends = ("--rounds", "1", "--export", str(path), "--quiet")
    assert main(["train", CARS, "--target", "combined_mpg", *chosen, *ends]) == 0
    capsys.readouterr()
    assert main(["inspect", str(path)]) == 0
    said = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Parameters: "))
    assert "quantile_alpha '0.1, 0.9', " in said
    assert "one_drop yes, " in said
    assert not [name for name in ("class_weights", "forced_splits", "early_stopping_rounds") if name in said]


def test_convert_there_and_back(heart, tmp_path):
    plain, again = tmp_path / "plain.json", tmp_path / "again.json"
    assert main(["convert", str(heart), "--to", "json", "--output", str(plain)]) == 0
    assert json.loads(plain.read_text("utf-8"))["format"] == "boosting-workbench-model"
    assert main(["convert", str(plain), "--to", "xgboost", "--output", str(again)]) == 0
    assert again.read_bytes() == heart.read_bytes()


def test_the_first_rounds_alone(heart, tmp_path, capsys):
    short, early = tmp_path / "short.json", tmp_path / "early.csv"
    assert main(["convert", str(heart), "--to", "xgboost", "--output", str(short), "--rounds", "2"]) == 0
    assert load_model(short).rounds == 2
    assert main(["predict", str(heart), HEART, "--output", str(early), "--rounds", "2", "--raw"]) == 0
    table = read_table(HEART)
    written = [np.float32(row["raw"]) for row in rows_of(early)]
    assert written == load_model(heart).predict_raw(table, 2).tolist()
    assert written != load_model(heart).predict_raw(table).tolist()
    assert main(["inspect", str(heart), "--rounds", "3"]) == 0
    assert "3 rounds, 3 trees" in capsys.readouterr().out
    for wrong in ("6", "-1"):
        said = refused(capsys, "inspect", heart, "--rounds", wrong)
        assert f"has 5 rounds; {wrong} cannot be taken" in said


def test_yes_need_not_be_said(tmp_path):
    out = tmp_path / "m.json"
    train = ["train", HEART, "--target", "disease", "--rounds", "3", "--quiet", "--export", str(out)]
    assert main([*train, "--one-drop", "--seed", "1"]) == 0
    assert load_model(out).params.one_drop
    assert main([*train, "--one-drop", "no"]) == 0
    assert not load_model(out).params.one_drop


def test_refusals_are_one_line(heart, tmp_path, capsys):
    out = tmp_path / "x.json"
    train = ["train", HEART, "--target", "disease", "--export", out]
    assert "no column 'wrong'" in refused(capsys, "train", HEART, "--target", "wrong", "--export", out)
    assert "no column 'wrong'" in refused(capsys, *train, "--ignore", "wrong")
    assert "There is no file" in refused(capsys, "train", "none.csv", "--target", "y", "--export", out)
    assert "--target" in refused(capsys, "train", HEART)
    assert "rounds is 0" in refused(capsys, *train, "--rounds", "0")
    assert "learning_rate is 'fast'" in refused(capsys, *train, "--learning-rate", "fast")
    assert "no objective called 'best'" in refused(capsys, *train, "--objective", "best")
    assert "valid-fraction" in refused(capsys, *train, "--valid-fraction", "1.5")
    assert "valid fraction" in refused(capsys, *train, "--early-stopping-rounds", "5")
    assert "another role" in refused(capsys, *train, "--weight", "disease")
    assert "Cannot write" in refused(capsys, *train[:-1], tmp_path / "none" / "m.json")
    cars = ["train", CARS, "--target", "gears", "--quiet", "--export", out]
    assert "--group COLUMN" in refused(capsys, *cars, "--objective", "lambdarank")
    assert "--surprise" in refused(capsys, *train, "--surprise")
    assert "no tree 6" in refused(capsys, "inspect", heart, "--tree", "6")
    assert "not a model file" in refused(capsys, "inspect", HEART)
    assert "no model format called 'word'" in refused(
        capsys, "convert", heart, "--to", "word", "--output", out
    )
    assert "'age' is missing" in refused(capsys, "predict", heart, CARS, "--output", out)
    assert not out.exists()


def test_a_fault_of_the_program_is_one_line_too(monkeypatch, capsys):
    def broken(_args):
        raise RuntimeError("a\nb")

    monkeypatch.setattr(COMMANDS.get("warmup"), "run", broken)
    assert main(["warmup"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "RuntimeError: a b" in said
    with pytest.raises(RuntimeError):
        main(["warmup", "--debug"])


def test_ctrl_c_stops_and_keeps_the_model(tmp_path, monkeypatch, capsys):
    import signal

    import workbench.api

    whole = workbench.api.train_dataset

    def interrupted(dataset, params, *rest):
        for event in whole(dataset, params, *rest):
            yield event
            if isinstance(event, RoundFinished) and event.round == 3:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(workbench.api, "train_dataset", interrupted)
    out = tmp_path / "m.json"
    before = signal.getsignal(signal.SIGINT)
    assert main(["train", HEART, "--target", "disease", "--rounds", "5000", "--export", str(out)]) == 0
    assert signal.getsignal(signal.SIGINT) is before
    assert "(stopped" in capsys.readouterr().out
    assert load_model(out).rounds == 3


@pytest.fixture
def opened(monkeypatch):
    """The files that a window was opened with."""
    files = []

    class App:
        @staticmethod
        def main(file, table):
            files.append(file)
            if table:
                files.append(table)
            return 0

    monkeypatch.setattr("workbench.commands.parser.window_part", lambda module: App)
    return files


def test_window_opens_with_the_file(opened, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("train", "table.csv", "noending"):
        Path(name).write_text("a,b\n1,2\n")
    assert main([]) == 0
    for name in ("./train", "table.csv", "noending", str(tmp_path)):
        assert main([name]) == 0
    assert main(["noending", "table.csv"]) == 0
    assert opened == [None, "./train", "table.csv", "noending", str(tmp_path), "noending", "table.csv"]


@pytest.mark.parametrize(("name", "words"), [
    ("frobnicate", "no command and no file called 'frobnicate'"),
    ("Train", "The commands are completion, convert, cv, "),
    ("none.csv", "no such file: 'none.csv'"), ("./train", "no such file: './train'"),
    ("none/table", "no such file: 'none/table'"), ("x" * 5000, "no file called"),
])  # fmt: skip
def test_what_is_neither_command_nor_file_is_refused(opened, tmp_path, monkeypatch, capsys, name, words):
    monkeypatch.chdir(tmp_path)
    assert words in refused(capsys, name)
    assert opened == []


@pytest.mark.parametrize(("arguments", "words"), [
    (("measure", "model.json", "table.csv"), "called 'measure'. The commands are completion, convert, cv"),
    (("trian", HEART, "--target", "disease"), "called 'trian'. The nearest is 'train'. The commands are "),
    (("--target", "disease", "--export", "m.json"), "called '--target'. The commands are completion"),
])  # fmt: skip
def test_an_unknown_command_names_the_commands_whatever_follows(opened, capsys, arguments, words):
    assert words in refused(capsys, *arguments)
    assert opened == []


def test_an_unknown_column_is_told_its_nearest_or_how_many_there_are(tmp_path, capsys):
    names = ["churn", *(f"column_{i}" for i in range(30))]
    table = tmp_path / "wide.csv"
    table.write_text("\n".join([",".join(names), ",".join("1" * 31), ",".join("2" * 31)]) + "\n")
    for flags in (["--target", "chrun"], ["--target", "column_1", "--ignore", "CHURN"]):
        said = refused(capsys, "train", table, *flags, "--export", tmp_path / "m.json")
        assert "The nearest is 'churn'." in said
    said = refused(capsys, "train", table, "--target", "zzz", "--export", tmp_path / "m.json")
    assert "Known: churn, column_0" in said
    assert "column_18 and 11 more." in said


def test_nothing_learnt_is_said_on_stderr_and_in_the_model(tmp_path, capsys):
    model = tmp_path / "m.json"
    given = ["train", HEART, "--target", "disease", "--rounds", "3", "--gamma", "1e6", "--export", str(model)]
    assert main(given) == 0
    said = capsys.readouterr().err
    assert "warning: None of the 3 rounds made a split" in said
    assert said.count("made a split") == 1
    assert main(["inspect", str(model)]) == 0
    assert "Note: None of the 3 rounds made a split" in capsys.readouterr().out


def test_without_qt_it_is_said(monkeypatch, capsys):
    import importlib

    def missing(_name):
        raise ModuleNotFoundError("No module named 'PySide6'", name="PySide6.QtGui")

    monkeypatch.setattr(importlib, "import_module", missing)
    assert main([HEART]) == 2
    said = capsys.readouterr().err
    assert "pip install PySide6-Essentials" in said
    assert said.count("\n") == 1


def test_paths_are_tried_before_training(tmp_path, monkeypatch, capsys):
    def refuse(*_args, **_options):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.delattr("os.O_TMPFILE", raising=False)
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    monkeypatch.setattr("workbench.data.reading.read_table", lambda *_: pytest.fail("read the table"))
    code = _code(["train", HEART, "--target", "disease", "--export", tmp_path / "m.json"])
    said = capsys.readouterr()
    refused = f"workbench: Cannot write {tmp_path / 'm.json'}: permission denied. Choose another folder.\n"
    assert (code, said.err) == (1, refused)


def test_a_model_that_cannot_be_written_is_kept(tmp_path, monkeypatch, capsys):
    target = tmp_path / "m.json"
    write = files.atomic_write

    def full(path, data):
        if str(path) == str(target):
            raise OutputError(f"Cannot write {path}: no space left on device.")
        write(path, data)

    monkeypatch.setattr(files, "atomic_write", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = _code(["train", HEART, "--target", "disease", "--rounds", "2", "--quiet", "--export", target])
    said = capsys.readouterr().err
    assert code == 1
    assert said.count("\n") == 1
    assert load_model(said.strip().rpartition("The model is in ")[2]).rounds == 2


def test_a_whole_number_is_said_as_it_was_typed(tmp_path, capsys):
    out = tmp_path / "m.json"
    said = refused(capsys, "train", HEART, "--target", "disease", "--rounds", "-3", "--export", out)
    assert "rounds is -3;" in said


def test_names_are_looked_at_before_the_table_is_read_and_kernels_are_made(tmp_path, monkeypatch, capsys):
    read = []
    monkeypatch.setattr("workbench.commands.train.read_for", lambda args: read.append(1) or read_table(HEART))
    monkeypatch.setattr("workbench.commands.train.make_kernels_ready", lambda *_args: read.append(2))
    ends = ("--target", "disease", "--export", tmp_path / "m.json", "--quiet")
    said = refused(capsys, "train", HEART, *ends, "--more-metrics", "logloss, acu")
    assert "no metric called 'acu'. The nearest is 'auc'" in said
    said = refused(capsys, "train", HEART, *ends, "--objective", "logistik")
    assert "no objective called 'logistik'" in said
    assert not read
    said = refused(capsys, "train", HEART, *ends, "--metric", "mape")
    assert "'mape' cannot be taken of 'logistic'" in said
    assert "'agee', which is no feature" in refused(
        capsys, "train", HEART, *ends, "--forbidden-columns", "agee"
    )
    assert "clash" in refused(
        capsys, "train", HEART, *ends, "--sampling-method", "goss", "--subsample", "0.5"
    )
    assert 2 not in read, "nobody waits for kernels of a run that cannot be"


def test_what_is_read_is_never_written_over(heart, tmp_path, capsys):
    table, model, folder = tmp_path / "t.csv", tmp_path / "m.json", tmp_path / "parts"
    link, both = tmp_path / "link.csv", tmp_path / "both.json"
    folder.mkdir()
    (folder / "a.csv").write_bytes(Path(HEART).read_bytes())
    table.write_bytes(Path(HEART).read_bytes())
    model.write_bytes(heart.read_bytes())
    link.symlink_to(table)
    train = ["train", table, "--target", "disease", "--rounds", "1", "--quiet"]
    for argv, words in (
        (["predict", model, table, "--output", table], "that file is read"),
        (["predict", model, table, "--output", link], "that file is read"),
        (["predict", model, table, "--output", model], "that file is read"),
        (["convert", model, "--to", "html", "--output", model], "that file is read"),
        (["predict", model, folder, "--output", folder / "a.csv"], "the folder is read"),
        ([*train, "--export", table], "that file is read"),
        ([*train, "--export", both, "--history", link], "that file is read"),
        ([*train, "--export", both, "--history", both], "two outputs"),
    ):
        assert words in refused(capsys, *argv)
    assert table.read_bytes() == (folder / "a.csv").read_bytes() == Path(HEART).read_bytes()
    assert model.read_bytes() == heart.read_bytes()
    assert not both.exists()


def test_an_output_that_ends_as_a_folder_does_is_refused(heart, tmp_path, capsys):
    table, new = HEART, f"{tmp_path}/new/"
    train = ["train", table, "--target", "disease", "--rounds", "1", "--quiet"]
    for argv in (
        ["convert", heart, "--output", new], ["predict", heart, table, "--output", new],
        ["script", "--output", new], [*train, "--export", new],
        [*train, "--export", tmp_path / "m.json", "--history", new],
    ):  # fmt: skip
        assert "new/: it ends as a folder does. Give a file name." in refused(capsys, *argv)
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_too_long_is_said_before_anything_is_read(tmp_path, capsys):
    output = str(tmp_path / ("n" * 256))
    assert main(["predict", "no such model", "no such table", "--output", output]) == 1
    error = capsys.readouterr().err
    assert error == f"workbench: Cannot write {output}: file name too long.\n"


def test_a_table_is_kept_on_disk_where_that_is_wanted(tmp_path, capsys):
    """Nothing is left of it, and the model is the one that memory makes; no folder is one line."""
    folder = tmp_path / "kept"
    folder.mkdir()
    known = None
    for flags in ([], ["--map"], ["--map-folder", str(folder)]):
        model = tmp_path / "model.json"
        train = ["train", HEART, "--target", "disease", "--rounds", "3", "--export", str(model), "--quiet"]
        assert main([*train, *flags]) == 0
        trees = [tree.nodes.tobytes() for tree in load_model(model).trees]
        known = known or trees
        assert trees == known
    assert list(folder.iterdir()) == []
    assert main(["describe", HEART, "--map-folder", str(tmp_path / "none")]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(tmp_path / "none") in said
