"""A table of which the window holds the first rows alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Table
    from workbench.session.plan import Plan

NEEDS_CLUSTER = "This table stays on a cluster. Connect to it again (▾ beside Train, Where), and train then."

ROWS_THERE = (
    "The rows of this run stay on the cluster, where its nodes are added up. For this they are needed here: "
    "open the table, or some of its rows, on this machine, and train on it."
)
BY_ROWS = (
    "On a cluster rows are held out by a hash of the row. Choose rows at random under Hold-out, or open the "
    "table on this machine."
)


@dataclass(frozen=True)
class Elsewhere:
    """Where the rows are that a run trains on.

    Attributes
    ----------
    path : str
        A path or URL that the workers of a cluster open.
    rows : int
    options : ReadOptions
        What was settled about reading.
    """

    path: str
    rows: int
    options: ReadOptions

    @property
    def whole_path(self) -> str:
        """The path from its beginning, so that it is found from any folder."""
        return self.path if "://" in self.path else str(Path(self.path).absolute())

    def asked(self, plan: Plan, shown: Table) -> dict[str, Any]:
        """Return what is asked of the workers, by the fields of `WantedRows`; `shown` has the columns."""
        kinds = tuple((column.name, column.kind) for column in shown.columns)
        return {
            "path": self.path, "options": replace(self.options, kinds=kinds), "roles": plan.roles,
            "objective": plan.objective, "valid_fraction": plan.valid_fraction,
            "split_seed": plan.split_seed, "positive": plan.positive,
        }  # fmt: skip
