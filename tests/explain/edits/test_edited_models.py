"""A model says its edits in its file and in every export, and XGBoost predicts with it bit for bit."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import xgboost

from tests.explain.edits.making import edited_run
from tests.reference.tables import random_dataset
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import WorkbenchError
from workbench.explain.edits.base import EDITS, edit_of, record_of
from workbench.explain.edits.drop_tree import DropTree
from workbench.explain.edits.forbid_column import ForbidColumn
from workbench.explain.edits.move_threshold import MoveThreshold
from workbench.explain.edits.prune import Prune
from workbench.explain.edits.set_weight import SetWeight
from workbench.explain.edits.take_split import TakeSplit
from workbench.formats.base import FORMATS, reader_of
from workbench.formats.edits import edit_entry, with_edits
from workbench.formats.model import Model
from workbench.parameters.training import TrainingParams

EVERY = [
    Prune(2, 0, 1, "too few rows"), SetWeight(3, 0, 5, -0.5), MoveThreshold(1, 0, 0, 0.25),
    TakeSplit(1, 0, 2, "x1", categories=(1, 3), default_left=True), ForbidColumn(2, 1, 4, "x0"),
    DropTree(3, 0, "NaN"),
]  # fmt: skip
HOSTILE = "*/ \\ \"\"\" '''\n#--> @TREES@ é"


def edited_model(edit=None, words="", **params):
    data = random_dataset("binary", missing=0.1)
    editor, rounds = edited_run(data, objective="logistic", rounds=3, max_depth=3, **params)
    edit = edit or SetWeight(3, 0, int(np.flatnonzero(rounds[2].trees[0].is_leaf)[0]), 0.125, HOSTILE)
    branch = editor.branch(edit)
    model = Model(branch.ensemble, data.schema, TrainingParams(objective="logistic"))
    return with_edits(model, [edit_entry(edit, words or branch.words)]), data


def test_a_kind_is_written_and_read_back():
    assert {kind.name for kind in EDITS} == {edit.kind for edit in EVERY}
    for edit in EVERY:
        assert edit_of(json.loads(json.dumps(record_of(edit)))) == edit


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ([], "must be an object"),
        ({"kind": "explode"}, "no kind of edit called 'explode'"),
        ({"kind": "prune", "round": 1, "place": 0}, "must say its node"),
        ({"kind": "prune", "round": 0, "place": 0, "node": 0}, "from 1"),
        ({"kind": "prune", "round": True, "place": 0, "node": 0}, "from 1"),
        ({"kind": "prune", "round": 1, "place": 0, "node": -1}, "from 0"),
        ({"kind": "set_weight", "round": 1, "place": 0, "node": 0, "weight": float("nan")}, "a number"),
        ({"kind": "set_weight", "round": 1, "place": 0, "node": 0, "weight": 10**400}, "a number"),
        ({"kind": "move_threshold", "round": 1, "place": 0, "node": 0, "threshold": None}, "a number"),
        ({"kind": "take_split", "round": 1, "place": 0, "node": 0, "column": 3}, "name of a column"),
        (
            {"kind": "take_split", "round": 1, "place": 0, "node": 0, "column": "a", "categories": ["b"]},
            "codes",
        ),
        ({"kind": "drop_tree", "round": 1, "place": 0, "reason": 5}, "a text"),
    ],
)
def test_hostile_records_are_refused_in_one_line(record, words):
    with pytest.raises(WorkbenchError, match=words) as refused:
        edit_of(record)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [f.name for f in FORMATS if f.can_write])
def test_every_export_says_that_the_model_was_edited(name):
    model, _ = edited_model()
    plain = replace(model, provenance={})
    text = FORMATS.get(name).write(model)
    try:
        said = FORMATS.get(name).read(text).provenance.get("edits")
    except WorkbenchError:
        said = None
    if said is None:
        assert b"Edited by hand, 1 edit." in text
        assert b"weight" in text
        assert b"Edited by hand" not in FORMATS.get(name).write(plain)
    else:
        assert said == model.provenance["edits"]


def test_code_with_hostile_reasons_still_runs():
    model, data = edited_model()
    space: dict = {}
    exec(FORMATS.get("python").write(model).decode(), space)
    row = data.features[0]
    given = [*row[:1].tolist(), f"c{row[1]:.0f}", *row[2:].tolist()]
    assert np.float32(space["predict_raw"](given)) == raw_predictions(model.ensemble, row[None])[0]
    source = FORMATS.get("c").write(model).decode()
    head = source[: source.index("#include")]
    assert head.count("*/") == 1
    query = FORMATS.get("sql").write(model).decode()
    assert all(line.startswith("--") for line in query.split("WITH")[0].splitlines())


def test_xgboost_predicts_with_an_edited_model_bit_for_bit(tmp_path):
    for edit in (None, Prune(2, 0, 1), TakeSplit(1, 0, 0, "x1", categories=(1, 3)), DropTree(2, 0)):
        model, data = edited_model(edit)
        model.save(tmp_path / "model.json")
        booster = xgboost.Booster(model_file=tmp_path / "model.json")
        rows = xgboost.DMatrix(
            data.features, feature_names=booster.feature_names, feature_types=booster.feature_types,
            enable_categorical=True,
        )
        theirs = booster.predict(rows, output_margin=True)
        assert theirs.tobytes() == raw_predictions(model.ensemble, data.features).tobytes()
        read = reader_of((tmp_path / "model.json").read_bytes()).read((tmp_path / "model.json").read_bytes())
        assert read.provenance["edits"] == model.provenance["edits"]
        assert [a.nodes.tobytes() for a in read.trees] == [b.nodes.tobytes() for b in model.trees]


def test_fewer_rounds_say_fewer_edits():
    model, _ = edited_model()
    assert len(model.first_rounds(3).provenance["edits"]) == 1
    assert not model.first_rounds(2).provenance["edits"]


@pytest.mark.parametrize(
    "edits", [{}, [3], [{"kind": "prune"}], [{"kind": "prune", "words": "x", "round": "2"}],
              [{"kind": "prune", "words": "x", "round": 0}], [{"kind": 1, "words": "x", "round": 1}]],
)  # fmt: skip
def test_hostile_provenance_is_refused(edits):
    model, _ = edited_model()
    damaged = replace(model, provenance=model.provenance | {"edits": edits})
    data = FORMATS.get("json").write(replace(damaged, provenance={})).replace(
        b'"provenance": {}', b'"provenance": ' + json.dumps({"edits": edits}).encode()
    )
    with pytest.raises(WorkbenchError, match="Damaged model file") as refused:
        FORMATS.get("json").read(data)
    assert "\n" not in str(refused.value)
