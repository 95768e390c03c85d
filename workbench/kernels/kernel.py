"""How every kernel is compiled: without the interpreter lock, divisions unchecked, on disk what Python calls.

A kernel has two versions, each compiled when it is first wanted:

    Python -----> for_python: kept on disk, loaded from there by the next process
    a kernel ---> for_kernels: compiled into its caller; no way in from Python

So the many small kernels that only kernels call cost neither a wrapper nor machine code, and what is loaded
is what Python calls. They are kept on disk for the next of their callers that is compiled, in whatever
process. One that is called seldom, by several growers, is machine code of its own, which is compiled once for
them all, `@kernel(apart=True)`; see `apart`.

Kernels work on the arrays they are given. References to them are not counted: it would take a tenth of the
time, and threads contend for the counts. So a kernel returns numbers, never an array, and one that makes
arrays for itself says so: `@kernel(allocates=True)`.
"""

from __future__ import annotations

from functools import cached_property, partial, update_wrapper
from typing import TYPE_CHECKING, Any

from numba import njit, typeof, types

from workbench.kernels.apart import CompilerApart
from workbench.kernels.for_callers import CompilerForCallers
from workbench.kernels.for_python import CompilerForPython
from workbench.kernels.kept_code import CacheApart, CacheForCallers, ForgivingCache
from workbench.kernels.promises import PROMISES
from workbench.kernels.records import tell_of_records

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
INTEGER, REAL = types.int64, types.float64
COUNTS_REFERENCES, KEEPS_BRANCHES = "_nrt", "no_rewrites"  # numba's own names of the options

# numba asks a type of argument for this before it prunes `if argument is None`; neither is ever None.
types.NamedTuple.literal_type = types.Array.literal_type = property(lambda itself: itself)
tell_of_records()


class Kernel:
    """A function of arrays and numbers that is compiled, or loaded from the cache, on its first call."""

    def __init__(
        self, function: Callable[..., Any], allocates: bool, takes_none: bool, apart: bool, returns: Any
    ) -> None:
        self._function = function
        self._is_apart = apart
        self.returns = returns
        self._options = OPTIONS | {COUNTS_REFERENCES: allocates, KEEPS_BRANCHES: not takes_none}
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        return self.for_python(*arguments)

    @property
    def plain(self) -> Callable[..., Any]:
        """The function as it was written: for so little work that loading machine code takes longer."""
        return self._function

    @cached_property
    def leads_apart(self) -> bool:
        """Whether it is compiled apart, or a kernel that it calls, or one that this calls."""
        named = map(self._function.__globals__.get, self._function.__code__.co_names)
        return self._is_apart or any(called.leads_apart for called in named if isinstance(called, Kernel))

    @cached_property
    def for_python(self) -> Any:
        """What Python calls."""
        compiled: Any = njit(**self._options, pipeline_class=CompilerForPython)(self._function)
        compiled._cache = ForgivingCache(self._function)  # as `cache=True` does with numba's own
        return compiled

    @cached_property
    def for_kernels(self) -> Any:
        """What kernels call; not for Python."""
        compiler = CompilerApart if self._is_apart else CompilerForCallers
        options = self._options | {"no_cpython_wrapper": True, "forceinline": not self._is_apart}
        compiled: Any = njit(**options, pipeline_class=compiler)(self._function)
        compiled._cache = (CacheApart if self._is_apart else CacheForCallers)(self._function)
        return compiled

    def compile_for_kernels(self, *arguments: Any) -> None:
        """Compile what kernels call with arguments like these, or find that it is on disk."""
        with PROMISES.none():
            self.for_kernels.compile(tuple(typeof(argument) for argument in arguments))

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this object for where a kernel names it."""
        return self.for_kernels._numba_type_


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    allocates: bool = False,
    takes_none: bool = False,
    apart: bool = False,
    returns: Any = types.none,
) -> Any:
    """Make a kernel of a function; `allocates` where it makes arrays, `takes_none` where it asks for None.

    Of the branches of `if argument is None`, the one that is not taken is not compiled then. `apart`
    keeps what kernels call as machine code for them all; `returns` is numba's type of what it returns then.

    Not `parallel=True`: kernels that share their work take `part` and `parts`; see `team`.
    """
    if function is None:
        return partial(Kernel, allocates=allocates, takes_none=takes_none, apart=apart, returns=returns)
    return Kernel(function, allocates, takes_none, apart, returns)
