"""Worker threads give way to the window's thread when all processor cores are busy."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

NICENESS = 5  # about a third of a normal thread's share; all of the core where nobody else wants it


def give_way() -> None:
    """Lower the calling thread's priority, and that of the threads it will start.

    Linux counts niceness by thread; elsewhere it is the whole process's, so nothing is done. It is for work
    in machine code: a thread that waits for a core while it holds the interpreter lets the window wait too.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
