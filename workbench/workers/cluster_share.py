"""The cluster in a window: whether a run must wait for it, what became of it, rows that stay there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.cluster.refusals import check_params
from workbench.errors import WorkbenchError
from workbench.session.opening.elsewhere import NEEDS_CLUSTER
from workbench.workers.cluster_desk import ClusterDesk
from workbench.workers.distant_rows import DistantRows

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
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
        self.desk.changed.connect(self._tell)
        session.events.table.connect(self._leave)

    def refuses(self, *, needs_it: bool, params: TrainingParams | None = None) -> bool:
        """Say why nothing can be trained now; True where that is so. Nothing is trained elsewhere instead.

        `needs_it` is whether the rows stay on a cluster, and `params` what a new run begins with.
        """
        if self.desk.is_awaited:
            self._session.notices.say(AWAITED, "warning", "training")
            return True
        if needs_it and self.desk.connection is None:
            self._session.notices.say(NEEDS_CLUSTER, "error", "training")
            return True
        if params is not None and self.desk.connection is not None:
            try:
                check_params(params)
            except WorkbenchError as error:
                self._session.notices.say(str(error), "error", "training")
                return True
        return False

    def rows(self) -> DistantRows | None:
        """Return the rows to train on, where they stay on a cluster."""
        data = self._session.data
        if data.elsewhere is None or data.table is None:
            return None
        kinds, known = tuple((c.name, c.kind) for c in data.table.columns), self._rows
        if known is None or (known.elsewhere, known.plan, known.kinds) != (data.elsewhere, data.plan, kinds):
            self._rows = DistantRows(self.desk, data.elsewhere, data.plan, kinds)
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
        if known is not None and self._session.data.elsewhere is not known.elsewhere:
            self._rows = None
            threading.Thread(target=known.release, name="cluster", daemon=True).start()
