"""Damaged, foreign and hostile model files: one clear sentence, never another exception."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.making import make_model, make_rows, margins
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes.checks import parse_object
from workbench.formats.bytes.ubjson import parse_ubjson
from workbench.formats.load import load_model
from workbench.formats.model import Model
from workbench.formats.own.migrations import FORMAT_VERSION

NAMES = ("xgboost", "json")
MODELS = [
    *(make_model(seed, objective) for seed, objective in ((1, "squared"), (2, "logistic"), (3, "softmax"))),
    make_model(4, "squared", dart=True),
]
FILES = {name: [FORMATS.get(name).write(m) for m in MODELS] for name in NAMES}
ODD = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1,
        2,
        10**30,
        -(10**30),
        1e300,
        float("nan"),
        float("inf"),
        "",
        "x",
        "9" * 30,
        [],
        {},
        [[]],
    ]
)


def load(tmp_path, data):
    """Return the model, or None where the file is refused in words."""
    path = tmp_path / "model.json"
    path.write_bytes(data)
    try:
        model = load_model(path)
    except WorkbenchError as error:
        said = str(error)
        model = None
    if model is None:
        assert said
        assert "\n" not in said
        return None
    check_usable(model)
    return model


def check_usable(model):
    """Whatever is let in can be walked without leaving the arrays."""
    assert isinstance(model, Model)
    assert len(model.schema.features) == model.ensemble.n_features
    if model.ensemble.n_features < 10:
        margins(model, np.zeros((2, model.ensemble.n_features), np.float32))


def paths(value, path=()):
    """Return the ways to every value in a document."""
    found = [path]
    if isinstance(value, dict):
        for key, item in value.items():
            found += paths(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value[:4]):
            found += paths(item, (*path, i))
    return found


def changed(document, path, new):
    if not path:
        return new
    copy = dict(document) if isinstance(document, dict) else list(document)
    copy[path[0]] = changed(copy[path[0]], path[1:], new)
    return copy


def without(document, path):
    copy = dict(document) if isinstance(document, dict) else list(document)
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = without(copy[path[0]], path[1:])
    return copy


quiet = examples(150)


@quiet
@given(st.data(), st.sampled_from(NAMES), st.integers(0, 2))
def test_truncated(tmp_path, data, name, which):
    whole = FILES[name][which]
    end = data.draw(st.integers(0, len(whole.rstrip()) - 1))
    assert load(tmp_path, whole[:end]) is None


@quiet
@given(st.data(), st.sampled_from(NAMES), st.integers(0, 2))
def test_changed_bytes(tmp_path, data, name, which):
    raw = bytearray(FILES[name][which])
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    load(tmp_path, bytes(raw))


@quiet
@given(st.data(), st.sampled_from(NAMES), st.integers(0, 2), ODD)
def test_changed_values(tmp_path, data, name, which, odd):
    document = json.loads(FILES[name][which])
    path = data.draw(st.sampled_from(paths(document)))
    load(tmp_path, json.dumps(changed(document, path, odd)).encode())
    if path:
        load(tmp_path, json.dumps(without(document, path)).encode())


@pytest.mark.parametrize("figures", [
    None, 1, "", "no base64", base64.b64encode(bytes(8)).decode(), "infinite", "below zero", "cut off",
])  # fmt: skip
def test_packed_figures_that_are_not_as_written(figures):
    document = json.loads(FILES["xgboost"][1])
    attributes = document["learner"]["attributes"]
    columns = np.frombuffer(base64.b64decode(attributes["workbench.figures"])).copy()
    if figures == "infinite":
        columns[-1] = np.inf
    elif figures == "below zero":
        columns.view(np.int64)[0] = -1
    packed = base64.b64encode(columns[: -1 if figures == "cut off" else None]).decode()
    is_name = figures in ("infinite", "below zero", "cut off")
    attributes["workbench.figures"] = packed if is_name else figures
    with pytest.raises(WorkbenchError) as error:
        FORMATS.get("xgboost").read(json.dumps(document).encode())
    assert "\n" not in str(error.value)


@quiet
@given(st.data(), st.integers(0, 2), ODD)
def test_changed_values_in_our_own_section(tmp_path, data, which, odd):
    document = json.loads(FILES["xgboost"][which])
    attributes = document["learner"]["attributes"]
    inner = json.loads(zlib.decompress(base64.b64decode(attributes["workbench.document"])))
    path = data.draw(st.sampled_from(paths(inner)))
    for spoilt in [changed(inner, path, odd), *([without(inner, path)] if path else [])]:
        text = zlib.compress(json.dumps(spoilt).encode())
        attributes["workbench.document"] = base64.b64encode(text).decode()
        load(tmp_path, json.dumps(document).encode())


@quiet
@given(st.data(), st.integers(0, 2), ODD)
def test_changed_values_of_a_foreign_model(tmp_path, data, which, odd):
    document = json.loads(FILES["xgboost"][which])
    document["learner"]["attributes"] = {}
    path = data.draw(st.sampled_from(paths(document)))
    load(tmp_path, json.dumps(changed(document, path, odd)).encode())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a model file"),
        (b"{}", "not a model file"),
        (b"\x80\x04pickle", "a pickle, which can run code"),
        (b'{"learner":' + b"[" * 100_000, "JSON"),
        (b'{"learner":{"x":' + b"9" * 5000 + b"}}", "JSON"),
        (b'{"learner":[]}', "learner must be an object"),
        (b'{"learner":{"\xff":1}}', "UTF-8"),
    ],
)
def test_no_model_at_all(tmp_path, data, words):
    path = tmp_path / "m.json"
    path.write_bytes(data)
    with pytest.raises(WorkbenchError, match=words):
        load_model(path)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(WorkbenchError, match="no such file"):
        load_model(tmp_path / "none.json")
    with pytest.raises(WorkbenchError, match="directory"):
        load_model(tmp_path)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([0, -1, -1], [2, -1, -1]),
        ([1, 1, -1], [2, 2, -1]),
        ([1, -1, 0], [2, -1, 1]),
        ([1, -1, -1], [1, -1, -1]),
    ],
)
def test_loops_and_shared_children(left, right):
    document = json.loads(FILES["xgboost"][0])
    document["learner"]["attributes"] = {}
    tree = document["learner"]["gradient_booster"]["model"]["trees"][0]
    tree |= {
        "left_children": left,
        "right_children": right,
        "split_indices": [0, 0, 0],
        "split_type": [0] * 3,
    }
    for name in ("split_conditions", "loss_changes", "sum_hessian", "base_weights", "default_left"):
        tree[name] = [0] * 3
    tree |= {f"categories{s}": [] for s in ("", "_nodes", "_segments", "_sizes")}
    with pytest.raises(WorkbenchError, match=r"loop|range"):
        FORMATS.get("xgboost").read(json.dumps(document).encode())


def test_a_weight_of_a_tree_beyond_float32():
    document = json.loads(FILES["xgboost"][3])
    document["learner"]["gradient_booster"]["weight_drop"][0] = 1e300
    with pytest.raises(WorkbenchError, match="weight_drop has a value that is no finite float32"):
        FORMATS.get("xgboost").read(json.dumps(document).encode())


def test_a_bomb_is_not_unpacked():
    document = json.loads(FILES["xgboost"][0])
    bomb = base64.b64encode(zlib.compress(b" " * 400 * len(FILES["xgboost"][0]))).decode()
    document["learner"]["attributes"]["workbench.document"] = bomb
    with pytest.raises(WorkbenchError, match="too large"):
        FORMATS.get("xgboost").read(json.dumps(document).encode())


def test_a_newer_file_asks_for_an_update():
    document = json.loads(FILES["xgboost"][0])
    document["learner"]["attributes"]["workbench.format"] = str(FORMAT_VERSION + 1)
    with pytest.raises(WorkbenchError, match="newer version"):
        FORMATS.get("xgboost").read(json.dumps(document).encode())


def test_changed_trees_are_read_as_foreign_and_it_is_said():
    model = MODELS[1]
    document = json.loads(FILES["xgboost"][1])
    trees = document["learner"]["gradient_booster"]["model"]["trees"]
    trees[-1]["split_conditions"][-1] += 1.0
    changed_model = FORMATS.get("xgboost").read(json.dumps(document).encode())
    assert "changed after" in changed_model.provenance["notes"][0]
    assert changed_model.schema.features == model.schema.features
    assert changed_model.schema.class_labels == ("no", "yes")
    rows = make_rows(model)
    assert not np.array_equal(margins(changed_model, rows), margins(model, rows))


def test_a_text_that_is_cut_off_is_said_to_be():
    with pytest.raises(WorkbenchError, match=r"complete JSON: Unterminated string starting at line 1\."):
        parse_object(b'{"learner')


@given(st.text(max_size=30), st.data())
def test_cut_off_ubjson_is_said_to_be(text, data):
    encoded = text.encode()
    whole = b"{i\x03keySU" + bytes([len(encoded)]) + encoded + b"}"
    assert parse_ubjson(whole) == {"key": text}
    with pytest.raises(WorkbenchError, match="it is cut off"):
        parse_ubjson(whole[: data.draw(st.integers(1, len(whole) - 1))])
