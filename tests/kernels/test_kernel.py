from __future__ import annotations

import subprocess
import sys
import weakref

import numpy as np
import pytest
from numba.core.errors import TypingError

from tests.reference.compiling import compiled_by
from workbench.kernels.kernel import Kernel, kernel

EVERY_KERNEL = """
import os, sys
os.environ["NUMBA_THREADING_LAYER"] = "workqueue"
import workbench.kernels
from workbench.registry import discover
for room in ("trees", "objectives", "metrics", "ensembles"):
    discover("workbench." + room)
from workbench.warmup.warmup import warm_up
from workbench.kernels.kernel import Kernel
warm_up(lambda *_: None)
kernels = {
    thing for name, module in list(sys.modules.items()) if name.startswith("workbench.")
    for thing in vars(module).values() if isinstance(thing, Kernel)
}
assert len(kernels) > 50
for one in kernels:
    for version in (one.for_python, one.for_kernels):
        assert not version.targetoptions.get("parallel"), one.__qualname__
        assert version.targetoptions["nogil"], one.__qualname__
    assert len(one.for_python.signatures) <= 1, (one.__qualname__, one.for_python.signatures)
from numba.np.ufunc import parallel
assert not parallel._is_initialized
"""


@kernel
def _doubled(x):
    return 2 * x


@kernel
def _sum_of_doubled(values):
    total = 0.0
    for value in values:
        total += _doubled(value)
    return total


def test_a_kernel_is_called_from_python_and_from_kernels():
    assert isinstance(_doubled, Kernel)
    assert _doubled.__name__ == "_doubled"
    assert _sum_of_doubled(np.arange(4.0)) == 12.0
    assert _doubled(1.5) == 3.0
    assert _doubled(2) == 4


@kernel(allocates=True)
def _sum_of_copies(values, times):
    total = 0.0
    for _ in range(times):
        copy = np.empty(len(values))
        for i in range(len(values)):
            copy[i] = values[i]
        total += _sum_of_doubled(copy[1:])
    return total


def test_an_array_lives_as_long_as_someone_holds_it():
    values = np.arange(4.0)
    held = sys.getrefcount(values)
    assert _sum_of_copies(values[:3], 1000) == 6000.0
    assert _sum_of_doubled(values) == 12.0
    assert sys.getrefcount(values) == held
    whole = weakref.ref(values)
    del values
    assert whole() is None


def test_a_kernel_that_makes_arrays_has_to_say_so():
    with pytest.raises(TypingError):
        _makes_one(3)


def test_no_kernel_uses_threads_of_numba():
    done = subprocess.run(
        [sys.executable, "-c", EVERY_KERNEL], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


@kernel
def _tripled(values, factor):
    total = 0.0
    for i in range(len(values)):
        total += _doubled(values[i]) * factor
    return 1.5 * total


@kernel
def _tripled_and_one(values, factor):
    return _tripled(values, factor) + 1.0


AHEAD = """
import numpy as np
from tests.kernels.test_kernel import _tripled, _tripled_and_one
if sys.argv[1] == "ahead":
    _tripled.compile_for_kernels(np.arange(3.0), 2.0)
else:
    print(_tripled_and_one(np.arange(3.0), 2.0))
"""


@pytest.mark.slow
def test_what_kernels_call_is_compiled_by_one_process_and_taken_in_by_another(tmp_path):
    folder = {"NUMBA_CACHE_DIR": str(tmp_path)}
    compiled, lines = compiled_by(AHEAD, "ahead", **folder)
    assert compiled == 2, lines
    compiled, lines = compiled_by(AHEAD, "call", **folder)
    assert lines == ["19.0", "1 _tripled_and_one"]
    assert compiled_by(AHEAD, "call", **folder)[1] == ["19.0", "0"]


def test_what_kernels_call_is_called_from_python_too():
    assert _tripled(np.arange(3.0), 2.0) == 18.0
    assert _tripled_and_one(np.arange(3.0), 2.0) == 19.0


@kernel
def _makes_one(n):
    return len(np.empty(n))


@kernel
def _sum(a, b):
    return a + b


REMEMBERING = """
from workbench.kernels.remembered_types import types_remembered
import numpy as np
from numba.core.errors import TypingError
from tests.kernels.test_kernel import _makes_one, _sum, _sum_of_copies

def refuses(kernel, *arguments):
    try:
        kernel(*arguments)
    except TypingError:
        return True

assert _sum_of_copies(np.arange(3.0), 10) == 60.0
assert refuses(_makes_one, 3)
print(_sum(1, 2), _sum(1, 2.5), _sum(1 + 1j, 1), _sum(True, True), _sum(np.float32(0.1), np.float32(0.2)))
assert refuses(_sum, (1,), 2)
assert _sum((1,), (2.5,)) == (1, 2.5)
"""


def test_a_process_that_remembers_types_compiles_the_same(tmp_path):
    _, lines = compiled_by(REMEMBERING, NUMBA_CACHE_DIR=str(tmp_path))
    single = float(np.float32(0.1) + np.float32(0.2))
    assert lines[0] == f"3 3.5 (2+1j) 2 {single}"
