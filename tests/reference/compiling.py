"""How much a process compiles: a script that counts, and calls to run it in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

# Numbers in front of what a process runs: how many kernels it compiled is the last line it prints.
COUNTING = """
import atexit, sys
import workbench.kernels
from numba.core import event

class Listener(event.Listener):
    compiled = []
    def on_start(self, e):
        function = getattr(e.data["dispatcher"], "py_func", None)
        self.compiled.append(getattr(function, "__qualname__", "?"))
    def on_end(self, e):
        pass

event.register("numba:compile", Listener())
atexit.register(lambda: print(len(Listener.compiled), *Listener.compiled[:9], flush=True))
"""


def compiled_by(script, *arguments, timeout=300, **environment):
    """Run a script in a new process; return how many functions it compiled, and all that it printed."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTING + script, *map(str, arguments)], env=os.environ | environment,
        capture_output=True, text=True, timeout=timeout, check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    return int(lines[-1].split()[0]), lines
