"""The rows of a plan, where they stay on a cluster: prepared there, and asked about there."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Protocol

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from workbench.cluster.connection import Connection
    from workbench.cluster.nodes.node_there import NodeThere
    from workbench.cluster.nodes.nodes_there import NodesThere
    from workbench.cluster.table_there import TableThere
    from workbench.data.dataset import Dataset
    from workbench.data.readers.options import ReadOptions
    from workbench.data.schema import Role
    from workbench.data.table import Table
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.parameters.training import TrainingParams

    Telling = Callable[[int, int], object] | None


@dataclass(frozen=True)
class WantedRows:
    """A table on a cluster, and what is planned for it.

    Attributes
    ----------
    path : str
        As the workers open it.
    options : ReadOptions
        With the kinds of all columns.
    roles : mapping of str to Role
        Of all columns.
    objective : str
    valid_fraction : float
    split_seed : int
    positive : str or None
    """

    path: str
    options: ReadOptions
    roles: Mapping[str, Role]
    objective: str
    valid_fraction: float
    split_seed: int
    positive: str | None


class Connected(Protocol):
    """Who is connected to a cluster, and lets the rows of one plan lie there."""

    @property
    def connected(self) -> Connection:
        """The cluster; WorkbenchError where there is none."""

    def hold(self, rows: DistantRows) -> None:
        """Let these rows lie on the workers, and no others; from any thread."""


class DistantRows:
    """Rows of one table under one plan, on whichever cluster the desk is connected to; from worker threads.

    Parameters
    ----------
    desk : Connected
    wanted : WantedRows
    """

    def __init__(self, desk: Connected, wanted: WantedRows) -> None:
        self._desk, self.wanted = desk, wanted
        self._known: tuple[Connection, TableThere, NodesThere] | None = None
        self._lock = threading.Lock()

    @property
    def train_weight(self) -> float:
        """Sum of the training rows' weights; NaN before it is known."""
        return nan if self._known is None else self._known[1].train_weight

    def table(self, cancelled: Callable[[], bool] | None = None, progress: Telling = None) -> TableThere:
        """Return the table as it is trained on; looked over where that was not done on this cluster.

        Raises
        ------
        Cancelled
        WorkbenchError
        """
        return self._on_cluster(cancelled, progress)[1]

    def shown(self, table: Table) -> Dataset | None:
        """Return the rows of a table that is shown of these, as they train; None where they do not fit."""
        from workbench.cluster.shown_rows import shown_rows

        wanted = self.wanted
        try:
            return shown_rows(table, self.table().schema, (wanted.valid_fraction, wanted.split_seed))
        except WorkbenchError:
            return None

    def node(
        self, begun: Ensemble, params: TrainingParams, rounds: Sequence[RoundFinished], round: int,
        place: int, node: int, cancelled: Callable[[], bool] | None = None,
        progress: Telling = None,
    ) -> NodeThere:  # fmt: skip
        """Return a node of a run, as `NodeSource` tells."""
        nodes = self._on_cluster(cancelled, progress)[2]
        return nodes.node(begun, params, rounds, round, place, node, cancelled, progress)

    def release(self) -> None:
        """Let go of what lies on the workers; it is prepared anew when it is asked for."""
        known, self._known = self._known, None
        if known is not None:
            known[1].release()
            known[2].release()

    def _on_cluster(
        self, cancelled: Callable[[], bool] | None, progress: Telling
    ) -> tuple[Connection, TableThere, NodesThere]:
        from workbench.cluster.nodes.nodes_there import NodesThere

        connection = self._desk.connected
        self._desk.hold(self)
        with self._lock:
            if self._known is None or self._known[0] is not connection:
                table = self._looked_over(connection, cancelled, progress)
                self._known = connection, table, NodesThere(connection, table)
            return self._known

    def _looked_over(
        self, connection: Connection, cancelled: Callable[[], bool] | None, progress: Telling
    ) -> TableThere:
        from workbench.cluster.table_there import table_there
        from workbench.objectives.base import task_of

        wanted = self.wanted
        return table_there(
            connection, wanted.path, wanted.roles, task_of(wanted.objective),
            valid_fraction=wanted.valid_fraction, seed=wanted.split_seed, positive=wanted.positive,
            options=wanted.options, cancelled=cancelled, progress=progress,
        )  # fmt: skip
