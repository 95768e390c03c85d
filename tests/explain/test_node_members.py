"""The rows of a node, against a walk of each row by hand and the sums that the node keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.explain.test_replay import SOME, TASKS, naive_gradients, replayed
from tests.reference import naive_tree
from tests.reference.tables import random_dataset
from workbench.explain.node_members import DRAWN, HELD_OUT, LEFT_OUT, node_members
from workbench.explain.node_rows import node_rows


@examples(25)
@given(
    task=st.sampled_from(list(TASKS)), params=SOME, weighted=st.booleans(), seed=st.integers(0, 5),
    data=st.data(),
)
def test_rows_and_figures_of_a_node(task, params, weighted, seed, data):
    table = random_dataset(task, n=240, d=4, n_valid=60, seed=seed, weighted=weighted)
    replay = replayed(table, rounds=3, max_depth=3, threads=1, seed=seed, **params)
    round = data.draw(st.integers(1, 3), label="round")
    place = data.draw(st.integers(0, len(replay.rounds[0].trees) - 1), label="place")
    tree = replay.rounds[round - 1].trees[place]
    node = data.draw(st.integers(0, tree.n_nodes - 1), label="node")

    members = node_members(node_rows(replay, round, place, node))

    masks = naive_tree.rows_by_node(tree, table.features)
    assert members.rows.tolist() == np.flatnonzero(masks[node]).tolist()
    assert (members.parts == HELD_OUT).tolist() == np.isin(members.rows, table.valid_rows).tolist()
    grown = replay.begun.with_rounds(replay.rounds)
    earlier, counts = grown.first_rounds(round - 1).counted(grown.dropped(round))
    raw = naive_tree.raw_predictions(
        replay.begun.with_trees(earlier), table.features[members.rows], counts)
    k = tree.class_index
    assert members.raw.tolist() == (raw if raw.ndim == 1 else raw[:, k]).tolist()
    leaves = [naive_tree.leaf_of(tree, row) for row in table.features[members.rows]]
    assert members.added.tolist() == tree.nodes["leaf_value"][leaves].tolist()
    weight = np.ones(len(members)) if members.weights is None else members.weights
    g, h = naive_gradients(
        replay.objective.name, table.target[members.rows], raw[None] if raw.ndim == 1 else raw.T, weight,
        1 if "softmax_hessian" in params else 2)
    plain = members.parts != DRAWN
    np.testing.assert_allclose(members.gradients[plain], g[k][plain], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(members.hessians[plain], h[k][plain], rtol=1e-6, atol=1e-9)
    n, sum_gradient, sum_hessian, _ = members.sums[DRAWN]
    slack = 1e-12 * max(np.abs(members.gradients).sum(), 1.0)
    assert n == tree.nodes["count"][node]
    assert sum_gradient == pytest.approx(tree.nodes["sum_gradient"][node], abs=slack)
    assert sum_hessian == pytest.approx(tree.nodes["sum_hessian"][node], abs=1e-11)
    assert n + members.sums[LEFT_OUT].rows + members.sums[HELD_OUT].rows == len(members)


def test_weights_of_classes_are_told():
    table = random_dataset("binary", n=200, n_valid=40)
    members = node_members(node_rows(replayed(table, rounds=1, scale_pos_weight=3.0, threads=1), 1, 0, 0))

    assert members.weights.tolist() == np.where(table.target == 1, 3.0, 1.0).tolist()


def test_without_weights_none_are_told():
    table = random_dataset("regression", n=200, n_valid=40)
    assert node_members(node_rows(replayed(table, rounds=1, threads=1), 1, 0, 0)).weights is None
