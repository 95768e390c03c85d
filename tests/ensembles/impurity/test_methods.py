"""CART, forests, extra trees and bagging through the same door as every other run."""

from __future__ import annotations

import numpy as np
import pytest

import workbench
from workbench.ensembles.base import make_trainer
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import (
    EndReason,
    RoundFinished,
    TrainingEnded,
    TrainingPaused,
    TrainingStarted,
)
from workbench.ensembles.impurity.drawn_weights import draw_counts
from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.explain.raw_replay import RawReplay
from workbench.explain.replay import Replay
from workbench.explain.row_growth import row_growth
from workbench.explain.what_if.model_metrics import ModelMetrics
from workbench.given import make_dataset
from workbench.parameters.training import TrainingParams

METHODS = ("forest", "extra_trees", "bagging")


def rows(n=300, n_classes=2, seed=0):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, 5)).astype(np.float32)
    X[generator.random(X.shape) < 0.05] = np.nan
    known = np.nan_to_num(X)
    signal = known[:, 0] + known[:, 1] * known[:, 2] + generator.normal(scale=0.3, size=n)
    if not n_classes:
        return X, signal
    return X, np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal)


def dataset(params, n=300, n_classes=2, valid_fraction=0.2, **more):
    X, y = rows(n, n_classes)
    return make_dataset(X, y, None, more.get("weight"), None, valid_fraction, params, (), None)


def events(params, data, **more):
    return list(make_trainer(data, params, **more).rounds())


def same_trees(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a.nodes.view(np.uint8), b.nodes.view(np.uint8))


def trees_of(told):
    return [tree for event in told if isinstance(event, RoundFinished) for tree in event.trees]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_figures_and_trees_do_not_depend_on_the_threads(method, n_classes):
    told = []
    for threads in (1, 2):
        params = TrainingParams(method=method, rounds=6, threads=threads, min_leaf_rows=2)
        told.append(events(params, dataset(params, 2500, n_classes)))
    same_trees(*(trees_of(one) for one in told))
    for one, other in zip(*told, strict=True):
        if isinstance(one, RoundFinished):
            assert (one.train, one.valid, one.extras) == (other.train, other.valid, other.extras)
            assert one.loss == other.loss


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_live_figures_are_those_of_the_mean_of_the_trees(n_classes):
    params = TrainingParams(method="forest", rounds=5)
    data = dataset(params, n_classes=n_classes)
    told = events(params, data)
    ensemble = told[0].ensemble.with_rounds([e for e in told if isinstance(e, RoundFinished)])
    last = told[-2]
    values = list(ModelMetrics(data, ensemble.objective, params).by_round(ensemble, lambda: False))
    assert values[-1].train == pytest.approx(last.train, rel=1e-5)
    assert values[-1].valid == pytest.approx(last.valid, rel=1e-5)
    shown = ModelMetrics(data, ensemble.objective, params).of_model(ensemble, lambda: False)
    assert shown.valid == pytest.approx(last.valid, rel=1e-5)
    raw = np.reshape(raw_predictions(ensemble, data.features), (len(data.features), -1))
    by_hand = np.mean([
        np.stack([t.nodes["leaf_value"][leaf_indices((t,), data.features)[:, 0]] for t in e.trees], axis=1)
        for e in told if isinstance(e, RoundFinished)
    ], axis=0)  # fmt: skip
    np.testing.assert_allclose(raw, by_hand, atol=1e-6, rtol=1e-6)
    replay = RawReplay(data.features, None, told[0].ensemble, told[1:-1])
    np.testing.assert_allclose(replay.after(5).T, by_hand, atol=1e-6, rtol=1e-6)
    growth = row_growth(ensemble, data.features[7])
    np.testing.assert_allclose(growth.raw[-1], by_hand[7], atol=1e-6, rtol=1e-6)
    np.testing.assert_allclose(growth.before + growth.added[:, :, 0], growth.raw[1:], atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_out_of_bag_figures_are_of_the_rows_that_trees_did_not_draw(method):
    params = TrainingParams(method=method, rounds=4, bootstrap=True)
    data = dataset(params)
    told = events(params, data)
    sums, counts = np.zeros(len(data.train_rows)), np.zeros(len(data.train_rows))
    for event in told[1:-1]:
        drawn = draw_counts(params, event.round, len(data.train_rows))
        assert drawn.sum() == len(drawn)
        assert event.trees[0].nodes["count"][0] == (drawn > 0).sum()
        assert event.trees[0].nodes["sum_hessian"][0] == len(drawn)
        tree = event.trees[0]
        leaf = leaf_indices((tree,), data.features[data.train_rows])[:, 0]
        sums += np.where(drawn == 0, tree.nodes["leaf_value"][leaf], 0.0)
        counts += drawn == 0
        held = counts > 0
        wrong = ((sums[held] / counts[held]).astype(np.float32) > 0.5) != data.target[data.train_rows][held]
        assert event.extras["oob:error"] == pytest.approx(wrong.mean())


def test_without_a_bootstrap_there_is_no_out_of_bag():
    params = TrainingParams(method="extra_trees", rounds=2)
    assert all(event.extras == {} for event in events(params, dataset(params))[1:-1])
    drawn = TrainingParams(method="extra_trees", rounds=2, subsample=0.5)
    assert "oob:error" in events(drawn, dataset(drawn))[-2].extras


def told_of(event):
    """Return what a round says that no clock does."""
    figures = (event.loss, event.omega, event.delivered, event.gain, event.structure_score)
    return (*figures, event.best_round, event.train, event.valid, event.extras)


@pytest.mark.parametrize("n_classes", [0, 3])
def test_going_on_is_going_through(n_classes):
    params = TrainingParams(method="forest", rounds=6)
    data = dataset(params, n_classes=n_classes)
    through = events(params, data)
    first = events(params.change(rounds=3), data)
    start = first[0].ensemble.with_rounds(first[1:-1])
    on = events(params, data, start=start)
    same_trees(trees_of(through)[len(trees_of(first)) :], trees_of(on))
    given = events(params, data, given=tuple(event.trees for event in through[1:4]))
    same_trees(trees_of(through), trees_of(given))
    for one, other in zip(through[-4:-1], on[-4:-1], strict=True):
        assert told_of(one) == told_of(other)
    assert on[-1].best_round == through[-1].best_round == through[-2].best_round
    assert on[0].initial_loss == through[3].loss
    for one, other in zip(through[1:-1], given[1:-1], strict=True):
        assert (one.train, one.valid, one.extras) == (other.train, other.valid, other.extras)


def test_pause_step_and_stop_at_trees():
    params = TrainingParams(method="forest", rounds=50, threads=2)
    control = RunControl()
    control.step()
    run = make_trainer(dataset(params, 3000), params, control).rounds()
    assert isinstance(next(run), TrainingStarted)
    assert next(run).round == 1
    assert isinstance(next(run), TrainingPaused)
    control.step()
    assert next(run).round == 2
    control.stop()
    ended = list(run)[-1]
    assert isinstance(ended, TrainingEnded)
    assert (ended.reason, ended.round) == (EndReason.STOPPED, 2)


def test_changed_parameters_hold_from_the_next_tree_on():
    params = TrainingParams(method="bagging", rounds=4, threads=2)
    control = RunControl()
    run = make_trainer(dataset(params, 3000), params, control).rounds()
    next(run), next(run)
    control.change(params.change(max_depth=2))
    rest = [event for event in run if isinstance(event, RoundFinished)]
    assert [event.depth for event in rest] == [2, 2, 2]


def test_weights_and_classes_that_count_multiply():
    X, y = rows()
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    doubled = {"class_weights": {"1": 2.0}}
    tree = workbench.fit(X, y, weight=weight, method="cart", max_depth=2, **doubled).trees[0]
    assert tree.nodes["sum_hessian"][0] == pytest.approx((weight * (1 + y)).sum())
    assert tree.nodes["count"][0] == (weight > 0).sum()
    by_hand = workbench.fit(X, y, weight=weight * (1 + y), method="cart", max_depth=2).trees[0]
    np.testing.assert_array_equal(tree.nodes["threshold"], by_hand.nodes["threshold"])


def test_replay_finds_the_sums_that_every_node_holds():
    params = TrainingParams(method="forest", rounds=3)
    data = dataset(params, n_classes=3)
    told = events(params, data)
    replay = Replay(data, told[0].ensemble, params, told[1:-1])
    for place in (1, 3):
        for k in range(3):
            grown = replay.grown(place, k)
            leaves = grown.leaves[data.train_rows]
            nodes, leaf = grown.tree.nodes, grown.tree.is_leaf
            for sums, name in ((grown.gradients, "sum_gradient"), (grown.hessians, "sum_hessian")):
                np.testing.assert_allclose(np.bincount(leaves, sums, len(nodes))[leaf], nodes[name][leaf])


def test_votes_are_shares_of_the_trees():
    X, y = rows(n_classes=3)
    model = workbench.fit(X, y, method="forest", rounds=8, combining="vote", min_leaf_rows=5)
    np.testing.assert_allclose(np.unique(model.predict(X) * 8), np.arange(9), atol=1e-5)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_probability_is_1_at_most_however_sums_are_rounded(n_classes):
    X, y = rows(100, n_classes)
    model = workbench.fit(X, y, method="forest", rounds=30)
    assert model.predict_raw(X).max() > 1, "else the test tells nothing"
    assert model.predict(X).max() == 1


@pytest.mark.parametrize(("values", "words"), [
    ({"method": "cart", "rounds": 5}, "rounds"),
    ({"method": "forest", "gamma": 1.0}, "no gamma"),
    ({"method": "forest", "tree_method": "approx"}, "hist or exact"),
    ({"method": "cart", "objective": "logistic"}, "objective"),
])  # fmt: skip
def test_what_a_method_lacks_is_refused(values, words):
    X, y = rows()
    with pytest.raises(workbench.WorkbenchError, match=words):
        workbench.fit(X, y, **values)


def test_a_single_tree_cannot_go_on():
    X, y = rows()
    model = workbench.fit(X, y, method="cart")
    with pytest.raises(workbench.WorkbenchError, match="one tree"):
        workbench.fit(X, y, method="cart", init_model=model)


def test_trees_that_are_averaged_promise_nothing():
    params = TrainingParams(method="forest", rounds=2)
    assert all(np.isnan(event.promised) for event in events(params, dataset(params))[1:-1])
    alone = TrainingParams(method="cart")
    assert events(alone, dataset(alone))[1].promised < 0
