from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.naive_split import gain_of
from tests.reference.tables import dataset, train
from workbench.trees.structure_score import leaf_weight, similarity, split_gain
from workbench.trees.tree import NODE_DTYPE, Tree

numbers = st.floats(-100, 100)
positive = st.floats(0, 100)


@given(
    st.lists(st.tuples(numbers, positive), min_size=2, max_size=30), st.floats(0.01, 100), positive,
    st.data(),
)
def test_gain_against_naive(pairs, reg_lambda, gamma, data):
    g, h = np.array(pairs).T
    cut = data.draw(st.integers(1, len(g) - 1))
    left = np.arange(len(g)) < cut
    expected = gain_of(left, g, h, reg_lambda, gamma)
    sums = g[left].sum(), h[left].sum(), g[~left].sum(), h[~left].sum()
    scale = 1 + abs(expected)
    assert split_gain(*sums, reg_lambda, gamma) == pytest.approx(expected, abs=1e-6 * scale)


@given(numbers, st.floats(0.01, 100), positive)
def test_weight_is_the_minimum(g, h, reg_lambda):
    w = leaf_weight(g, h, reg_lambda)

    def objective(v):
        return g * v + 0.5 * (h + reg_lambda) * v * v

    assert objective(w) == pytest.approx(-0.5 * similarity(g, h, reg_lambda), abs=1e-6 * (1 + g * g))
    assert objective(w) <= objective(w + 0.1) + 1e-9
    assert objective(w) <= objective(w - 0.1) + 1e-9


def test_nothing_to_divide_by():
    assert leaf_weight(1.0, 0.0, 0.0) == 0.0
    assert similarity(1.0, 0.0, 0.0) == 0.0


FIVE = dataset([[1], [2], [3], [4], [5]], [1, 1.2, 3, 3.4, 3.2])
FIVE_PARAMS = {
    "objective": "squared", "reg_lambda": 1.0, "base_score": 0.0, "learning_rate": 1.0, "max_depth": 1,
    "rounds": 1,
}


def test_five_points():
    _, rounds, _ = train(FIVE, **FIVE_PARAMS)
    tree = rounds[0].trees[0]
    assert tree.n_nodes == 3
    assert tree.nodes["threshold"][0] == 2.5
    assert tree.nodes["gain"][0] == pytest.approx(0.723333, abs=1e-6)
    assert tree.nodes["leaf_value"][1:] == pytest.approx([0.73333, 2.4], abs=1e-5)
    assert tree.nodes["sum_gradient"] == pytest.approx([-11.8, -2.2, -9.6])
    assert tree.nodes["sum_hessian"].tolist() == [5, 2, 3]
    assert tree.nodes["count"].tolist() == [5, 2, 3]


@pytest.mark.parametrize(("gamma", "nodes"), [(0.7233, 3), (0.7234, 1)])
def test_five_points_split_dies_of_gamma(gamma, nodes):
    _, rounds, _ = train(FIVE, gamma=gamma, **FIVE_PARAMS)
    assert rounds[0].trees[0].n_nodes == nodes


@pytest.mark.parametrize(("gamma", "reg_lambda"), [(0.0, 1.0), (2.0, 0.0), (0.7, 3.0)])
def test_omega_of_three_leaves(gamma, reg_lambda):
    nodes = np.zeros(5, NODE_DTYPE)
    nodes["feature"] = [0, -1, 0, -1, -1]
    nodes["leaf_value"] = [0, 2, 0, 0.1, -1]
    tree = Tree(nodes, np.zeros(6, np.int32), np.zeros(0, np.int32), 0, 1.0, reg_lambda, gamma)
    assert tree.omega == pytest.approx(3 * gamma + 2.505 * reg_lambda)


def test_near_xor_is_stopped_at_the_root():
    x = np.array([[a, b] for a in (0, 1) for b in (0, 1) for _ in range(100)], float)
    y = (x[:, 0] != x[:, 1]) + 0.1 * x[:, 0]
    params = {
        "objective": "squared", "reg_lambda": 0.0, "learning_rate": 1.0, "max_depth": 2, "base_score": 0.5
    }
    _, grown, _ = train(dataset(x, y), rounds=1, **params)
    tree = grown[0].trees[0]
    assert tree.n_nodes == 7
    assert tree.nodes["gain"][:3] == pytest.approx([0.5, 25, 25], rel=1e-6)
    _, stopped, _ = train(dataset(x, y), rounds=1, gamma=2.5, **params)
    assert stopped[0].trees[0].n_nodes == 1
