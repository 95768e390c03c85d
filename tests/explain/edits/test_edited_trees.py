"""An edited tree has the figures that its rows give it, as a naive twin takes them, row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.explain.edits.making import KINDS, SOME, TASKS, done, drawn_edit, edited_run, params_of, some_edit
from tests.reference.tables import random_dataset
from workbench.ensembles.prediction import path
from workbench.errors import WorkbenchError
from workbench.explain.edits.forbid_column import ForbidColumn
from workbench.explain.edits.layout import grafted, laid_out, part_of
from workbench.explain.edits.move_threshold import MoveThreshold
from workbench.explain.edits.prune import Prune
from workbench.explain.edits.set_weight import SetWeight
from workbench.explain.edits.take_split import TakeSplit
from workbench.explain.tree_rows import leaves_under


def check_figures(editor, site, tree, *, set_node=None):
    """Compare G, H, counts, weights, gains and values with sums over the rows of each node."""
    data, grown, params = editor.replay.dataset, site.grown, site.replay.rounds[site.run_round - 1].params
    nodes, drawn = tree.nodes, grown.sample.rows.drawn
    rows = data.train_rows[drawn]
    passed = [[] for _ in range(tree.n_nodes)]
    for place, row in zip(drawn.tolist(), rows.tolist(), strict=True):
        for node in path(tree, data.features[row]):
            passed[node].append(place)
    for node, own in enumerate(passed):
        g, h = grown.gradients[own].sum(), grown.hessians[own].sum()
        assert nodes["count"][node] == len(own)
        assert nodes["sum_gradient"][node] == pytest.approx(g, rel=1e-9, abs=1e-9)
        assert nodes["sum_hessian"][node] == pytest.approx(h, rel=1e-9, abs=1e-9)
        is_leaf = nodes["left"][node] < 0
        value = np.float32(tree.learning_rate * nodes["weight"][node]) if is_leaf else np.float32(0)
        assert nodes["leaf_value"][node] == value
        if is_leaf:
            assert nodes["feature"][node] == -1
            assert nodes["gain"][node] == 0
            w = nodes["weight"][node]
            score = g * w + 0.5 * (h + tree.reg_lambda) * w * w + tree.reg_alpha * abs(w)
            assert nodes["structure_score"][node] == pytest.approx(score, rel=1e-7, abs=1e-9)
        plain = not params.monotone_constraints and not site.searches and node != set_node
        if plain:
            soft = np.sign(g) * max(abs(g) - tree.reg_alpha, 0)
            w = -soft / (h + tree.reg_lambda) if h + tree.reg_lambda > 0 else 0.0
            limit = tree.max_delta_step or np.inf
            assert nodes["weight"][node] == pytest.approx(np.clip(w, -limit, limit), rel=1e-7, abs=1e-9)
    for node in np.flatnonzero(nodes["left"] >= 0):
        left = nodes["left"][node]
        assert nodes["right"][node] == left + 1
        assert nodes["depth"][left] == nodes["depth"][left + 1] == nodes["depth"][node] + 1
        assert nodes["parent"][left] == nodes["parent"][left + 1] == node
        if not params.monotone_constraints and not site.searches and set_node is None:
            s = nodes["structure_score"]
            gain = s[node] - s[left] - s[left + 1] - tree.gamma
            assert nodes["gain"][node] == pytest.approx(gain, rel=1e-6, abs=1e-8)


@examples(100)
@given(task=st.sampled_from(TASKS), chosen=SOME, kind=st.sampled_from(KINDS), seed=st.integers(0, 1000))
def test_an_edited_tree_has_the_figures_of_its_rows(task, chosen, kind, seed):
    data = random_dataset(task, n=160, n_valid=40, weighted=True)
    made = drawn_edit(data, params_of(task, chosen), kind, np.random.default_rng(seed))
    if made is None:
        return
    editor, _rounds, edit, branch = made
    tree, site = branch.tree, editor.site(edit)
    if kind == "drop_tree":
        assert tree.n_nodes == 1
        assert (tree.nodes["leaf_value"][0], tree.figures.omega_weights) == (0, 0)
        return
    node = edit.node if kind == "set_weight" else None
    check_figures(editor, site, tree, set_node=node)
    below = leaves_under(site.tree, edit.node)
    names = ["feature", "weight", "gain", "leaf_value"]
    beside, now = (set(map(str, nodes[names])) for nodes in (site.tree.nodes[~below], tree.nodes))
    assert beside <= now  # nothing changes beside the node
    if "max_leaves" in chosen and kind in ("take_split", "forbid_column"):
        assert tree.n_leaves <= max(5, site.tree.n_leaves)
    assert tree.depth <= 3
    if kind == "forbid_column":
        column = editor.replay.dataset.schema.names.index(edit.column)
        assert column not in part_of(tree, edit.node).nodes["feature"] or edit.node >= tree.n_nodes


@pytest.mark.parametrize("method", ["hist", "exact", "approx"])
@pytest.mark.parametrize("task", ["regression", "multiclass"])
def test_what_the_grower_took_taken_again_is_the_same_tree(method, task):
    editor, rounds = edited_run(
        random_dataset(task, missing=0.2), tree_method=method, rounds=2, max_depth=4, reg_alpha=0.1,
        subsample=0.8,
    )
    tree, schema = rounds[1].trees[0], editor.replay.dataset.schema
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        record = tree.nodes[node]
        threshold = None if np.isnan(record["threshold"]) else float(record["threshold"])
        edit = TakeSplit(
            2, 0, node, schema.names[record["feature"]], threshold, tuple(tree.categories(node).tolist()),
            bool(record["default_left"]),
        )
        again = editor.tree(edit).nodes.copy()
        again["forced"] = False
        assert again.tobytes() == tree.nodes.tobytes()
        if threshold is not None:
            moved = editor.tree(MoveThreshold(2, 0, node, threshold)).nodes.copy()
            moved["forced"] = False
            assert moved.tobytes() == tree.nodes.tobytes()
    assert grafted(tree, 1, part_of(tree, 1)).nodes.tobytes() == tree.nodes.tobytes()
    assert laid_out(tree, tree.nodes.copy()).category_codes.tolist() == tree.category_codes.tolist()


def test_a_searched_leaf_that_is_pruned_is_the_median_of_its_rows():
    data = random_dataset(missing=0.0)
    editor, rounds = edited_run(data, objective="absolute", rounds=1, max_depth=2)
    pruned = editor.tree(Prune(1, 0, 0))
    target = data.target[data.train_rows]
    base = editor.replay.begun.base_margin[0]
    assert pruned.nodes["weight"][0] == pytest.approx(np.median(target - base), abs=1e-6)
    assert editor.receipt(SetWeight(1, 0, 3, 0.1)).price.optimum == rounds[0].trees[0].nodes["weight"][3]


def test_monotone_columns_stay_monotone():
    data = random_dataset(n=400, missing=0.0)
    editor, _rounds = edited_run(data, rounds=1, max_depth=3, monotone_constraints={"x0": 1})
    grid = np.linspace(-3, 3, 61, dtype=np.float32)
    rng = np.random.default_rng(0)
    for _ in range(40):
        edit = some_edit(str(rng.choice(KINDS)), editor, 1, 0, rng)
        branch = None if edit is None else done(editor, edit)
        for row in data.features[:5] if branch is not None else ():
            rows = np.repeat(row[None], len(grid), 0)
            rows[:, 0] = grid
            values = [branch.tree.nodes["leaf_value"][path(branch.tree, one)[-1]] for one in rows]
            assert (np.diff(values) >= 0).all(), edit


@pytest.mark.parametrize("method", ["hist", "exact", "approx"])
def test_what_grows_below_a_taken_split_is_what_grows_below_a_forced_one(method):
    data, x0 = random_dataset(n=500, missing=0.1), {"column": "x0"}
    params = {"rounds": 1, "max_depth": 5, "tree_method": method, "seed": 2, "colsample_bynode": 0.6,
              "colsample_bylevel": 0.7, "monotone_constraints": {"x0": 1, "x5": -1, "x2": 1}}  # fmt: skip
    threshold = edited_run(data, forced_splits=x0, **params)[1][0].trees[0].nodes["threshold"][0]
    rounds = edited_run(data, forced_splits=x0 | {"below": float(threshold)}, **params)[1]
    forced = rounds[0].trees[0].nodes
    editor, _rounds = edited_run(data, **params)
    taken = TakeSplit(1, 0, 0, "x0", float(threshold), (), bool(forced["default_left"][0]))
    grown = editor.tree(taken).nodes
    for name in ("feature", "left", "count"):
        assert grown[name].tolist() == forced[name].tolist()
    for name in ("threshold", "weight", "gain", "leaf_value"):
        assert grown[name] == pytest.approx(forced[name], rel=1e-6, abs=1e-9, nan_ok=True)


def test_a_leaf_may_be_split_further():
    editor, _rounds = edited_run(random_dataset(), rounds=1, max_depth=1)
    tree = editor.tree(TakeSplit(1, 0, 1, "x3", 0.0))
    assert tree.n_leaves == 3
    check_figures(editor, editor.site(Prune(1, 0, 0)), tree)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Prune(9, 0, 0), "no round 9"),
        (Prune(1, 3, 0), "no tree 3"),
        (Prune(1, 0, 99), "no node 99"),
        (Prune(1, 0, 6), "is a leaf"),
        (SetWeight(1, 0, 0, 0.0), "is a split"),
        (SetWeight(1, 0, 6, float("nan")), "must be a number"),
        (SetWeight(1, 0, 6, 1e300), "must be a number"),
        (MoveThreshold(1, 0, 0, 1e9), "No training row"),
        (MoveThreshold(1, 0, 0, float("nan")), "must be a number"),
        (TakeSplit(1, 0, 0, "nope", 1.0), "no column 'nope'"),
        (TakeSplit(1, 0, 0, "x0"), "must be a number"),
        (TakeSplit(1, 0, 0, "x0", categories=(1,)), "ask with a threshold"),
        (TakeSplit(1, 0, 0, "x1", 1.0), "ask with some"),
        (TakeSplit(1, 0, 0, "x1", categories=(77,)), "5 categories"),
        (ForbidColumn(1, 0, 0, "nope"), "no column 'nope'"),
        (ForbidColumn(1, 0, 0, "x4"), "is about 'x4'"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(edit, words):
    editor, _ = edited_run(random_dataset(missing=0.0), rounds=1, max_depth=2)
    with pytest.raises(WorkbenchError, match=words):
        editor.receipt(edit)
