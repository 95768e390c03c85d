"""Kernels as Python calls them: machine code, for which every promise is kept that was made on the way."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numba.core.compiler import Compiler

from workbench.kernels.apart import WholeLibrary
from workbench.kernels.promises import PROMISES
from workbench.kernels.remembered_types import types_remembered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class CompilerForPython(Compiler):
    """numba's compiler, which does not look for rubbish meanwhile: next to none of what it makes is."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Return what Python calls."""
        state = self.state
        state.library = WholeLibrary(state.targetctx.codegen(), func.__qualname__)
        state.library.enable_object_caching()
        kernel = getattr(sys.modules.get(func.__module__), func.__name__, None)
        if getattr(kernel, "leads_apart", False):
            PROMISES.prepare()
        with no_rubbish_sought(), types_remembered():
            return super().compile_extra(func)


@contextmanager
def no_rubbish_sought() -> Iterator[None]:
    """Keep Python from looking for rubbish."""
    is_sought = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_sought:
            gc.enable()
