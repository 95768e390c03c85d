"""Kernels as other kernels call them: compiled into their callers, which optimise them as their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

if TYPE_CHECKING:
    from collections.abc import Callable


class LibraryForCallers(JITCodeLibrary):
    """Code that is linked into its callers as it is; they optimise it with their own."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class CompilerForCallers(Compiler):
    """numba's compiler, which stops before machine code."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Return what callers link; what Python would call is nothing of ours."""
        target, state = self.state.targetctx, self.state
        state.flags.no_compile = True
        state.library = LibraryForCallers(target.codegen(), func.__qualname__)
        compiled: Any = super().compile_extra(func)
        key = [func].append  # numba wants a built-in function, another for every kernel
        target.insert_user_function(key, compiled.fndesc, [compiled.library])
        return compiled._replace(entry_point=key)
