from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from workbench.trees.bins.shared_bytes import ALONE
from workbench.trees.grown_nodes import (
    BIN,
    COLUMN,
    MISSING_LEFT,
    N_FIELDS,
    NOTHING,
    ask_below,
    ask_members,
    fill_answers,
)
from workbench.trees.hist.partition import stage_part, unstage_part
from workbench.trees.node_lists import ListedNodes

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
    lines: np.ndarray
    bins_of_byte: np.ndarray


def matrix_of(by_column):
    d = len(by_column)
    return Columns(by_column, np.arange(d), np.full(d, ALONE), np.empty((0, 256), np.uint8))


def answers_of(column, split_bin, missing_left):
    answers = np.empty(256, np.uint8)
    fill_answers(grown((column, split_bin, missing_left)), 0, matrix_of(np.empty((2, 0), np.uint8)), answers)
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
    nodes, wave = grown(*questions), ListedNodes(np.arange(3), begins, offsets, 3)
    n_left, stage, scratch = np.empty((parts, 3), np.int64), np.empty_like(rows), np.empty(256, np.uint8)
    matrix = matrix_of(by_column)
    for part in range(parts):
        stage_part(part, parts, matrix, None, rows, wave, nodes, scratch, stage, n_left)
    for part in range(parts):
        unstage_part(part, parts, rows, wave, stage, n_left)
    for k, begin in enumerate(begins):
        own = before[begin : begin + offsets[k + 1] - offsets[k]]
        yes = answers_of(*questions[k])[by_column[questions[k][0]][own]] == 1
        expected = np.concatenate([own[yes], own[~yes]])
        np.testing.assert_array_equal(rows[begin : begin + len(own)], expected)
        assert n_left[:, k].sum() == yes.sum()
    np.testing.assert_array_equal(rows[200:210], before[200:210])
