from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from workbench.kernels.instructions import take
from workbench.kernels.kernel import kernel
from workbench.threads import team as teams
from workbench.threads.team import Team, barrier, join_team, rejoin_team

FEW, MANY = 1000, 10_000_000  # rows: helpers linger, or do not


@kernel
def pass_on_part(part, parts, counters, n, slots, most):
    """Each part adds to the slot of the next; without meeting, one would read what is not there yet."""
    for _ in range(n):
        own = slots[part]
        barrier(counters, parts)
        slots[(part + 1) % parts] = own + 1
        barrier(counters, parts)
    if part == 0 and parts > most[0]:
        most[0] = parts


@kernel
def pass_on(member, counters, shared_arguments, *arguments):
    part, parts = join_team(member, counters, shared_arguments, arguments)
    while parts > 0:
        pass_on_part(part, parts, counters, *take(shared_arguments, arguments))
        part, parts = rejoin_team(member, parts, counters)


def passed(team, n=100, runs=1):
    """Let a team pass on; return the slots, and how many parts took part at most."""
    slots, most = np.zeros(team.parts, np.int64), np.zeros(1, np.int64)
    for _ in range(runs):
        team.run(pass_on, n, slots, most)
    return slots.tolist(), int(most[0])


def until_all_came(team):
    """Let a team pass on until all its parts took part."""
    end = time.monotonic() + 60
    while passed(team)[1] < team.parts:
        assert time.monotonic() < end


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [FEW, MANY])
@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_parts_wait_for_each_other(parts, n_rows):
    team = Team(parts, n_rows)
    until_all_came(team)
    for _ in range(20):
        slots, came = passed(team)
        assert slots == [100] * came + [0] * (parts - came)


def test_a_helper_lingers_for_the_next_call(monkeypatch):
    monkeypatch.setattr(teams, "LINGERING", 2**40)
    team = Team(2, FEW)
    try:
        until_all_came(team)
        handed = []
        monkeypatch.setattr(teams, "_hand_over", lambda *task: handed.append(task))
        assert passed(team, runs=50)[1] == 2
        assert not handed
    finally:
        team._counters[teams.PATIENCE] = 0
        while team._counters[teams.LINE + teams.STATE] != teams.AWAY:
            passed(team)


def test_a_helper_takes_the_arguments_of_each_call():
    team = Team(2, FEW)
    for n in range(1, 50):
        slots, came = passed(team, n)
        assert slots == [n] * came + [0] * (2 - came)


def test_other_kinds_of_arguments_find_no_helper_of_the_kind_before():
    team = Team(2, FEW)
    until_all_came(team)
    slots, most = np.zeros(2, np.int32), np.zeros(1, np.int64)  # lingers with int64
    team.run(pass_on, 100, slots, most)
    assert slots.tolist() in ([100, 0], [100, 100])


def test_without_helpers_a_leader_does_the_work(monkeypatch):
    team = Team(3, FEW)
    monkeypatch.setattr(teams, "_help_together", lambda *_: None)  # they never arrive
    assert passed(team) == ([100, 0, 0], 1)


def test_many_teams_at_once():
    results = []
    threads = [threading.Thread(target=lambda: results.append(passed(Team(2), 500))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(results) == 4
    assert all(slots == [500] * came + [0] * (2 - came) for slots, came in results)


def test_fewer_threads_than_wanted_do_the_work(monkeypatch):
    started = []
    start = threading.Thread.start

    def refuse_the_third(thread):
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse_the_third)
    team = Team(5)
    assert team.parts == 3
    until_all_came(team)


def test_an_error_in_one_part_is_raised_and_the_team_goes_on():
    def fail(part, parts, *_):
        if part == 1:
            raise ValueError("part 1")

    team = Team(2)
    with pytest.raises(ValueError, match="part 1"):
        team.share(fail, 100_000)
    until_all_came(team)


def test_one_team_used_by_several_threads_does_one_thing_at_a_time():
    team = Team(2)
    results = []
    threads = [threading.Thread(target=lambda: results.append(passed(team, 500))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(results) == 4
    assert all(slots == [500] * came + [0] * (2 - came) for slots, came in results)


def test_a_team_that_is_gone_leaves_no_thread():
    before = threading.active_count()
    team = Team(3, MANY)
    passed(team)
    helpers = [thread for thread in threading.enumerate() if thread.name == "helper"]
    assert threading.active_count() >= before + 3
    del team
    for thread in helpers:
        thread.join(timeout=10)
    assert not any(thread.is_alive() for thread in helpers)


# What a process does; LONG is a run of minutes, N one of milliseconds.
PROCESS = """
import os, signal, sys, threading, time
import numpy as np
from tests.threads.test_team import pass_on
from workbench.threads.team import Team

signal.signal(signal.SIGINT, signal.default_int_handler)  # which background jobs of a shell begin without
N, LONG = 10, 2**40
team = Team(2, N_ROWS)
slots, most = np.zeros(2, np.int64), np.zeros(1, np.int64)
team.run(pass_on, N, slots, most)
"""
ENDINGS = {
    "idle": "",
    "a daemon is inside a kernel": """
threading.Thread(target=team.run, args=(pass_on, LONG, slots, most), daemon=True).start()
time.sleep(0.2)
""",
    "a daemon goes in and out": """
def train():
    while True:
        team.run(pass_on, N, slots, most)
threading.Thread(target=train, daemon=True).start()
time.sleep(0.2)
""",
    "Ctrl-C while kernels run": """
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    team.run(pass_on, LONG, slots, most)
except KeyboardInterrupt:
    sys.exit(0)
sys.exit(3)
""",
    "Ctrl-C again and again": """
from random import Random
rng, runs = Random(1), threading.Semaphore(0)
def disturb():
    while runs.acquire():
        time.sleep(0.0014 * rng.random())
        os.kill(os.getpid(), signal.SIGINT)
heard = 0
threading.Thread(target=disturb, daemon=True).start()
while heard < 150:
    try:
        runs.release()  # one signal each time, so that none comes outside
        while True:
            team.run(pass_on, N, slots, most)
    except KeyboardInterrupt:
        heard += 1
team.run(pass_on, N, slots, most)
""",
}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("ending", "n_rows"),
    [(e, n) for e in ENDINGS for n in (FEW, MANY) if (e, n) != ("Ctrl-C while kernels run", FEW)],
)
def test_no_process_hangs(ending, n_rows):
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", f"N_ROWS = {n_rows}" + PROCESS + ENDINGS[ending]],
        cwd=Path(__file__).parents[2], timeout=120, env=os.environ | {"PYTHONPATH": "."},
        capture_output=True, text=True, check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 60
