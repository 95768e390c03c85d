"""A cluster that is connected to: its workers, its versions, and how it is let go."""

from __future__ import annotations

import logging
import platform
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from workbench.cluster.extra import check_extra, load_engine
from workbench.cluster.nodes.desk import clear
from workbench.cluster.security import address_of, security_of, why_unanswered
from workbench.errors import WorkbenchError, leave_if
from workbench.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from distributed import Client, Future

    from workbench.cluster.local.local_cluster import LocalCluster
    from workbench.cluster.where import Where

CONNECT_SECONDS = 30.0
START_SECONDS = 120.0  # of processes on this machine
ANSWER_SECONDS = 60.0
BRIEF_SECONDS = 6.0  # for a word to workers; one that is gone unnoticed would be waited for half a minute
SEND_SECONDS = 900.0  # for the rows of one worker
# What must be the same in all places: rows and models travel between them.
SAME_EVERYWHERE = ("dask", "distributed", "xgboost", "numpy", "pandas")
LOGGERS = ("distributed", "distributed.client")  # the second has a level of its own
LARGEST_DISTRIBUTION = {"xgboost": ("xgboost", "xgboost-cpu")}


@dataclass(frozen=True)
class ClusterFacts:
    """What is shown of a cluster."""

    workers: int
    cores: int
    memory: int
    dashboard: str


class Connection:
    """A client of a scheduler, and the local cluster behind it, where it was started for this.

    Attributes
    ----------
    client : Client
    left_out : frozenset of str
        Workers that are listed and do not answer; no run is put on them.
    trip : float
        Seconds that a word took to all workers, and their answer back, when they were called last.
    is_cut : bool
        Whether it was given up, as the scheduler did not answer any more.
    """

    def __init__(
        self, client: Client, cluster: LocalCluster | None = None, *, owns_client: bool = True
    ) -> None:
        self.client = client
        self.left_out: frozenset[str] = frozenset()
        self.trip = 0.0
        self.is_cut = False
        self._cluster, self._owns_client = cluster, owns_client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def workers(self) -> list[str]:
        """Addresses of the workers, in an order that stays."""
        info = self._identity()["workers"]
        there = info.keys() - self.left_out
        return sorted(there, key=lambda address: (str(info[address]["id"]).zfill(20), address))

    def states(self, seconds: float = ANSWER_SECONDS) -> dict[str, str]:
        """Return what each worker is at: "running", or "paused" where its memory is full."""
        return {address: one["status"] for address, one in self._identity(seconds)["workers"].items()}

    @property
    def facts(self) -> ClusterFacts:
        """What is shown of it."""
        workers = self._identity()["workers"].values()
        return ClusterFacts(
            len(workers), sum(worker["nthreads"] for worker in workers),
            sum(worker["memory_limit"] or 0 for worker in workers), self.client.dashboard_link or "",
        )

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler is gone, at least for now."""
        return self.is_cut or self._has_ended or self.client.status != "running"

    @property
    def comes_back(self) -> bool:
        """Whether a connection that is lost is being made anew."""
        return not (self.is_cut or self._has_ended) and self.client.status == "connecting"

    @property
    def _has_ended(self) -> bool:
        """Whether it was started for this, and its process is no more."""
        return self._cluster is not None and self._cluster.is_gone

    def send(self, part: Any, worker: str) -> Future:
        """Put something on one worker."""
        found = self.client.sync(
            self.client._scatter, [part], workers=[worker], hash=False, timeout=ANSWER_SECONDS,
            callback_timeout=SEND_SECONDS,
        )
        return found[0]

    def tell(
        self, function: Callable[..., Any], *args: Any, workers: list[str], seconds: float = ANSWER_SECONDS
    ) -> dict[str, Any]:  # fmt: skip
        """Call something on workers at once, beside what they are at; those that are gone are left out.

        It reaches all others where TimeoutError is raised, as one that is gone is still listed.
        """
        found: dict[str, Any] = self.client.sync(
            self.client._run, function, *args, workers=workers, on_error="ignore", callback_timeout=seconds
        )
        return found

    def tell_scheduler(
        self, function: Callable[..., Any], *args: Any, seconds: float = ANSWER_SECONDS
    ) -> Any:
        """Call something on the scheduler."""
        return self.client.sync(
            self.client._run_on_scheduler, function, *args, callback_timeout=seconds
        )

    def start_again(self, workers: list[str]) -> None:
        """End workers that were started for this and do not let go of their work, and start them anew."""
        if self._cluster is not None:
            there = [worker for worker in workers if worker in self.states(BRIEF_SECONDS)]
            self.client.restart_workers(there, timeout=ANSWER_SECONDS, raise_for_error=False)

    def check_versions(self) -> None:
        """Refuse a cluster whose Python or packages are others than those here; each is named."""
        here = versions()
        places = {f"worker {address}": found for address, found in self._versions_there().items()}
        with suppress(AttributeError):
            places["scheduler"] = self.tell_scheduler(_versions_of)
        for place, there in places.items():
            wrong = [
                f"{name} {there.get(name) or 'not installed'} (here {mine})"
                for name, mine in here.items() if there.get(name) != mine
            ]
            if wrong:
                raise WorkbenchError(
                    f"The {place} has other versions: {', '.join(wrong)}. Install the same in both places."
                )

    @property
    def started(self) -> int:
        """How many workers were started for this, and are to be there; 0 where others start them."""
        return self._cluster.workers if self._cluster is not None else 0

    def mend(self) -> None:
        """Start workers anew whose process ended and was given up.

        Their cluster gives up one that is gone 15 seconds after a loss, even while it is being restarted.
        """
        if self._cluster is not None:
            self._cluster.mend()

    def close(self) -> None:
        """Let go of what was started or connected for this."""
        if self._owns_client and self._cluster is None and not self.is_lost:
            with suppress(Exception):
                self.tell(clear, workers=self.workers)
        if self._owns_client:
            with suppress(Exception):
                self.client.close(timeout=5)
        if self._cluster is not None:
            self._cluster.end()

    def _versions_there(self) -> dict[str, dict[str, str]]:
        workers = self.workers
        if not workers:
            raise WorkbenchError("The cluster has no workers. Start some, and connect again.")
        return self.tell(versions, workers=workers)

    def _identity(self, seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
        scheduler: Any = self.client.scheduler
        found: dict[str, Any] = self.client.sync(scheduler.identity, callback_timeout=seconds)
        return found


def versions() -> dict[str, str]:
    """Return the versions here of what must be the same everywhere; "" where it is missing."""
    found = {"python": ".".join(platform.python_version_tuple()[:2]), "boosting-workbench": __version__}
    return found | {name: _version(name) for name in SAME_EVERYWHERE}


def _versions_of(dask_scheduler: Any) -> dict[str, str]:
    return versions()


def _version(name: str) -> str:
    for distribution in LARGEST_DISTRIBUTION.get(name, (name,)):
        with suppress(PackageNotFoundError):
            return version(distribution)
    return ""


def connect(where: Where, cancelled: Callable[[], bool] | None = None) -> Connection:
    """Connect to a cluster, or start one on this machine; refuse one that cannot train with this program.

    Raises
    ------
    Cancelled
        Nothing is left of what was started.
    WorkbenchError
    """
    check_extra()
    if where.is_local:
        return _local(where, cancelled)
    connection = _remote(where)
    try:
        leave_if(cancelled)
        connection.check_versions()
        load_engine()
    except BaseException:
        connection.close()
        raise
    return connection


def connected(client: Client) -> Connection:
    """Take a client that a script has made; it stays the script's."""
    check_extra()
    connection = Connection(client, owns_client=False)
    connection.check_versions()
    return connection


def _local(where: Where, cancelled: Callable[[], bool] | None) -> Connection:
    from dask.utils import parse_bytes

    from workbench.cluster.local.local_cluster import LocalCluster

    where = where.settled
    try:
        memory = parse_bytes(where.memory) if where.memory else "auto"
    except ValueError:
        raise WorkbenchError(f"'{where.memory:.40}' is no amount of memory. Write 4 GB, say.") from None
    cluster = LocalCluster(where, memory)
    try:
        with cluster.ended_if(cancelled):
            load_engine()
            hush_dask()
            return _joined(cluster)
    except BaseException:
        cluster.end()
        raise


def _joined(cluster: LocalCluster) -> Connection:
    from distributed import Client

    client = Client(cluster.address(), timeout=START_SECONDS, set_as_default=False)
    try:
        client.wait_for_workers(cluster.workers, timeout=START_SECONDS)
        connection = Connection(client, cluster)
        connection.check_versions()
    except BaseException:
        with suppress(Exception):
            client.close(timeout=5)
        raise
    return connection


def _remote(where: Where) -> Connection:
    address = address_of(where)
    security = security_of(where, address)
    hush_dask()
    try:
        with _without_dask_words():
            client = _client(address, security=security, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, RuntimeError) as error:
        raise WorkbenchError(why_unanswered(error, where.address, address)) from error
    return Connection(client)


def _client(address: str, **given: Any) -> Client:
    """Return a new client; one that does not come about leaves no thread behind, as Dask's own does."""
    from distributed import Client

    class _Client(Client):
        def start(self, **how: Any) -> None:
            try:
                super().start(**how)
            except BaseException:
                self._loop_runner.stop()
                raise

    return _Client(address, set_as_default=False, **given)


def hush_dask() -> None:
    """Print no tracebacks of connections that break off, or are closed while they are made anew.

    What became of them is said in one line here.
    """
    import distributed  # noqa: F401, which sets levels of its own as it is loaded

    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _without_dask_words() -> Iterator[None]:
    """Say nothing of versions that differ: they are compared here, and said in one line."""
    from distributed.versions import VersionMismatchWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VersionMismatchWarning)
        yield
