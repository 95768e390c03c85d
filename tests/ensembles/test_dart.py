"""DART: rounds that are left out and count less since, compared with a naive twin and with XGBoost."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss, mean_poisson_deviance, mean_squared_error

import workbench
from tests.ensembles.test_round_options import margins_in_xgboost, rows_of
from tests.examples import examples
from tests.reference.naive_dart import added_up, counts_after, new_and_dropped
from tests.reference.tables import dataset, random_dataset, train
from workbench.ensembles.base import make_trainer
from workbench.ensembles.control import RunControl
from workbench.ensembles.dart import draw_dropped
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.prediction import raw_predictions
from workbench.given import make_dataset
from workbench.objectives.base import OBJECTIVES, gradients
from workbench.parameters.training import TrainingParams

SETTINGS = st.fixed_dictionaries(
    {
        "rate_drop": st.sampled_from([0.0, 0.1, 0.5, 1.0]), "one_drop": st.booleans(),
        "skip_drop": st.sampled_from([0.0, 0.4]), "sample_type": st.sampled_from(["uniform", "weighted"]),
        "normalize_type": st.sampled_from(["tree", "forest"]),
        "learning_rate": st.sampled_from([0.1, 0.5, 1.0]), "learning_rate_decay": st.sampled_from([1.0, 0.8]),
        "subsample": st.sampled_from([1.0, 0.6]), "num_parallel_tree": st.sampled_from([1, 2]),
        "reg_alpha": st.sampled_from([0.0, 0.5]), "seed": st.integers(0, 100),
    }
)


def metric_of(task, target, raw):
    if task == "regression":
        return mean_squared_error(target, raw[0]) ** 0.5
    scores = raw.astype(float) if task == "multiclass" else np.stack([0 * raw[0], raw[0]]).astype(float)
    chances = np.exp(scores - scores.max(axis=0))
    return log_loss(target, (chances / chances.sum(axis=0)).T, labels=range(len(scores)))


@examples(40)
@given(task=st.sampled_from(["regression", "binary", "multiclass"]), chosen=SETTINGS)
def test_every_round_is_what_the_naive_twin_says(task, chosen):
    data = random_dataset(task, n=150, n_valid=40)
    params = {"max_depth": 3, "rounds": 7, "more_metrics": (), **chosen}
    started, rounds, _ = train(data, **params)
    objective = OBJECTIVES.get(started.ensemble.objective)
    trees, dropouts = [], []
    for event in rounds:
        before = counts_after(dropouts, len(trees))
        gone = [] if event.dropout is None else event.dropout.dropped.tolist()
        raw = added_up(started.ensemble.base_margin, trees, before, data.features, gone)
        eta = chosen["learning_rate"] * chosen["learning_rate_decay"] ** (event.round - 1)
        if gone:
            share, factor = new_and_dropped(len(gone), eta, chosen["normalize_type"])
            assert event.dropout.factor == np.float32(factor)
            eta *= share
            dropouts.append(event.dropout)
        assert [t.learning_rate * chosen["num_parallel_tree"] for t in event.trees] == (
            pytest.approx([eta] * len(event.trees))
        )
        if chosen["subsample"] == 1.0:  # the gradients are those of the model without the rounds left out
            g, _ = gradients(objective, data.target, raw[0] if len(raw) == 1 else raw.T, None)
            sums = np.atleast_2d(g.T)[:, data.train_rows].sum(axis=1)
            for tree in event.trees:
                assert tree.nodes["sum_gradient"][0] == pytest.approx(sums[tree.class_index], abs=1e-4)
        trees.append(event.trees)
        counts = counts_after(dropouts, len(trees))
        raw = added_up(started.ensemble.base_margin, trees, counts, data.features)
        name = started.watched
        for rows, measured in ((data.train_rows, event.train), (data.valid_rows, event.valid)):
            expected = metric_of(task, data.target[rows], raw[:, rows])
            assert measured[name] == pytest.approx(expected, rel=1e-5, abs=1e-6)
        model = started.ensemble.with_rounds(rounds).first_rounds(event.round)
        assert np.array_equal(raw_predictions(model, data.features).T.reshape(raw.shape), raw)
        assert model.dropped(event.round).tolist() == gone
        leaf = [(t, count) for of_round, count in zip(trees, counts, strict=True) for t in of_round]
        size = [t.nodes["leaf_value"][t.is_leaf].astype(float) * count for t, count in leaf]
        omega = sum(0.5 * (v**2).sum() + chosen["reg_alpha"] * np.abs(v).sum() for v in size)
        assert event.omega_weights == pytest.approx(omega, rel=1e-5)
    if not chosen["rate_drop"] and not chosen["one_drop"]:
        assert not dropouts


def test_promised_and_delivered_are_of_the_step_that_was_taken():
    data = random_dataset(n=400, n_valid=0)
    _, rounds, _ = train(data, rounds=8, rate_drop=0.5, learning_rate=0.4, reg_lambda=0.0)
    assert sum(r.dropout is not None for r in rounds) >= 4
    for event in rounds[1:]:  # for squares, the second-order model is exact
        assert event.delivered == pytest.approx(event.promised, rel=1e-4)
        assert event.delivered < 0


def counts(n):
    return np.linspace(1.0, 2.0, n)


def test_share_that_is_dropped():
    params = TrainingParams(rate_drop=0.2, seed=3)
    numbers = range(500, 700)
    drawn, weighted, skipping = (
        [draw_dropped(counts(400), params.change(**some), number) for number in numbers]
        for some in ({}, {"sample_type": "weighted"}, {"skip_drop": 0.5})
    )
    assert np.mean([len(d) for d in drawn]) == pytest.approx(80, abs=3)
    assert all((np.diff(d) > 0).all() and d[0] >= 1 and d[-1] <= 400 for d in drawn)
    late = [np.mean([(d > 200).sum() for d in some]) for some in (drawn, weighted)]
    assert np.mean([len(d) for d in weighted]) == pytest.approx(80, abs=3)
    assert late[0] == pytest.approx(40, abs=2)
    assert late[1] == pytest.approx(80 * 1.75 / 3, abs=2)
    assert np.mean([len(d) == 0 for d in skipping]) == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("sample_type", ["uniform", "weighted"])
def test_at_least_one_is_dropped(sample_type):
    params = TrainingParams(one_drop=True, sample_type=sample_type)
    drawn = [draw_dropped(counts(10), params, number) for number in range(2000)]
    assert {len(d) for d in drawn} == {1}
    often = np.bincount(np.concatenate(drawn) - 1, minlength=10) / 2000
    expected = np.full(10, 0.1) if sample_type == "uniform" else counts(10) / counts(10).sum()
    assert often == pytest.approx(expected, abs=0.03)
    assert len(draw_dropped(counts(0), params, 1)) == 0


@pytest.mark.sampled
@pytest.mark.parametrize("task", ["regression", "binary", "multiclass"])
@pytest.mark.parametrize("method", ["hist", "approx", "exact"])
@pytest.mark.usefixtures("threads_for_few_rows")
def test_the_same_bits_for_any_number_of_threads(task, method):
    data = random_dataset(task, n=3000, n_valid=500, weighted=True)
    params = {
        "rounds": 6, "rate_drop": 0.4, "subsample": 0.7, "colsample_bytree": 0.8, "tree_method": method,
        "max_depth": 4, "learning_rate": 0.5,
    }
    runs = []
    for threads in (1, 2, 3):
        _, rounds, _ = train(data, threads=threads, **params)
        figures = [(r.loss, r.omega, *r.train.values(), *r.valid.values()) for r in rounds]
        runs.append(([t.nodes.tobytes() for r in rounds for t in r.trees], figures))
        assert any(r.dropout is not None for r in rounds)
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.sampled
@pytest.mark.parametrize("task", ["regression", "binary", "multiclass"])
@pytest.mark.parametrize(
    "params",
    [
        {}, {"normalize_type": "forest", "sample_type": "weighted"},
        {"num_parallel_tree": 2, "subsample": 0.6}, {"sampling_method": "goss"},
        {"tree_method": "exact", "learning_rate_decay": 0.9},
    ],
    ids=str,
)  # fmt: skip
def test_saved_sliced_and_gone_on_from(task, params, tmp_path):
    x, y = rows_of(task)
    params = {"rate_drop": 0.4, "learning_rate": 0.4, "valid_fraction": 0.2, **params}
    whole = workbench.fit(x, y, rounds=9, **params)
    raw = whole.predict_raw(x)
    assert np.array_equal(margins_in_xgboost(whole, x, tmp_path / "m.json"), raw)
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    inplace = booster.inplace_predict(x, predict_type="margin", validate_features=False)
    assert np.array_equal(inplace, raw)
    booster.save_model(tmp_path / "m.ubj")
    whole.save(tmp_path / "m.plain.json")
    first = workbench.fit(x, y, rounds=4, **params)
    for name in ("m.json", "m.ubj", "m.plain.json"):
        again = workbench.load_model(tmp_path / name)
        assert again.params == whole.params
        for rounds in range(10):
            assert np.array_equal(again.predict_raw(x, rounds), whole.predict_raw(x, rounds))
        assert np.array_equal(again.first_rounds(4).predict_raw(x), first.predict_raw(x))
    first.save(tmp_path / "first.json")
    both = workbench.fit(
        x, y, rounds=5, init_model=workbench.load_model(tmp_path / "first.json"), **params
    )
    assert np.array_equal(both.predict_raw(x), raw)
    assert [row["omega"] for row in both.history] == pytest.approx([row["omega"] for row in whole.history])
    assert np.array_equal(both.first_rounds(2).predict_raw(x), whole.predict_raw(x, 2))


def test_going_on_without_dart_keeps_what_rounds_count():
    x, y = rows_of()
    first = workbench.fit(x, y, rounds=6, rate_drop=0.5)
    both = workbench.fit(x, y, rounds=2, init_model=first)
    assert np.array_equal(both.predict_raw(x, 6), first.predict_raw(x))
    assert (both.ensemble.tree_weights[6:] == 1).all()
    assert (both.ensemble.tree_weights[:6] == first.ensemble.tree_weights).all()


def test_the_best_round_is_kept_with_what_it_counted_then():
    x, y = rows_of(n=800)
    model = workbench.fit(
        x, y, rounds=300, rate_drop=0.3, learning_rate=0.6, valid_fraction=0.3, early_stopping_rounds=5
    )
    assert model.provenance["ended"] == "early stopping"
    assert len(model.history) == model.rounds + 5
    best = min(model.history, key=lambda row: row["valid:rmse"])
    assert best["round"] == model.rounds
    data = make_dataset(x, y, None, None, None, 0.3, model.params)
    held_out = data.valid_rows
    rmse = mean_squared_error(data.target[held_out], model.predict(x[data.table_rows[held_out]])) ** 0.5
    assert rmse == pytest.approx(best["valid:rmse"], rel=1e-6)


def test_live_changes_take_effect_in_the_next_round():
    control = RunControl()
    params = TrainingParams(rounds=9, learning_rate=0.4)
    events = []
    for event in make_trainer(random_dataset(), params, control).rounds():
        events.append(event)
        if isinstance(event, RoundFinished) and event.round == 3:
            control.change(params.change(rate_drop=1.0))
        if isinstance(event, RoundFinished) and event.round == 6:
            control.change(params.change(rate_drop=1.0, learning_rate=0.2, normalize_type="forest"))
        if isinstance(event, RoundFinished) and event.round == 8:
            control.change(params)
    rounds = [e for e in events if isinstance(e, RoundFinished)]
    assert [0 if r.dropout is None else len(r.dropout.dropped) for r in rounds] == [0, 0, 0, 3, 4, 5, 6, 7, 0]
    assert rounds[3].dropout.factor == np.float32(3 / 3.4)
    assert rounds[6].dropout.factor == np.float32(1 / 1.2)
    assert rounds[6].trees[0].learning_rate == pytest.approx(0.2 / 1.2)


@pytest.mark.parametrize("objective", ["absolute", "huber", "quantile", "poisson", "gamma"])
def test_objectives_that_search_their_leaves_or_link(objective, tmp_path):
    x, y = rows_of()
    params = {"rounds": 12, "rate_drop": 0.3, "learning_rate": 0.3}
    if objective == "poisson":  # its steps from far away are too long without a limit
        params["max_delta_step"] = 0.7
    model = workbench.fit(x, np.exp(y / 2), objective=objective, **params)
    assert np.array_equal(margins_in_xgboost(model, x, tmp_path / "m.json"), model.predict_raw(x))
    name = f"train:{OBJECTIVES.get(objective).metrics[0]}"
    assert model.history[-1][name] < 0.8 * model.history[0][name]


def test_with_an_offset():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3)).astype(np.float32)
    exposure = rng.random(400).astype(np.float32) * 3
    y = rng.poisson(np.exp(exposure + x[:, 0] / 2))
    model = workbench.fit(
        x, y, objective="poisson", rounds=10, rate_drop=0.4, learning_rate=0.4, base_margin=exposure
    )
    counts = counts_after(model.ensemble.dropouts, 10)
    trees = [(tree,) for tree in model.trees]
    raw = added_up(model.ensemble.base_margin, trees, counts, x, offset=exposure)[0]
    assert np.array_equal(model.predict_raw(x, base_margin=exposure), raw)
    deviance = mean_poisson_deviance(y, np.exp(raw.astype(float)))
    assert model.history[-1]["train:poisson_deviance"] == pytest.approx(deviance, rel=1e-5)


def test_stopped_within_a_round_the_rounds_before_are_kept():
    control = RunControl()
    data = random_dataset(n=2000)
    model, events = None, make_trainer(data, TrainingParams(rounds=50, rate_drop=0.5), control).rounds()
    rounds = []
    for event in events:
        if isinstance(event, RoundFinished):
            rounds.append(event)
            if event.round == 5:
                control.stop()
        elif not rounds:
            model = event.ensemble
    model = model.with_rounds(rounds)
    assert model.rounds == 5
    target, raw = data.target[data.train_rows], raw_predictions(model, data.features)[data.train_rows]
    assert rounds[-1].train["rmse"] == pytest.approx(mean_squared_error(target, raw) ** 0.5, rel=1e-6)


def test_rounds_that_are_dropped_very_often_count_nothing_in_the_end(tmp_path):
    data = dataset([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 1.0, 3.0])
    _, rounds, _ = train(data, rounds=200, rate_drop=1.0, learning_rate=1.0, normalize_type="forest")
    assert np.isfinite(rounds[-1].loss)
    x, y = rows_of(n=60)
    model = workbench.fit(x, y, rounds=160, rate_drop=1.0, learning_rate=1.0, normalize_type="forest")
    assert model.ensemble.tree_weights[0] == 0
    assert np.array_equal(margins_in_xgboost(model, x, tmp_path / "m.json"), model.predict_raw(x))
    assert np.array_equal(workbench.load_model(tmp_path / "m.json").predict_raw(x), model.predict_raw(x))
