"""What commands that train say and do on the way: lines on stderr, kernels made ready, Ctrl-C heard."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from workbench.commands.console import on_console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.ensembles.control import RunControl
    from workbench.parameters.training import TrainingParams


def say(line: str) -> None:
    """Print a line on stderr."""
    print(on_console(line), file=sys.stderr, flush=True)


def make_kernels_ready(params: TrainingParams, quiet: bool) -> None:
    """Compile what the run needs before it begins, so that its time is that of training."""
    from workbench.ensembles.kernel_needs import rare_kernels
    from workbench.kernels.cache import kernels_ready
    from workbench.warmup.processes import warm_up_quickly

    rare = rare_kernels(params)
    if not kernels_ready():
        if not quiet:
            say("Compiling the kernels, once per version: about half a minute.")
        warm_up_quickly(lambda *_step: None, rare=False)
    if rare and not kernels_ready(rare=True):
        from workbench.warmup.warmup import warm_up_named

        warm_up_named(rare)


@contextmanager
def stopped_by_interrupt(control: RunControl) -> Iterator[None]:
    """Let the first Ctrl-C stop the run and the second one end the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: Any) -> None:
        control.stop()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
