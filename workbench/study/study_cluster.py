"""The cluster on which the table of a study stays."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cluster.opening.distant_rows import DistantRows, WantedRows
from workbench.errors import WorkbenchError
from workbench.session.opening.elsewhere import BY_ROWS, Elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.cluster.connection import Connection
    from workbench.cluster.where import Where
    from workbench.data.dataset import Dataset
    from workbench.data.readers.options import ReadOptions
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Table
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.parameters.training import TrainingParams
    from workbench.session.plan import Plan
    from workbench.session.run import Run

NOT_THERE = (
    "A study on a cluster is of Parquet, a folder of CSV, or an address with ://. Anything else is read "
    "here, and sent: give study.train its cluster."
)


class StudyCluster:
    """It is connected to once, and let go of with the study, or at the end of the program.

    Attributes
    ----------
    connected : Connection
    """

    connected: Connection

    def __init__(self, cluster: Any) -> None:
        from workbench.cluster.extra import check_extra

        check_extra()
        self._where: Where | None = None
        self._end: Callable[[], object] = lambda: None
        self._rows: DistantRows | None = None
        self._held: DistantRows | None = None
        self.use(cluster)

    def use(self, cluster: Any) -> None:
        """Connect to a cluster, in place of the former one; None, or the one of now, changes nothing."""
        from workbench.cluster.open_run import opened
        from workbench.cluster.where import Where

        where = self._where if cluster is None else Where.of(cluster).settled
        if where == self._where:
            return
        self._end()
        self.connected, self._where = opened(cluster), where
        self._end = weakref.finalize(self, self.connected.close)

    @property
    def record(self) -> str | dict[str, Any] | None:
        """It as a script says it."""
        return None if self._where is None else self._where.record

    def open(self, data: Any, options: ReadOptions) -> tuple[Table, dict[str, ColumnSummary], Elsewhere]:
        """Look at a table on the workers: return its first rows, figures of all, and where it is.

        Raises
        ------
        WorkbenchError
            It is none that the workers read, or cannot be read there.
        """
        from workbench.cluster.open_run import stays_there
        from workbench.cluster.opening.open_there import open_there

        if not isinstance(data, (str, Path)) or not stays_there(str(data)):
            raise WorkbenchError(NOT_THERE)
        found = open_there(self.connected, str(data), options)
        return found.shown, found.summaries, Elsewhere(str(data), found.rows, options)

    def rows(self, elsewhere: Elsewhere, plan: Plan, shown: Table) -> tuple[DistantRows, Dataset | None]:
        """Return the rows under a plan, and those of them that are shown here, where these fit.

        Raises
        ------
        WorkbenchError
            They are to be held out by more than a hash.
        """
        if plan.split_by != "rows":
            raise WorkbenchError(BY_ROWS)
        wanted = WantedRows(**elsewhere.asked(plan, shown))
        if self._rows is None or self._rows.wanted != wanted:
            self._rows = DistantRows(self, wanted)
        return self._rows, self._rows.shown(shown)

    def rounds(
        self, run: Run, params: TrainingParams, control: RunControl, start: Ensemble | None,
        best: tuple[int, float] | None,
    ) -> Iterator[Event]:  # fmt: skip
        """Return the events of a run on its rows there."""
        from workbench.cluster.refusals import refuse_own
        from workbench.cluster.setup import ClusterSetup
        from workbench.cluster.trainer import ClusterRun

        refuse_own(run.own)
        if not isinstance(run.there, DistantRows):
            raise WorkbenchError(f"The rows of {run.name} are on no cluster of this study.")
        setup = ClusterSetup(run.there.table(), params, start)
        return ClusterRun(setup, self.connected, control, best).rounds()

    def hold(self, rows: DistantRows) -> None:
        """Let these rows lie on the workers, and no others."""
        before, self._held = self._held, rows
        if before is not None and before is not rows:
            before.release()


def where_it_trains(stays: StudyCluster | None, said: Any) -> Any:
    """Return where a run trains: on the cluster where the table stays, if it does, else where is said."""
    if stays is None:
        return said
    stays.use(said)
    return stays
