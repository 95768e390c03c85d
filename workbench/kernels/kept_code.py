"""What of kernels is kept on disk, and how it is read back."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite.binding import parse_bitcode
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.compiler import compile_result

from workbench.kernels.apart import load_named, named, names_in, tell_of
from workbench.kernels.for_callers import LibraryForCallers

log = logging.getLogger(__name__)
PACKAGE = Path(__file__).parents[1]


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

    def reduce(self, compiled: Any) -> tuple[Any, ...]:
        """Return what is written: behind the kernels that it names."""
        return names_in(compiled.library), super().reduce(compiled)

    def rebuild(self, target: Any, kept: tuple[Any, ...]) -> Any:
        """Return it ready to be called, with the kernels that it names."""
        names, code = kept
        load_named(names)
        return super().rebuild(target, code)


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


class CodeForCallers(CodeForPython):
    """What of a kernel for callers is kept on disk: its code before machine code, and its types."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return the name of its files, which are not those of what Python calls."""
        return super().get_filename_base(f"{fullname}-for-callers", abiflags)

    def reduce(self, compiled: Any) -> tuple[Any, ...]:
        """Return what is written."""
        name, _, code = compiled.library.serialize_using_bitcode()
        compiled.fndesc.typemap = compiled.fndesc.calltypes = None  # large, and no caller asks for them
        return names_in(compiled.library), name, code, compiled.fndesc, compiled.signature

    def rebuild(self, target: Any, kept: tuple[Any, ...]) -> Any:
        """Return what `CompilerForCallers` would have made."""
        names, name, code, fndesc, signature = kept
        tell_of(names)
        library = LibraryForCallers(target.codegen(), name)
        library._final_module = parse_bitcode(code)
        library._finalized = True
        return compile_result(
            typing_context=target.typing_context, target_context=target, entry_point=[name].append,
            library=library, fndesc=fndesc, signature=signature, objectmode=False, lifted=(),
        )


class CacheForCallers(ForgivingCache):
    """Where kernels for callers are kept."""

    _impl_class = CodeForCallers


class CodeApart(CodeForPython):
    """What of a kernel that is compiled apart is kept on disk: its machine code, under its name."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return the name of its files, which are not those of what Python calls."""
        return super().get_filename_base(f"{fullname}-apart", abiflags)

    def reduce(self, told: Any) -> tuple[Any, ...]:
        """Return what is written: behind the kernels that it names."""
        code, fndesc = told.library.code, told.library.fndesc
        fndesc.typemap = fndesc.calltypes = None  # large, and no caller asks for them
        return names_in(code), code.serialize_using_object_code(), fndesc, told.signature, told.library.origin

    def rebuild(self, target: Any, kept: tuple[Any, ...]) -> Any:
        """Return what `CompilerApart` would have made."""
        names, code, fndesc, signature, origin = kept
        load_named(names)
        return named(target, target.codegen().unserialize_library(code), fndesc, signature, origin)


class CacheApart(ForgivingCache):
    """Where kernels are kept that are compiled apart."""

    _impl_class = CodeApart

    def save_overload(self, signature: Any, told: Any) -> None:
        """Keep it, unless it is only promised."""
        if told.library.code is not None:
            super().save_overload(signature, told)
