"""A run on a cluster that is opened for it, and let go at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cluster.connection import Connection, connect, connected
from workbench.cluster.where import Where
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.cluster.setup import ClusterRows
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams

OWN_PARTS = "An objective or metric of your own trains on this machine alone; leave cluster out."


def opened(cluster: Any) -> Connection:
    """Connect to what a person or a script names: a client, an address, a scheduler's file, "local"."""
    if isinstance(cluster, Where):
        return connect(cluster)
    if isinstance(cluster, str):
        return connect(Where(cluster))
    return connected(cluster)


def rounds_there(
    cluster: Any,
    rows: ClusterRows,
    params: TrainingParams,
    control: RunControl | None = None,
    start: Ensemble | None = None,
    own: OwnParts | None = None,
    best: tuple[int, float] | None = None,
) -> Iterator[Event]:
    """Return the events of a run; what cannot be trained is refused at once, before anything is contacted."""
    from workbench.cluster.extra import check_extra
    from workbench.cluster.setup import ClusterSetup

    check_extra()
    if own is not None and (own.objective is not None or own.metrics):
        raise WorkbenchError(OWN_PARTS)
    setup = ClusterSetup(rows, params, start)

    def events() -> Iterator[Event]:
        from workbench.cluster.trainer import ClusterRun

        with opened(cluster) as connection:
            yield from ClusterRun(setup, connection, control, best).rounds()

    return events()
