"""What the person looks at: a round, a class, a node, a row of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Selection:
    """The shared selection.

    Attributes
    ----------
    round : int or None
        From 1; None follows the newest round.
    class_index : int
    node : int or None
        Node of the selected tree.
    row : int or None
        Row of the table (not of the training matrix).
    column : str or None
        Column of the table.
    """

    round: int | None = None
    class_index: int = 0
    node: int | None = None
    row: int | None = None
    column: str | None = None
