"""The document of a model: every one that is written fits the published schema, older ones are brought up."""

from __future__ import annotations

import base64
import html
import json
import math
import re
import zlib
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.formats.making import TASKS, make_model, margins, same_model
from workbench.__main__ import main
from workbench.data.reading import read_table
from workbench.data.schema import Split
from workbench.data.table import TableNote
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS, reader_of
from workbench.formats.bytes import checks, number_lists
from workbench.formats.bytes.number_lists import json_text
from workbench.formats.load import load_model
from workbench.formats.own.document import history_row
from workbench.formats.own.migrations import FORMAT_VERSION, STEPS
from workbench.formats.own.round_records import packed_rounds, unpacked_rounds
from workbench.resources import resource_path
from workbench.session.opening.imported import run_of
from workbench.shell.files.saving import _save_model

HERE = Path(__file__).parent
SCHEMA = json.loads(resource_path("model.schema.json").read_text("utf-8"))
CHECK = jsonschema.Draft202012Validator(SCHEMA)
OLD = sorted((HERE / "documents").glob("version_*.json"))


def plain(model):
    return json.loads(FORMATS.get("json").write(model))


def fits(model):
    CHECK.validate(plain(model))
    same_model(model, FORMATS.get("json").read(FORMATS.get("json").write(model)))


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["version"]["const"] == FORMAT_VERSION


@examples(60)
@given(st.integers(0, 10**6), st.sampled_from(list(TASKS)), st.integers(0, 4), st.booleans())
def test_every_model_fits(seed, objective, rounds, dart):
    model = make_model(seed, objective, rounds=rounds, dart=dart)
    notes = (TableNote("Column 'a' has 3 “odd” cells.", "a", 3, "warning"), TableNote("A remark."))
    plain_one = replace(model.schema, journal=notes, offset=None, sha256="0" * 64)
    fits(replace(model, schema=plain_one))
    fits(replace(model, schema=replace(plain_one, group="g", split=Split(0.2, 7), target_is_date=True)))


@pytest.mark.parametrize("params", [
    {"objective": "quantile", "quantile_alpha": (0.1, 0.5, 0.9)}, {"rate_drop": 0.5},
    {"num_parallel_tree": 2},
    {"forced_splits": "x < 0.5 {yes: kind = b}"}, {"forced_splits": "kind {no: x}"},
    {"reg_alpha": 1.0, "max_delta_step": 0.5},
    {"monotone_constraints": {"x": 1}, "interaction_constraints": [["x", "kind"]]},
    {"metric": "mae", "rounds": 1},
    {"learning_rate_decay": 0.9, "max_bin": 1000}, {"pruning": "post", "gamma": 0.5},
])  # fmt: skip
def test_every_way_of_training_fits(params):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80), "flag": rng.random(80) < 0.5})
    frame["kind"] = rng.choice(list("abc"), 80)
    frame["y"] = frame["x"].fillna(0) + (frame["kind"] == "b")
    frame.loc[::9, "x"] = None
    params = workbench.TrainingParams(**{"rounds": 3, "max_depth": 3, **params})
    fits(workbench.fit(frame, target="y", params=params))


def test_a_history_by_columns_comes_back_as_its_rows(monkeypatch):
    monkeypatch.setattr(number_lists, "FEWEST_WHERE_LOADED", 0)
    figures = {"same": 0.3, "zero": 0.0, "word": "%s\n", "none": None}
    rows = [{"round": i, "loss": i / 3, "odd": math.nan if i == 2 else 1.0, "true": i > 1, "seconds": i,
             "sign": -0.0 if i else 0.0, "kind": 1 if i else 1.0, **figures} for i in range(4)]  # fmt: skip
    placed = [{"round": i, "b": number_lists.PLACE, "c": i / 2} for i in range(2)]
    for told in ([], rows, rows[:1], [*rows, {"round": 5}], [{"b": 1}, {"b": 2}], placed):
        text = json_text(packed_rounds(told))
        back = [*map(history_row, unpacked_rounds(json.loads(text), 10**6))]
        assert repr(back) == repr([{k: v for k, v in row.items() if k != "seconds"} for row in told])
    text = json_text(packed_rounds(rows))
    assert '"same":0.3' in text
    assert text == json_text(packed_rounds([eval(repr(row), {"nan": float("nan")}) for row in rows]))


@pytest.mark.parametrize(("packed", "words"), [
    ({"round": [1, 2], "loss": [1.0]}, "history.loss has 1 entries instead of 2"),
    ({"loss": [1.0]}, "round"), ({"round": 3, "loss": 1.0}, "history.round must be an array"),
    ({"round": [1] * 400, **{str(i): 0 for i in range(400)}}, "its history is too large"),
    ("rounds", "history must be an array"),
])  # fmt: skip
def test_a_history_that_is_none_is_refused(packed, words):
    with pytest.raises(WorkbenchError, match=words), checks.damage_reported("model file"):
        unpacked_rounds(packed, 100_000)


@pytest.mark.parametrize("change", [
    lambda d: d.update(version=FORMAT_VERSION - 1), lambda d: d["schema"].pop("journal"),
    lambda d: d["trees"][0]["nodes"][0].update(surprise=1), lambda d: d["trees"][0].update(nodes=[]),
    lambda d: d["schema"].update(task="guessing"), lambda d: d.update(n_classes=0),
    lambda d: d.update(more=1),
])  # fmt: skip
def test_the_schema_refuses_a_wrong_document(change):
    document = plain(make_model(1))
    change(document)
    assert not CHECK.is_valid(document)


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_older_documents_are_brought_up(path):
    """Written by the program as it was then; what they predict is kept beside them."""
    kept = json.loads(path.read_text("utf-8"))
    data = zlib.decompress(base64.b64decode(kept["packed"]))
    model = reader_of(data).read(data)
    found = margins(model, np.array(kept["rows"], np.float32))
    np.testing.assert_array_equal(found, np.array(kept["raw"], np.float32))
    assert model.schema.journal == ()
    assert np.isfinite(model.trees[0].nodes["sum_gradient"]).all()
    fits(model)
    again = FORMATS.get("xgboost").write(model)
    same_model(model, FORMATS.get("xgboost").read(again))


def test_every_older_version_has_a_step():
    assert sorted(STEPS) == list(range(1, FORMAT_VERSION))
    assert {int(path.stem.split("_")[1]) for path in OLD} == set(STEPS)


@pytest.mark.parametrize("name", ["json", "xgboost"])
def test_newer_documents_are_refused_in_one_line(name):
    data = FORMATS.get(name).write(make_model(1))
    old = f'"version": {FORMAT_VERSION}' if name == "json" else f'"workbench.format":"{FORMAT_VERSION}"'
    assert old.encode() in data
    newer = data.replace(old.encode(), old.replace(str(FORMAT_VERSION), "7").encode(), 1)
    words = f"newer version .*has version 7, this one knows {FORMAT_VERSION}.* Update it"
    with pytest.raises(WorkbenchError, match=words) as error:
        FORMATS.get(name).read(newer)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("version", [0, -1, None, "x", 1.5])
def test_a_version_that_is_none_is_refused(version):
    document = plain(make_model(1)) | {"version": version}
    with pytest.raises(WorkbenchError, match="version"):
        FORMATS.get("json").read(json.dumps(document).encode())


@pytest.fixture
def messy(tmp_path):
    """A table that reading repairs: percent signs, a second header, a short row; y is not always there."""
    path = tmp_path / "t.csv"
    rows = "".join(f"{i},{i * 7 % 5}{'%' * (i % 9 == 0)},{'?' if i == 3 else i % 3}\n" for i in range(60))
    path.write_text("a,b,y\n" + rows + "a,b,y\n1,2\n")
    return path


def test_what_reading_repaired_stays_with_the_model(messy, tmp_path, capsys):
    notes = read_table(messy).notes
    assert len(notes) > 1
    out = tmp_path / "m.json"
    assert main(["train", str(messy), "--target", "y", "--rounds", "2", "--export", str(out), "--quiet"]) == 0
    model = load_model(out)
    assert model.schema.journal[:-1] == notes
    assert (model.schema.journal[-1].column, model.schema.journal[-1].count) == ("y", 2)
    capsys.readouterr()
    assert main(["inspect", str(out)]) == 0
    said = capsys.readouterr().out
    page = FORMATS.get("html").write(model).decode()
    for note in model.schema.journal:
        assert f"Reading: {note.text}" in said
        assert html.escape(note.text) in page


@pytest.mark.filterwarnings("ignore::workbench.errors.WorkbenchWarning")
def test_what_a_frame_lacked_is_in_the_journal():
    model = workbench.fit(pd.DataFrame({"a": [1.0, None, 3.0], "y": [1.0, 2.0, None]}), target="y", rounds=1)
    assert model.schema.journal[-1] == TableNote("'y' is missing in row 3, left out of training.", "y", 1)


def test_a_model_that_was_opened_is_saved_as_it_was_read(tmp_path):
    lgb = pytest.importorskip("lightgbm")
    x = np.random.default_rng(0).normal(size=(60, 2))
    data = lgb.Dataset(x, x[:, 0])
    lgb.train({"verbose": -1, "num_threads": 1, "lambda_l2": 3.0}, data, 3).save_model(tmp_path / "m.txt")
    read = load_model(tmp_path / "m.txt")
    kept = run_of(read).kept()
    _save_model(kept, tmp_path / "again.json")
    same_model(read, load_model(tmp_path / "again.json"))
    assert {"reg_lambda", "learning_rate"} <= set(read.known_params)
    assert "max_bin" not in read.known_params


def test_parameters_that_the_file_does_not_tell_are_not_shown(tmp_path, capsys):
    xgb = pytest.importorskip("xgboost")
    x = np.random.default_rng(0).normal(size=(60, 2))
    booster = xgb.train({"nthread": 1, "lambda": 7}, xgb.DMatrix(x, x[:, 0], nthread=1), 2)
    booster.save_model(tmp_path / "m.json")
    assert main(["inspect", str(tmp_path / "m.json")]) == 0
    said = capsys.readouterr().out
    assert "squared model of an unknown target (regression)" in said
    assert "Parameters: objective squared, rounds 2; the others are unknown" in said
    assert main(["inspect", str(tmp_path / "m.json"), "--tree", "1"]) == 0
    told = capsys.readouterr().out
    assert "η, λ and γ unknown" in told
    assert "(w* unknown)  G unknown  H " in told
    assert "rows unknown" in told
    assert not re.search(r"nan|rows \d", told)
    assert main(["inspect", str(tmp_path / "m.json"), "--tree", "1", "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["learning_rate"] is tree["reg_lambda"] is tree["gamma"] is None
    assert {node["count"] for node in tree["nodes"]} == {None}
    assert main(["inspect", str(tmp_path / "m.json"), "--json"]) == 0
    overview = json.loads(capsys.readouterr().out)
    assert set(overview["params"]) == {"objective", "rounds"}
    assert overview["schema"]["target"] is overview["schema"]["rows"] is None
    fits(load_model(tmp_path / "m.json"))
    page = FORMATS.get("html").write(load_model(tmp_path / "m.json")).decode()
    assert "reg_lambda" not in page
    assert "unknown" in page


LABELS = '"class_labels": [\n   "k0",\n   "k1",'


def edited(text, words, other):
    assert words in text
    return text.replace(words, other, 1).encode()


def refusal(data):
    with pytest.raises(WorkbenchError) as refused:
        FORMATS.get("json").read(data)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.fixture(scope="module")
def by_hand():
    """A document as a person edits it, of three classes."""
    model = make_model(3, "softmax", rounds=2, names=("age", "bmi", "site", "day"))
    return FORMATS.get("json").write(model).decode()


@pytest.mark.parametrize(("words", "other", "told"), [
    ('"objective": "softmax",\n "n_classes"', '"objective": "softmix",\n "n_classes"',
     "objective: There is no objective called 'softmix'. The nearest is 'softmax'."),
    ('"name": "bmi"', '"name": "age"', "schema.features has 'age' twice."),
    (LABELS, LABELS.replace("k1", "k0"), "schema.class_labels has 'k0' twice."),
    ('"id": 1,', '"id": 2,', "nodes[1]: id must be a whole number from 1 to 1."),
    ('"gain": ', '"gain": 1e999, "": ', "nodes[0]: gain has a value that is not a finite number."),
    ('"leaf_value": ', '"leaf_value": null, "": ', "leaf_value has a value that is no finite"),
    ('"missing": ', '"else": ', "nodes[0]: 'missing' is missing."),
    ('"class_index": 0', '"class_index": null', "trees[0]: class_index must be a whole number"),
])  # fmt: skip
def test_what_a_hand_has_spoilt_is_refused_with_its_place(by_hand, words, other, told):
    assert told in refusal(edited(by_hand, words, other))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("name", ["sum_gradient", "gain", "train:rmse", "below", "base_margin"])
def test_a_word_where_a_number_must_stand_is_refused_with_its_line(by_hand, word, name):
    line = next(number for number, line in enumerate(by_hand.split("\n"), start=1) if f'"{name}": ' in line)
    data = edited(by_hand, f'"{name}": ', f'"{name}": {word}, "": ')
    assert f"line {line} has {word} where a number must stand" in refusal(data)


def test_words_in_texts_are_no_numbers(by_hand):
    names = by_hand.replace('"bmi"', '"NaN"').replace('"site"', json.dumps('"Infinity" \\'))
    assert FORMATS.get("json").read(names.encode()).schema.names == ("age", "NaN", '"Infinity" \\', "day")


def test_a_truth_value_is_another_class_than_a_number(by_hand):
    labels = edited(by_hand, LABELS, LABELS.replace('"k0"', "1").replace('"k1"', "true"))
    assert FORMATS.get("json").read(labels).schema.class_labels == (1, True, "k2")
    labels = edited(by_hand, LABELS, LABELS.replace('"k0"', "1").replace('"k1"', "1.0"))
    assert "schema.class_labels has 1.0 twice" in refusal(labels)
