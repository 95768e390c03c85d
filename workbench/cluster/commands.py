"""What the trainer tells the workers of a run, and where it lies there until the next round begins.

A command is pushed to each worker, so that no round waits for a question to the scheduler: rank 0 looks at
what lies on its own worker and hands it to all others by broadcast.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

SHELF = "workbench_mailboxes"  # attribute of dask's worker


@dataclass(frozen=True)
class RunCommand:
    """What holds until the next one.

    Attributes
    ----------
    number : int
        Later ones are higher.
    params : TrainingParams
        In force from the next round on.
    until : int or None
        Wait after this round; None: go on to the last one.
    stop : bool
        End after the round in hand.
    """

    number: int
    params: TrainingParams
    until: int | None = None
    stop: bool = False


class Mailbox:
    """Holds the last command to a run, and when the trainer was last heard of."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._command: RunCommand | None = None
        self._heard = time.monotonic()

    def put(self, command: RunCommand) -> None:
        """Take in a command, which may be the one that is there: then the trainer is just still there."""
        with self._changed:
            self._heard = time.monotonic()
            if self._command is None or command.number > self._command.number:
                self._command = command
                self._changed.notify_all()

    def get(self) -> RunCommand | None:
        """Return the last command; None before the first."""
        return self._command

    def wait(self, seconds: float, known: int) -> None:
        """Block for so long, or until there is a later command than the known one."""
        with self._changed:
            self._changed.wait_for(lambda: self._command is None or self._command.number > known, seconds)

    @property
    def silence(self) -> float:
        """Seconds since the trainer was heard of."""
        return time.monotonic() - self._heard


def mailbox(worker: Any, run: str) -> Mailbox:
    """Return the mailbox of a run on a worker of dask."""
    if not hasattr(worker, SHELF):
        setattr(worker, SHELF, {})
    found: Mailbox = getattr(worker, SHELF).setdefault(run, Mailbox())
    return found


def deliver(run: str, command: RunCommand, dask_worker: Any) -> None:
    """Put a command into a run's mailbox; called on the worker."""
    mailbox(dask_worker, run).put(command)


def clear(run: str, dask_worker: Any) -> None:
    """Forget a run; called on the worker."""
    getattr(dask_worker, SHELF, {}).pop(run, None)
