"""A node whose rows are at home, with all that is asked of one; brings numba."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from workbench.explain.node_members import node_members
from workbench.explain.node_rows import NodeRows, node_rows
from workbench.explain.spread import column_spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.explain.node_members import NodeMembers
    from workbench.explain.replay import Replay
    from workbench.explain.spread import ColumnSpread


@dataclass(frozen=True, eq=False)
class NodeHere(NodeRows):
    """Answers from the rows themselves."""

    @property
    def of_tree(self) -> None:
        """Nothing: the figures of a tree are found without a node."""

    def spread(self, column: int, cancelled: Callable[[], bool] | None = None) -> ColumnSpread:
        """Return how a column's values, g and h are spread over the rows that grew the node."""
        return column_spread(self, column)

    def members(self, cancelled: Callable[[], bool] | None = None) -> NodeMembers:
        """Return all rows of the node side by side."""
        return node_members(self)


def node_here(
    replay: Replay, round: int, place: int, node: int, cancelled: Callable[[], bool] | None = None
) -> NodeHere:
    """Return a node, as `node_rows` finds it."""
    found = node_rows(replay, round, place, node, cancelled)
    return NodeHere(**{field.name: getattr(found, field.name) for field in fields(NodeRows)})
