from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from workbench.kernels.kernel import kernel

KERNELS = """
from typing import NamedTuple
from numba import types
from workbench.kernels.kernel import kernel

class Pair(NamedTuple):
    values: object
    weights: object

@kernel(apart=True, returns=types.float64)
def weighed(pair, n):
    total = 0.0
    for i in range(n):
        total += pair.values[i] * pair.weights[i]
    return total

@kernel(apart=True, returns=types.float64)
def once_more(pair, n):
    return weighed(pair, n) + 1.0

@kernel
def middle(pair):
    n = len(pair.values)
    return once_more(pair, n - 2) + weighed(pair, n - 3)

@kernel
def outer(pair):
    return middle(pair)
"""
CALL = """
import sys
import numpy as np
from numba.core import event
from workbench.kernels import cache
from workbench.kernels.promises import PROMISES
import kernels_of_test as kernels

PROMISES.forbid()  # or a kernel is begun twice, to be told of and to be made

compiled = []
class Listener(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
assert kernels.outer(kernels.Pair(np.arange(5.0), np.full(5, 2.0))) == 9.0
print(*sorted(compiled))
"""


@pytest.fixture
def call(tmp_path):
    """Return what calls the kernels in a process of its own, and tells which it compiled."""
    (tmp_path / "kernels_of_test.py").write_text(KERNELS)
    kept = tmp_path / "kept"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kept)}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *sys.path])

    def compiled() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", CALL], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    compiled.kept = kept
    return compiled


def test_code_finds_the_kernels_that_it_names_in_every_process(call):
    assert call() == ["middle", "once_more", "outer", "weighed"]
    assert call() == []
    for file in call.kept.rglob("*weighed-apart*"):
        file.unlink()
    assert call() == ["weighed"]
    for file in call.kept.rglob("*outer*"):
        file.unlink()
    assert call() == ["outer"]


@kernel(takes_none=True)
def _sum_or(values, other):
    if values is None:
        return other.of_none
    total = 0.0
    for value in values:
        total += value
    return total


def test_a_branch_for_none_is_not_compiled_where_an_array_is_given():
    assert _sum_or(np.arange(3.0), 1.0) == 3.0  # a number has no `of_none`
