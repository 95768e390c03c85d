"""Opening a table that stays on a cluster, on a worker thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.session.objective_facts import ObjectiveFacts, known_objectives
from workbench.session.opening.elsewhere import Elsewhere
from workbench.session.opening.open_file import first_plan

if TYPE_CHECKING:
    from workbench.cluster.connection import Connection
    from workbench.data.readers.options import ReadOptions
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Table
    from workbench.session.plan import Plan
    from workbench.workers.jobs import Job


@dataclass(frozen=True)
class OpenedElsewhere:
    """The first rows of a table, figures of all of them, and a first plan."""

    table: Table
    elsewhere: Elsewhere
    plan: Plan
    summaries: dict[str, ColumnSummary]
    objectives: tuple[ObjectiveFacts, ...]


def open_elsewhere(connection: Connection, path: str, options: ReadOptions, job: Job) -> OpenedElsewhere:
    """Look at a table on the workers of a cluster."""
    from workbench.cluster.opening.open_there import open_there

    found = open_there(connection, path, options, job.cancelled, job.progress)
    return OpenedElsewhere(
        found.shown,
        Elsewhere(path, found.rows, options),
        first_plan(found.shown),
        found.summaries,
        known_objectives(),
    )
