from __future__ import annotations

import numpy as np
import pytest

from tests.reference import naive_tree
from tests.reference.tables import fitted, random_dataset
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.prediction import leaf_indices, path, raw_predictions
from workbench.trees.tree import NODE_DTYPE, Tree

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


def test_sets_of_categories():
    nodes = np.zeros(3, NODE_DTYPE)
    nodes["feature"] = [0, -1, -1]
    nodes["left"], nodes["right"], nodes["parent"] = [1, -1, -1], [2, -1, -1], [-1, 0, 0]
    nodes["leaf_value"] = [0, 1, 2]
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
