"""Trees that are grown on the target itself: one figure for one split, and the chosen one is the best."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from tests.explain.test_candidates import answers
from workbench.ensembles.base import make_trainer
from workbench.ensembles.events import RoundFinished, TrainingStarted
from workbench.explain.candidates import rank_columns
from workbench.explain.holdout_gain import holdout_gains
from workbench.explain.importance import feature_importance
from workbench.explain.impurity.figures import decrease, node_impurities
from workbench.explain.impurity.target_scans import target_scans
from workbench.explain.node_rows import node_rows
from workbench.explain.reasons import LEFT, Why
from workbench.explain.replay import Replay
from workbench.given import make_dataset
from workbench.parameters.training import TrainingParams
from workbench.trees.class_impurity import class_impurity

CRITERIA = ("gini", "entropy", "misclassification")
METHODS = ("cart", "forest", "extra_trees", "bagging")


def table(n_classes, n=160, seed=3):
    """Numbers with missing values, a column of few values, and two of categories, one with missing values."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({f"x{k}": draw.normal(size=n).round(1) for k in range(3)})
    frame["few"] = draw.integers(0, 3, n).astype(float)
    frame["kind"] = pd.Categorical.from_codes(draw.integers(0, 5, n), list("abcde"))
    frame["gap"] = pd.Categorical.from_codes(draw.integers(-1, 4, n), list("pqrs"))
    signal = frame.x0 + frame.x1 * frame.few + frame.kind.isin(["a", "d"]) + draw.normal(size=n)
    frame.loc[draw.random(n) < 0.1, "x0"] = np.nan
    frame.loc[draw.random(n) < 0.1, "few"] = np.nan
    if not n_classes:
        return frame, signal.to_numpy() + 40
    return frame, np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal)


def replayed(params, n_classes, weight=None):
    data = make_dataset(*table(n_classes), None, weight, None, 0.25, params, (), None)
    told = list(make_trainer(data, params).rounds())
    begun = next(event for event in told if isinstance(event, TrainingStarted)).ensemble
    return Replay(data, begun, params, [event for event in told if isinstance(event, RoundFinished)])


def naive_decrease(node, yes):
    """n·i − n_L·i_L − n_R·i_R, or half of what the squared error falls by, row by row."""
    y = node.replay.dataset.target[node.rows]
    n_classes = target_scans(node.replay).n_classes

    def mixed(side):
        y_, w = y[side], node.hessians[side]
        if not n_classes:
            return 0.5 * float((w * (y_ - np.average(y_, weights=w)) ** 2).sum())
        return float(class_impurity(np.bincount(y_.astype(int), w, n_classes), node.params.criterion))

    return mixed(yes | ~yes) - mixed(yes) - mixed(~yes)


def check_node(node):
    """Look at every cut of every column; return whether columns were ranked."""
    for column in range(6):
        scan = node.scan(column)
        for side, place in zip(*np.nonzero(scan.is_possible), strict=True):
            threshold = scan.thresholds[place] if scan.is_numeric else np.nan
            codes = () if scan.is_numeric else scan.codes(place)
            yes = answers(node, column, threshold, codes, side == LEFT)
            assert yes.sum() == scan.left.rows[side, place]
            assert scan.left.g[side, place] == pytest.approx(node.gradients[yes].sum())
            assert scan.gain[side, place] == pytest.approx(naive_decrease(node, yes), abs=1e-9)
    found = rank_columns(node)
    nodes = node.grown.tree.nodes[node.node]
    if nodes["left"] < 0:
        assert found.leaf_reason.startswith("A leaf: ")
        return
    chosen = found.ranked[0]
    assert chosen.is_chosen
    assert chosen.threshold == nodes["threshold"] or np.isnan(nodes["threshold"])
    assert set(chosen.codes) == set(node.grown.tree.categories(node.node).tolist())
    assert chosen.gain == pytest.approx(nodes["gain"], abs=1e-9)
    assert chosen.gain >= max(one.gain for one in found.ranked) - 1e-9


@pytest.mark.sampled
@pytest.mark.parametrize("n_classes", [0, 2, 4])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_chosen_split_is_the_best_of_the_table(method, criterion, n_classes):
    if not n_classes and criterion != "gini":
        pytest.skip("numbers have one criterion")
    many = {} if method == "cart" else {"rounds": 2}
    search = "exact" if criterion != "entropy" else "hist"
    params = TrainingParams(
        method=method, criterion=criterion, tree_method=search, max_bin=16, min_leaf_rows=4, seed=5, **many
    )
    replay = replayed(params, n_classes)
    last = replay.rounds[-1]
    tree = last.trees[-1]
    for node in range(min(tree.n_nodes, 8)):
        check_node(node_rows(replay, last.round, len(last.trees) - 1, node))
    assert tree.n_nodes > 6


def test_what_a_forest_did_not_draw_is_said():
    replay = replayed(TrainingParams(method="forest", rounds=1, seed=2), 2)
    found = rank_columns(node_rows(replay, 1, 0, 0))
    assert len(found.ranked) + sum(why is not Why.NOT_DRAWN_HERE for _, why in found.others) == 2  # √6


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_split_has_one_figure(criterion, n_classes):
    replay = replayed(TrainingParams(method="cart", criterion=criterion, max_depth=3), n_classes)
    trees = replay.rounds[0].trees
    nodes = trees[0].nodes
    for node in np.flatnonzero(nodes["left"] >= 0).tolist():
        family = (node, int(nodes["left"][node]), int(nodes["right"][node]))
        delta = decrease(node_impurities(trees, family, criterion))
        assert [tree.nodes["gain"][node] for tree in trees] == pytest.approx([delta] * len(trees), abs=1e-9)
    held_out = [holdout_gains(replay, 1, place) for place in range(len(trees))]
    assert all(np.array_equal(gains.gain, held_out[0].gain, equal_nan=True) for gains in held_out)
    candidate = rank_columns(node_rows(replay, 1, 0, 0)).ranked[0]
    assert candidate.holdout_gain == pytest.approx(held_out[0].gain[0])
    assert replay.rounds[0].gain == pytest.approx(nodes["gain"].sum())
    assert feature_importance(replay.begun.with_rounds(replay.rounds)).sum() == pytest.approx(
        nodes["gain"].sum()
    )


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_gain_is_scikit_learns_decrease_of_impurity(criterion, n_classes):
    X, y = load_iris(return_X_y=True)
    kept = y < n_classes
    X, y = X[kept].astype(np.float32), y[kept]
    params = TrainingParams(method="cart", criterion=criterion, max_depth=2)
    data = make_dataset(X, y, None, None, None, 0.0, params, (), None)
    event = next(e for e in make_trainer(data, params).rounds() if isinstance(e, RoundFinished))
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=2, random_state=0).fit(X, y).tree_
    n, i, left, right = (
        theirs.weighted_n_node_samples, theirs.impurity, theirs.children_left, theirs.children_right,
    )  # fmt: skip
    split = left >= 0
    gains = (n * i)[split] - (n * i)[left[split]] - (n * i)[right[split]]
    ours = event.trees[0].nodes
    assert np.sort(ours["gain"][ours["left"] >= 0]) == pytest.approx(np.sort(gains))


@pytest.mark.parametrize(("kind", "tree_method"), [("discrete", "hist"), ("real", "exact")])
def test_adaboost_of_several_classes_parts_them_under_its_row_weights(kind, tree_method):
    replay = replayed(TrainingParams(
        method="adaboost", adaboost=kind, tree_method=tree_method, rounds=3, max_depth=2, threads=1,
    ), 4)  # fmt: skip
    assert replay.criterion == "gini"
    for round in (1, 3):
        trees = replay.rounds[round - 1].trees
        weights = replay.before(round).train.hessians[0]
        for node in range(trees[1].n_nodes):
            rows = node_rows(replay, round, 1, node)
            check_node(rows)
            [figures] = node_impurities(trees, (node,), "gini")
            assert figures.weight == pytest.approx(rows.hessians.sum())
        assert (len(set(weights.round(6).tolist())) > 1) == (round > 1)
