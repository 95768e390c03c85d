from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from workbench.kernels.kernel import kernel
from workbench.trees.team import Team, meet


@kernel
def pass_on(part, parts, counters, n, slots):
    """Each part adds to the slot of the next; without meeting, one would read what is not there yet."""
    for _ in range(n):
        own = slots[part]
        meet(counters, parts)
        slots[(part + 1) % parts] = own + 1
        meet(counters, parts)


@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_parts_wait_for_each_other(parts):
    slots = np.arange(parts) * 1000
    team = Team(parts)
    for _ in range(3):
        team.run(pass_on, 100, slots)
    assert sorted(slots.tolist()) == [1000 * k + 300 for k in range(parts)]
    assert slots.tolist() == [(1000 * ((k - 300) % parts)) + 300 for k in range(parts)]


def test_many_teams_at_once():
    results = [np.zeros(2, np.int64) for _ in range(4)]
    threads = [
        threading.Thread(target=lambda slots=slots: Team(2).run(pass_on, 500, slots)) for slots in results
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert [slots.tolist() for slots in results] == [[500, 500]] * 4


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
    slots = np.zeros(3, np.int64)
    team.run(pass_on, 100, slots)
    assert slots.tolist() == [100] * 3


def test_an_error_in_one_part_is_raised_and_the_team_goes_on():
    def fail(part, parts, *_):
        if part == 1:
            raise ValueError("part 1")

    team = Team(2)
    with pytest.raises(ValueError, match="part 1"):
        team.share(fail, 100_000)
    slots = np.zeros(2, np.int64)
    team.run(pass_on, 10, slots)
    assert slots.tolist() == [10, 10]


def test_one_team_used_by_several_threads_does_one_thing_at_a_time():
    team = Team(2)
    results = [np.zeros(2, np.int64) for _ in range(4)]
    threads = [threading.Thread(target=team.run, args=(pass_on, 500, slots)) for slots in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert [slots.tolist() for slots in results] == [[500, 500]] * 4


def test_a_team_that_is_gone_leaves_no_thread():
    before = threading.active_count()
    team = Team(3)
    team.run(pass_on, 1, np.zeros(3, np.int64))
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
from tests.trees.test_team import pass_on
from workbench.trees.team import Team

signal.signal(signal.SIGINT, signal.default_int_handler)  # which background jobs of a shell begin without
N, LONG = 10, 2**40
team = Team(2)
slots = np.zeros(2, np.int64)
team.run(pass_on, N, slots)
"""
ENDINGS = {
    "idle": "",
    "a daemon is inside a kernel": """
threading.Thread(target=team.run, args=(pass_on, LONG, slots), daemon=True).start()
time.sleep(0.2)
""",
    "a daemon goes in and out": """
def train():
    while True:
        team.run(pass_on, N, slots)
threading.Thread(target=train, daemon=True).start()
time.sleep(0.2)
""",
    "Ctrl-C while kernels run": """
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    team.run(pass_on, LONG, slots)
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
            team.run(pass_on, N, slots)
    except KeyboardInterrupt:
        heard += 1
team.run(pass_on, N, slots)
""",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_process_hangs(ending):
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PROCESS + ENDINGS[ending]], cwd=Path(__file__).parents[2], timeout=120,
        env=os.environ | {"PYTHONPATH": "."}, capture_output=True, text=True, check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 60
