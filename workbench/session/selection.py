"""What the person looks at: a round, a class, a node, a row of the table, or many of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.data.row_set import RowSet


@dataclass(frozen=True)
class Selection:
    """The shared selection.

    Attributes
    ----------
    round : int or None
        From 1; None follows the newest round.
    class_index : int
        Place of the tree among those of its round: the class, where each has one tree.
    node : int or None
        Node of the selected tree.
    row : int or None
        Row of the table (not of the training matrix).
    column : str or None
        Column of the table.
    rows : RowSet or None
        Rows of the table that were selected together.
    """

    round: int | None = None
    class_index: int = 0
    node: int | None = None
    row: int | None = None
    column: str | None = None
    rows: RowSet | None = None
