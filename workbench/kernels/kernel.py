"""How every kernel is compiled: without the interpreter lock, divisions unchecked, on disk what Python calls.

A kernel has two versions, each compiled when it is first wanted:

    Python -----> for_python: kept on disk, loaded from there by the next process
    a kernel ---> for_kernels: compiled into its caller; no way in from Python, no file of its own

So the many small kernels that only kernels call cost neither a wrapper nor a file nor machine code, and
what is loaded is what Python calls. A large one may be kept for its callers too, `@kernel(shared=True)`: then
one process can compile it while another compiles the rest of its caller.

Kernels work on the arrays they are given. References to them are not counted: it would take a tenth of the
time, and threads contend for the counts. So a kernel returns numbers, never an array, and one that makes
arrays for itself says so: `@kernel(allocates=True)`.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import cache, cached_property, partial, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llvmlite.binding import parse_bitcode
from numba import njit, typeof
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)
OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
PACKAGE = Path(__file__).parents[1]
COUNTS_REFERENCES, KEEPS_BRANCHES = "_nrt", "no_rewrites"  # numba's own names of the options


@cache
def say_compiling() -> None:
    """Say, once a process, what is waited for."""
    log.warning("Compiling the kernels for this processor, once per version: some seconds.")


# numba looks for its folder in several ways; the first is to take the one that it is told of.
ToldFolder: Any = CompileResultCacheImpl._locator_classes[0]


class ForgivingFolder(ToldFolder):
    """The folder that numba is told of, also where it can only be read, or not at all."""

    def ensure_cache_path(self) -> None:
        """Make it, if that can be."""
        with suppress(OSError):
            super().ensure_cache_path()

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the same place within it wherever the program is installed."""
        file = Path(py_file)
        inside: str = super().get_suitable_cache_subpath(py_file)
        return ".".join(file.parent.relative_to(PACKAGE).parts) if PACKAGE in file.parents else inside


class CodeForPython(CompileResultCacheImpl):
    """What of a kernel for Python is kept on disk: its machine code."""

    _locator_classes = [ForgivingFolder]  # noqa: RUF012, which numba reads


class ForgivingCache(FunctionCache):
    """numba's cache, in which a file that is torn or cannot be written costs a compilation and no more."""

    _impl_class: Any = CodeForPython

    def load_overload(self, *arguments: Any) -> Any:
        """Return what is kept, or None."""
        try:
            loaded = super().load_overload(*arguments)
        except Exception:  # whatever unpickling half a file may raise
            loaded = None
        if loaded is None:
            say_compiling()
        return loaded

    def save_overload(self, *arguments: Any) -> None:
        """Keep it, unless the disk is full or locked."""
        try:
            super().save_overload(*arguments)
        except Exception:
            self.disable()


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


class CodeForCallers(CodeForPython):
    """What of a kernel for callers is kept on disk: its code before machine code, and its types."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return the name of its files, which are not those of what Python calls."""
        return super().get_filename_base(f"{fullname}-for-callers", abiflags)

    def reduce(self, compiled: Any) -> tuple[Any, ...]:
        """Return what is written."""
        name, _, code = compiled.library.serialize_using_bitcode()
        compiled.fndesc.typemap = compiled.fndesc.calltypes = None  # large, and no caller asks for them
        return name, code, compiled.fndesc, compiled.signature

    def rebuild(self, target: Any, kept: tuple[Any, ...]) -> Any:
        """Return what `CompilerForCallers` would have made."""
        name, code, fndesc, signature = kept
        library = LibraryForCallers(target.codegen(), name)
        library._final_module = parse_bitcode(code)
        library._finalized = True
        return compile_result(
            typing_context=target.typing_context, target_context=target, entry_point=[name].append,
            library=library, fndesc=fndesc, signature=signature, objectmode=False, lifted=(),
        )


class CacheForCallers(ForgivingCache):
    """Where large kernels for callers are kept."""

    _impl_class = CodeForCallers


class Kernel:
    """A function of arrays and numbers that is compiled, or loaded from the cache, on its first call."""

    def __init__(
        self, function: Callable[..., Any], allocates: bool, takes_none: bool, shared: bool
    ) -> None:
        self._function = function
        self._is_shared = shared
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
    def for_python(self) -> Any:
        """What Python calls."""
        compiled: Any = njit(**self._options)(self._function)
        compiled._cache = ForgivingCache(self._function)  # as `cache=True` does with numba's own
        return compiled

    @cached_property
    def for_kernels(self) -> Any:
        """What kernels call; not for Python."""
        options: Any = {"no_cpython_wrapper": True, "forceinline": True, "pipeline_class": CompilerForCallers}
        compiled: Any = njit(**self._options, **options)(self._function)
        if self._is_shared:
            compiled._cache = CacheForCallers(self._function)
        return compiled

    def compile_for_kernels(self, *arguments: Any) -> None:
        """Compile what kernels call with arguments like these, or find that it is on disk."""
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
    shared: bool = False,
) -> Any:
    """Make a kernel of a function; `allocates` where it makes arrays, `takes_none` where it asks for None.

    `shared` keeps what kernels call on disk for another process to take in. Of the branches of
    `if argument is None`, the one that is not taken is not compiled then.

    Not `parallel=True`: kernels that share their work take `part` and `parts`; see `team`.
    """
    if function is None:
        return partial(Kernel, allocates=allocates, takes_none=takes_none, shared=shared)
    return Kernel(function, allocates, takes_none, shared)
