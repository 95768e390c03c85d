"""Who goes first where the cores are busy: the window, then what works for it, then what compiles."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

WORKING = 5  # niceness: about a third of a usual share; all of a core that nobody else wants
COMPILING = 10


def lower_thread() -> None:
    """Lower the priority of the calling thread, and of those that it will start.

    Linux counts niceness by thread; elsewhere it is the whole process's, so nothing is done. It is for work
    in machine code: a thread that waits for a core while it holds the interpreter lets the window wait too.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(WORKING, os.nice(0)))


def lower_group() -> None:
    """Lower the priority of this process, which leads a group, and of those that it starts.

    Where the system shares cores out by sessions first, that of the session, which is this process's own.
    """
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PGRP, 0, max(WORKING, os.nice(0)))
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(WORKING))


def lower_compiler() -> None:
    """Lower the priority of this process, where that can be: of what it compiles nobody waits for most."""
    if hasattr(os, "nice"):
        os.nice(max(0, COMPILING - os.nice(0)))
