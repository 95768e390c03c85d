"""The warm-up in several processes, each of which compiles what the others have not begun.

numba compiles under a lock, one kernel at a time, so threads do not help. The processes share nothing but
the cache folder, in which each kernel that Python calls has files of its own, replaced as a whole. Loads
nothing heavy: the calling process compiles nothing.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from workbench.kernels.cache import kernels_ready, mark_kernels_ready
from workbench.priority import lower_compiler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

log = logging.getLogger(__name__)

MOST_PROCESSES = 3  # the longest step takes half of the whole
# Their kernels are not waited for.
RARE_MODULES = ("exact", "restrain", "layout", "raster", "contributions", "effects")


def warm_up_quickly(
    progress: Callable[[int, int, str], None],
    *,
    rare: bool = True,
    processes: int | None = None,
    told: Callable[[str], None] = lambda _name: None,
) -> None:
    """Compile the kernels into numba's cache, in as many processes as there are cores.

    Parameters
    ----------
    progress : callable
        Told after each kernel how many are compiled, how many there are, and its name; once more, with all
        done, when what most runs need is there.
    rare : bool
        Whether the other kernels are compiled after that.
    told : callable
        Told the name of each step of those as it is done, where several processes share them.
    """
    if kernels_ready(rare=rare):
        progress(1, 1, "Ready")
        return
    processes = processes or min(os.cpu_count() or 1, MOST_PROCESSES)
    finished = _in_processes(progress, processes, rare, told) if processes > 1 else False
    if not finished:  # one core, or a process was refused or killed
        from workbench.warmup.warmup import warm_up

        warm_up(progress)
        if rare:
            warm_up(_say_nothing, rare=True)


def _in_processes(
    progress: Callable[[int, int, str], None], processes: int, rare: bool, told: Callable[[str], None]
) -> bool:
    """Return whether every step was done."""
    done: set[int] = set()
    compiled: set[str] = set()
    others: list[str] = []
    common, every, total = 1, 1, 1
    for kind, value in _heard(processes, rare):
        if kind == "plan":
            common, every, total = value
        elif kind == "done":
            place, name = value
            done.add(place)
            if place >= common:
                others.append(name)
            elif done.issuperset(range(common)):
                mark_kernels_ready()
                progress(total, total, "Ready")
            while others and done.issuperset(range(common)):
                told(others.pop())
        elif value not in compiled and not done.issuperset(range(common)):
            compiled.add(value)
            progress(min(len(compiled), total - 1), total, value)
    if rare and len(done) == every:
        mark_kernels_ready(rare=True)
    return len(done) >= (every if rare else common)


def _heard(processes: int, rare: bool) -> Iterator[tuple[str, Any]]:
    with contextlib.suppress(OSError, ImportError):
        yield from _words_of_workers(processes, rare)


def _say_nothing(_done: int, _total: int, _name: str) -> None:
    pass


def _words_of_workers(processes: int, rare: bool) -> Iterator[tuple[str, Any]]:
    """Start the workers and yield what they say until the last has ended."""
    context = multiprocessing.get_context("spawn")
    next_step = context.Value("i", 0)
    workers: list[Any] = []
    ears: list[Any] = []
    try:
        for _ in range(processes):
            ear, mouth = context.Pipe(duplex=False)
            worker = context.Process(target=_work, args=(next_step, mouth, rare), daemon=True)
            worker.start()
            mouth.close()  # or its end would not be heard
            workers.append(worker)
            ears.append(ear)
        while ears:
            for ear in list[Any](wait(ears)):
                try:
                    yield ear.recv()
                except EOFError:
                    ears.remove(ear)
    finally:
        for worker in workers:
            if ears:  # nobody listens any more
                worker.kill()
            worker.join()
            if worker.exitcode and not ears:
                log.warning("a process that compiles kernels ended with code %s", worker.exitcode)


def _work(next_step: Any, mouth: Connection, rare: bool) -> None:
    """Take one step after another until none is left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    lower_compiler()
    logging.getLogger("workbench.kernels").setLevel(logging.ERROR)  # the parent says what is compiled
    gc.disable()  # compiling makes millions of objects, of which next to none are rubbish
    sys.modules["colorama"] = None  # type: ignore[assignment]  # or numba colours texts nobody reads
    sys.modules["scipy"] = None  # type: ignore[assignment]  # or numba loads it for products of matrices

    from workbench.kernels.promises import PROMISES
    from workbench.warmup.warmup import steps

    PROMISES.forbid()
    todo = steps()
    common = sum(not step.is_rare for step in todo)
    mouth.send(("plan", (common, len(todo), _count_kernels())))
    _tell_of_compiling(mouth)
    while True:
        with next_step.get_lock():
            place = next_step.value
            next_step.value += 1
        if place >= (len(todo) if rare else common):
            return
        todo[place].run()
        mouth.send(("done", (place, todo[place].name)))


def _end_with_parent() -> None:
    """End the process when the one that started it has gone, however that came about."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _count_kernels() -> int:
    from workbench.kernels.kernel import Kernel

    modules = [
        module for name, module in list(sys.modules.items())
        if name.startswith("workbench.") and not any(word in name for word in RARE_MODULES)
    ]
    found = {id(thing) for module in modules for thing in vars(module).values() if isinstance(thing, Kernel)}
    return len(found)


def _tell_of_compiling(mouth: Connection) -> None:
    """Send the name of each kernel that has been compiled."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            """Nothing yet."""

        def on_end(self, event: Any) -> None:
            function = getattr(event.data["dispatcher"], "py_func", None)
            if function is not None and function.__module__.startswith("workbench."):
                mouth.send(("compiled", f"{function.__module__}.{function.__qualname__}"))

    event.register("numba:compile", Listener())
