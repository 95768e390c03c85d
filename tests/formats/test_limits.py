"""Small model files that ask for much: memory, time, levels, names. Each is refused in one line, at once."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from tests.formats.making import make_model
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS, reader_of
from workbench.formats.bytes.structure import DEEPEST
from workbench.formats.bytes.ubjson import parse_ubjson
from workbench.formats.load import load_model
from workbench.formats.xgboost.categories import StoredNames, read_container
from workbench.formats.xgboost.fingerprint import fingerprint
from workbench.trees.tree import NODE_DTYPE, Tree

XGBOOST = FORMATS.get("xgboost")


def document(seed=1, objective="squared", foreign=True, **made):
    found = json.loads(XGBOOST.write(make_model(seed, objective, **made)))
    if foreign:
        found["learner"]["attributes"] = {}
    return found


def refused(record, name="xgboost"):
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    with pytest.raises(WorkbenchError) as found:
        FORMATS.get(name).read(data)
    assert "\n" not in str(found.value)
    assert not isinstance(found.value.__cause__, MemoryError)
    return str(found.value)


def chain(levels, schema_of):
    """A tree of which every split has a leaf on its left."""
    n = 2 * levels + 1
    nodes = np.zeros(n, NODE_DTYPE)
    inner = np.array([0, *range(2, n - 2, 2)])
    nodes["feature"], nodes["left"], nodes["right"], nodes["category"] = -1, -1, -1, -1
    nodes["left"][inner] = np.arange(1, n, 2)
    nodes["right"][inner] = np.arange(2, n, 2)
    nodes["parent"][0] = -1
    nodes["parent"][nodes["left"][inner]] = nodes["parent"][nodes["right"][inner]] = inner
    nodes["depth"][1:] = np.repeat(np.arange(1, levels + 1), 2)
    nodes["feature"][inner] = 0
    nodes["threshold"] = np.nan
    nodes["threshold"][inner] = np.arange(levels)
    nodes["leaf_value"][nodes["left"] < 0] = 0.25
    nodes["sum_hessian"] = 1
    tree = Tree(nodes, np.zeros(n + 1, np.int32), np.zeros(0, np.int32), 0, 1.0, 1.0, 0.0)
    return replace(schema_of, ensemble=replace(schema_of.ensemble, trees=(tree,)))


def numbers_only():
    return make_model(0, "squared", 1, rounds=1, kinds=("number",))


@pytest.mark.parametrize("constant", [b"T", b"F", b"Z"])
def test_ubjson_lists_that_take_no_bytes(constant):
    """Each of n short lists could ask for n values: n² of them in a file of n bytes."""
    one = b"[$" + constant + b"#l\x00\x00\x27\x10"
    with pytest.raises(WorkbenchError, match="constants"):
        parse_ubjson(b"[" + one * 2000 + b"]")


@pytest.mark.sampled
@pytest.mark.parametrize("part", [b"{}", b"[]", b"[Z]", b"{U\x01aZ}", b"{U\x01a[]}"])
@pytest.mark.slow
def test_very_many_small_parts_of_a_file_take_little_memory(part):
    data = b"[" + part * (600_000 // len(part)) + b"]"
    tracemalloc.start()
    with pytest.raises(WorkbenchError, match=r"more than [\d,]+ lists, objects and entries") as found:
        parse_ubjson(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * len(data)
    assert "\n" not in str(found.value)


def test_as_many_parts_as_the_smallest_trees_have_are_read():
    """A tree of one leaf, written as short as can be: 16 lists and one object, each under its name."""
    names = [f"name_of_list{k}".encode() for k in range(17)]
    tree = b"{" + b"".join(b"U" + bytes([len(name)]) + name + b"[U\x01]" for name in names) + b"}"
    assert len(parse_ubjson(b"[" + tree * 2000 + b"]")) == 2000


@pytest.mark.parametrize("name", ["num_class", "num_target"])
def test_a_base_score_for_a_milliard_of_classes(name):
    record = document(foreign=False)
    record["learner"]["learner_model_param"][name] = "4000000000"
    assert "base_score" in refused(record)
    with pytest.raises(WorkbenchError):
        fingerprint(record["learner"])


def test_categories_that_splits_share():
    """Every split could name the same codes again: n splits of n codes."""
    model = make_model(2, "squared", 3, rounds=2, kinds=("category",))
    record = json.loads(XGBOOST.write(model))
    record["learner"]["attributes"] = {}
    for tree in record["learner"]["gradient_booster"]["model"]["trees"]:
        codes = len(tree["categories"])
        tree["categories_segments"] = [0] * len(tree["categories_nodes"])
        tree["categories_sizes"] = [codes] * len(tree["categories_nodes"])
    assert "categories_sizes" in refused(record)


def test_names_made_up_for_ten_million_columns():
    record = document()
    learner = record["learner"]
    learner["feature_names"], learner["feature_types"] = [], []
    learner["learner_model_param"]["num_feature"] = "10000000"
    learner["gradient_booster"]["model"].pop("cats")
    assert "without names" in refused(record)


def without_names_of(category):
    """An XGBoost model that asks for a category by its number, and names none."""
    model = make_model(2, "squared", 3, rounds=4, kinds=("category",))
    record = json.loads(XGBOOST.write(model))
    record["learner"]["attributes"] = {}
    booster = record["learner"]["gradient_booster"]["model"]
    booster.pop("cats")
    for tree in booster["trees"]:
        tree["categories"] = [category] * len(tree["categories"])
    return record


def test_names_made_up_for_millions_of_categories():
    record = without_names_of(1 << 20)
    assert "without names" in refused(record)


def test_a_short_file_names_few_columns_and_categories():
    """So many as its trees can be about, and some: a million names would take 326 MiB for 4 KB."""
    record = without_names_of(999_999)
    assert "nodes in its trees" in refused(record)
    columns = document()
    learner = columns["learner"]
    learner["feature_names"], learner["feature_types"] = [], []
    learner["learner_model_param"]["num_feature"] = "1000000"
    learner["gradient_booster"]["model"].pop("cats")
    assert "nodes in its trees" in refused(columns)
    learner["learner_model_param"]["num_feature"] = "50000"
    assert len(XGBOOST.read(json.dumps(columns).encode()).schema.features) == 50_000


@pytest.mark.parametrize(("part", "value", "words"), [
    ("values", "%1000000000d", "whole numbers only"),  # which Python would write with as many spaces
    ("values", 256, "outside"),
    ("offsets", -1, "outside"),
    ("offsets", 1 << 40, "outside"),
    ("offsets", 2, "ascend"),
])  # fmt: skip
def test_names_of_categories_that_ask_for_memory(part, value, words):
    encoding = {"offsets": [0, 1, 2], "values": [*b"ab"]}
    assert read_container({"enc": [encoding]}, 1) == [StoredNames(("a", "b"))]
    encoding[part][0] = value
    with pytest.raises(WorkbenchError, match=words):
        read_container({"enc": [encoding]}, 1)


def test_forced_splits_of_very_many_spaces_are_refused_at_once():
    record = json.loads(FORMATS.get("json").write(make_model(1, "squared")))
    record["params"]["forced_splits"] = "a" + "\t" * 300_000 + "x < 1"
    FORMATS.get("json").read(json.dumps(record).encode())
    record["params"]["forced_splits"] = "a" + "\t" * 300_000 + "x"
    assert "is no split" in refused(record, "json")


def test_a_model_without_columns():
    record = json.loads(FORMATS.get("json").write(make_model(1, "squared"))) | {"trees": [], "history": []}
    record["schema"]["features"] = []
    assert "knows no columns" in refused(record, "json")


LIGHTGBM = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=0
objective=regression
feature_names=a
feature_infos=0:1:2

Tree=0
num_leaves=3
num_cat={cats}
split_feature=0 0
split_gain=1 1
threshold={threshold}
decision_type=1 1
left_child=1 -1
right_child=-2 -3
leaf_value=1 2 3
cat_boundaries={bounds}
cat_threshold=1 2


end of trees

pandas_categorical:null
"""


def test_sets_that_lightgbm_splits_share():
    fine = LIGHTGBM.format(cats=2, threshold="0 1", bounds="0 1 2")
    assert FORMATS.get("lightgbm").read(fine.encode()).rounds == 1
    shared = LIGHTGBM.format(cats=2, threshold="0 0", bounds="0 1 2")
    assert "share" in refused(shared.encode(), "lightgbm")
    overlapping = LIGHTGBM.format(cats=4, threshold="0 2", bounds="0 2 0 2")
    assert "ascend" in refused(overlapping.encode(), "lightgbm")


def test_lightgbm_questions_that_ask_nothing():
    empty = LIGHTGBM.format(cats=2, threshold="0 1", bounds="0 1 2").replace("threshold=1 2", "threshold=0 2")
    assert "no categories" in refused(empty.encode(), "lightgbm")
    fine = LIGHTGBM.format(cats=0, threshold="0.5 1", bounds="").replace("type=1 1", "type=2 2")
    fine = fine.replace("feature_infos=0:1:2", "feature_infos=[0:1]")
    assert FORMATS.get("lightgbm").read(fine.encode()).rounds == 1
    assert "no number" in refused(fine.replace("=0.5 1", "=nan 1").encode(), "lightgbm")


@pytest.mark.slow
def test_trees_of_more_levels_than_can_be_shown():
    deep = chain(DEEPEST + 1, numbers_only())
    for name in ("xgboost", "json", "xgboost-ubjson"):
        assert "too many levels" in refused(FORMATS.get(name).write(deep), name)


@pytest.mark.parametrize("name", [f.name for f in FORMATS if f.can_write])
@pytest.mark.slow
def test_the_deepest_trees_are_written_or_refused_in_words(name):
    deep = chain(DEEPEST - 1, numbers_only())
    if name == "onnx":
        pytest.importorskip("onnx")
    if name in ("rules", "sql", "spreadsheet"):
        with pytest.raises(WorkbenchError, match=r"spell out|too large"):
            FORMATS.get(name).write(deep)
        return
    data = FORMATS.get(name).write(deep)
    assert len(data) < 10_000_000
    if FORMATS.get(name).can_read:
        rows = np.array([[np.nan], [-1.0], [17.5], [1e9]], np.float32)
        again = FORMATS.get(name).read(data)
        np.testing.assert_array_equal(again.predict_raw(rows), deep.predict_raw(rows))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_pipe_is_no_model_and_nobody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WorkbenchError, match="not a regular file"):
        load_model(tmp_path / "pipe")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no devices here")  # noqa: PTH110
def test_a_device_without_end_is_no_model():
    with pytest.raises(WorkbenchError, match="not a regular file"):
        load_model("/dev/zero")


def test_a_model_larger_than_memory_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    path.write_bytes(XGBOOST.write(numbers_only()))
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 1000)
    with pytest.raises(WorkbenchError, match="of memory"):
        load_model(path)


def test_half_signs_do_not_stop_a_writer():
    model = make_model(3, "logistic", 2, names=("a\ud800", "b\udfff"))
    for format_ in FORMATS:
        if format_.can_write and format_.name != "onnx":
            with suppress(WorkbenchError):
                format_.write(model)


def test_onnx_sets_of_categories_that_the_column_lacks():
    onnx = pytest.importorskip("onnx")
    made = onnx.load_from_string(FORMATS.get("onnx").write(make_model(2, "logistic", 2, kinds=("category",))))
    for attribute in (a for node in made.graph.node for a in node.attribute if a.name == "membership_values"):
        values = onnx.numpy_helper.to_array(attribute.t).copy()
        values[~np.isnan(values)] = 131072
        attribute.t.CopyFrom(onnx.numpy_helper.from_array(values))
    assert "category that its column lacks" in refused(made.SerializeToString(), "onnx")


def test_onnx_inputs_of_very_many_columns():
    onnx = pytest.importorskip("onnx")
    made = onnx.load_from_string(FORMATS.get("onnx").write(numbers_only()))
    size = made.graph.input[0].type.tensor_type.shape.dim[1]
    for columns in (200_000, 100_000_000, 1 << 62):
        size.dim_value = columns
        assert "columns" in refused(made.SerializeToString(), "onnx")
    size.dim_value = 50_000
    assert FORMATS.get("onnx").read(made.SerializeToString()).rounds == 1


@pytest.mark.parametrize("bits", [0x7FC00000, 0x7F800001, 0x7F7FFFFF])  # NaN, one that signals, and 3.4e38
def test_onnx_questions_of_no_kind(bits):
    onnx = pytest.importorskip("onnx")
    made = onnx.load_from_string(FORMATS.get("onnx").write(numbers_only()))
    for attribute in (a for node in made.graph.node for a in node.attribute if a.name == "nodes_modes"):
        modes = np.full(onnx.numpy_helper.to_array(attribute.t).shape, bits, np.uint32).view(np.float32)
        attribute.t.CopyFrom(onnx.numpy_helper.from_array(modes))
    assert "not known here" in refused(made.SerializeToString(), "onnx")


def test_scikit_learn_sets_of_categories_that_the_column_lacks():
    pytest.importorskip("sklearn")
    from sklearn.tree import DecisionTreeRegressor

    from workbench.formats.sklearn.export import document as exported

    record = exported(DecisionTreeRegressor(max_depth=1).fit([[0], [1]], [0, 1]))
    record["trees"][0]["sets"] = {"0": [7]}
    assert "category that its column lacks" in refused(record, "sklearn")


def test_onnx_probabilities_that_do_not_add_up_to_one():
    onnx = pytest.importorskip("onnx")
    made = onnx.load_from_string(FORMATS.get("onnx").write(make_model(0, "one_vs_rest", 2, rounds=1)))
    for said in made.metadata_props:
        said.value = said.value.replace('"one_vs_rest"', '"logistic"')
    assert "do not add up to one" in refused(made.SerializeToString(), "onnx")


@pytest.mark.parametrize("note", [None, 1, ["a"], {}])
def test_notes_that_are_no_text(note):
    record = json.loads(FORMATS.get("json").write(make_model(1, "squared")))
    record["provenance"]["notes"] = [note]
    assert "provenance.notes" in refused(record, "json")


@pytest.mark.slow
def test_columns_of_one_name_are_numbered_at_once(tmp_path):
    names = 300_000
    record = {
        "format": "scikit-learn-trees", "version": 1, "estimator": "X", "classes": [], "names": ["a"] * names,
        "categories": [None] * names, "link": "identity", "base": [0.0], "side_by_side": 1, "trees": [],
    }  # fmt: skip
    (tmp_path / "m.json").write_text(json.dumps(record))
    began = time.process_time()
    model = load_model(tmp_path / "m.json")
    assert time.process_time() - began < 60
    assert model.schema.names[-1] == f"a ({names:d})"


@pytest.mark.parametrize(("classes", "twice"), [(["a", "a"], "'a'"), ([1, 1.0], "1.0")])
def test_a_class_that_scikit_learn_cannot_have_twice(classes, twice):
    record = {
        "format": "scikit-learn-trees", "version": 1, "estimator": "X", "classes": classes, "names": ["a"],
        "categories": [None], "link": "logistic", "base": [0.0], "side_by_side": 1, "trees": [],
    }  # fmt: skip
    data = json.dumps(record).encode()
    with pytest.raises(WorkbenchError, match=f"classes has {twice} twice"):
        reader_of(data).read(data)


@pytest.mark.parametrize(("objective", "changes"), [
    ("squared", {"objective": "softmax"}), ("squared", {"class_labels": ["a", "b", "c"]}),
    ("squared", {"class_labels": ["a", "b"], "task": "multiclass"}), ("logistic", {"class_labels": ["a"]}),
    ("softmax", {"class_labels": ["a", "b"]}), ("softmax", {"task": "binary"}),
    ("logistic", {"objective": "softmax"}),
])  # fmt: skip
def test_outputs_that_do_not_fit_the_classes(objective, changes):
    record = json.loads(FORMATS.get("json").write(make_model(1, objective)))
    for name, value in changes.items():
        (record if name in record else record["schema"])[name] = value
    assert "another number of outputs than of classes" in refused(record, "json")
