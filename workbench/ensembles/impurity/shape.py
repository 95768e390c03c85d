"""What shapes a tree of means and class shares, from the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.trees.by_node.grower import NodeGrowing
from workbench.trees.by_node.impurity import IMPURITIES

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams


def shape_of(params: TrainingParams, n_drawn: int) -> NodeGrowing:
    """Return what shapes a tree that draws so many columns at each node."""
    return NodeGrowing(
        IMPURITIES[params.criterion], params.min_leaf_rows, params.max_depth, n_drawn,
        votes=params.combining == "vote",
    )


def columns_a_split(params: TrainingParams, n_columns: int, is_regression: bool) -> int:
    """Return m: what the parameters say, or the textbook's p/3 for numbers and √p for classes."""
    if params.split_columns is not None:
        return min(params.split_columns, n_columns)
    return max(1, n_columns // 3 if is_regression else int(n_columns**0.5))
