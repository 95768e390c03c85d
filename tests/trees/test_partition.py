from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from workbench.trees.grown_nodes import (
    BEGIN,
    BIN,
    COLUMN,
    END,
    LEFT,
    MISSING_LEFT,
    N_FIELDS,
    NOTHING,
    ask_below,
    ask_members,
    fill_answers,
)
from workbench.trees.partition import label_part, stage_part, unstage_part

NUMBER, CATEGORY = 0, 1


def grown(*questions):
    """Nodes that ask (column, bin, missing left)."""
    nodes = np.full((len(questions), N_FIELDS), NOTHING, np.int64)
    for node, (column, split_bin, missing_left) in enumerate(questions):
        nodes[node, [COLUMN, BIN, MISSING_LEFT]] = column, split_bin, missing_left
        if column == CATEGORY:
            ask_members(nodes, node, np.array([split_bin, 200]), 2)
        else:
            ask_below(nodes, node)
    return nodes


class Columns(NamedTuple):
    """What the kernels read of a `MatrixArrays`."""

    by_column: np.ndarray
    places: np.ndarray


def matrix_of(by_column):
    return Columns(by_column, np.arange(len(by_column)))


def answers_of(column, split_bin, missing_left):
    answers = np.empty(256, np.uint8)
    fill_answers(grown((column, split_bin, missing_left)), 0, answers)
    return answers


def test_answers():
    assert answers_of(NUMBER, 3, False).nonzero()[0].tolist() == [0, 1, 2, 3]
    assert answers_of(NUMBER, 1, True).nonzero()[0].tolist() == [0, 1, 255]
    assert answers_of(NUMBER, 70, False).nonzero()[0].tolist() == list(range(71))
    assert answers_of(NUMBER, 63, False).nonzero()[0].tolist() == list(range(64))
    assert answers_of(NUMBER, 253, False).nonzero()[0].tolist() == list(range(254))
    assert answers_of(CATEGORY, 7, True).nonzero()[0].tolist() == [7, 200, 255]


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_rows_go_to_their_side_in_order(parts):
    rng = np.random.default_rng(parts)
    by_column = rng.integers(0, 256, (2, 500)).astype(np.uint8)
    rows = rng.permutation(500).astype(np.uint32)
    before = rows.copy()
    begins, offsets = np.array([0, 210, 300]), np.array([0, 200, 201, 401])
    questions = [(NUMBER, 100, True), (NUMBER, 3, False), (CATEGORY, 8, True)]
    nodes, wave = grown(*questions), np.arange(3)
    n_left, stage, room = np.empty((parts, 3), np.int64), np.empty_like(rows), np.empty(256, np.uint8)
    matrix = matrix_of(by_column)
    for part in range(parts):
        stage_part(
            part, parts, matrix, None, rows, wave, begins, offsets, 3, nodes, room, stage, n_left
        )
    for part in range(parts):
        unstage_part(part, parts, rows, begins, offsets, 3, stage, n_left)
    for k, begin in enumerate(begins):
        own = before[begin : begin + offsets[k + 1] - offsets[k]]
        yes = answers_of(*questions[k])[by_column[questions[k][0]][own]] == 1
        expected = np.concatenate([own[yes], own[~yes]])
        np.testing.assert_array_equal(rows[begin : begin + len(own)], expected)
        assert n_left[:, k].sum() == yes.sum()
    np.testing.assert_array_equal(rows[200:210], before[200:210])


@pytest.mark.parametrize("parts", [1, 3])
def test_labels_of_many_rows_are_those_of_their_leaves(parts):
    rng = np.random.default_rng(parts)
    n, n_owners = 150_000, 90
    owner_of = rng.integers(0, n_owners, n)
    rows = np.argsort(owner_of, kind="stable").astype(np.uint32)
    rows = rows[owner_of[rows] != 40]  # one has none, and some rows are not listed
    sizes = np.bincount(owner_of[rows], minlength=n_owners)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    by_column = rng.integers(0, 256, (1, n)).astype(np.uint8)
    nodes = grown(*[(NUMBER, 99, True)] * n_owners)
    nodes[::2, LEFT] = 1000 + np.arange(0, n_owners, 2) * 2
    labels = np.full(n, -7, np.int32)
    for part in range(parts):
        label_part(
            part, parts, matrix_of(by_column), None, rows, np.arange(n_owners), offsets[:-1].copy(), offsets,
            n_owners, nodes, np.empty(256, np.uint8), labels,
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
    for part in range(parts):
        label_part(
            part, parts, matrix_of(by_column), None, rows, np.array([0, 1]), np.array([0, 5]),
            np.array([0, 5, 10]), 2, nodes, np.empty(256, np.uint8), labels,
        )
    assert labels.tolist() == [0] * 5 + [8, 8, 8, 9, 9]
