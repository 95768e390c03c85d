"""The steps of the theory against the formulas of the paper, summed row by row and leaf by leaf."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.test_rescoring import summed_tree
from tests.made_trees import tree_of
from tests.reference import naive_rescoring as naive
from tests.reference.tables import random_dataset, train
from workbench.explain.derivation.assumed import Assumed
from workbench.explain.derivation.leaf_parabola import LeafParabola, weights_around
from workbench.explain.derivation.row_loss import row_loss
from workbench.explain.derivation.split_fates import split_fates
from workbench.explain.derivation.tree_terms import tree_terms, weights_follow
from workbench.explain.node_rows import node_rows
from workbench.explain.replay import Replay
from workbench.explain.split_scan import judged_again

PENALTIES = st.sampled_from([0.0, 0.03, 0.5, 1.0, 7.0, 60.0])


@given(st.floats(-100, 100), st.floats(0.01, 100), PENALTIES, PENALTIES)
def test_no_weight_is_better_than_the_minimum(g, h, reg_lambda, alpha):
    curve = LeafParabola(g, h, reg_lambda, alpha)
    x = weights_around(curve.weight)
    slack = 1e-9 * (1 + abs(curve.least))
    assert curve.at(np.array([curve.weight]))[0] == pytest.approx(curve.least, abs=slack)
    assert curve.at(x).min() >= curve.least - slack
    assert x[0] <= min(curve.weight, 0)
    assert x[-1] >= max(curve.weight, 0)
    assert 0.0 in x


@given(st.integers(0, 5000), st.integers(0, 20), PENALTIES, PENALTIES, st.sampled_from([0.0, 0.4]))
def test_terms_are_those_of_the_leaves_that_stay(seed, splits, reg_lambda, gamma, alpha):
    tree = summed_tree(seed, splits, rates=(0.1, 1.0, 0.2, alpha))
    terms = tree_terms(tree, Assumed.of(tree, reg_lambda, gamma))
    wanted = naive.rescored(tree, reg_lambda, gamma, alpha)
    leaves = set(wanted.weight) - wanted.splits
    assert set(terms.leaves.tolist()) == leaves
    weights = [wanted.weight[leaf] for leaf in leaves]
    omega = gamma * len(leaves) + 0.5 * reg_lambda * sum(w * w for w in weights)
    omega += alpha * sum(map(abs, weights))
    assert terms.omega == pytest.approx(omega, rel=1e-9, abs=1e-12)
    g, h = tree.nodes["sum_gradient"], tree.nodes["sum_hessian"]
    score = sum(naive.leaf_score(g[leaf], h[leaf], reg_lambda, alpha, 0.0) for leaf in leaves)
    assert terms.structure_score == pytest.approx(score + gamma * len(leaves), rel=1e-9, abs=1e-9)


def test_omega_of_the_textbook_leaves():
    """Leaves +2, +0.1, −1: Ω = 3γ + 2.505λ."""
    x = np.array([[0.0], [1.0], [2.0]], np.float32)
    weights, reg_lambda, gamma = np.array([2.0, 0.1, -1.0]), 2.0, 0.01
    gradients, hessians = -weights * (1.0 + reg_lambda), np.ones(3)
    tree = tree_of((0, 1.0, None, (0, 2.0, None, None)), gradients, hessians, x, reg_lambda=reg_lambda)
    terms = tree_terms(tree, Assumed.of(tree, gamma=gamma))
    assert sorted(terms.weight) == pytest.approx(sorted(weights))
    assert terms.leaf_cost == pytest.approx(3 * gamma)
    assert terms.squares == pytest.approx(2.505 * reg_lambda)
    assert terms.omega == pytest.approx(3 * gamma + 2.505 * reg_lambda)


def near_xor():
    """Of MATH: the root gains about 0.1, its children some 25."""
    pairs = np.array([[a, b] for a in (0, 1) for b in (0, 1)], np.float32).repeat(100, axis=0)
    y = (pairs[:, 0] != pairs[:, 1]) + 0.1 * pairs[:, 0]
    below = (1, 0.5, None, None)
    return tree_of((0, 0.5, below, below), 0.5 - y, np.ones(400), pairs, reg_lambda=0.0)


def test_pruning_keeps_what_stopping_never_sees():
    tree = near_xor()
    fates = split_fates(tree, Assumed.of(tree, gamma=2.5))
    root, *children = fates.splits
    assert root.loss_change < 2.5 < min(child.loss_change for child in children)
    assert not any(split.pre for split in fates.splits)
    assert all(split.post for split in fates.splits)
    assert (fates.pre.tree.n_nodes, fates.post.tree.n_nodes) == (1, 7)
    assert fates.post.structure_score < fates.pre.structure_score
    assert root.best_below == pytest.approx(max(child.loss_change for child in children))


@given(st.integers(0, 5000), st.integers(1, 20), PENALTIES, PENALTIES)
def test_both_ways_against_their_definitions(seed, splits, reg_lambda, gamma):
    tree = summed_tree(seed, splits)
    assumed = Assumed.of(tree, reg_lambda, gamma)
    fates = {split.node: split for split in split_fates(tree, assumed).splits}

    def best(node):
        below = [int(tree.nodes[side][node]) for side in ("left", "right")]
        return max([fates[node].loss_change, *(best(child) for child in below if child in fates)])

    for node, split in fates.items():
        parent = int(tree.nodes["parent"][node])
        assert split.best_below == pytest.approx(best(node))
        assert split.pre == ((parent < 0 or fates[parent].pre) and split.gain >= 0)
        assert split.post == (best(node) >= gamma)
        assert split.post or not split.pre  # what stopping leaves, pruning leaves


def made_replay(task, **params):
    data = random_dataset(task, n=120, n_valid=30)
    started, rounds, _ = train(data, rounds=3, max_depth=2, threads=1, **params)
    return Replay(data, started.ensemble, started.params, rounds), data


@pytest.mark.parametrize(("task", "objective"), [
    ("regression", "squared"), ("binary", "logistic"), ("multiclass", "softmax"), ("binary", "exponential"),
])
def test_g_and_h_are_slope_and_curvature_of_the_loss(task, objective):
    replay, data = made_replay(task, objective=objective)
    for row in (int(data.train_rows[3]), int(data.valid_rows[0])):
        loss = row_loss(replay, 3, 0, row)
        at, step = np.array([-0.02, 0.0, 0.02]), 0.02
        low, middle, high = loss.losses(at)
        assert middle == pytest.approx(loss.loss)
        assert (high - low) / (2 * step) == pytest.approx(loss.gradient, rel=2e-3, abs=2e-4)
        bend = 2.0 if objective == "softmax" else 1.0  # XGBoost's h of softmax
        assert bend * (high - 2 * middle + low) / step**2 == pytest.approx(loss.hessian, rel=2e-2, abs=2e-3)
        assert loss.is_training == (row in data.train_rows)


def test_a_row_goes_to_the_leaf_that_predicts_it():
    replay, data = made_replay("binary")
    row = int(data.train_rows[5])
    loss = row_loss(replay, 2, 0, row)
    after = float(replay.before(3).train.raw[0, list(data.train_rows).index(row)])
    added = loss.tree.nodes["leaf_value"][loss.leaf]
    assert loss.raw_before + added == pytest.approx(after, abs=1e-6)
    assert loss.predictions(added)[0] == pytest.approx(1 / (1 + np.exp(-after)), abs=1e-6)


def test_a_scan_under_another_lambda_is_a_scan_of_such_a_run():
    replay, _ = made_replay("binary")
    rows = node_rows(replay, 1, 0, 0)
    column = int(rows.grown.tree.nodes["feature"][0])
    scan, terms = rows.scan(column), rows.terms(column)
    same = judged_again(scan, terms)
    assert np.array_equal(same.gain, scan.gain, equal_nan=True)

    other = judged_again(scan, replace(terms, growing=terms.growing._replace(reg_lambda=9.0, gamma=0.25)))
    left, total = scan.left, scan.total
    right = total.g - left.g, total.h - left.h
    both = left.g**2 / (left.h + 9) + right[0] ** 2 / (right[1] + 9)
    wanted = 0.5 * (both - total.g**2 / (total.h + 9)) - 0.25
    known = np.isfinite(other.gain)
    assert known.any()
    assert np.allclose(other.gain[known], wanted[known])


def test_searched_weights_are_told_from_those_of_sums():
    replay, _ = made_replay("regression", objective="absolute")
    tree = replay.rounds[1].trees[0]
    assert not weights_follow(tree)
    terms = tree_terms(tree, Assumed.of(tree, 5.0), follows=False)
    assert terms.weight == pytest.approx(tree.nodes["weight"][tree.is_leaf])
    assert weights_follow(made_replay("regression")[0].rounds[1].trees[0])
