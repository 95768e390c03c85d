"""The warm-up in several processes, each of which compiles what the others have not begun.

numba compiles under a lock, one kernel at a time, so threads do not help. The processes share nothing but
the cache folder, in which each kernel that Python calls has files of its own, replaced as a whole. Loads
nothing heavy: the calling process compiles nothing.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from workbench.trees.cache import mark_kernels_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

MOST_PROCESSES = 3  # the longest step takes two fifths of the whole
NICENESS = 5  # the window's thread goes first


def warm_up_quickly(progress: Callable[[int, int, str], None], processes: int | None = None) -> None:
    """Compile every kernel into numba's cache, in as many processes as there are cores.

    Parameters
    ----------
    progress : callable
        Told after each kernel how many are compiled, how many there are, and its name; at the end once
        more, with all done.
    """
    processes = processes or min(os.cpu_count() or 1, MOST_PROCESSES)
    finished = _in_processes(progress, processes) if processes > 1 else False
    if not finished:  # one core, or a process was refused or killed
        from workbench.ensembles.warmup import warm_up

        warm_up(progress)
        return
    mark_kernels_ready()


def _in_processes(progress: Callable[[int, int, str], None], processes: int) -> bool:
    """Return whether every step was done."""
    done: set[int] = set()
    compiled: set[str] = set()
    n_steps, total = 1, 1
    with contextlib.suppress(OSError, ImportError):
        for kind, value in _words_of_workers(processes):
            if kind == "plan":
                n_steps, total = value
            elif kind == "done":
                done.add(value)
            elif value not in compiled:
                compiled.add(value)
                progress(min(len(compiled), total - 1), total, value)
    if len(done) < n_steps:
        return False
    progress(total, total, "Ready")
    return True


def _words_of_workers(processes: int) -> Iterator[tuple[str, Any]]:
    """Start the workers and yield what they say until the last has ended."""
    context = multiprocessing.get_context("spawn")
    next_step = context.Value("i", 0)
    workers: list[Any] = []
    ears: list[Any] = []
    try:
        for _ in range(processes):
            ear, mouth = context.Pipe(duplex=False)
            worker = context.Process(target=_work, args=(next_step, mouth), daemon=True)
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


def _work(next_step: Any, mouth: Connection) -> None:
    """Take one step after another until none is left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.disable()  # compiling makes millions of objects, of which next to none are rubbish
    sys.modules["colorama"] = None  # type: ignore[assignment]  # or numba colours texts nobody reads

    from workbench.ensembles.warmup import steps

    todo = steps()
    mouth.send(("plan", (len(todo), _count_kernels())))
    _tell_of_compiling(mouth)
    while True:
        with next_step.get_lock():
            place = next_step.value
            next_step.value += 1
        if place >= len(todo):
            return
        todo[place].run()
        mouth.send(("done", place))


def _end_with_parent() -> None:
    """End the process when the one that started it has gone, however that came about."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _count_kernels() -> int:
    from workbench.trees.kernel import Kernel

    modules = [module for name, module in list(sys.modules.items()) if name.startswith("workbench.")]
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
