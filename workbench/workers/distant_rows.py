"""The rows that a plan trains on, where they stay on a cluster: prepared there, and asked about there."""

from __future__ import annotations

import threading
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.session.opening.elsewhere import BY_ROWS, NEEDS_CLUSTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.cluster.connection import Connection
    from workbench.cluster.nodes.node_there import NodeThere
    from workbench.cluster.nodes.nodes_there import NodesThere
    from workbench.cluster.table_there import TableThere
    from workbench.data.table import Kind
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.parameters.training import TrainingParams
    from workbench.session.opening.elsewhere import Elsewhere
    from workbench.session.plan import Plan
    from workbench.workers.cluster_desk import ClusterDesk

    Telling = Callable[[int, int], object] | None


class DistantRows:
    """Rows of one table under one plan, on whichever cluster the desk is connected to; from worker threads.

    Parameters
    ----------
    desk : ClusterDesk
    elsewhere : Elsewhere
    plan : Plan
    kinds : tuple of (str, Kind)
        Of all columns, as they are shown.
    """

    def __init__(
        self, desk: ClusterDesk, elsewhere: Elsewhere, plan: Plan, kinds: tuple[tuple[str, Kind], ...]
    ) -> None:
        self._desk, self.elsewhere, self.plan, self.kinds = desk, elsewhere, plan, kinds
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

        connection = self._desk.connection
        if connection is None:
            raise WorkbenchError(NEEDS_CLUSTER)
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

        plan, options = self.plan, replace(self.elsewhere.options, kinds=self.kinds)
        if plan.split_by != "rows":
            raise WorkbenchError(BY_ROWS)
        return table_there(
            connection, self.elsewhere.path, plan.roles, task_of(plan.objective),
            valid_fraction=plan.valid_fraction, seed=plan.split_seed, positive=plan.positive, options=options,
            cancelled=cancelled, progress=progress,
        )  # fmt: skip
