from __future__ import annotations

import numpy as np
import pytest

from tests.trees.hist.test_partition import NUMBER, grown, matrix_of
from workbench.trees.grown_nodes import BEGIN, END, LEFT, NOTHING
from workbench.trees.hist.labelling import label_part
from workbench.trees.node_lists import ListedNodes


@pytest.mark.parametrize("parts", [1, 3])
def test_labels_of_many_rows_are_those_of_their_leaves(parts):
    rng = np.random.default_rng(parts)
    n, n_owners = 150_000, 90
    owner_of = rng.integers(0, n_owners, n)
    rows = np.argsort(owner_of, kind="stable").astype(np.uint32)
    rows = rows[owner_of[rows] != 40]  # one has none, and some rows are not listed
    sizes = np.bincount(owner_of[rows], minlength=n_owners)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    owners = ListedNodes(np.arange(n_owners), offsets[:-1].copy(), offsets, n_owners)
    by_column = rng.integers(0, 256, (1, n)).astype(np.uint8)
    nodes = grown(*[(NUMBER, 99, True)] * n_owners)
    nodes[::2, LEFT] = 1000 + np.arange(0, n_owners, 2) * 2
    labels = np.full(n, -7, np.int32)
    for part in range(parts):
        label_part(
            part, parts, matrix_of(by_column), None, rows, owners, nodes, np.empty(256, np.uint8), labels
        )
    right = ~((by_column[0] <= 99) | (by_column[0] == 255))
    expected = np.where(owner_of % 2, owner_of, 1000 + 2 * owner_of + right)
    np.testing.assert_array_equal(labels, np.where(owner_of == 40, -7, expected))


@pytest.mark.parametrize("parts", [1, 4])
def test_labels(parts):
    by_column = np.arange(10, dtype=np.uint8)[None]
    rows = np.arange(10, dtype=np.uint32)
    labels = np.full(10, -1, np.int32)
    nodes = grown((NOTHING, 0, False), (NUMBER, 7, False))
    nodes[:, [BEGIN, END]] = [[0, 5], [5, 10]]
    nodes[1, LEFT] = 8
    owners = ListedNodes(np.array([0, 1]), np.array([0, 5]), np.array([0, 5, 10]), 2)
    for part in range(parts):
        label_part(
            part, parts, matrix_of(by_column), None, rows, owners, nodes, np.empty(256, np.uint8), labels
        )
    assert labels.tolist() == [0] * 5 + [8, 8, 8, 9, 9]
