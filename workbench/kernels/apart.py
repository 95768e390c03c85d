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
from numba.core.funcdesc import FunctionDescriptor
from numba.core.typing.templates import signature as signature_of

from workbench.kernels.promises import PROMISES

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


def tell_of(names: Iterable[tuple[str, Apart]]) -> None:
    """Load the kernels that code calls by name, compile them, or promise to."""
    for name, apart in names:
        if name not in LOADED:
            getattr(import_module(apart.module), apart.kernel).for_kernels.compile(apart.takes)


def load_named(names: Iterable[tuple[str, Apart]]) -> None:
    """Load the kernels that machine code calls by name, or compile them."""
    names = list(names)
    with PROMISES.none():
        tell_of(names)
    PROMISES.keep([name for name, _ in names], load_promised)


def load_promised(module: str, kernel: str, takes: tuple[Any, ...]) -> None:
    """Load a kernel of which callers have been told, or compile it."""
    compiled = getattr(import_module(module), kernel).for_kernels
    compiled.overloads.pop(takes, None)
    compiled.compile(takes)


class WholeLibrary(JITCodeLibrary):
    """Code that becomes machine code when all is there that it calls by name."""

    def _finalize_final_module(self) -> None:
        PROMISES.keep([name for name, _ in names_in(self)], load_promised)
        super()._finalize_final_module()


class NothingToLink(JITCodeLibrary):
    """What callers of a kernel link in place of its code, which it keeps in memory."""

    def __init__(
        self, codegen: Any, code: JITCodeLibrary | None, fndesc: Any, origin: tuple[str, str]
    ) -> None:
        super().__init__(codegen, ".".join(origin))
        self.code, self.fndesc, self.origin = code, fndesc, origin
        self._shared_module, self._finalized = self._final_module, True


def named(target: Any, code: JITCodeLibrary, fndesc: Any, signature: Any, origin: tuple[str, str]) -> Any:
    """Give the code of a kernel its name; return what callers are told of it.

    Parameters
    ----------
    origin : tuple of str
        Its module and its name there.
    """
    name = name_of(origin, signature.args)
    code._ensure_finalized()
    add_symbol(name, code.get_pointer_to_function(fndesc.mangled_name))
    return told_of(target, name, NothingToLink(target.codegen(), code, fndesc, origin), signature)


def promised(target: Any, func: Callable[..., Any], takes: tuple[Any, ...], returns: Any) -> Any:
    """Promise a kernel; return what callers are told of it."""
    origin = func.__module__, func.__name__
    fndesc = FunctionDescriptor(
        native=True, modname=func.__module__, qualname=func.__qualname__, unique_name=func.__qualname__,
        doc="", typemap=None, restype=returns, calltypes=None, kws=(), argtypes=takes,
        args=func.__code__.co_varnames[: len(takes)],
    )
    name = name_of(origin, takes)
    PROMISES.make(name, *origin, takes)
    library = NothingToLink(target.codegen(), None, fndesc, origin)
    return told_of(target, name, library, signature_of(returns, *takes))


def name_of(origin: tuple[str, str], takes: tuple[Any, ...]) -> str:
    """Return the name of a kernel: where it stands and what it takes."""
    types = ", ".join(str(taken) for taken in takes)
    return f"{BEGINS}{'.'.join(origin)}:{sha256(types.encode()).hexdigest()[:16]}"


def told_of(target: Any, name: str, library: NothingToLink, signature: Any) -> Any:
    """Return what callers are told of a kernel that has a name."""
    LOADED[name] = Apart(*library.origin, signature.args)
    told = copy(library.fndesc)
    told.mangled_name = name
    key = [name].append  # numba wants a built-in function, another for every kernel
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
        returns = getattr(import_module(func.__module__), func.__name__).returns
        if PROMISES.may_be_made():
            return promised(target, func, state.args, returns)
        state.flags.no_compile = True
        state.library = WholeLibrary(target.codegen(), func.__qualname__)
        state.library.enable_object_caching()
        made: Any = super().compile_extra(func)
        if made.signature.return_type != returns:
            raise TypeError(f"{func.__qualname__} returns {made.signature.return_type}, not {returns}")
        return named(target, made.library, made.fndesc, made.signature, (func.__module__, func.__name__))
