"""What is written and read again is the same model."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.formats.making import make_model, same_model
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS, reader_of, writer, writer_for
from workbench.formats.load import load_model
from workbench.formats.own import payload

OBJECTIVES = ("squared", "logistic", "softmax")


@examples(60)
@given(
    st.integers(0, 10**6),
    st.sampled_from(OBJECTIVES),
    st.integers(0, 6),
    st.sampled_from(["xgboost", "json"]),
    st.booleans(),
)
def test_same_model(seed, objective, rounds, name, dart):
    model = make_model(seed, objective, rounds=rounds, dart=dart)
    data = FORMATS.get(name).write(model)
    assert reader_of(data).name == name
    assert data == FORMATS.get(name).write(model)
    same_model(model, FORMATS.get(name).read(data))


def test_unknown_figures_stay_unknown():
    model = make_model(3)
    for tree in model.trees:
        tree.nodes["sum_gradient"] = np.nan
        tree.nodes["weight"][tree.is_leaf] = tree.nodes["leaf_value"][tree.is_leaf]
        tree.nodes["count"] = 0
    plain = (replace(tree, learning_rate=1.0, reg_lambda=1.0, gamma=0.0) for tree in model.trees)
    model = replace(model, ensemble=replace(model.ensemble, trees=tuple(plain)))
    for name in ("xgboost", "json"):
        same_model(model, FORMATS.get(name).read(FORMATS.get(name).write(model)))
    for tree in json.loads(FORMATS.get("json").write(model))["trees"]:
        assert [tree[name] for name in ("learning_rate", "reg_lambda", "gamma")] == [None] * 3
        for node in tree["nodes"]:
            assert node["count"] is node["sum_gradient"] is None
            assert "leaf_value" not in node or node["weight"] is None


def test_saved_and_loaded_by_path(tmp_path):
    model = make_model(7, "logistic")
    for name, expected in (("m.json", "xgboost"), ("m.plain.json", "json"), ("noending", "xgboost")):
        model.save(tmp_path / name)
        assert reader_of((tmp_path / name).read_bytes()).name == expected == writer_for(name).name
        same_model(model, load_model(tmp_path / name))
    model.save(str(tmp_path / "x.json"), format="json")
    assert reader_of((tmp_path / "x.json").read_bytes()).name == "json"


def test_an_ending_that_no_format_has_is_refused(tmp_path):
    for name in ("m.cbm", "m.tar.xml", "m.R"):
        with pytest.raises(WorkbenchError, match=r"ends in '\.\w+'. Known: .*\.onnx.*\.ubj"):
            make_model(7, "logistic").save(tmp_path / name)
    assert not any(tmp_path.iterdir())
    assert writer_for("run 1.5").name == "xgboost"


def test_first_rounds_and_properties():
    model = make_model(7, "softmax", rounds=4)
    assert model.rounds == 4
    assert model.trees is model.ensemble.trees


def test_unknown_format_is_said():
    with pytest.raises(WorkbenchError, match="no model format called 'pickle'"):
        writer("pickle")


def test_parameters_of_a_later_version_are_left_out_and_noted():
    document = json.loads(FORMATS.get("json").write(make_model(1)))
    document["params"]["novelty"] = 3
    model = FORMATS.get("json").read(json.dumps(document).encode())
    assert "novelty" in model.provenance["notes"][-1]


def test_bytes_do_not_depend_on_the_thread_that_packs_nor_on_what_columns_are_called(monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 2)), columns=["\0attributes\0", "\0numbers\0"])
    model = workbench.fit(frame, frame.sum(axis=1), rounds=3)
    writer = FORMATS.get("xgboost")
    data = writer.write(model)
    monkeypatch.setattr(payload, "FEWEST_FOR_A_THREAD", 0)
    assert writer.write(model) == data
    assert writer.read(data).schema.names == model.schema.names
