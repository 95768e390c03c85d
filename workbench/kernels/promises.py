"""Kernels that a second process compiles meanwhile: half of the wait where there are two cores.

Numba compiles under a lock, so threads do not help. A kernel that is compiled apart is a name to its callers,
and what it returns is known: that is all they need to be compiled. It is promised, and must be there
when the machine code of the outermost of them is.

    this process     what is left of the outermost kernel ... | promised kernels, the last first | load
    the second                   promised kernels, the first first ...

They share nothing but the cache folder: where that cannot be written to, nothing is promised.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.kernels.cache import cache_folder, can_keep_kernels
from workbench.own_process import own_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS_IDLE = 2.0  # until the second process is ended
SECONDS_TO_WAIT = 60.0  # for what the second process is at, which may stand still


class Promise(NamedTuple):
    """A kernel that is told of and not yet made."""

    name: str
    module: str
    kernel: str
    takes: tuple[Any, ...]
    is_here: threading.Event  # or never will be, if this process does not see to it


class Promises:
    """What of kernels is promised, and who keeps it."""

    def __init__(self) -> None:
        self._open: dict[str, Promise] = {}
        self._todo: deque[Promise] = deque()
        self._changed = threading.Condition()
        self._is_served = False
        self._forbidden = 0
        self._is_possible: bool | None = None

    def may_be_made(self) -> bool:
        """Whether a kernel may be promised now."""
        if self._forbidden:
            return False
        if self._is_possible is None:
            is_alone = getattr(sys, "frozen", False) or not sys.executable
            self._is_possible = (os.cpu_count() or 1) > 1 and not is_alone and can_keep_kernels()
        return self._is_possible

    def forbid(self) -> None:
        """Promise nothing from now on: this process is one of several that compile."""
        self._is_possible = False

    @contextmanager
    def none(self) -> Iterator[None]:
        """Promise nothing meanwhile."""
        self._forbidden += 1
        try:
            yield
        finally:
            self._forbidden -= 1

    def make(self, name: str, module: str, kernel: str, takes: tuple[Any, ...]) -> None:
        """Promise a kernel."""
        promise = Promise(name, module, kernel, takes, threading.Event())
        with self._changed:
            self._open[name] = promise
            self._todo.append(promise)
            self._changed.notify()
            self._see_to_it()

    def prepare(self) -> None:
        """Start the second process, where kernels are about to be promised: it takes a while to be ready."""
        if self.may_be_made():
            with self._changed:
                self._see_to_it()

    def _see_to_it(self) -> None:
        """Start who keeps promises, if there is none; the lock is held."""
        if not self._is_served:
            self._is_served = True
            threading.Thread(target=self._serve, daemon=True, name="Second compiler").start()

    def keep(self, names: list[str], load: Callable[[str, str, tuple[Any, ...]], object]) -> None:
        """Return when those of these kernels that are promised are loaded, which `load` does, or makes them.

        Parameters
        ----------
        load : callable
            Told the module of a kernel, its name there and the types of what it takes.
        """
        mine = [self._open[name] for name in names if name in self._open]
        while any(promise in self._todo for promise in mine):
            with self._changed:
                promise = self._todo.pop() if self._todo else None
            if promise is not None:
                self._load(promise, load)
        for promise in mine:
            promise.is_here.wait(SECONDS_TO_WAIT)
            self._load(promise, load)

    def _load(self, promise: Promise, load: Callable[[str, str, tuple[Any, ...]], object]) -> None:
        if promise.name in self._open:
            try:
                with self.none():
                    load(promise.module, promise.kernel, promise.takes)
                self._open.pop(promise.name, None)
            finally:
                promise.is_here.set()

    def _serve(self) -> None:
        """Give a second process one kernel after another, as long as there are any."""
        process: subprocess.Popen[bytes] | None = None
        given: Promise | None = None
        try:
            process = start()
            while True:
                with self._changed:
                    if not self._todo and not self._changed.wait_for(lambda: self._todo, SECONDS_IDLE):
                        return
                    given = self._todo.popleft()
                if not ask(process, given):
                    raise ChildProcessError
                given.is_here.set()
        except (OSError, ValueError, pickle.PicklingError):
            self.forbid()  # this process will do it all
        finally:
            with self._changed:
                self._is_served = False
            if given is not None:
                given.is_here.set()
            if process is not None:
                end(process)


def start() -> subprocess.Popen[bytes]:
    """Start a process that compiles what it is asked to."""
    return subprocess.Popen(
        own_program("workbench.kernels.second_process"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=os.environ | {"NUMBA_CACHE_DIR": str(cache_folder())},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def ask(process: subprocess.Popen[bytes], promise: Promise) -> bool:
    """Let a process compile a kernel; return whether it is alive after that."""
    assert process.stdin is not None
    assert process.stdout is not None
    pickle.dump((promise.module, promise.kernel, promise.takes), process.stdin)
    process.stdin.flush()
    return bool(process.stdout.readline())


def end(process: subprocess.Popen[bytes]) -> None:
    """Let a process go, which ends when it hears nothing any more."""
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr]
    process.wait()


PROMISES = Promises()
