from __future__ import annotations

import numpy as np
import pytest

from workbench.trees.partition import fill_answers, label_rows, partition_nodes


def question(is_category, split_bin, missing_left):
    answers = np.empty(256, np.uint8)
    fill_answers(is_category, split_bin, missing_left, answers)
    return answers


def test_answers():
    assert question(False, 3, False).nonzero()[0].tolist() == [0, 1, 2, 3]
    assert question(False, 1, True).nonzero()[0].tolist() == [0, 1, 255]
    assert question(True, 7, True).nonzero()[0].tolist() == [7, 255]


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_rows_go_to_their_side_in_order(parts):
    rng = np.random.default_rng(parts)
    by_column = rng.integers(0, 256, (2, 500)).astype(np.uint8)
    rows = rng.permutation(500).astype(np.uint32)
    before = rows.copy()
    begins, offsets = np.array([0, 210, 300]), np.array([0, 200, 201, 401])
    columns = np.array([1, 0, 1])
    answers = np.array([question(False, 100, True), question(False, 3, False), question(True, 8, True)])
    n_left = np.empty((parts, 3), np.int64)
    partition_nodes(parts, by_column, rows, begins, offsets, columns, answers, np.empty_like(rows), n_left)
    for k, begin in enumerate(begins):
        own = before[begin : begin + offsets[k + 1] - offsets[k]]
        yes = answers[k][by_column[columns[k]][own]] == 1
        expected = np.concatenate([own[yes], own[~yes]])
        np.testing.assert_array_equal(rows[begin : begin + len(own)], expected)
        assert n_left[:, k].sum() == yes.sum()
    np.testing.assert_array_equal(rows[200:210], before[200:210])


@pytest.mark.parametrize("parts", [1, 4])
def test_labels(parts):
    by_column = np.arange(10, dtype=np.uint8)[None]
    rows = np.arange(10, dtype=np.uint32)
    labels = np.full(10, -1, np.int32)
    answers = np.array([question(False, 0, False), question(False, 7, False)])
    begins, offsets = np.array([0, 5]), np.array([0, 5, 10])
    label_rows(
        parts, rows, begins, offsets, np.array([-1, 8]), np.array([0, 0]), answers, by_column,
        np.array([4, 5]), labels,
    )
    assert labels.tolist() == [4] * 5 + [8, 8, 8, 9, 9]
