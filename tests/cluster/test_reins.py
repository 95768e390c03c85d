"""Pause, step, resume, stop, breakpoints, live parameters and early stopping of a run on a cluster."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tests.cluster.runs import assert_same_trees, dataset, made_dataset, rounds_of, run_of
from workbench.ensembles.breakpoints.goals import RunTo
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import (
    EndReason,
    RoundFinished,
    TrainingEnded,
    TrainingPaused,
    TrainingStarted,
)  # fmt: skip
from workbench.ensembles.prediction import raw_predictions
from workbench.parameters.training import TrainingParams


def heart(**values):
    params = TrainingParams(**({"rounds": 12, "max_depth": 3} | values))
    return dataset("heart_disease", "disease", params), params


def trees(events):
    return [tree for event in rounds_of(events) for tree in event.trees]


def test_steps_and_stop(few):
    data, params = heart(rounds=500)
    control = RunControl()
    control.step()
    seen = []
    for event in run_of(data, params, few(2), control).rounds():
        seen.append(event)
        if isinstance(event, TrainingPaused):
            control.step() if event.round < 3 else control.stop()
    kinds = [type(event).__name__ for event in seen]
    assert kinds == ["TrainingStarted", *["RoundFinished", "TrainingPaused"] * 3, "TrainingEnded"]
    assert seen[-1].reason is EndReason.STOPPED
    assert seen[-1].round == 3


def test_a_pause_is_obeyed_within_a_round_and_changes_nothing(few):
    data, params = heart()
    control = RunControl()
    seen = []
    for event in run_of(data, params, few(2), control).rounds():
        seen.append(event)
        if isinstance(event, TrainingStarted):
            control.pause()
        if isinstance(event, TrainingPaused):
            control.resume()
    assert sum(isinstance(event, TrainingPaused) for event in seen) == 1
    assert_same_trees(trees(seen), trees(run_of(data, params, few(2)).rounds()))


@pytest.mark.slow
def test_a_pause_in_the_middle_of_a_round_is_obeyed_at_its_end(few):
    params = TrainingParams(rounds=8, num_parallel_tree=8, subsample=0.5)
    control = RunControl()
    seen = []
    for event in run_of(made_dataset(200_000, params), params, few(2), control).rounds():
        seen.append(event)
        if isinstance(event, RoundFinished) and event.round == 3:
            hand = threading.Timer(event.seconds / 3, control.pause)
            hand.start()
        if isinstance(event, TrainingPaused):
            control.resume()
    hand.join()
    assert [event.round for event in seen if isinstance(event, TrainingPaused)] == [4]


@pytest.mark.slow
def test_a_breakpoint_pauses_after_its_very_round(few):
    data, params = heart()
    control = RunControl([RunTo(5)])
    seen = []
    for event in run_of(data, params, few(2), control).rounds():
        seen.append(event)
        if isinstance(event, TrainingPaused):
            assert len(rounds_of(seen)) == event.round == 5
            assert event.reason
            control.resume()
    assert len(rounds_of(seen)) == 12


def test_live_parameters_are_in_force_from_the_next_round(few):
    data, params = heart(rounds=6)
    control = RunControl([RunTo(3)])
    seen = []
    for event in run_of(data, params, few(2), control).rounds():
        seen.append(event)
        if isinstance(event, TrainingPaused):
            control.change(params.change(reg_lambda=8.0, gamma=0.5, max_depth=2, learning_rate=0.3))
            control.resume()
    rounds = rounds_of(seen)
    assert [event.params.reg_lambda for event in rounds] == [1.0] * 3 + [8.0] * 3
    for event in rounds[3:]:
        nodes = event.trees[0].nodes
        leaf = nodes["feature"] < 0
        assert event.depth <= 2
        np.testing.assert_allclose(nodes["leaf_value"][leaf], 0.3 * nodes["weight"][leaf], rtol=1e-6)
        found = nodes["sum_gradient"] + nodes["weight"] * (nodes["sum_hessian"] + 8.0)
        np.testing.assert_allclose(found, 0.0, atol=1e-4)
        assert (nodes["gain"][~leaf] >= 0.0).all()


@pytest.mark.slow
def test_going_on_is_one_longer_run(few):
    data, params = heart(rounds=9)
    whole = trees(run_of(data, params, few(2)).rounds())
    first = list(run_of(data, params.change(rounds=4), few(2)).rounds())
    start = first[0].ensemble.with_rounds(rounds_of(first))
    more = list(run_of(data, params, few(2), start=start).rounds())
    assert_same_trees([*trees(first), *trees(more)], whole)
    assert [event.round for event in rounds_of(more)] == [5, 6, 7, 8, 9]


@pytest.mark.slow
def test_going_on_with_more_and_with_fewer_trees_side_by_side(few):
    """The figures that the workers tell are those of the trees that came home."""
    data, params = heart(rounds=3, subsample=0.7)
    first = list(run_of(data, params, few(2)).rounds())
    model = first[0].ensemble.with_rounds(rounds_of(first))
    for beside, last in ((3, 6), (1, 8)):
        params = params.change(num_parallel_tree=beside, rounds=last)
        more = list(run_of(data, params, few(2), start=model).rounds())
        model = more[0].ensemble.with_rounds(rounds_of(more))
        assert {len(event.trees) for event in rounds_of(more)} == {beside}
        raw = raw_predictions(model, data.features[data.train_rows]).ravel()
        loss = np.logaddexp(0.0, np.where(data.target[data.train_rows] > 0.5, -raw, raw)).mean()
        assert rounds_of(more)[-1].train["logloss"] == pytest.approx(loss, rel=1e-5)
    assert model.round_begins.tolist() == [0, 1, 2, 3, 6, 9, 12, 13, 14]


@pytest.mark.slow
def test_going_on_begins_with_the_figures_of_the_round_before(few):
    for table, target, values in (
        ("heart_disease", "disease", {"more_metrics": ("auc", "pr_auc", "error")}),
        ("concrete_strength", "compressive_strength", {"more_metrics": ("mae", "r2")}),
        ("penguins", "species", {}), ("bike_rentals", "bikers", {"objective": "tweedie"}),
        ("crash_survival", "outcome", {}),
    ):  # fmt: skip
        params = TrainingParams(rounds=6, max_depth=3, **values)
        data = dataset(table, target, params)
        first = list(run_of(data, params.change(rounds=3), few(2)).rounds())
        start, last = first[0].ensemble.with_rounds(rounds_of(first)), rounds_of(first)[-1]
        more = list(run_of(data, params, few(2), start=start).rounds())
        assert more[0].initial_train == pytest.approx(last.train, rel=2e-5), table
        assert more[0].initial_valid == pytest.approx(last.valid, rel=2e-5), table
        assert more[0].initial_loss == pytest.approx(last.loss, rel=2e-5), table
        assert np.isfinite(rounds_of(more)[0].delivered)


@pytest.mark.slow
def test_early_stopping(few):
    data, params = heart(rounds=300, learning_rate=0.5, early_stopping_rounds=5)
    seen = list(run_of(data, params, few(2)).rounds())
    end = seen[-1]
    assert isinstance(end, TrainingEnded)
    assert end.reason is EndReason.EARLY
    assert end.round == end.best_round + 5
    figures = [event.valid["logloss"] for event in rounds_of(seen)]
    assert end.best_round == 1 + int(np.argmin(figures))


@pytest.mark.slow
def test_what_holds_weights_without_a_trace_leaves_the_sums_unknown(few):
    data, params = heart(rounds=1, max_delta_step=0.4)
    (event,) = rounds_of(run_of(data, params, few(2)).rounds())
    assert not event.trees[0].knows_sums


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "target", "values"),
    [
        ("concrete_strength", "compressive_strength", {"reg_alpha": 40.0}),
        ("heart_disease", "disease", {"reg_alpha": 2.0, "gamma": 0.2}),
    ],
)
def test_the_figures_of_nodes_are_those_of_the_rows(table, target, values, few):
    from workbench.objectives.base import OBJECTIVES, gradients

    params = TrainingParams(rounds=1, max_depth=3, **values)
    data = dataset(table, target, params)
    started, event, _ = run_of(data, params, few(2)).rounds()
    rows = data.train_rows
    objective = OBJECTIVES.get(started.ensemble.objective)
    base = np.full(len(rows), started.ensemble.base_margin[0], np.float32)
    g, h = gradients(objective, data.target[rows], base)
    tree = event.trees[0]
    members = np.zeros((len(tree.nodes), len(rows)), bool)
    members[0] = True
    for node in range(len(tree.nodes)):
        at = tree.nodes[node]
        if at["feature"] < 0:
            continue
        x = data.features[rows, at["feature"]]
        codes = tree.categories(node)
        yes = np.isin(x, codes) if len(codes) else x < at["threshold"]
        yes = np.where(np.isnan(x), at["default_left"], yes)
        members[at["left"]], members[at["right"]] = members[node] & yes, members[node] & ~yes
    near = 2e-5 * np.abs(g).sum()
    np.testing.assert_allclose(tree.nodes["sum_gradient"], members @ g, rtol=2e-4, atol=near)
    np.testing.assert_allclose(tree.nodes["sum_hessian"], members @ h, rtol=1e-4)
    if started.ensemble.objective == "squared":
        np.testing.assert_array_equal(tree.nodes["count"], members.sum(axis=1))
    inner = tree.nodes["feature"] >= 0
    low = np.maximum(np.abs(members @ g) - params.reg_alpha, 0.0) ** 2 / (members @ h + params.reg_lambda)
    left = tree.nodes["left"][inner]
    gain = 0.5 * (low[left] + low[left + 1] - low[inner]) - params.gamma
    np.testing.assert_allclose(tree.nodes["gain"][inner], gain, rtol=1e-3, atol=1e-3)


@pytest.mark.slow
def test_the_figures_of_a_round_are_those_of_the_rows(few):
    """Metrics, loss and the first figures, beside a run at home of no rounds: the same trees on its rows."""
    from workbench.metrics.base import METRICS, measure
    from workbench.objectives.base import OBJECTIVES, loss_sum

    for table, target, objective in (
        ("concrete_strength", "compressive_strength", "squared"), ("bike_rentals", "bikers", "poisson"),
        ("bike_rentals", "bikers", "tweedie"), ("concrete_strength", "compressive_strength", "gamma"),
        ("heart_disease", "disease", "logistic"), ("penguins", "species", "softmax"),
    ):  # fmt: skip
        params = TrainingParams(rounds=2, max_depth=3, objective=objective)
        data = dataset(table, target, params)
        seen = list(run_of(data, params, few(2)).rounds())
        started, rounds = seen[0], rounds_of(seen)
        known = OBJECTIVES.get(objective).with_params(params)
        for done, train, valid, loss in (
            (0, started.initial_train, started.initial_valid, started.initial_loss),
            (2, rounds[-1].train, rounds[-1].valid, rounds[-1].loss),
        ):
            ensemble = started.ensemble.with_rounds(rounds[:done])
            for rows, figures in ((data.train_rows, train), (data.valid_rows, valid)):
                raw = raw_predictions(ensemble, data.features[rows])
                for name, figure in figures.items():
                    if np.isnan(figure) or name == "auc":  # of shares of the rows on a cluster
                        assert name in ("mae", "auc")
                        continue
                    wanted = measure(METRICS.get(name), known, data.target[rows], raw)
                    assert figure == pytest.approx(wanted, rel=1e-4), (objective, name)
            rows = data.train_rows
            wanted = loss_sum(known, data.target[rows], raw_predictions(ensemble, data.features[rows]))
            assert loss == pytest.approx(wanted, rel=1e-4), objective
