"""Programs of ours in a process of their own, found where ours are: never in a person's folder."""

from __future__ import annotations

import sys

PROGRAM = "import runpy, sys; sys.path[:] = {}; runpy.run_module({!r}, run_name='__main__', alter_sys=True)"


def own_program(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module; by `-m`, a `pickle.py` that lies there would be run too."""
    return [sys.executable, "-P", "-c", PROGRAM.format(sys.path, module), *arguments]
