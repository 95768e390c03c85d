"""The reins of a run, held by rounds that grow nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from workbench.ensembles.control import RunControl
from workbench.ensembles.events import EndReason, TrainingPaused
from workbench.ensembles.run.live_params import LiveParams
from workbench.ensembles.run.round_loop import round_loop
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams


class Counted:
    """Rounds that take half a second each, and break off or give up when they are told to."""

    def __init__(self, broken=None, last=None):
        self._broken, self._last = broken, last
        self.rates = []

    def grow(self, number, params):
        self.rates.append(params.learning_rate)
        return None if number == self._broken else SimpleNamespace(round=number, seconds=0.5)

    def gives_up(self, number, params):
        return number == self._last


class Run:
    """What a loop yields, one at a time, and how it ended."""

    def __init__(self, rounds, first=0, **params):
        self.control, self.end = RunControl(), None
        start = TrainingParams(**{"rounds": 4, **params})
        self.params = LiveParams(start, self.control, self.check)
        self.events = self._follow(round_loop(rounds, first, self.params, self.control))

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
        (Counted(broken=3), 0, EndReason.STOPPED, [1, 2]),
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
