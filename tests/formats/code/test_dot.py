"""Trees in Graphviz's language: the graph is the tree, and no name can be more than text."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.code.dot_reader import read_dot, rows_of
from tests.formats.making import make_model
from workbench.__main__ import main
from workbench.formats.base import writer
from workbench.formats.code.dot import tree_dot
from workbench.formats.code.spelling import question_of

HOSTILE = ('"quoted" \\', 'end"]; }', "back\\slash\\", "two\nlines\r\n", "] ; -> {", "<b>bold</b>", 
           "&lt; &#34; & x", "\\N\\G\\n", "// no /* comment */", "naïve ✓\u2028", "")  # fmt: skip
TEXT = st.text(st.sampled_from('"\\]}[{;<>&#=-n\n\t a1é') | st.characters(codec="utf-8"), max_size=12)


def plain(text):
    """What can be seen of a name on one line."""
    return re.sub(r"[\x00-\x1f\x7f\u2028\u2029]", " ", text)


def check_tree(graph, tree, schema, prefix):
    """The graph has the tree's nodes, edges, questions and what its leaves add."""
    assert list(graph.nodes) == [f"{prefix}{node}" for node in range(tree.n_nodes)]
    edges = {target: (source, said["label"]) for source, target, said in graph.edges}
    assert len(edges) == len(graph.edges) == tree.n_nodes - 1
    for node in range(tree.n_nodes):
        record, rows = tree.nodes[node], rows_of(graph.nodes[f"{prefix}{node}"]["label"])
        if tree.is_leaf[node]:
            adds = next(row for row in rows if row.startswith("adds "))
            assert np.float32(adds.removeprefix("adds ").replace("−", "-")) == record["leaf_value"]
        else:
            assert rows[0] == question_of(tree, node, schema).text
            ways = ("yes, missing", "no") if record["default_left"] else ("yes", "no, missing")
            for child, way in zip((record["left"], record["right"]), ways, strict=True):
                assert edges[f"{prefix}{child}"] == (f"{prefix}{node}", way)


def check_model(model):
    graph = read_dot(writer("dot").write(model).decode())
    assert rows_of(graph.name) == [plain(model.schema.target)]
    trees = model.ensemble.folded().trees
    assert [cluster.name for cluster in graph.clusters] == [f"cluster_{i + 1}" for i in range(len(trees))]
    for place, (cluster, tree) in enumerate(zip(graph.clusters, trees, strict=True), start=1):
        check_tree(cluster, tree, model.schema, f"t{place}_")
    return graph


@pytest.mark.parametrize(("objective", "dart"), [("logistic", False), ("squared", True), ("softmax", False)])
def test_every_tree_stands_in_its_cluster(objective, dart):
    model = make_model(3, objective, rounds=4, dart=dart)
    graph = check_model(model)
    starts = ", ".join(str(base) for base in model.ensemble.base_margin)
    said = f"Begin with {starts}. Add one leaf of each tree, in single precision as in training."
    assert rows_of(graph.attributes["label"])[0] == said
    titles = [rows_of(cluster.attributes["label"]) for cluster in graph.clusters[:2]]
    classes = (", for k0", ", for k1") if objective == "softmax" else ("", "")
    assert titles == [[f"Tree 1{classes[0]}"], [f"Tree 2{classes[1]}"]]


def test_names_made_to_end_their_label():
    n = len(HOSTILE)
    check_model(make_model(2, "squared", n_features=n, rounds=12, names=HOSTILE, kinds=("number",)))


@given(TEXT, TEXT, st.integers(0, 50))
def test_any_name_is_only_text(name, title, seed):
    model = make_model(seed, "squared", n_features=1, rounds=1, names=(name,))
    check_model(model)
    graph = read_dot(tree_dot(model.trees[0], model.schema, title).decode())
    assert rows_of(graph.name) == [plain(title)]
    check_tree(graph, model.trees[0], model.schema, "n")


def test_half_a_character_is_no_reason_to_fail():
    model = make_model(2, "squared", n_features=1, rounds=1, names=("a\ud800b",), kinds=("number",))
    [cluster] = read_dot(writer("dot").write(model).decode()).clusters
    assert rows_of(cluster.nodes["t1_0"]["label"])[0].startswith('"a\\ud800b" < ')


def test_a_model_without_trees():
    assert read_dot(writer("dot").write(make_model(1, "squared", rounds=0)).decode()).clusters == []


def test_the_ending_of_the_file_tells_the_command_line(tmp_path):
    model = make_model(1, "squared", n_features=2)
    model.save(tmp_path / "model.json")
    made = tmp_path / "tree.dot"
    assert main(["convert", str(tmp_path / "model.json"), "--output", str(made)]) == 0
    assert len(read_dot(made.read_text("utf-8")).clusters) == len(model.trees)
    again = tmp_path / "graph.txt"
    assert main(["convert", str(tmp_path / "model.json"), "--to", "dot", "--output", str(again)]) == 0
    assert np.array_equal(np.fromfile(made, np.uint8), np.fromfile(again, np.uint8))
