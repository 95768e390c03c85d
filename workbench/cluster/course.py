"""The course of one run: what rank 0 says becomes events, and what the reins want becomes commands.

Where nobody has to look at a round before the next begins, the workers go on by themselves and are told as
something changes. Where a breakpoint may be met, or steps are wanted, they wait after that round until they
are told: so a run pauses after the same round as it would at home. Where rounds are so quick that word of the
reins would come too late for the next one, the workers of a run whose reins somebody holds wait after each.
"""

from __future__ import annotations

import queue
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from workbench.cluster.channel import Channel
from workbench.cluster.faults import AGAIN, KEPT, line_of
from workbench.cluster.reports import Reports
from workbench.cluster.training_thread import TrainingThread
from workbench.cluster.waits.guard import SILENCE_SECONDS, Guard
from workbench.cluster.waits.left_locks import LeftLocks
from workbench.ensembles.breakpoints.base import WatchedRun
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import EndReason, TrainingEnded, TrainingPaused
from workbench.ensembles.run.breaks import Breaks, split_on
from workbench.ensembles.run.live_params import LiveParams
from workbench.errors import Cancelled, WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from workbench.cluster.connection import Connection
    from workbench.cluster.placed_table import RowsThere
    from workbench.cluster.setup import ClusterSetup
    from workbench.ensembles.events import Event, RoundFinished

QUICK_TRIPS = 4.0  # of a command, in one round; word of longer ones is there and answered before they end
LOOK_SECONDS = 1.0  # between two looks whether the workers are there; word of the reins comes at once
PARTING_SECONDS = 20.0  # that the round in hand has to end once the run is told to stop
END_REASONS = {
    "finished": EndReason.FINISHED, "early": EndReason.EARLY, "stopped": EndReason.STOPPED,
    "left": EndReason.STOPPED,  # as the trainer was not heard of
}  # fmt: skip


class Course:
    """Drives one run from its rows to its end.

    Parameters
    ----------
    name : str
        Of the run on the cluster.
    setup : ClusterSetup
    rows : RowsThere
    connection : Connection
    control : RunControl or None
        None where nobody holds the reins.
    best : tuple of int and float, optional
        Best round of the model that is grown on, and its watched metric.
    figures : dict of str to dict
        XGBoost's of that model, by "train" and "valid".
    """

    def __init__(
        self, name: str, setup: ClusterSetup, rows: RowsThere, connection: Connection,
        control: RunControl | None, best: tuple[int, float] | None,
        figures: Mapping[str, dict[str, float]],
    ) -> None:  # fmt: skip
        self._setup, self._rows, self._connection = setup, rows, connection
        self._control = control or RunControl()
        self._is_led = self._is_quick = control is not None
        self._params = LiveParams(setup.params, self._control, setup.check)
        self._channel = Channel(connection, name, rows.workers, setup.params)
        self._thread = TrainingThread(setup, rows, connection, self._channel, best)
        self._guard = Guard(connection, rows.workers, KEPT if setup.begun.trees else AGAIN)
        self._locks = LeftLocks(connection, rows.workers)
        self._reports = Reports(setup.begun, setup.metrics, rows, setup.params, best, figures)
        self._breaks: Breaks | None = None
        self._finished, self._cores = setup.begun.rounds, 0
        self._has_ended = False

    def events(self) -> Iterator[Event]:
        """Yield them."""
        began = perf_counter()
        control = self._control
        while not control.stopped and not control.turn():  # before its first tree a run cannot be shown
            control.wait()
        control.told = self._channel.wake
        if control.stopped:
            raise Cancelled
        try:
            self._channel.post(until=self._reach())
            self._channel.open()
            self._thread.start()
            self._cores = self._connection.facts.cores
            yield from self._until_end(began)
        finally:
            control.told = None
            self._leave()

    def _until_end(self, began: float) -> Iterator[Event]:
        while True:
            message = self._next()
            match message["kind"]:
                case "nothing":
                    self._guard.look()
                    if self._breaks is None:
                        self._locks.look()
                case "round":
                    yield from self._rounds_of(message)
                case "waiting":
                    yield from self._rounds_of(message)
                    if message["command"] == self._channel.command.number:
                        yield from self._waited()
                case "end":
                    self._has_ended = True
                    yield from self._rounds_of(message)
                    if self._breaks is None:
                        yield from self._begin(None)
                    reason = END_REASONS[message["deed"]]
                    best = self._reports.best_round
                    yield TrainingEnded(reason, self._finished, best, perf_counter() - began)
                    return
                case "failed":
                    error = message["error"]
                    raise line_of(
                        error, self._connection, self._rows.workers, self._guard.then
                    ) from error
            self._steer()

    def _next(self) -> dict[str, Any]:
        """Return the next message, or that there is nothing for a moment."""
        try:
            message = self._channel.messages.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            return {"kind": "nothing"}
        self._guard.heard(message.get("seconds", 0.0))
        return message

    def _rounds_of(self, message: dict[str, Any]) -> Iterator[Event]:
        for told in self._in_order(message):
            yield from self._round(told)

    def _in_order(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the rounds up to a message that were not told yet; those that got lost are asked for."""
        number = message["round"]
        found = {number: message} if message["kind"] == "round" else {}
        wanted = range(self._finished + 1, number + 1)
        if any(round not in found for round in wanted):
            found = {told["round"]: told for told in self._channel.missed(self._finished)} | found
        if any(round not in found for round in wanted):
            raise WorkbenchError("A round got lost on the way from the workers. Train again.")
        return [found[round] for round in wanted]

    def _begin(self, message: dict[str, Any] | None) -> Iterator[Event]:
        """Say that the run has begun, once its base is known."""
        if message is None and not self._setup.begun.trees:
            raise Cancelled
        started = self._reports.started(message, self._cores)
        schema = self._setup.schema
        self._breaks = Breaks(self._control, WatchedRun(
            tuple(feature.name for feature in schema.features), self._setup.metrics.watched_facts,
            self._setup.has_classes, self._setup.rows.told_alone, split_on=split_on(started.ensemble.trees),
        ))
        yield started

    def _round(self, message: dict[str, Any]) -> Iterator[Event]:
        """Say what a round came to; wait where it met a breakpoint."""
        if self._breaks is None:
            yield from self._begin(message)
        event: RoundFinished = self._reports.finished(message, self._channel.params_of(message["command"]))
        self._finished = event.round
        self._is_quick = self._is_led and event.seconds < QUICK_TRIPS * self._channel.trip
        self._guard.then, self._guard.silence = KEPT, SILENCE_SECONDS
        yield event
        assert self._breaks is not None
        pause = self._breaks.look(event, is_last=event.round >= self._params.now.rounds)
        if pause is not None:
            yield pause
            self._control.wait()
            self._guard.heard()

    def _waited(self) -> Iterator[Event]:
        """Let the workers, who wait, go on as soon as the reins allow it."""
        while not self._control.stopped and not self._control.turn():
            yield TrainingPaused(self._finished)
            self._control.wait()
            self._guard.heard()
        self._tell(self._reach())

    def _reach(self) -> int | None:
        """Return the round after which the workers wait, once they may grow the next one; None: the last."""
        if self._is_quick or not self._control.runs_freely:
            return self._finished + 1
        looked_at = [one.first_met(self._finished) for one in self._control.breakpoints]
        return min((round for round in looked_at if round is not None), default=None)

    def _steer(self) -> None:
        """Let workers go as far as is wanted by now; a step that was begun is not taken back."""
        until = self._channel.command.until
        if self._control.runs_freely:
            until = self._reach()
        elif until is None or until > self._finished + 1:
            until = self._finished
        self._tell(until)

    def _tell(self, until: int | None) -> None:
        """Tell the workers how far to go, and what else the reins want by now."""
        if self._control.stopped:
            self._channel.post(stop=True)
            return
        self._params.take()
        self._channel.post(params=self._params.now, until=until)

    def _leave(self) -> None:
        """End the run there, if it is not over, and leave nothing of it."""
        if not self._connection.is_lost and not self._thread.join(0.0):
            if not self._has_ended:
                with suppress(Exception):
                    self._channel.post(stop=True)
            if not self._thread.join(PARTING_SECONDS):
                with suppress(Exception):
                    self._connection.start_again(self._rows.workers)
        self._channel.close(has_ended=self._has_ended)
