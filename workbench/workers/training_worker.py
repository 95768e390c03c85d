"""The training thread: encodes the table, runs the trainer, puts what it says on a queue."""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.data.room import TooLargeToTrain
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.errors import Cancelled, WorkbenchError
from workbench.priority import lower_thread
from workbench.session.growing import rows_of_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.cluster.connection import Connection
    from workbench.cluster.opening.distant_rows import DistantRows
    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.data.table import Table
    from workbench.ensembles.base import Trainer
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams
    from workbench.session.plan import Plan

log = logging.getLogger(__name__)
STACK_BYTES = 64 * 2**20  # compiling a kernel recurses deeply


@dataclass(frozen=True)
class Prepared:
    """The rows are encoded."""

    dataset: Dataset


@dataclass(frozen=True)
class PreparedThere:
    """The rows are known, and stay where they are."""

    schema: DataSchema
    rows: DistantRows
    shown: Dataset | None


@dataclass(frozen=True)
class Preparing:
    """How far preparing the rows on a cluster is, in a few words."""

    text: str


@dataclass(frozen=True)
class Failed:
    """The run could not go on; one line for the person. `can_be_mapped`: it could with the table on disk."""

    text: str
    can_be_mapped: bool = False


class TrainingWorker:
    """One thread for one run. pandas and numba are imported on it, not on the window's thread."""

    def __init__(
        self,
        table: Table | None,
        plan: Plan,
        params: TrainingParams,
        control: RunControl,
        ready: threading.Event,
        on_news: Callable[[], object],
        dataset: Dataset | None = None,
        after: TrainingWorker | None = None,
        start: Ensemble | None = None,
        best: tuple[int, float] | None = None,
        own: OwnParts = NOTHING_OWN,
        rest: float = 0.0,
        cluster: Connection | None = None,
        there: DistantRows | None = None,
    ) -> None:
        self._there = there  # where the rows stay on the cluster
        self.control = control
        self._cluster = cluster  # to train on; None: this machine
        self._on_news = on_news  # called on the thread, when the first round is said, and when all is
        self._dataset = dataset  # where it is known already
        self._own, self._rest = own, rest
        self._start, self._best = start, best  # what is grown on, and its best round
        self._is_over = False
        self._after = [] if after is None else [after]  # whose threads must be gone before this one trains
        self.table, self.plan, self._params = table, plan, params
        self.ready = ready  # set once its kernels are compiled
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="training", daemon=True)

    def start(self) -> None:
        """Start the thread, with a stack that compiling can use."""
        before = threading.stack_size(STACK_BYTES)
        self._thread.start()
        threading.stack_size(before)

    def wait_for(self, other: TrainingWorker) -> None:
        """Let this thread, before it is started, train only when another one is gone."""
        self._after.append(other)

    def is_alive(self) -> bool:
        """Whether more may be said."""
        return self._thread.is_alive() and not self._is_over

    def join(self, seconds: float | None = None) -> None:
        """Wait until the thread has ended, at most so long."""
        self._thread.join(seconds)

    def words(self) -> Iterator[Any]:
        """Yield what was said since the last call."""
        while True:
            try:
                yield self._queue.get_nowait()
            except queue.Empty:
                return

    def _work(self) -> None:
        if self._cluster is None:  # else machine code works there, and here what reads the rounds
            lower_thread()
        for other in self._after:
            other.join()
        self._after.clear()
        try:
            self._train()
        except Cancelled:
            pass
        except TooLargeToTrain as error:
            self._queue.put(Failed(error.shortage, can_be_mapped=True))
        except WorkbenchError as error:
            self._queue.put(Failed(str(error)))
        except Exception as error:
            log.exception("training failed")
            self._queue.put(Failed(f"Training failed: {type(error).__name__}: {error}"))
        self._is_over = True
        self._on_news()

    def _train(self) -> None:
        trainer = self._trainer_there() if self._there is not None else self._trainer_here()
        if trainer is None:
            return
        is_first = True
        for event in trainer.rounds():
            self._queue.put(event)
            if not isinstance(event, RoundFinished):
                continue
            if is_first:
                self._on_news()
                is_first = False
            if self._rest:
                self.control.rest(self._rest)

    def _trainer_there(self) -> Trainer:
        """Return what trains on rows that stay on the cluster."""
        from workbench.cluster.refusals import refuse_own
        from workbench.cluster.setup import ClusterSetup
        from workbench.cluster.trainer import ClusterRun

        assert self._there is not None
        assert self._cluster is not None
        refuse_own(self._own)
        table = self._there.table(lambda: self.control.stopped, self._telling("looked over"))
        shown = None if self.table is None else self._there.shown(self.table)
        self._queue.put(PreparedThere(table.schema, self._there, shown))
        setup = ClusterSetup(table, self._params, self._start)
        return ClusterRun(setup, self._cluster, self.control, self._best, self._telling("encoded"))

    def _telling(self, what: str) -> Callable[[int, int], None]:
        """Return what says how many parts of the rows are done so."""
        return lambda done, total: self._queue.put(Preparing(f"{done:,} of {total:,} parts {what}"))

    def _trainer_here(self) -> Trainer | None:
        """Return what trains on rows of this machine; None where it was stopped."""
        dataset = self._dataset or self._encode()
        self._queue.put(Prepared(dataset))
        return self._trainer(dataset) if self._wait_for_kernels() else None

    def _trainer(self, dataset: Dataset) -> Trainer:
        """Return what trains: here, or on the cluster."""
        if self._cluster is None:
            from workbench.ensembles.base import make_trainer

            return make_trainer(dataset, self._params, self.control, self._start, self._own, self._best)
        from workbench.cluster.refusals import refuse_own
        from workbench.cluster.sent_rows import SentRows
        from workbench.cluster.setup import ClusterSetup
        from workbench.cluster.trainer import ClusterRun

        refuse_own(self._own)
        setup = ClusterSetup(SentRows(dataset), self._params, self._start)
        return ClusterRun(setup, self._cluster, self.control, self._best, self._telling("sent"))

    def _wait_for_kernels(self) -> bool:
        """Wait until they are compiled, which here would hold the interpreter lock for seconds."""
        while not self.ready.wait(0.05):
            if self.control.stopped:
                return False
        return True

    def _encode(self) -> Dataset:
        assert self.table is not None  # who knows no rows has a table
        return rows_of_plan(self.table, self.plan, lambda: self.control.stopped)
