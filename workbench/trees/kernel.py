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

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


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
        compiled: Any = njit(cache=True, **OPTIONS)
        return compiled(self._function)

    @cached_property
    def for_kernels(self) -> Any:
        """What kernels call. Calling it from Python would end the process."""
        compiled: Any = njit(no_cpython_wrapper=True, **OPTIONS)
        return compiled(self._function)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this object for where a kernel names it."""
        return self.for_kernels._numba_type_


def kernel(function: Callable[..., Any]) -> Any:
    """Make a kernel of a function.

    Not `parallel=True`: kernels that share their work take `part` and `parts`; see `team`.
    """
    return Kernel(function)
