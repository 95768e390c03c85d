"""What goes between a run on the workers and its trainer: commands there, messages back."""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from workbench.cluster.commands import RunCommand, clear, deliver
from workbench.cluster.connection import BRIEF_SECONDS
from workbench.cluster.reins import topic_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.cluster.connection import Connection
    from workbench.parameters.training import TrainingParams

RENEW_SECONDS = 10.0
LATE_SECONDS = 10.0  # in which words of a run that is over may still come


class Channel:
    """The trainer's end of it.

    Attributes
    ----------
    run : str
        Its name on the cluster.
    messages : queue.SimpleQueue
        What rank 0 said, as dicts; the training thread puts its end there too.
    command : RunCommand
        The last one.
    trip : float
        Seconds that it took to the workers, and their answer back.
    """

    def __init__(
        self, connection: Connection, run: str, workers: Sequence[str], params: TrainingParams
    ) -> None:
        self._connection, self.run, self._workers = connection, run, list(workers)
        self.messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.command = RunCommand(0, params)
        self.trip = connection.trip
        self._sent = {0: params}
        self._lock = threading.Lock()
        self._is_open = self._has_told = False
        self._is_over = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="cluster run", daemon=True)

    def open(self) -> None:
        """Listen, and tell from now on that the trainer is there."""
        self._connection.client.subscribe_topic(topic_of(self.run), self._take)
        self._is_open = True
        self._keeper.start()

    def post(self, **changes: Any) -> None:
        """Say something new to the workers: parameters, how far to go, or to stop.

        What is said before it is open is what they begin with.
        """
        if all(getattr(self.command, name) == value for name, value in changes.items()):
            return
        self.command = replace(self.command, number=self.command.number + 1, **changes)
        self._sent[self.command.number] = self.command.params
        if self._is_open:
            self._deliver()

    def params_of(self, number: int) -> TrainingParams:
        """Return the parameters that a command said."""
        return self._sent[number]

    def wake(self) -> None:
        """Let who waits for a message look at the reins."""
        self.messages.put({"kind": "nothing"})

    def missed(self, after: int) -> list[dict[str, Any]]:
        """Return the rounds after one that the scheduler still has; of messages that were lost on the way."""
        events = self._connection.client.get_events(topic_of(self.run))
        told = (message for _, message in events)
        return [message for message in told if message["kind"] == "round" and message["round"] > after]

    def close(self, *, has_ended: bool) -> None:
        """Listen no more, and leave nothing on workers and scheduler.

        `has_ended` is whether the workers came to the end of the run, where each forgets it by itself.
        """
        self._is_over.set()
        self._keeper.join(RENEW_SECONDS)
        client, topic = self._connection.client, topic_of(self.run)
        handlers = client._event_handlers
        handlers[topic] = _let_go
        if self._connection.is_lost:
            return
        if self._has_told or not has_ended:  # what was told may have come after the end
            with suppress(Exception):
                self._connection.tell(clear, self.run, workers=self._there(), seconds=BRIEF_SECONDS)
        with suppress(Exception):
            self._connection.tell_scheduler(_forget_topic, topic)
        # Not by unsubscribing: that files the topic anew there, and keeps it here. A message that still comes
        # to nobody would be an error of the client.
        client.loop.add_callback(client.loop.call_later, LATE_SECONDS, handlers.pop, topic, None)

    def _take(self, event: tuple[float, dict[str, Any]]) -> None:
        self.messages.put(event[1])

    def _deliver(self) -> None:
        with self._lock, suppress(TimeoutError):  # a worker that is gone; the guard sees it
            began = perf_counter()
            self._has_told = True
            self._connection.tell(
                deliver, self.run, self.command, workers=self._workers, seconds=BRIEF_SECONDS
            )
            self.trip = perf_counter() - began

    def _there(self) -> list[str]:
        """Return the workers that are not gone; those would be waited for."""
        there = self._connection.states(BRIEF_SECONDS)
        return [worker for worker in self._workers if worker in there]

    def _keep(self) -> None:
        while not self._is_over.wait(RENEW_SECONDS):
            with suppress(Exception):
                self._deliver()


def _let_go(_event: object) -> None:
    """Take in a message that nobody waits for."""


def _forget_topic(topic: str, dask_scheduler: Any) -> None:
    dask_scheduler._broker._topics.pop(topic, None)
