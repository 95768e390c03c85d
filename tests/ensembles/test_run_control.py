from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from tests.reference.tables import random_dataset
from workbench.ensembles.base import make_trainer
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import (
    EndReason,
    RoundFinished,
    TrainingEnded,
    TrainingPaused,
    TrainingStarted,
)
from workbench.errors import Cancelled
from workbench.parameters.training import TrainingParams
from workbench.trees.bins.cuts import quantile_cuts

PATIENCE = 60


@contextmanager
def running(data, params, control):
    """Train in another thread; yields a function that returns its next event."""
    events = queue.SimpleQueue()

    def work():
        for event in make_trainer(data, params, control).rounds():
            events.put(event)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield lambda: events.get(timeout=PATIENCE)
    finally:
        control.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def until(following, kind):
    """Return the next event of a kind and the rounds before it."""
    rounds = []
    while not isinstance(event := following(), kind):
        rounds.append(event)
    return event, rounds


def test_pause_step_resume_stop():
    control = RunControl()
    control.pause()
    with running(random_dataset(), TrainingParams(rounds=100_000), control) as following:
        assert isinstance(following(), TrainingStarted)
        assert following() == TrainingPaused(0)
        for number in (1, 2):
            control.step()
            assert following().round == number
            assert following() == TrainingPaused(number)
        control.resume()
        assert following().round == 3
        control.pause()
        paused, _ = until(following, TrainingPaused)
        control.stop()
        ended = following()
        assert ended.reason is EndReason.STOPPED
        assert ended.round == paused.round


class PausedInBetween(RunControl):
    """Pauses right after the trainer has looked whether to pause, once."""

    is_due = False

    @property
    def paused(self):
        found = super().paused
        if self.is_due and not found:
            self.is_due = False
            self.pause()
        return found


def test_a_pause_is_said_whenever_it_comes():
    control = PausedInBetween()
    with running(random_dataset(), TrainingParams(rounds=100_000), control) as following:
        until(following, RoundFinished)
        control.is_due = True
        until(following, TrainingPaused)


def test_a_pause_right_after_going_on_is_said():
    control = RunControl()
    control.pause()
    with running(random_dataset(), TrainingParams(rounds=100_000), control) as following:
        until(following, TrainingPaused)
        for _ in range(20):
            control.resume()
            control.pause()
            until(following, TrainingPaused)


def test_one_step_asked_for_before_the_start():
    control = RunControl()
    control.step()
    with running(random_dataset(), TrainingParams(rounds=3), control) as following:
        following()
        assert following().round == 1
        assert following() == TrainingPaused(1)


def test_no_pause_after_the_last_round():
    control = RunControl()
    control.step()
    with running(random_dataset(), TrainingParams(rounds=1), control) as following:
        following()
        assert following().round == 1
        assert following().reason is EndReason.FINISHED


def test_live_parameters():
    control = RunControl()
    control.pause()
    params = TrainingParams(rounds=2, max_depth=2)
    with running(random_dataset(), params, control) as following:
        until(following, TrainingPaused)
        control.change(params.change(rounds=3, max_depth=5, reg_lambda=7.0, gamma=0.5, seed=9, max_bin=7))
        control.resume()
        ended, rounds = until(following, TrainingEnded)
    assert [r.round for r in rounds] == [1, 2, 3]
    assert ended.reason is EndReason.FINISHED
    in_force = rounds[0].params
    assert (in_force.max_depth, in_force.reg_lambda, in_force.rounds) == (5, 7.0, 3)
    assert (in_force.seed, in_force.max_bin) == (0, 255)
    assert rounds[0].depth > 2
    assert rounds[0].trees[0].reg_lambda == 7.0
    assert rounds[0].trees[0].gamma == 0.5


def test_fewer_rounds_than_done_end_the_run():
    control = RunControl()
    control.step()
    params = TrainingParams(rounds=10)
    with running(random_dataset(), params, control) as following:
        until(following, TrainingPaused)
        control.change(params.change(rounds=1))
        control.resume()
        assert following().reason is EndReason.FINISHED


def test_stop_before_the_first_round():
    control = RunControl()
    rounds = make_trainer(random_dataset(), TrainingParams(), control).rounds()
    assert isinstance(next(rounds), TrainingStarted)
    control.stop()
    (ended,) = rounds
    assert (ended.reason, ended.round, ended.best_round) == (EndReason.STOPPED, 0, 0)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_round_broken_off_is_dropped(threads):
    data = random_dataset("multiclass", n=60_000, d=20, n_valid=0)
    control = RunControl()
    params = TrainingParams(rounds=100_000, max_depth=12, threads=threads)
    with running(data, params, control) as following:
        until(following, RoundFinished)
        began = time.perf_counter()
        control.stop()
        ended, more = until(following, TrainingEnded)
        assert time.perf_counter() - began < 5
    assert ended.reason is EndReason.STOPPED
    assert ended.round == (more[-1].round if more else 1)


def test_stopped_while_preparing_it_ends_quietly(monkeypatch):
    control = RunControl()
    cut = []

    def stop(values, max_bin, largest, weight):
        cut.append(1)
        control.stop()
        return quantile_cuts(values, max_bin, largest, weight)

    monkeypatch.setattr("workbench.trees.bins.cuts.quantile_cuts", stop)
    with pytest.raises(Cancelled):
        next(make_trainer(random_dataset(n=50_000, d=20), TrainingParams(threads=2), control).rounds())
    assert len(cut) < 5


TWO_AT_ONCE = """
import sys, threading
import numpy as np
import workbench
rng = np.random.default_rng(0)
X = rng.normal(size=(30_000, 40))
found = []
def fit():
    model = workbench.fit(X, X[:, 0] - X[:, 1] ** 2, rounds=5, threads=2)
    found.append(model.predict_raw(X))
sys.setswitchinterval(1e-5)
both = [threading.Thread(target=fit) for _ in range(2)]
for thread in both: thread.start()
for thread in both: thread.join()
assert len(found) == 2 and np.array_equal(*found)
"""


def test_two_runs_at_once_take_turns():
    settings = os.environ | {"NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": "2"}
    command = [sys.executable, "-c", TWO_AT_ONCE]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("method", ["newton", "forest", "linear"])
def test_metrics_are_taken_where_they_are_wanted(method):
    """The trees are the same; a run that may stop early looks at all rounds."""
    data, params = random_dataset(), TrainingParams(method=method, rounds=5)
    whole, some = (
        [event for event in make_trainer(data, params, control).rounds() if isinstance(event, RoundFinished)]
        for control in (RunControl(), RunControl(measured=(4, 5)))
    )
    assert [bool(event.train) for event in some] == [False, False, False, True, True]
    assert [event.train for event in some[3:]] == [event.train for event in whole[3:]]
    assert [event.loss for event in some] == [event.loss for event in whole]
    if method == "newton":
        early = params.change(early_stopping_rounds=3)
        events = make_trainer(data, early, RunControl(measured=(4, 5))).rounds()
        assert all(event.train for event in events if isinstance(event, RoundFinished))


def test_each_word_of_the_reins_is_told_to_a_trainer_elsewhere():
    control, heard = RunControl(), []
    control.told = lambda: heard.append((control.paused, control.runs_freely, control.stopped))
    control.pause()
    control.step()
    control.resume()
    control.change(TrainingParams())
    control.break_at(())
    control.stop()
    free = (False, True, False)
    assert heard == [(True, False, False), (False, False, False), free, free, free, (False, True, True)]
