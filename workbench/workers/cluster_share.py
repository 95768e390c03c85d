"""The cluster in a window: whether a run must wait for it, what became of it, rows that stay there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.cluster.opening.distant_rows import DistantRows, WantedRows
from workbench.cluster.refusals import check_planned, refuse_own
from workbench.errors import WorkbenchError
from workbench.metrics.facts import asked_metrics
from workbench.session.branching import why_fixed
from workbench.session.opening.elsewhere import BY_ROWS, NEEDS_CLUSTER
from workbench.workers.cluster_desk import ClusterDesk

if TYPE_CHECKING:
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams
    from workbench.session.opening.elsewhere import Elsewhere
    from workbench.session.plan import Plan
    from workbench.session.run import Run
    from workbench.session.session import Session

AWAITED = "The cluster is not connected yet. Wait for it, or choose this machine beside Train."


class ClusterShare(QObject):
    """Says what a run needs of the cluster, and keeps the rows of the open table there.

    Attributes
    ----------
    desk : ClusterDesk
    """

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self.desk = session, ClusterDesk(self)
        self._told = ""
        self._rows: DistantRows | None = None
        self._of: Elsewhere | None = None  # the table that these are of
        self.desk.changed.connect(self._tell)
        session.events.table.connect(self._leave)

    @property
    def is_far(self) -> bool:
        """Whether runs train on other machines, so that this one has its cores for the window."""
        where = self.desk.state.where
        return self.desk.connection is not None and where is not None and not where.is_local

    def refuses_new(self) -> bool:
        """Say why no run can be started as is wanted now; True where that is so."""
        session = self._session
        data, wanted = session.data, session.hyperparameters.wanted
        wanted = wanted.change(objective=data.plan.objective)
        return self._refuses(data.elsewhere is not None, wanted, data.plan, session.own_files.parts)

    def refuses_more(self, run: Run) -> bool:
        """Say why a run, or a branch of it, cannot be grown on now; True where that is so."""
        values = self._session.hyperparameters.wanted.to_dict()
        params = run.params_in_force.change(
            **{name: value for name, value in values.items() if not why_fixed(name)}
        )
        if run.started is not None:
            params = params.change(objective=run.started.ensemble.objective)
        plan = run.plan or self._session.data.plan
        return self._refuses(isinstance(run.there, DistantRows), params, plan, run.own)

    def _refuses(self, needs_it: bool, params: TrainingParams, plan: Plan, own: OwnParts) -> bool:
        """Say why nothing can be trained now: nothing is trained elsewhere instead.

        `needs_it` is whether the rows stay on a cluster; the objective of `params` is told by its own name.
        """
        if self.desk.is_awaited:
            self._session.notices.say(AWAITED, "warning", "training")
            return True
        if needs_it and plan.split_by != "rows":
            self._session.notices.say(BY_ROWS, "error", "training")
            return True
        if needs_it and self.desk.connection is None:
            self._session.notices.say(NEEDS_CLUSTER, "error", "training")
            return True
        if self.desk.connection is None:
            return False
        try:
            refuse_own(own)
            columns: dict[str, str] = {role: name for name, role in plan.roles.items()}
            check_planned(params, params.objective, columns, self._metrics(params))
        except WorkbenchError as error:
            self._session.notices.say(str(error), "error", "training")
            return True
        return False

    def _metrics(self, params: TrainingParams) -> list[str]:
        """Return the metrics that are asked for by their own names, whatever they were called."""
        known = self._session.planned.metrics
        names = {alias: metric.name for metric in known for alias in (metric.name, *metric.aliases)}
        return [names.get(name, name) for _, name in asked_metrics(params)]

    def rows(self) -> DistantRows | None:
        """Return the rows to train on, where they stay on a cluster."""
        data = self._session.data
        if data.elsewhere is None or data.table is None:
            return None
        wanted = WantedRows(**data.elsewhere.asked(data.plan, data.table))
        if self._rows is None or self._rows.wanted != wanted:
            self._rows, self._of = DistantRows(self.desk, wanted), data.elsewhere
        return self._rows

    def _tell(self) -> None:
        """Say that workers or the scheduler were lost, or are there again, where nothing else is said."""
        text = self.desk.state.text
        if text and text != self._told and self._session.notices.current is None:
            self._session.notices.say(text, "warning", "training")
        self._told = text

    def _leave(self) -> None:
        """Let go of what lies on a cluster of a table that is no longer open; the window waits for nobody."""
        known = self._rows
        if known is not None and self._session.data.elsewhere is not self._of:
            self._rows = self._of = None
            threading.Thread(target=known.release, name="cluster", daemon=True).start()
