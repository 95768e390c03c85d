from __future__ import annotations

import pytest

from workbench.threads import trial as trials
from workbench.threads.trial import LONGEST, SHORTEST, TRIED, Trial


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


def compiled(clock):
    """A trial whose first call took long."""
    trial = Trial()
    calls(trial, clock, 1, 1000.0, 1000.0)
    return trial


@pytest.mark.parametrize(("together", "alone"), [(1.0, 1.5), (2.0, 1.5)])
def test_the_faster_kind_is_chosen_after_a_trial(clock, together, alone):
    had = calls(compiled(clock), clock, SHORTEST, together, alone)
    assert had == [True] * TRIED + [False] * TRIED + [together < alone] * (SHORTEST - 2 * TRIED)


@pytest.mark.parametrize(("together", "alone"), [(1.0, 1.5), (2.0, 1.5)])
def test_trials_become_rare_while_the_same_is_faster(clock, together, alone):
    had = calls(compiled(clock), clock, 20 * LONGEST, together, alone)
    slower = [kind for kind in had[-10 * LONGEST :] if kind != (together < alone)]
    assert len(slower) == 10 * TRIED


def test_what_was_faster_before_is_not_kept(clock):
    trial = compiled(clock)
    calls(trial, clock, 10 * LONGEST, 1.0, 2.0)
    assert not any(calls(trial, clock, 2 * LONGEST, 9.0, 2.0)[LONGEST + 2 * TRIED : LONGEST + 3 * TRIED])
    assert calls(trial, clock, LONGEST, 1.0, 2.0)[-1]


def test_a_call_that_wakes_threads_is_not_counted(clock):
    trial = compiled(clock)
    calls(trial, clock, 1, 1000.0, 1.0)
    assert all(calls(trial, clock, SHORTEST - 1, 1.0, 2.0)[2 * TRIED :])
