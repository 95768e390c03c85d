from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from numba import types

from workbench.kernels.kernel import kernel


@kernel(apart=True, returns=types.float64)
def _sum_apart(values):
    total = 0.0
    for value in values:
        total += value
    return total


@kernel(apart=True)
def _double(values):
    for i in range(len(values)):
        values[i] *= 2.0


@kernel
def _sum_of_doubles(values):
    _double(values)
    return _sum_apart(values)


@kernel(apart=True)
def _says_nothing_of(values):
    return values[0]


@kernel
def _takes(values):
    return _says_nothing_of(values)


TELLS_WHEN_PREPARED = """
prepare = promised.prepare
promised.prepare = lambda: print(len(promised._open), "promised") or prepare()
"""
CALL = """
import time
import numpy as np
from workbench.kernels import promises
from tests.kernels.test_promises import _sum_of_doubles

promised = promises.PROMISES
keep, ask, made_elsewhere = promised.keep, promises.ask, []

def note(process, promise):
    is_alive = ask(process, promise)
    made_elsewhere.extend([promise.kernel] * is_alive)
    return is_alive

def leave_it_to_the_other(*arguments):
    while promised._todo and promised._is_served:
        time.sleep(0.001)
    keep(*arguments)

promises.ask, promised.keep = note, leave_it_to_the_other
{before}
print(_sum_of_doubles(np.arange(4.0)))
print(*sorted(made_elsewhere))
"""


def called(folder, before: str = "") -> list[str]:
    """Return what is printed by a process of its own."""
    environment = {
        **os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-c", CALL.format(before=before)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.skipif(os.cpu_count() == 1, reason="one core")
def test_kernels_are_compiled_by_a_second_process_and_are_there_for_the_next(tmp_path):
    assert called(tmp_path, TELLS_WHEN_PREPARED) == ["0 promised", "12.0", "_double _sum_apart"]
    assert called(tmp_path, TELLS_WHEN_PREPARED) == ["12.0", ""]


@pytest.mark.slow
@pytest.mark.parametrize(
    "before", [
        "def refused(): raise OSError\npromises.start = refused",
        "promises.sys.executable = '/nowhere'",
        "ask = lambda process, promise: process.kill() or process.stdout.readline()",
    ],
)
def test_without_a_second_process_all_are_compiled_here(tmp_path, before):
    assert called(tmp_path, before) == ["12.0", ""]


def test_a_kernel_that_returns_what_it_did_not_say_is_refused():
    with pytest.raises(TypeError, match="returns float64, not none"):
        _takes(np.ones(1))
