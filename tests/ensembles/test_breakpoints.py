"""What each breakpoint says, on made-up rounds and on real ones."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from workbench.data.given.arrays import dataset_from_arrays
from workbench.ensembles.base import make_trainer
from workbench.ensembles.breakpoints.base import BREAKPOINTS, WatchedRun, breakpoint_from
from workbench.ensembles.breakpoints.first_split import FirstSplit
from workbench.ensembles.breakpoints.gain_below import GainBelow
from workbench.ensembles.breakpoints.goals import RunFor, RunUntilStale
from workbench.ensembles.breakpoints.leakage import LEAST_OF_NUMBERS, Leakage
from workbench.ensembles.breakpoints.metric_rises import MetricRises
from workbench.ensembles.breakpoints.promise_broken import PromiseBroken
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import RoundFinished, TrainingPaused
from workbench.ensembles.run.told_alone import ToldAlone
from workbench.errors import WorkbenchError
from workbench.metrics.facts import MetricFacts
from workbench.parameters.training import TrainingParams

RUN = WatchedRun(("a", "b"), MetricFacts("rmse", "RMSE"), False, lambda _: 0.0)


def rounds_met(one, rounds):
    watcher = one.watcher(RUN)
    seen = [SimpleNamespace(round=i, linear=None, **values) for i, values in enumerate(rounds, 1)]
    return [event.round for event in seen if watcher.look(event)]


def test_a_rising_metric_counts_anew_after_it_was_met():
    values = [5, 4, 5, 6, 7, 8, 9, 1, 2]
    assert rounds_met(MetricRises(2), [{"valid": {"rmse": v}} for v in values]) == [4, 6]
    assert rounds_met(MetricRises(1), [{"valid": {}} for _ in values]) == []


def test_a_small_gain_is_said_once_until_gains_are_large_again():
    trees = [[SimpleNamespace(total_gain=g)] for g in (3, 0.5, 0.4, 2, 0.1)]
    assert rounds_met(GainBelow(1.0), [{"trees": t} for t in trees]) == [2, 5]


def test_a_broken_promise_is_said_once_until_one_is_kept():
    pairs = [(-4, -3), (-4, -1), (-4, 1), (-4, -4), (-1, -3), (0, 0)]
    rounds = [{"promised": p, "delivered": d, "loss": 10.0} for p, d in pairs]
    fitted = {"promised": -1e-9, "delivered": 0.0, "loss": 1e-6}  # rounding, of what the loss was
    assert rounds_met(PromiseBroken(2.0), [*rounds, fitted]) == [2, 5]
    assert rounds_met(PromiseBroken(2.0), [fitted]) == [1]


def test_goals_count_from_when_they_are_set():
    assert rounds_met(RunFor(1.0), [{"seconds": 0.4}] * 4)[0] == 3
    stale = [{"best_round": min(i, 3), "valid": {"rmse": 1.0}} for i in range(1, 8)]
    assert rounds_met(RunUntilStale(2), stale)[0] == 5


@pytest.mark.parametrize("kind", tuple(BREAKPOINTS), ids=lambda kind: kind.name)
def test_every_kind_is_kept_as_json_holds_it(kind):
    one = kind()
    assert breakpoint_from(one.to_dict()) == one
    with pytest.raises(WorkbenchError):
        breakpoint_from({**one.to_dict(), "colour": 1})


def test_settings_are_checked():
    with pytest.raises(WorkbenchError, match="rounds"):
        MetricRises(0)


def made(leak=0.0, n=600, seed=0, main=2):
    """One honest column that dominates, four small ones, and one that holds the target."""
    draws = np.random.default_rng(seed)
    X = draws.normal(size=(n, 5))
    y = main * X[:, 0] + 0.3 * X[:, 1:].sum(1) + draws.normal(size=n)
    if leak:
        X = np.column_stack([X, y + leak * y.std() * draws.normal(size=n)])
    return dataset_from_arrays(X, y, names=[f"x{i}" for i in range(X.shape[1])], valid_fraction=0.25)


def pauses(data, control, **params):
    found, rounds = [], []
    asked = TrainingParams(**{"rounds": 8, "objective": "squared", **params})
    for event in make_trainer(data, asked, control).rounds():
        if isinstance(event, TrainingPaused):
            found.append(event)
            control.resume()
        elif isinstance(event, RoundFinished):
            rounds.append(event)
    return found, rounds


@pytest.mark.parametrize("params", [{}, {"learning_rate": 0.01}, {"max_depth": 2, "learning_rate": 0.5}])
def test_the_alarm_names_a_leak_and_is_silent_on_an_honest_column(params):
    assert pauses(made(), RunControl([Leakage()]), **params)[0] == []
    (pause,), _ = pauses(made(leak=0.1), RunControl([Leakage()]), **params)
    assert (pause.round, pause.suspect) == (3, "x5")
    assert "'x5' may give the target away" in pause.reason


def test_the_alarm_is_silent_on_an_honest_column_that_tells_nine_tenths():
    data = made(main=4.0)
    told = ToldAlone(data, None).of(0)
    assert 0.9 < told < LEAST_OF_NUMBERS
    assert pauses(data, RunControl([Leakage()]), rounds=4)[0] == []


def test_a_leak_with_which_adaboost_ends_at_once_is_named():
    draws = np.random.default_rng(0)
    y = draws.integers(0, 2, 400)
    data = dataset_from_arrays(np.column_stack([draws.normal(size=(400, 3)), y * 7]), y, task="binary")
    found, rounds = pauses(data, RunControl([Leakage()]), method="adaboost", objective="auto")
    assert len(rounds) == 1
    assert [(pause.round, pause.suspect) for pause in found] == [(1, data.schema.features[3].name)]
    assert "takes 100 % of the gain of the first round," in found[0].reason


def test_pausing_changes_no_bits():
    data, control = made(), RunControl([FirstSplit("x4"), GainBelow(1e6)])
    found, rounds = pauses(data, control)
    first = next(r.round for r in rounds if (r.trees[0].nodes["feature"] == 4).any())
    assert [pause.round for pause in found if FirstSplit("x4") in pause.met] == [first]
    _, plain = pauses(data, RunControl())
    for one, other in zip(rounds, plain, strict=True):
        assert one.trees[0].nodes.tobytes() == other.trees[0].nodes.tobytes()
        assert replace(one, trees=(), seconds=0) == replace(other, trees=(), seconds=0)


def test_a_breakpoint_that_comes_late_knows_earlier_splits():
    control, split = RunControl(), set()
    for event in make_trainer(made(), TrainingParams(rounds=6, objective="squared"), control).rounds():
        assert not isinstance(event, TrainingPaused)
        if isinstance(event, RoundFinished):
            split |= set(event.trees[0].nodes["feature"].tolist())
            if event.round == 3:
                control.break_at([FirstSplit(f"x{column}") for column in split if column >= 0])
    assert len(split) > 2
