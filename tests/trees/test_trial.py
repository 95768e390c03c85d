from __future__ import annotations

import pytest

from workbench.trees import trial as trials
from workbench.trees.trial import PERIOD, TRIED, Trial


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    now = [0.0]
    monkeypatch.setattr(trials, "perf_counter", lambda: now[0])
    return now


def calls(trial, clock, n, together, alone):
    """Let so many calls take so long; return which of them had helpers."""
    had = []
    for _ in range(n):
        had.append(trial.begin())
        clock[0] += together if had[-1] else alone
        trial.end()
    return had


@pytest.mark.parametrize(("together", "alone"), [(1.0, 1.5), (2.0, 1.5)])
def test_the_faster_kind_is_chosen_and_both_are_tried_again(clock, together, alone):
    trial = Trial()
    trial.begin()
    clock[0] += 1000.0  # compiling
    trial.end()
    had = calls(trial, clock, 3 * PERIOD, together, alone)
    period = [True] * TRIED + [False] * TRIED + [together < alone] * (PERIOD - 2 * TRIED)
    assert had == 3 * period


def test_what_was_faster_before_is_not_kept(clock):
    trial = Trial()
    calls(trial, clock, 1 + PERIOD, 1.0, 2.0)
    assert calls(trial, clock, PERIOD, 9.0, 2.0)[2 * TRIED :] == [False] * (PERIOD - 2 * TRIED)
    assert calls(trial, clock, PERIOD, 1.0, 2.0)[2 * TRIED :] == [True] * (PERIOD - 2 * TRIED)


def test_a_call_that_wakes_threads_is_not_counted(clock):
    trial = Trial()
    calls(trial, clock, 1, 1.0, 1.0)
    calls(trial, clock, 1, 1000.0, 1.0)
    assert calls(trial, clock, PERIOD - 1, 1.0, 2.0)[2 * TRIED :] == [True] * (PERIOD - 1 - 2 * TRIED)
