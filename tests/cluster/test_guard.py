"""No wait for workers is without end."""

from __future__ import annotations

import pytest

from workbench.cluster.waits import guard as waits
from workbench.cluster.waits.guard import FULL_SECONDS, SILENCE_SECONDS, UNREACHED_SECONDS, Guard
from workbench.errors import WorkbenchError


class Watch:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Cluster:
    """Answers what a test says, or raises it."""

    def __init__(self) -> None:
        self.is_lost = self.is_cut = False
        self.said = {"a": "running", "b": "running"}
        self.client = self

    def states(self, _seconds: float):
        if isinstance(self.said, Exception):
            raise self.said
        return self.said

    def get_events(self, _topic: str):
        return [(0.0, {"worker": "b"})]


@pytest.fixture
def clock(monkeypatch):
    watch = Watch()
    monkeypatch.setattr(waits, "monotonic", watch)
    return watch


def waited(guard, clock, seconds: float) -> str:
    """Return what is said by then, and set the clock to when."""
    until = clock.now + seconds
    while clock.now < until:
        clock.now += 2.5
        try:
            guard.look()
        except WorkbenchError as error:
            return str(error)
    return ""


def test_workers_that_run_are_waited_for_a_limited_time(clock):
    guard = Guard(Cluster(), ["a", "b"])
    guard.silence = SILENCE_SECONDS
    assert waited(guard, clock, SILENCE_SECONDS - 10) == ""
    guard.heard(seconds=100.0)
    assert waited(guard, clock, 3000.0 - 10) == ""
    assert "said nothing for 30" in waited(guard, clock, 60)


def test_a_worker_that_is_lost_has_some_seconds_for_its_reason(clock):
    cluster = Cluster()
    guard = Guard(cluster, ["a", "b"])
    del cluster.said["b"]
    assert "The worker b ran out of memory" in waited(guard, clock, 10)


def test_a_scheduler_that_does_not_answer_is_given_up(clock):
    cluster = Cluster()
    guard = Guard(cluster, ["a"])
    cluster.said = TimeoutError()
    assert waited(guard, clock, UNREACHED_SECONDS - 5) == ""
    assert "network to it is cut" in waited(guard, clock, 20)
    assert cluster.is_cut


def test_a_worker_whose_memory_is_full_is_not_waited_for(clock):
    cluster = Cluster()
    cluster.said["a"] = "paused"
    assert waited(Guard(cluster, []), clock, FULL_SECONDS + 30) == ""  # the other one does the work
    assert "memory of the worker a is full" in waited(Guard(cluster, ["a", "b"]), clock, FULL_SECONDS + 30)
