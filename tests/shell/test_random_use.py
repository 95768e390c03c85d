"""Random use of the window, each seed in a process of its own: a fall shows as its exit code."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SEEDS, ACTIONS = range(10), 5000
SECONDS = 3600
MOST_GROWTH = 48  # MB of what is held with nothing but a table open, in the last two fifths


@pytest.mark.slow
@pytest.mark.usefixtures("_kernels")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_monkey_leaves_the_window_whole(seed):
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.shell.monkey", str(seed), str(ACTIONS)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["faults"] == []
    assert told["threads"] == []
    *_, before, _, after = told["held"]
    assert after - before < MOST_GROWTH
