"""How every kernel is compiled: cached on disk, without the interpreter lock, divisions unchecked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

OPTIONS: Any = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of arrays and numbers on its first call, or load it from the cache.

    Not `parallel=True`: kernels that share their work take `part` and `parts`; see `team`.
    """
    compiled: Any = njit(**OPTIONS)
    return compiled(function)
