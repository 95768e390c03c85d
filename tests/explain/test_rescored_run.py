from __future__ import annotations

import numpy as np
import pytest

from workbench.api import train_dataset
from workbench.ensembles.events import EndReason, RoundFinished, TrainingEnded, TrainingStarted
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import Cancelled
from workbench.explain.what_if.model_metrics import ModelMetrics
from workbench.explain.what_if.rescored_run import rescored_events
from workbench.explain.what_if.rescoring import Rescorer, Values
from workbench.formats.snapshot import model_from_events
from workbench.given import make_dataset
from workbench.parameters.training import TrainingParams


def never():
    return False


def trained(rounds=8, **given):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(500, 4))
    y = (x[:, 0] * x[:, 1] + rng.normal(0, 0.7, 500) > 0).astype(int)
    params = TrainingParams(objective="logistic", rounds=rounds, max_depth=4, threads=1, **given)
    weight = rng.uniform(0.5, 2.0, 500)
    data = make_dataset(x, y, None, weight, None, 0.3, params)
    return data, list(train_dataset(data, params))


def parts(events):
    (started,) = [e for e in events if isinstance(e, TrainingStarted)]
    (ended,) = [e for e in events if isinstance(e, TrainingEnded)]
    return started, [e for e in events if isinstance(e, RoundFinished)], ended


def rescored(data, events, values):
    started, rounds, ended = parts(events)
    scored = Rescorer([tree for event in rounds for tree in event.trees]).score(values)
    return list(rescored_events(started, rounds, ended, scored, data, never))


def test_nothing_changed_tells_the_run_as_it_was():
    data, events = trained(metric="auc", more_metrics="error")
    started, rounds, ended = parts(events)
    again = parts(rescored(data, events, Values()))
    assert again[0].initial_valid == started.initial_valid
    assert again[2].best_round == ended.best_round
    for one, other in zip(again[1], rounds, strict=True):
        for name in ("structure_score", "gain", "leaves", "omega", "promised", "loss", "delivered"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name
        assert one.train == pytest.approx(other.train, rel=1e-9)
        assert one.valid == pytest.approx(other.valid, rel=1e-9)


@pytest.mark.parametrize("begun", [0, 4])
def test_nothing_changed_tells_a_run_with_rounds_left_out_as_it_was(begun):
    data, events = trained(rate_drop=0.4, learning_rate=0.4, reg_alpha=0.2)
    if begun:
        first = model_from_events(data.schema, events[: begun + 1])
        events = list(train_dataset(data, events[0].params.change(rounds=4), start=first))
    _, rounds, ended = parts(events)
    again = parts(rescored(data, events, Values()))
    assert again[2].best_round == ended.best_round
    for one, other in zip(again[1], rounds, strict=True):
        for name in ("omega", "promised", "loss"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-6), name
        assert one.train == pytest.approx(other.train, rel=1e-9)
        assert one.valid == pytest.approx(other.valid, rel=1e-9)
        if one.dropout is None:
            assert one.delivered == pytest.approx(other.delivered, rel=1e-9)
        else:
            assert np.isnan(one.delivered)


@pytest.mark.parametrize("rate_drop", [0.0, 0.4])
def test_metrics_are_those_of_the_new_trees(rate_drop):
    data, events = trained(rate_drop=rate_drop)
    told = rescored(data, events, Values(20.0, 1.0))
    model = model_from_events(data.schema, told)
    raw = raw_predictions(model.ensemble, data.features).astype(np.float64)
    last = parts(told)[1][-1]
    for rows, said in ((data.train_rows, last.train), (data.valid_rows, last.valid)):
        p, y, w = 1 / (1 + np.exp(-raw[rows])), data.target[rows], data.weight[rows]
        logloss = -(w * np.where(y == 1, np.log(p), np.log(1 - p))).sum() / w.sum()
        assert said["logloss"] == pytest.approx(logloss, rel=1e-5)
    assert model.params.reg_lambda == 20.0
    assert parts(told)[1][3].params.gamma == 1.0


def test_an_early_end_keeps_the_new_best_round():
    data, events = trained(rounds=200, learning_rate=0.5, early_stopping_rounds=5)
    told = rescored(data, events, Values(50.0))
    _, rounds, ended = parts(told)
    assert ended.reason is EndReason.EARLY
    losses = [event.valid["logloss"] for event in rounds]
    assert ended.best_round == 1 + int(np.argmin(losses))
    assert model_from_events(data.schema, told).rounds == ended.best_round


def test_without_rows_the_metrics_are_unknown_and_the_trees_are_there():
    told = parts(rescored(None, trained()[1], Values(5.0)))
    assert np.isnan(told[1][-1].train["logloss"])
    assert told[1][-1].valid == {}
    assert told[1][-1].trees[0].reg_lambda == 5.0
    assert told[2].best_round == 0


def test_it_can_be_broken_off():
    data, events = trained()
    started, rounds, ended = parts(events)
    scored = Rescorer([tree for event in rounds for tree in event.trees]).score(Values(5.0))
    with pytest.raises(Cancelled):
        list(rescored_events(started, rounds, ended, scored, data, lambda: True))


def test_goss_and_drawn_rows_have_no_delivered_change():
    data, events = trained(subsample=0.5)
    assert np.isnan(parts(rescored(data, events, Values(2.0)))[1][-1].delivered)


def test_metrics_are_taken_by_the_kernels_that_training_compiled():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(90, 2)), rng.integers(0, 3, 90)
    params = TrainingParams(objective="softmax", rounds=1)
    data = make_dataset(x, y, None, None, None, 0.3, params)
    rows = ModelMetrics(data, "softmax", params)._rows(np.zeros((3, 90), np.float32), data.train_rows)
    for array in (rows.raw, rows.target, rows.weight):  # another layout would be compiled for seconds
        assert array.flags.c_contiguous
