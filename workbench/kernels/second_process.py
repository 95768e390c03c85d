"""The process that compiles kernels which another one has promised; see `promises`.

It hears of one after another on stdin, answers with a line when each is in the cache folder, and ends with
the other process.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from importlib import import_module
from pathlib import Path


def serve() -> None:
    """Compile what is asked for, until nobody asks."""
    if Path(__file__).parents[2] != Path(os.environ["PYTHONPATH"].split(os.pathsep)[0]):
        return  # another program of this name stands in the folder that we were started in
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process hears it
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    sys.stdout = sys.stderr  # whatever is printed is no answer
    gc.disable()  # compiling makes millions of objects, of which next to none are rubbish
    sys.modules["colorama"] = None  # type: ignore[assignment]  # or numba colours texts nobody reads
    sys.modules["scipy"] = None  # type: ignore[assignment]  # or numba loads it for products of matrices

    from workbench.kernels.promises import PROMISES
    from workbench.kernels.remembered_types import types_remembered

    PROMISES.forbid()
    with types_remembered():
        while True:
            try:
                module, kernel, takes = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            getattr(import_module(module), kernel).for_kernels.compile(takes)
            answers.write(b"made\n")


if __name__ == "__main__":
    serve()
