"""ONNX files, read: those of our own and of other programs, beside onnxruntime."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.making import TASKS, make_model, make_rows, margins
from workbench.errors import WorkbenchError
from workbench.formats.base import reader_of, writer
from workbench.formats.bytes.protobuf import Message
from workbench.formats.imported_tree import above, not_below
from workbench.formats.load import load_model
from workbench.formats.xgboost.objectives import XGBOOST_OBJECTIVES
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.training import TrainingParams
from workbench.session.opening.open_file import open_file

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper = onnx.helper

ONNX = writer("onnx")
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT")
EQUALITY = ("BRANCH_EQ", "BRANCH_NEQ")
KEPT = sorted((Path(__file__).parents[1] / "kept").glob("onnx_*.json"))


def kept(path):
    return zlib.decompress(base64.b64decode(json.loads(path.read_text("utf-8"))["packed"]))


def file_of(nodes, outputs, inputs=(("X", 4),), constants=()):
    """A file of operators; outputs are names, inputs names and widths."""
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(name, 1, [None, width]) for name, width in inputs],
        [helper.make_tensor_value_info(name, 1, None) for name in outputs],
        [onnx.numpy_helper.from_array(np.array(value, np.float32), name) for name, value in constants],
    )  # fmt: skip
    imports = [helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()


def trees(rng, n_trees, targets, adds, sums=None, low=-1.0):
    """Attributes of random trees; numbers in columns 0 and 1, codes in 2 and 3."""
    nodes = {name: [] for name in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids",
                                   "falsenodeids", "missing_value_tracks_true")}  # fmt: skip
    leaves = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    for tree in range(n_trees):
        size = int(rng.integers(0, 6))
        ids = rng.permutation(2 * size + 1)
        waiting, free, splits = [0], 1, size
        while waiting:
            at = waiting.pop(int(rng.integers(len(waiting))))
            feature = int(rng.integers(4))
            children = (free, free + 1) if splits else (0, 0)
            number = feature < 2
            mode = str(rng.choice(MODES if number else EQUALITY)) if splits else "LEAF"
            value = rng.choice([0.0, -0.0, 0.5, 1e-40, float(rng.normal())]) if number else rng.integers(5)
            yes, no = ids[list(children)].tolist()
            for name, entry in (("treeids", tree), ("nodeids", int(ids[at])), ("featureids", feature),
                                ("modes", mode), ("values", float(np.float32(value))), ("truenodeids", yes),
                                ("falsenodeids", no), ("missing_value_tracks_true", int(rng.integers(2)))):
                nodes[name].append(entry)
            if splits:
                waiting += children
                free, splits = free + 2, splits - 1
                continue
            weights = rng.uniform(low, 1, len(targets)).astype(np.float32)
            if sums is not None:
                weights[-1] = sums / n_trees - weights[:-1].sum()
            for target, weight in zip(targets, weights, strict=True):
                for name, entry in (("treeids", tree), ("nodeids", int(ids[at])), ("ids", target),
                                    ("weights", float(weight))):  # fmt: skip
                    leaves[name].append(entry)
    return {f"nodes_{name}": values for name, values in nodes.items()} | {
        f"{adds}_{name}": values for name, values in leaves.items()
    }


def rows_of(rng, n=80):
    rows = rng.choice([0.0, -0.0, 0.5, 1e-40, 1.0, -1.0, np.nan], (n, 4))
    rows[:, :2] += rng.choice([0.0, 0.0, 1.0], (n, 2)) * rng.normal(size=(n, 2))
    rows[:, 2:] = rng.choice([0, 1, 2, 3, 4, 5, 77, -1, 2.5, np.nan], (n, 2))
    return rows.astype(np.float32)


def runs(data, rows, names=None, inputs=None):
    session = runtime.InferenceSession(data, providers=["CPUExecutionProvider"])
    return session.run(names, inputs or {"X": rows})


def read(data):
    model = reader_of(data).read(data)
    known = model.schema.features
    return model, [f.name for f in known]


def regressor(rng, **attributes):
    made = trees(rng, int(rng.integers(1, 6)), [0], "target") | {"n_targets": 1} | attributes
    return helper.make_node("TreeEnsembleRegressor", ["X"], ["y"], domain="ai.onnx.ml", **made)


@examples(80)
@given(st.integers(0, 10**6), st.sampled_from(["SUM", "AVERAGE"]), st.sampled_from([[], [0.3]]))
def test_every_way_to_ask(seed, aggregate, base):
    rng = np.random.default_rng(seed)
    more = {"base_values": base} if base else {}
    data = file_of([regressor(rng, aggregate_function=aggregate, **more)], ["y"])
    rows = rows_of(rng)
    model, names = read(data)
    assert names == ["f0", "f1", "f2", "f3"]
    np.testing.assert_allclose(model.predict(rows), runs(data, rows)[0][:, 0], rtol=1e-6, atol=1e-6)


@examples(120)
@given(st.integers(0, 10**6), st.data())
def test_classes(seed, data):
    rng = np.random.default_rng(seed)
    k = data.draw(st.integers(2, 4))
    after = data.draw(st.sampled_from(["NONE", "SOFTMAX"] if k > 2 else ["NONE", "LOGISTIC", "SOFTMAX"]))
    one = k == 2 and after != "SOFTMAX" and data.draw(st.booleans())
    sums = {"NONE": 1.0, "LOGISTIC": 0.0}.get(after) if k == 2 and not one else None
    low = 0.0 if after == "NONE" and one else -1.0
    made = trees(rng, 4, [0] if one else list(range(k)), "class", sums, low)
    if one or k > 2:
        made["base_values"] = rng.random(1 if one else k).astype(np.float32).tolist()
    kinds = [("classlabels_strings", list("abcd"[:k])), ("classlabels_int64s", list(range(5, 5 + k)))]
    labels = dict([data.draw(st.sampled_from(kinds))])
    node = helper.make_node("TreeEnsembleClassifier", ["X"], ["label", "p"], domain="ai.onnx.ml",
                            post_transform=after, **labels, **made)  # fmt: skip
    raw = file_of([node], ["p"])
    rows = rows_of(rng)
    model, _ = read(raw)
    expected = runs(raw, rows)[0]
    found = model.predict(rows)
    np.testing.assert_allclose(found, expected if k > 2 else expected[:, 1], rtol=1e-5, atol=1e-6)
    assert model.schema.class_labels == tuple(next(iter(labels.values())))
    assert len(model.trees) == (4 if k == 2 else 4 * k)


def made_for(objective, outputs, seed):
    """A model with so many outputs a row, of an objective that may have several."""
    if outputs == 1 or TASKS.get(objective) == "multiclass":
        return make_model(seed, objective, n_features=5, rounds=4, dart=seed == 1)
    model = make_model(seed, "softmax", n_features=5, rounds=4, n_classes=outputs)
    names = tuple(f"output {k}" for k in range(outputs))
    return replace(
        model, params=TrainingParams(objective=objective),
        schema=replace(model.schema, task="regression", class_labels=()),
        ensemble=replace(model.ensemble, objective=objective, output_names=names),
    )  # fmt: skip


ROWS = {row.name: row for row in XGBOOST_OBJECTIVES}
ALWAYS_SEVERAL = {"softmax", "one_vs_rest", "multilabel"}
EVERY = [(name, outputs) for name, row in sorted(ROWS.items()) for outputs in (1, 3)
         if (outputs == 3 if name in ALWAYS_SEVERAL else outputs == 1 or row.several)]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("objective", "outputs"), EVERY)
@pytest.mark.parametrize("seed", [0, 1])
def test_our_own_come_back(objective, outputs, seed):
    model = made_for(objective, outputs, seed)
    written = ONNX.write(model)
    back, _ = read(written)
    rows = make_rows(model, seed)
    expected = margins(model, rows)
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(margins(back, rows), expected, atol=1e-6 * scale, rtol=1e-6)
    assert (back.schema, back.ensemble.objective) == (model.schema, objective)
    assert back.ensemble.output_names == model.ensemble.output_names
    assert all(np.isnan(tree.nodes["sum_gradient"]).all() for tree in back.trees)
    assert "unknown" in back.provenance["notes"][0]
    again, _ = read(ONNX.write(back))
    np.testing.assert_array_equal(margins(again, rows), margins(back, rows))
    predicted = runs(written, rows, ["prediction"], {"features": rows})[0]
    wanted = np.asarray(back.transform(expected)).reshape(predicted.shape)
    np.testing.assert_allclose(wanted, predicted, rtol=1e-3, atol=1e-6 * scale)


def test_every_objective_is_written_and_read():
    assert {objective for objective, _ in EVERY} == {one.name for one in OBJECTIVES}


@pytest.mark.parametrize(("objective", "task"), [("root", "regression"), ("hinge", "binary")])
def test_a_link_of_two_operators_is_known_without_our_own_words(objective, task):
    model = make_model(2, objective, n_features=3)
    made = onnx.load_from_string(ONNX.write(model))
    del made.metadata_props[:]
    back, _ = read(made.SerializeToString())
    assert (back.ensemble.objective, back.schema.task) == (objective, task)
    rows = make_rows(model)
    np.testing.assert_allclose(margins(back, rows), margins(model, rows), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("operators", "named"), [
    ([("Abs", ["y"], "z")], "Abs"), ([("Sign", ["y"], "z")], "Sign"), ([("Relu", ["y"], "z")], "Relu"),
    ([("Abs", ["y"], "s"), ("Mul", ["s", "s"], "z")], "Mul"),
    ([("Abs", ["y"], "s"), ("Exp", ["s"], "z")], "Exp"),
    ([("Abs", ["y"], "s"), ("Add", ["y", "c"], "a"), ("Mul", ["a", "s"], "z")], "Mul"),
    ([("Abs", ["y"], "s"), ("Div", ["y", "s"], "z")], "Div"),
    ([("Abs", ["y"], "s"), ("Relu", ["s"], "z")], "Relu"),
])  # fmt: skip
def test_half_a_link_is_none(operators, named):
    nodes = [regressor(np.random.default_rng(0))]
    nodes += [helper.make_node(operator, takes, [makes]) for operator, takes, makes in operators]
    with pytest.raises(WorkbenchError, match=f"uses the operator '{named}'"):
        read(file_of(nodes, ["z"], constants=[("c", [2.5])]))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_other_programs_go_on_to_onnx(path):
    model, _ = read(kept(path))
    back, _ = read(ONNX.write(model))
    rows = make_rows(model)
    np.testing.assert_allclose(margins(back, rows), margins(model, rows), rtol=1e-6, atol=1e-6)
    assert back.schema == model.schema


def test_columns_that_stand_in_inputs_of_their_own():
    rng = np.random.default_rng(3)
    tree = regressor(rng)
    tree.input[0] = "joined"
    nodes = [helper.make_node("Concat", ["age", "bmi", "kind", "site"], ["joined"], axis=1), tree]
    names = ("age", "bmi", "kind", "site")
    data = file_of(nodes, ["y"], inputs=[(name, 1) for name in names])
    model, found = read(data)
    assert tuple(found) == names
    rows = rows_of(rng)
    expected = runs(data, rows, inputs={name: rows[:, [k]] for k, name in enumerate(names)})[0]
    np.testing.assert_allclose(model.predict(rows), expected[:, 0], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("after", "objective"), [
    ([("Exp", ["y"], "e"), ("Mul", ["e", "c"], "z")], "poisson"),
    ([("Mul", ["y", "c"], "m"), ("Sigmoid", ["m"], "z")], "logistic"),
    ([("Cast", ["y"], "d"), ("Div", ["d", "c"], "q"), ("Add", ["c", "q"], "z")], "squared"),
    ([("Sum", ["y", "y", "c"], "s"), ("Identity", ["s"], "z")], "squared"),
])  # fmt: skip
def test_what_follows_the_trees(after, objective):
    rng = np.random.default_rng(7)
    nodes = [regressor(rng)]
    for operator, given_, made in after:
        more = {"to": 1} if operator == "Cast" else {}
        nodes.append(helper.make_node(operator, given_, [made], **more))
    data = file_of(nodes, ["z"], constants=[("c", [2.5])])
    rows = rows_of(rng)
    model, _ = read(data)
    assert model.ensemble.objective == objective
    np.testing.assert_allclose(model.predict(rows), runs(data, rows)[0][:, 0], rtol=1e-6, atol=1e-6)


def test_sets_asked_one_code_after_another_are_one_question():
    model, _ = read(kept(next(path for path in KEPT if "lightgbm" in path.name)))
    asked = [len(tree.categories(i)) for tree in model.trees for i in range(tree.n_nodes)]
    assert max(asked) > 2
    assert model.schema.features[0].is_categorical


@pytest.mark.parametrize(("attribute", "words"), [
    ({"aggregate_function": "MAX"}, "takes the MAX"), ({"post_transform": "PROBIT"}, "PROBIT"),
])  # fmt: skip
def test_what_is_not_a_sum_is_refused(attribute, words):
    with pytest.raises(WorkbenchError, match=words):
        read(file_of([regressor(np.random.default_rng(0), **attribute)], ["y"]))


@pytest.mark.parametrize(("operator", "takes"), [("Neg", ["y"]), ("Mul", ["y", "y"]), ("Abs", ["W"])])
def test_the_operator_in_the_way_is_named(operator, takes):
    other = helper.make_node(operator, takes, ["X" if takes == ["W"] else "z"])
    tree = regressor(np.random.default_rng(0))
    first = takes == ["W"]
    nodes, made, given_ = ([other, tree], "y", "W") if first else ([tree, other], "z", "X")
    data = file_of(nodes, [made], [(given_, 4)])
    words = f"'{operator}'"
    with pytest.raises(WorkbenchError, match=words) as error:
        read(data)
    assert "\n" not in str(error.value)


def test_a_network_is_no_tree_ensemble(tmp_path):
    data = file_of([helper.make_node("Relu", ["X"], ["y"])], ["y"])
    (tmp_path / "m.onnx").write_bytes(data)
    with pytest.raises(WorkbenchError, match="no tree ensemble"):
        load_model(tmp_path / "m.onnx")


def asked(mode, value, feature=0):
    """A tree with one question, and a second for order below it."""
    return {
        "nodes_treeids": [0] * 5, "nodes_nodeids": list(range(5)), "nodes_featureids": [feature, 0, 0, 0, 0],
        "nodes_modes": [mode, "BRANCH_LT"] + ["LEAF"] * 3, "nodes_values": [value, 1.0, 0.0, 0.0, 0.0],
        "nodes_truenodeids": [1, 2, 0, 0, 0], "nodes_falsenodeids": [4, 3, 0, 0, 0], "n_targets": 1,
        "target_treeids": [0] * 3, "target_nodeids": [2, 3, 4], "target_ids": [0] * 3,
        "target_weights": [1.0, 2.0, 3.0],
    }  # fmt: skip


@pytest.mark.parametrize(("made", "words"), [
    (asked("BRANCH_EQ", 2.0), "both which is less and which is equal"),
    (asked("BRANCH_EQ", 2.5, 1), "no code of a category"),
    (asked("BRANCH_EQ", float("inf"), 1), "no code of a category"),
    (asked("BRANCH_LT", float("nan")), "no number"),
    (asked("BRANCH_LT", 1.0) | {"nodes_truenodeids": [1, 1, 0, 0, 0]}, "root|loop"),
    (asked("BRANCH_LT", 1.0) | {"nodes_truenodeids": [0, 2, 0, 0, 0]}, "a loop beside it"),
    (asked("BRANCH_LT", 1.0) | {"nodes_truenodeids": [9, 1, 0, 0, 0]}, "not there"),
    (asked("BRANCH_LT", 1.0) | {"nodes_nodeids": [0, 1, 2, 2, 4]}, "same number"),
    (asked("BRANCH_LT", 1.0) | {"target_ids": [0, 5, 0]}, "output"),
    (asked("BRANCH_LT", 1.0) | {"target_weights": [0.0, float("inf"), 0.0]}, "finite"),
    (asked("BRANCH_SIDEWAYS", 1.0), "SIDEWAYS"),
    (asked("BRANCH_LT", 1.0, 10**9), "column"),
    (asked("BRANCH_LT", 1.0) | {"n_targets": 2**40}, "n_targets"),
])  # fmt: skip
def test_damaged_trees(made, words):
    node = helper.make_node("TreeEnsembleRegressor", ["X"], ["y"], domain="ai.onnx.ml", **made)
    with pytest.raises(WorkbenchError, match=words) as error:
        read(file_of([node], ["y"]))
    assert "\n" not in str(error.value)


def test_a_signalling_nan_is_no_leaf():
    weights = struct.pack("<f", 0.625)
    made = asked("BRANCH_LT", 1.0) | {"target_weights": [0.0, 0.625, 0.0]}
    node = helper.make_node("TreeEnsembleRegressor", ["X"], ["y"], domain="ai.onnx.ml", **made)
    data = file_of([node], ["y"])
    assert data.count(weights) == 1
    with pytest.raises(WorkbenchError, match="finite"):
        read(data.replace(weights, bytes.fromhex("0100807f")))


FILES = [kept(path) for path in KEPT] + [ONNX.write(make_model(3, "softmax"))]


@examples(300)
@given(st.data())
def test_damage_is_said_in_one_line(data):
    raw = bytearray(data.draw(st.sampled_from(FILES)))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    raw = raw[: data.draw(st.sampled_from([len(raw), len(raw) - 1, len(raw) // 2]))]
    try:
        ONNX.read(bytes(raw))
    except WorkbenchError as error:
        assert "\n" not in str(error)  # noqa: PT017


@examples(100)
@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=300), st.lists(st.floats(width=32), max_size=100))
def test_numbers_one_by_one_and_packed(wholes, reals):
    attribute = helper.make_attribute("a", wholes, attr_type=onnx.AttributeProto.INTS)
    attribute.floats.extend(reals)
    found = Message(attribute.SerializeToString())
    assert found.integers(8).tolist() == wholes
    np.testing.assert_array_equal(found.reals(7), np.array(reals, np.float32))
    packed = onnx.TensorProto(dims=wholes, int64_data=wholes, float_data=reals)
    found = Message(packed.SerializeToString())
    assert found.integers(1).tolist() == found.integers(7).tolist() == wholes
    np.testing.assert_array_equal(found.reals(4), np.array(reals, np.float32))


@examples(200)
@given(st.floats(allow_nan=False))
def test_thresholds_of_double_bounds(bound):
    around = np.float32(np.clip(bound, -3e38, 3e38))
    values = np.array([around, np.nextafter(around, np.float32(9e9)), np.nextafter(around, np.float32(-9e9))])
    bounds = np.full(3, bound)
    np.testing.assert_array_equal(values < above(bounds), values.astype(np.float64) <= bound)
    np.testing.assert_array_equal(values < not_below(bounds), values.astype(np.float64) < bound)


def test_many_nodes_are_read_at_once():
    n = 300_000
    attribute = helper.make_attribute("a", list(range(n)))
    np.testing.assert_array_equal(Message(attribute.SerializeToString()).integers(8), np.arange(n))


@pytest.mark.parametrize("data", [
    b"\x08\x0a\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x08\x0a\x3a\x00", b"\x08" + b"\xff" * 12,
    b"\x08\x0a\x3a\x04\x0a\x02\x0b\x0c", b"\x08\x0a" + b"\x3a\x00" * 50,
])  # fmt: skip
def test_bytes_that_only_begin_as_onnx(data):
    with pytest.raises(WorkbenchError):
        ONNX.read(data)


def test_a_root_named_over_and_over_is_refused_before_it_fills_the_memory():
    made = onnx.load_from_string(ONNX.write(make_model(1, "squared", rounds=1)))
    roots = next(a for a in made.graph.node[0].attribute if a.name == "tree_roots")
    roots.ints.extend([0] * 200_000)
    with pytest.raises(WorkbenchError, match="trees"):
        ONNX.read(made.SerializeToString())


def test_tables_are_not_taken_for_onnx():
    numbers = struct.pack("<4d", 1, 2, 3, 4)
    for head in (b"a,b\n1,2\n", b"{}", b"\x08,x\n", b"tree\n", b"PK\x03\x04", b"", numbers):
        found = reader_of(head)
        assert found is None or found.name != "onnx"


def test_opened_as_a_model_in_the_window(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(FILES[-1])
    opened = open_file(path, lambda done, total: None, lambda: False)
    assert opened.run.schema.names == make_model(3, "softmax").schema.names


@pytest.mark.parametrize("seed", range(30))
def test_missing_categories_where_leaves_add_as_much(seed):
    """The runtime takes questions of one column for one where both lead to the same."""
    model = make_model(seed, "squared", n_features=2, rounds=4, kinds=("category",))
    trees = []
    for tree in model.trees:
        nodes = tree.nodes.copy()
        nodes["leaf_value"][tree.is_leaf] = np.arange(tree.n_leaves) % 2 * 0.5
        trees.append(replace(tree, nodes=nodes))
    model = replace(model, ensemble=replace(model.ensemble, trees=tuple(trees)))
    rows = make_rows(model)
    session = runtime.InferenceSession(writer("onnx").write(model), providers=["CPUExecutionProvider"])
    found = session.run(["raw"], {"features": rows})[0][:, 0]
    np.testing.assert_allclose(found, margins(model, rows), rtol=1e-5, atol=1e-6)


def test_a_class_with_fewer_trees_than_another():
    rng = np.random.default_rng(1)
    made = trees(rng, 2, [1], "class")
    made |= {"classlabels_int64s": [0, 1, 2], "post_transform": "SOFTMAX"}
    node = helper.make_node("TreeEnsembleClassifier", ["X"], ["l", "p"], domain="ai.onnx.ml", **made)
    data = file_of([node], ["p"])
    rows = rows_of(rng)
    np.testing.assert_allclose(read(data)[0].predict(rows), runs(data, rows)[0], rtol=1e-6)


@pytest.mark.parametrize(("labels", "twice"), [
    ({"classlabels_int64s": [0, 1, 1]}, "1"), ({"classlabels_strings": ["a", "b", "a"]}, "'a'"),
])  # fmt: skip
def test_a_class_label_that_stands_for_two_classes_is_refused(labels, twice):
    made = trees(np.random.default_rng(1), 2, [0, 1, 2], "class")
    made |= {**labels, "post_transform": "SOFTMAX"}
    node = helper.make_node("TreeEnsembleClassifier", ["X"], ["l", "p"], domain="ai.onnx.ml", **made)
    with pytest.raises(WorkbenchError, match=f"classlabels has {twice} twice"):
        read(file_of([node], ["p"]))


def test_a_model_of_several_classes_without_trees_is_read_again():
    model = make_model(1, "softmax", 2, rounds=0)
    again = ONNX.read(ONNX.write(model))
    rows = make_rows(model)
    np.testing.assert_array_equal(margins(again, rows), margins(model, rows))
