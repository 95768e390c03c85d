"""A run on a cluster that is opened for it, and let go at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workbench.cluster.connection import Connection, connect, connected
from workbench.cluster.extra import check_extra
from workbench.cluster.partitions import PARQUET
from workbench.cluster.refusals import check_params, refuse_own
from workbench.cluster.setup import ClusterSetup
from workbench.cluster.table_there import table_there
from workbench.cluster.where import Where
from workbench.data.readers.options import GUESS_ALL
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.errors import WorkbenchError
from workbench.formats.start_model import checked_start
from workbench.objectives.base import task_of
from workbench.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.cluster.setup import ClusterRows
    from workbench.cluster.table_there import TableThere
    from workbench.data.readers.options import ReadOptions
    from workbench.data.schema import Role
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.ensembles.own_parts import OwnParts
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams


def opened(cluster: Any) -> Connection:
    """Connect to what a person or a script names: a client, an address, a scheduler's file, "local"."""
    if isinstance(cluster, (Where, str, Mapping)):
        return connect(Where.of(cluster))
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
    check_extra()
    refuse_own(own or NOTHING_OWN)
    setup = ClusterSetup(rows, params, start)

    def events() -> Iterator[Event]:
        with opened(cluster) as connection:
            from workbench.cluster.trainer import ClusterRun

            yield from ClusterRun(setup, connection, control, best).rounds()

    return events()


def refuse_given(given: Mapping[str, Any]) -> None:
    """Refuse what cannot be said of a table that stays on a cluster, by its name, where it was said."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, (tuple, list)) and not value):
            raise WorkbenchError(
                f"{name} and a table on a cluster clash: columns are given there by names, and rows are "
                "held out by a hash of the row. Give a valid fraction, or train on this machine."
            )


class RunOfPath:
    """A run on a table that stays on the cluster; its schema is known before it begins.

    Attributes
    ----------
    schema : DataSchema
    roles : mapping of str to Role
        Of every column.
    """

    def __init__(
        self, connection: Connection, table: TableThere, params: TrainingParams, control: RunControl | None,
        start: Model | None,
    ) -> None:  # fmt: skip
        self._connection, self._control, self._table = connection, control, table
        self.schema, self.roles = table.schema, table.roles
        ensemble = None
        if start is not None:
            ensemble = checked_start(start, table, params, NOTHING_OWN)
            params = params.change(rounds=start.rounds + params.rounds)
        self._setup = ClusterSetup(table, params, ensemble)

    def events(self) -> Iterator[Event]:
        """Yield them; the connection is let go at their end."""
        with self._connection as connection:
            from workbench.cluster.trainer import ClusterRun

            try:
                yield from ClusterRun(self._setup, connection, self._control).rounds()
            finally:
                self._table.release()


def run_of_path(
    cluster: Any, path: str, named: Mapping[str, Role], params: TrainingParams,
    control: RunControl | None = None, start: Model | None = None, *, guesses: bool = True,
    valid_fraction: float = 0.0, seed: int = 0, positive: str | None = None, options: ReadOptions = GUESS_ALL,
    progress: Callable[[int, int], object] | None = None,
) -> RunOfPath:  # fmt: skip
    """Connect, look over the table there, and set up a run on it.

    What no table could be trained with there is refused before anything is contacted.

    Parameters
    ----------
    named : mapping of column name to Role
        The target among them.
    guesses : bool
        Whether the roles of other columns are guessed from a sample; else they are features.
    """
    check_params(params)
    connection = opened(cluster)
    cancelled = None if control is None else lambda: control.stopped
    try:
        table = table_there(
            connection, path, named, task_of(params.objective), guesses=guesses,
            valid_fraction=valid_fraction, seed=seed, positive=positive, options=options,
            cancelled=cancelled, progress=progress,
        )
        return RunOfPath(connection, table, params, control, start)
    except BaseException:
        connection.close()
        raise


def stays_there(path: str) -> bool:
    """Whether a table of this name is read by the workers: Parquet, a folder, or an address."""
    return "://" in path or path.lower().endswith(PARQUET) or is_folder(path)
