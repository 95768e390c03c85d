"""A window that is killed at any moment loses at most some seconds of training."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from workbench.session.project.read import read_project
from workbench.session.project.sittings import sittings_in
from workbench.study.study import open_study

GROWN = re.compile(r" 1:[1-9]")
MOST_LOST = 5.0  # seconds of training
LONGEST_STILL = 300.0  # seconds between two steps of the window, beside other programs
MOST_STEPS = 20_000  # before the first round; ten minutes of a window that has a core to itself
TIMES = int(os.environ.get("KILLS", "50"))


def await_rounds(window, said):
    """Wait as long as the window goes on, however slowly, until it has said that there are rounds."""
    steps, since = 0, time.monotonic()
    while not GROWN.search(text := said.read_text()):
        assert window.poll() is None, "it has ended"
        if text.count("\n") > steps:
            steps, since = text.count("\n"), time.monotonic()
        assert steps < MOST_STEPS, "it does not train"
        assert time.monotonic() - since < LONGEST_STILL, "it stands still"
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(TIMES))
def test_a_killed_window_is_gone_on_with(seed, tmp_path):
    with (tmp_path / "said.txt").open("w") as said:
        window = subprocess.Popen(
            [sys.executable, "-m", "tests.shell.killed_window", str(tmp_path), str(seed)], stdout=said,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        )
        try:
            await_rounds(window, tmp_path / "said.txt")
            time.sleep(random.Random(seed).uniform(0.0, 8.0))
        finally:
            window.send_signal(signal.SIGKILL)
            killed = time.time()
            window.wait()
    told = [line.split() for line in (tmp_path / "said.txt").read_text().splitlines()[:-1]]
    due = [counts for when, *counts in told if float(when) < killed - MOST_LOST]
    newest = dict(tuple(map(int, count.split(":"))) for count in due[-1]) if due else {}
    last = dict(tuple(map(int, count.split(":"))) for count in told[-1][1:]) if told else {}
    found = [sitting.path for sitting in sittings_in(tmp_path / "settings" / "sittings")]
    if newest:
        assert len(found) == 1
    for path in found:
        runs = read_project(path).runs
        for number, rounds in newest.items():
            if number in last and last[number] >= rounds:  # not taken back since
                assert len(runs[number].every_round) >= rounds
        study = open_study(path)
        for run in study.runs:
            numbers = [event.round for event in run.run.rounds]
            assert numbers == list(range(1, len(numbers) + 1))
        if study.runs and study.runs[0].rounds:
            study.runs[0].grow(1)
    if (tmp_path / "p.workbench").exists():
        read_project(tmp_path / "p.workbench")
