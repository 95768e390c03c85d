"""The reins of a run, held by rounds that grow nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from workbench.ensembles.breakpoints.base import WatchedRun
from workbench.ensembles.breakpoints.goals import RunFor, RunTo
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import EndReason, TrainingPaused
from workbench.ensembles.run.breaks import Breaks
from workbench.ensembles.run.live_params import LiveParams
from workbench.ensembles.run.round_loop import round_loop
from workbench.errors import WorkbenchError
from workbench.metrics.facts import MetricFacts
from workbench.parameters.training import TrainingParams


class Counted:
    """Rounds that take half a second each, and break off or give up when they are told to."""

    def __init__(self, broken=None, last=None):
        self._broken, self._last = broken, last
        self.rates = []

    def grow(self, number, params):
        self.rates.append(params.learning_rate)
        return None if number == self._broken else SimpleNamespace(round=number, seconds=0.5, trees=())

    def gives_up(self, number, params):
        return number == self._last


class Run:
    """What a loop yields, one at a time, and how it ended."""

    def __init__(self, rounds, first=0, **params):
        self.control, self.end = RunControl(), None
        start = TrainingParams(**{"rounds": 4, **params})
        self.params = LiveParams(start, self.control, self.check)
        breaks = Breaks(self.control, WatchedRun((), MetricFacts("rmse"), False, float))
        self.events = self._follow(round_loop(rounds, first, self.params, self.control, breaks))

    def check(self, params):
        if params.reg_lambda == 13:
            raise WorkbenchError("No.")

    def change(self, **values):
        self.control.change(self.params.now.change(**values))

    def _follow(self, loop):
        self.end = yield from loop


@pytest.mark.parametrize(
    ("rounds", "first", "reason", "grown"),
    [
        (Counted(), 0, EndReason.FINISHED, [1, 2, 3, 4]),
        (Counted(), 3, EndReason.FINISHED, [4]),
        (Counted(), 4, EndReason.FINISHED, []),
        (Counted(broken=3), 0, EndReason.LEARNT, [1, 2]),
        (Counted(last=2), 0, EndReason.EARLY, [1, 2]),
    ],
)
def test_how_rounds_end(rounds, first, reason, grown):
    run = Run(rounds, first)
    assert [event.round for event in run.events] == grown
    assert run.end == (reason, first + len(grown), 0.5 * len(grown))


def test_stopped_between_rounds():
    run = Run(Counted())
    next(run.events)
    run.control.stop()
    assert list(run.events) == []
    assert run.end == (EndReason.STOPPED, 1, 0.5)


def test_a_step_is_one_round_and_a_pause():
    run = Run(Counted())
    run.control.step()
    assert next(run.events).round == 1
    assert next(run.events) == TrainingPaused(1)
    run.control.step()
    assert [next(run.events).round for _ in range(2)] == [2, 2]
    run.control.resume()
    assert [event.round for event in run.events] == [3, 4]


def test_live_parameters_hold_from_the_next_round_on():
    rounds = Counted()
    run = Run(rounds, learning_rate=0.5)
    next(run.events)
    run.change(learning_rate=0.25, max_bin=16)
    assert next(run.events).round == 2
    assert rounds.rates == [0.5, 0.25]
    assert run.params.now.max_bin == TrainingParams().max_bin  # which is not live
    run.change(rounds=3)
    assert [event.round for event in run.events] == [3]
    assert run.end.reason is EndReason.FINISHED


def test_fewer_rounds_than_there_are_end_the_run():
    run = Run(Counted())
    next(run.events), next(run.events)
    run.change(rounds=1)
    assert list(run.events) == []
    assert run.end == (EndReason.FINISHED, 2, 1.0)


def test_parameters_that_clash_are_refused_and_not_taken():
    run = Run(Counted())
    next(run.events)
    run.change(reg_lambda=13)
    with pytest.raises(WorkbenchError):
        next(run.events)
    assert run.params.now.reg_lambda == 1.0


def test_a_goal_pauses_after_its_round_and_is_used_once():
    run = Run(Counted())
    goal = RunTo(2)
    run.control.break_at([goal])
    assert [next(run.events).round for _ in range(2)] == [1, 2]
    assert next(run.events) == TrainingPaused(2, "Round 2 is done, as was asked.", (goal,))
    assert run.control.breakpoints == ()
    run.control.resume()
    assert [event.round for event in run.events] == [3, 4]
    assert run.end.reason is EndReason.FINISHED


def test_a_goal_comes_before_the_steps_that_are_left():
    run = Run(Counted())
    run.control.break_at([RunFor(0.5)])
    for _ in range(3):
        run.control.step()
    assert next(run.events).round == 1
    assert next(run.events).reason == "1 round in 0.5 seconds, as was asked."
    run.control.step()
    assert next(run.events).round == 2
    assert next(run.events) == TrainingPaused(2)


@pytest.mark.parametrize("goal", [4, 9])
def test_a_goal_at_the_end_of_the_run_is_its_end(goal):
    run = Run(Counted())
    run.control.break_at([RunTo(goal)])
    assert [event.round for event in run.events] == [1, 2, 3, 4]
    assert run.end.reason is EndReason.FINISHED


def test_stopped_at_a_goal_the_run_is_neither_finished_nor_early():
    run = Run(Counted(last=2))
    run.control.break_at([RunTo(2)])
    assert [next(run.events).round for _ in range(3)] == [1, 2, 2]
    run.control.stop()
    assert list(run.events) == []
    assert run.end.reason is EndReason.STOPPED


def test_a_run_that_gives_up_where_it_was_paused_does_so_on_resume():
    run = Run(Counted(last=2))
    run.control.break_at([RunTo(2)])
    assert [next(run.events).round for _ in range(3)] == [1, 2, 2]
    run.control.resume()
    assert list(run.events) == []
    assert run.end.reason is EndReason.EARLY
