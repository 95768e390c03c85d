"""How every kernel is compiled: without the interpreter lock, divisions unchecked, on disk what Python calls.

A kernel has two versions, each compiled when it is first wanted:

    Python -----> for_python: kept on disk, loaded from there by the next process
    a kernel ---> for_kernels: compiled into its caller; no way in from Python, no file of its own

So the many small kernels that only kernels call cost neither a wrapper nor a file, and what is loaded is
what Python calls.
"""

from __future__ import annotations

from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any

from numba import njit
from numba.core.caching import FunctionCache

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


class ForgivingCache(FunctionCache):
    """numba's cache, in which a file that is torn or cannot be written costs a compilation and no more."""

    def load_overload(self, *arguments: Any) -> Any:
        """Return what is kept, or None."""
        try:
            return super().load_overload(*arguments)
        except Exception:  # whatever unpickling half a file may raise
            return None

    def save_overload(self, *arguments: Any) -> None:
        """Keep it, unless the disk is full or locked."""
        try:
            super().save_overload(*arguments)
        except Exception:
            self.disable()


class Kernel:
    """A function of arrays and numbers that is compiled, or loaded from the cache, on its first call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        return self.for_python(*arguments)

    @cached_property
    def for_python(self) -> Any:
        """What Python calls."""
        compiled: Any = njit(**OPTIONS)(self._function)
        compiled._cache = ForgivingCache(self._function)  # as `cache=True` does with numba's own
        return compiled

    @cached_property
    def for_kernels(self) -> Any:
        """What kernels call. Calling it from Python would end the process."""
        # Not inlined, a call counts references to every array it is given, on which threads contend.
        options = OPTIONS | {"no_cpython_wrapper": True, "forceinline": True}
        return njit(**options)(self._function)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this object for where a kernel names it."""
        return self.for_kernels._numba_type_


def kernel(function: Callable[..., Any]) -> Any:
    """Make a kernel of a function.

    Not `parallel=True`: kernels that share their work take `part` and `parts`; see `team`.
    """
    return Kernel(function)
