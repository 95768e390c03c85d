"""Kernels that are compiled apart: their callers know a name, and are linked to them in memory.

A kernel for callers is compiled once more into each of them; what is called seldom need not be. Its machine
code is kept in a file of its own, for every caller of every process, under a name that tells what it is and
what it takes. What is kept of a caller begins with the names in it, and these are loaded first: one
that nothing bears would end the process.
"""

from __future__ import annotations

from copy import copy
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from llvmlite.binding import add_symbol
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BEGINS = "workbench:"


class Apart(NamedTuple):
    """A kernel with a name: where it stands, and the types of what it takes."""

    module: str
    kernel: str
    takes: tuple[Any, ...]


LOADED: dict[str, Apart] = {}  # by name, those in the memory of this process


def names_in(library: JITCodeLibrary) -> list[tuple[str, Apart]]:
    """Return the kernels that code calls by name."""
    functions = library._final_module.functions
    return [(f.name, LOADED[f.name]) for f in functions if f.is_declaration and f.name in LOADED]


def load_named(names: Iterable[tuple[str, Apart]]) -> None:
    """Load the kernels that code calls by name, or compile them."""
    for name, apart in names:
        if name not in LOADED:
            getattr(import_module(apart.module), apart.kernel).for_kernels.compile(apart.takes)


class NothingToLink(JITCodeLibrary):
    """What callers of a kernel link in place of its code, which it keeps in memory."""

    def __init__(self, code: JITCodeLibrary, fndesc: Any, origin: tuple[str, str]) -> None:
        super().__init__(code.codegen, code.name)
        self.code, self.fndesc, self.origin = code, fndesc, origin
        self._shared_module, self._finalized = self._final_module, True


def named(target: Any, code: JITCodeLibrary, fndesc: Any, signature: Any, origin: tuple[str, str]) -> Any:
    """Give the code of a kernel its name; return what callers are told of it.

    Parameters
    ----------
    origin : tuple of str
        Its module and its name there.
    """
    types = ", ".join(str(taken) for taken in signature.args)
    name = f"{BEGINS}{'.'.join(origin)}:{sha256(types.encode()).hexdigest()[:16]}"
    code._ensure_finalized()
    add_symbol(name, code.get_pointer_to_function(fndesc.mangled_name))
    LOADED[name] = Apart(*origin, signature.args)
    told = copy(fndesc)
    told.mangled_name = name
    key = [name].append  # numba wants a built-in function, another for every kernel
    library = NothingToLink(code, fndesc, origin)
    target.insert_user_function(key, told, [library])
    return compile_result(
        typing_context=target.typing_context, target_context=target, entry_point=key, library=library,
        fndesc=told, signature=signature, objectmode=False, lifted=(),
    )


class CompilerApart(Compiler):
    """numba's compiler, of whose result callers learn no more than a name."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Return what callers are told."""
        target, state = self.state.targetctx, self.state
        state.flags.no_compile = True
        state.library = target.codegen().create_library(func.__qualname__)
        state.library.enable_object_caching()
        made: Any = super().compile_extra(func)
        return named(target, made.library, made.fndesc, made.signature, (func.__module__, func.__name__))
