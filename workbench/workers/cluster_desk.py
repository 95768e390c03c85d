"""Holds the cluster that runs train on; connects and looks after it off the window's thread."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from workbench.cluster.extra import LACKS, has_extra
from workbench.errors import Cancelled, WorkbenchError
from workbench.number_text import counted
from workbench.session.opening.elsewhere import NEEDS_CLUSTER

if TYPE_CHECKING:
    from workbench.cluster.connection import ClusterFacts, Connection
    from workbench.cluster.opening.distant_rows import DistantRows
    from workbench.cluster.where import Where

log = logging.getLogger(__name__)
LOOK_SECONDS = 3.0
ONCE_IT_ANSWERS = "It is connected again once it answers."
LOST_SECONDS = 600.0  # that a scheduler is tried again
PATIENCE_SECONDS = 8.0  # for processes to end as the window closes; they end with the program anyway


@dataclass(frozen=True)
class ClusterState:
    """What is shown of it.

    Attributes
    ----------
    where : Where or None
        None is this machine, without a cluster.
    is_connecting, is_connected : bool
    facts : ClusterFacts or None
    text : str
        What went wrong, or changed, in one line.
    """

    where: Where | None = None
    is_connecting: bool = False
    is_connected: bool = False
    facts: ClusterFacts | None = None
    text: str = ""

    @property
    def label(self) -> str:
        """What a run is told to train on, in a few words."""
        return self.where.label if self.where is not None and self.is_connected else "this machine"


class ClusterDesk(QObject):
    """One connection at most. `changed` says that the state is another one; nothing is contacted unasked."""

    changed = Signal()
    _news = Signal(object, object)  # who says it, and the state

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = ClusterState()
        self.connection: Connection | None = None
        self._watch: _Watch | None = None
        self._held: DistantRows | None = None
        self._news.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def lacks(self) -> str:
        """The line that installs what is missing; "" where nothing is."""
        return "" if has_extra() else LACKS

    @property
    def record(self) -> str | dict[str, Any] | None:
        """Where runs train, as a script says it; None: this machine."""
        where = self.state.where
        return where.settled.record if where is not None and self.connection is not None else None

    @property
    def connected(self) -> Connection:
        """The cluster; WorkbenchError where there is none."""
        if self.connection is None:
            raise WorkbenchError(NEEDS_CLUSTER)
        return self.connection

    @property
    def is_awaited(self) -> bool:
        """Whether it is chosen, and not there yet, or not any more."""
        return self.state.is_connecting

    def connect_to(self, where: Where) -> None:
        """Connect to a cluster, or start one on this machine."""
        self.leave()
        self.state = ClusterState(where, is_connecting=True)
        self._watch = _Watch(where, self._news)
        self._watch.start()
        self.changed.emit()

    def leave(self) -> None:
        """Train on this machine again; a local cluster is ended."""
        if self._watch is not None:
            self._watch.end(self._held)
        self._watch = self.connection = self._held = None
        self.state = ClusterState()
        self.changed.emit()

    def hold(self, rows: DistantRows) -> None:
        """Let these rows lie on the workers, and no others; from any thread."""
        before, self._held = self._held, rows
        if before is not None and before is not rows:
            before.release()

    def shutdown(self) -> None:
        """Let go of the cluster as the window closes."""
        watch = self._watch
        self.leave()
        if watch is not None and watch.holds_something:
            watch.join(PATIENCE_SECONDS)

    def _take(self, watch: _Watch, state: ClusterState) -> None:
        if watch is not self._watch:
            return
        self.connection = watch.connection if state.is_connected else None
        if self.connection is None:
            self._held = None
        if not (state.is_connected or state.is_connecting):
            self._watch = None
        if state != self.state:
            self.state = state
            self.changed.emit()


def changed_words(before: set[str], there: set[str]) -> str:
    """Say which workers were lost, and that some came; "" where nothing changed."""
    if not before or before == there:
        return ""
    lost = f"{len(before - there)} of {counted(len(before), 'worker')} lost." if before - there else ""
    came = f"{counted(len(there), 'worker')} there again." if there - before else ""
    return " ".join(filter(None, (lost, came)))


def load_trainer() -> None:
    """Load what trains and asks there now: modules hold the interpreter lock as they come."""
    import workbench.cluster.nodes.nodes_there
    import workbench.cluster.opening.open_there
    import workbench.cluster.sent_rows
    import workbench.cluster.trainer  # noqa: F401


class _Watch(threading.Thread):
    """Connects, asks for the facts every few seconds, and closes."""

    def __init__(self, where: Where, news: object) -> None:
        super().__init__(name="cluster", daemon=True)
        self._where, self._news = where, news
        self._is_over = threading.Event()
        self._held: DistantRows | None = None
        self.connection: Connection | None = None

    def end(self, held: DistantRows | None) -> None:
        """Close soon; the rows that are held there are let go first."""
        self._held = held
        self._is_over.set()

    @property
    def holds_something(self) -> bool:
        """Whether there is something to let go of, or being started: no scheduler that does not answer."""
        return self.connection is not None or self._where.is_local

    def run(self) -> None:
        state = ClusterState(self._where)
        try:
            self._look_after(state)
        except Cancelled:
            log.debug("connecting was cancelled")
        except WorkbenchError as error:
            self._say(replace(state, text=str(error)))
        except Exception as error:
            log.exception("the cluster failed")
            self._say(replace(state, text=f"The cluster failed: {type(error).__name__}: {error}"))
        finally:
            if self._held is not None:
                with suppress(Exception):
                    self._held.release()
            if self.connection is not None:
                self.connection.close()

    def _look_after(self, state: ClusterState) -> None:
        """Connect, and connect again where the scheduler was lost."""
        from workbench.cluster.connection import connect
        from workbench.cluster.faults import SCHEDULER_GONE

        connection, text = connect(self._where, self._is_over.is_set), ""
        load_trainer()
        while True:
            self.connection = connection
            self._look_while_there(state, connection, text)
            if self._is_over.is_set():
                return
            self.connection = None
            self._say(replace(state, is_connecting=True, text=f"{SCHEDULER_GONE} {ONCE_IT_ANSWERS}"))
            connection.close()
            connection, text = self._connected_again(), "The scheduler answers again."

    def _connected_again(self) -> Connection:
        """Connect once the scheduler answers."""
        from workbench.cluster.connection import connect

        lost = monotonic()
        while not self._is_over.wait(LOOK_SECONDS):
            try:
                return connect(self._where, self._is_over.is_set)
            except WorkbenchError:
                if monotonic() - lost > LOST_SECONDS:
                    raise
        raise Cancelled

    def _look_while_there(self, state: ClusterState, connection: Connection, text: str) -> None:
        """Say what there is, every few seconds until it is over or lost."""
        before: set[str] = set()
        while not (self._is_over.is_set() or connection.is_lost):
            try:
                there, facts = set(connection.workers), connection.facts
            except (OSError, TimeoutError):  # busy, or just being lost
                self._is_over.wait(LOOK_SECONDS)
                continue
            text = changed_words(before, there) or text
            before = there
            if len(there) < connection.started:
                connection.mend()
            self._say(replace(state, is_connected=True, facts=facts, text=text))
            self._is_over.wait(LOOK_SECONDS)

    def _say(self, state: ClusterState) -> None:
        if not self._is_over.is_set():
            self._news.emit(self, state)  # type: ignore[attr-defined]
