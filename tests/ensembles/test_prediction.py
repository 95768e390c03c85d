from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.reference import naive_tree
from tests.reference.tables import fitted, random_dataset
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.prediction import leaf_indices, path, raw_predictions
from workbench.errors import WorkbenchError
from workbench.trees.tree import NODE_DTYPE, Tree

ODD_NUMBERS = np.array([np.nan, -np.inf, np.inf, -0.0, 0.0, 1e-45, -1e-45, 1, 2, 3, -1, 3.4e38], np.float32)
TASKS = ("regression", "binary", "multiclass")


def odd_rows(data, n=60):
    """Rows with everything: missing, unseen categories, thresholds and their neighbours."""
    features = data.features[:n].copy()
    features[::7, 1] = 99
    features[1::7, 1] = -1
    features[2::7] = np.nan
    return features


@pytest.mark.parametrize("task", TASKS)
def test_against_naive(task):
    data = random_dataset(task)
    ensemble = fitted(data, rounds=8, learning_rate=0.3)
    features = odd_rows(data)
    splits = [t.nodes[~t.is_leaf & np.isfinite(t.nodes["threshold"])] for t in ensemble.trees]
    for row, split in zip(features, np.concatenate(splits), strict=False):
        row[split["feature"]] = split["threshold"]
    for rounds in (None, 0, 3):
        part = ensemble if rounds is None else ensemble.first_rounds(rounds)
        expected = naive_tree.raw_predictions(part, features)
        for layout in (np.ascontiguousarray(features), np.asfortranarray(features)):
            for serial in (False, True):
                raw = raw_predictions(ensemble, layout, rounds, serial=serial)
                assert raw.dtype == np.float32
                np.testing.assert_array_equal(raw, expected)
    leaves = leaf_indices(ensemble.trees, features)
    for t, tree in enumerate(ensemble.trees):
        assert leaves[:, t].tolist() == [naive_tree.leaf_of(tree, row) for row in features]


@pytest.mark.parametrize("task", TASKS)
def test_threads_change_nothing(task):
    data = random_dataset(task, n=20_000)
    ensemble = fitted(data, rounds=5)
    one, two, serial = (
        raw_predictions(ensemble, data.features, threads=1),
        raw_predictions(ensemble, data.features, threads=3),
        raw_predictions(ensemble, data.features, serial=True),
    )
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(one, serial)


def test_path():
    data = random_dataset()
    tree = fitted(data, rounds=1).trees[0]
    for row in odd_rows(data, 20):
        nodes = path(tree, row)
        assert nodes[0] == 0
        assert nodes[-1] == naive_tree.leaf_of(tree, row)
        assert tree.nodes["parent"][nodes[1:]].tolist() == nodes[:-1]


def made_tree(rng, splits, shape, most_codes, class_index):
    """A tree with every kind of question: odd thresholds, one category, sets of them, each default."""
    nodes = np.zeros(2 * splits + 1, NODE_DTYPE)
    nodes["feature"], nodes["left"], nodes["category"] = -1, -1, -1
    nodes["leaf_value"] = rng.normal(size=len(nodes))
    nodes["default_left"] = rng.random(len(nodes)) < 0.5
    codes = [np.empty(0, np.int32)] * len(nodes)
    open_leaves = [0]
    thresholds = ODD_NUMBERS[:2] if shape == "chain" else ODD_NUMBERS  # so that many rows reach a chain's end
    for split in range(splits):
        node = open_leaves.pop(-1 if shape == "chain" else 0)
        here, child = nodes[node : node + 1], 2 * split + 1
        here["feature"], here["threshold"] = rng.integers(3), rng.choice(thresholds)
        here["leaf_value"], here["left"], here["right"] = 0, child, child + 1
        if most_codes and rng.random() < 0.5:
            few = np.array([0, 1, 2, 3, 2**24, 2**30])
            codes[node] = np.sort(rng.choice(few, rng.integers(1, most_codes + 1), False)).astype(np.int32)
            here["threshold"], here["category"] = np.nan, codes[node][0]
        nodes["parent"][child : child + 2] = node
        nodes["depth"][child : child + 2] = here["depth"] + 1
        open_leaves += [child, child + 1]
    begin = np.cumsum([0, *map(len, codes)]).astype(np.int32)
    return Tree(nodes, begin, np.concatenate(codes).astype(np.int32), class_index)


@examples(150)
@given(
    seed=st.integers(0, 10**6),
    n=st.sampled_from([*range(1, 21), 127, 128, 129]),
    n_classes=st.sampled_from([1, 1, 3]),
    kinds=st.lists(
        st.tuples(st.sampled_from([0, 1, 5, 40]), st.sampled_from(["full", "chain"]), st.integers(0, 3)),
        max_size=4,
    ),
)
def test_trees_of_any_shape(seed, n, n_classes, kinds):
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n_classes).astype(np.float32)
    trees = tuple(made_tree(rng, *kind, k) for kind in kinds for k in range(n_classes))
    ensemble = Ensemble("softmax" if n_classes > 1 else "squared", 3, n_classes, base, trees)
    rows = rng.choice(np.append(ODD_NUMBERS, np.float32(2**24)), (n, 3))
    with np.errstate(invalid="ignore"):
        codes = np.nan_to_num(rows, posinf=-9, neginf=-9)
    asked = [f for tree in trees for f in tree.nodes["feature"][np.diff(tree.category_begin) > 0]]
    rows[:, asked] = np.where(np.isnan(rows), rows, np.trunc(codes))[:, asked]
    expected = naive_tree.raw_predictions(ensemble, rows)
    for layout in (rows, np.asfortranarray(rows), np.repeat(rows, 2, axis=0)[::2]):
        np.testing.assert_array_equal(raw_predictions(ensemble, layout), expected)
    leaves = leaf_indices(trees, np.asfortranarray(rows))
    for t, tree in enumerate(trees):
        assert leaves[:, t].tolist() == [naive_tree.leaf_of(tree, row) for row in rows]


@pytest.mark.parametrize("deep", range(8))
def test_one_row_of_eight_goes_deep(deep):
    tree = made_tree(np.random.default_rng(0), 40, "chain", 0, 0)
    splits = tree.nodes["feature"] >= 0
    tree.nodes["threshold"][splits] = 0
    rows = np.full((8, 3), -1, np.float32)
    rows[deep] = 1
    ensemble = Ensemble("squared", 3, 1, np.zeros(1, np.float32), (tree,))
    np.testing.assert_array_equal(raw_predictions(ensemble, rows), naive_tree.raw_predictions(ensemble, rows))


def test_sets_of_categories():
    nodes = np.zeros(3, NODE_DTYPE)
    nodes["feature"] = [0, -1, -1]
    nodes["left"], nodes["right"], nodes["parent"] = [1, -1, -1], [2, -1, -1], [-1, 0, 0]
    nodes["leaf_value"], nodes["depth"] = [0, 1, 2], [0, 1, 1]
    nodes["threshold"] = np.nan
    nodes["category"] = [3, -1, -1]
    codes = np.array([3, 5, 8, 200], np.int32)
    tree = Tree(nodes, np.array([0, 4, 4, 4], np.int32), codes)
    ensemble = Ensemble("squared", 1, 1, np.zeros(1, np.float32), (tree,))
    x = np.array([3, 4, 5, 8, 200, 201, -5, np.nan], np.float32)[:, None]
    assert raw_predictions(ensemble, x).tolist() == [1, 2, 1, 1, 1, 2, 2, 2]


def test_no_trees_and_no_rows():
    ensemble = Ensemble("softmax", 2, 3, np.array([1, 2, 3], np.float32))
    assert raw_predictions(ensemble, np.zeros((2, 2))).tolist() == [[1, 2, 3]] * 2
    assert raw_predictions(ensemble, np.zeros((0, 2))).shape == (0, 3)
    assert leaf_indices((), np.zeros((2, 2))).shape == (2, 0)


def test_read_only_rows():
    data = random_dataset()
    features = np.ascontiguousarray(data.features)
    features.flags.writeable = False
    assert len(raw_predictions(fitted(data, rounds=1), features)) == 500


def test_too_few_columns_are_refused():
    ensemble = fitted(random_dataset(d=6), rounds=5)
    for call in (raw_predictions, lambda model, rows: leaf_indices(model.trees, rows)):
        with pytest.raises(WorkbenchError, match="have 2 columns"):
            call(ensemble, np.zeros((4, 2), np.float32))


@pytest.mark.parametrize("params", [{}, {"rate_drop": 0.5}, {"method": "forest"}])
@pytest.mark.parametrize("task", TASKS)
def test_trees_that_are_kept_walk_as_those_laid_out_anew(task, params):
    data = random_dataset(task, seed=3)
    ensemble = fitted(data, rounds=5, **params)
    rows = odd_rows(data)
    anew = [raw_predictions(ensemble.first_rounds(k), rows) for k in range(6)]
    for k in (5, 0, 3, 5):
        assert raw_predictions(ensemble, rows, rounds=k).tobytes() == anew[k].tobytes()
    assert raw_predictions(ensemble, rows).tobytes() == anew[5].tobytes()


def test_rows_of_fewer_columns_are_enough_for_the_first_rounds():
    nodes = one_question_about(0), one_question_about(1)
    ensemble = Ensemble("squared", 2, 1, np.zeros(1, np.float32), nodes)
    assert raw_predictions(ensemble, np.zeros((1, 2), np.float32))[0] == 2
    assert raw_predictions(ensemble, np.zeros((1, 1), np.float32), rounds=1)[0] == 1
    assert "walked" not in ensemble.__getstate__()


def one_question_about(column):
    nodes = np.zeros(3, NODE_DTYPE)
    nodes["feature"], nodes["left"], nodes["right"] = (column, -1, -1), (1, -1, -1), (2, -1, -1)
    nodes["depth"], nodes["leaf_value"] = (0, 1, 1), 1
    return Tree(nodes, np.zeros(4, np.int32), np.empty(0, np.int32))
