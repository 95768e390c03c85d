"""A run on a cluster: xgboost.dask trains, and what it comes to are the events of every other trainer."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from workbench.cluster.begun_figures import begun_figures
from workbench.cluster.course import Course
from workbench.cluster.faults import AGAIN, KEPT, line_of
from workbench.cluster.waits.roll_call import wait_for_workers
from workbench.ensembles.events import RoundFinished
from workbench.errors import Cancelled, WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.cluster.connection import Connection
    from workbench.cluster.placed_table import RowsThere
    from workbench.cluster.setup import ClusterSetup
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import Event


class ClusterRun:
    """One run of Newton boosting on a cluster.

    Parameters
    ----------
    setup : ClusterSetup
    connection : Connection
    control : RunControl, optional
        The reins; without them the run goes through to its end.
    best : tuple of int and float, optional
        Best round of the model that is grown on, and its watched metric.
    progress : callable (done, total), optional
        Told the parts of the rows that are prepared there.
    """

    def __init__(
        self, setup: ClusterSetup, connection: Connection, control: RunControl | None = None,
        best: tuple[int, float] | None = None, progress: Callable[[int, int], object] | None = None,
    ) -> None:  # fmt: skip
        self._progress = progress
        self._setup, self._connection, self._best = setup, connection, best
        self._control = control

    def rounds(self) -> Iterator[Event]:
        """Yield the events of the run; consume it in the thread that trains, and once.

        Raises
        ------
        Cancelled
            The run was stopped before its first round.
        WorkbenchError
            It broke off; the rounds that were yielded are a complete model.
        """
        setup, connection, control = self._setup, self._connection, self._control

        def cancelled() -> bool:
            return control is not None and control.stopped

        workers: list[str] = []
        rows: RowsThere | None = None
        then = KEPT if setup.begun.trees else AGAIN
        try:
            workers = wait_for_workers(connection, cancelled)
            rows = setup.rows.place(
                connection, setup.params, setup.objective, cancelled, self._progress
            )
            workers = rows.workers
            setup.check_rows(rows)
            figures = begun_figures(connection, setup, rows, cancelled) if setup.begun.trees else {}
            course = Course(uuid4().hex[:12], setup, rows, connection, control, self._best, figures)
            for event in course.events():
                if isinstance(event, RoundFinished):
                    then = KEPT
                yield event
        except (WorkbenchError, Cancelled):
            raise
        except Exception as error:
            raise line_of(error, connection, workers, then) from error
        finally:
            if rows is not None and not rows.stay:
                rows.release()
