"""A table of which the window holds the first rows alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.data.readers.options import ReadOptions

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
