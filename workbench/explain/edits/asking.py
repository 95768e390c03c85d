"""What a question of one's own may be: thresholds that single precision holds, and rows on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.explain.node_figures import test_of
from workbench.kernels.thresholds import HIGHEST_THRESHOLD

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree


def checked_threshold(value: float | None) -> np.float32:
    """Return a threshold in single precision; refuse what no value of a column can reach."""
    if value is None or not np.isfinite(value) or abs(value) > HIGHEST_THRESHOLD:
        raise WorkbenchError("A threshold must be a number that a value of the column can reach.")
    return np.float32(value)


def check_parted(part: Tree, schema: DataSchema, node: int) -> None:
    """Refuse a question that leaves one of its sides without any of the rows that grew the tree."""
    rows = part.nodes["count"]
    empty = next((side for side in ("left", "right") if not rows[part.nodes[side][0]]), None)
    if empty is not None:
        answer = "yes" if empty == "left" else "no"
        question = test_of(part, 0, schema).text
        raise WorkbenchError(
            f"No training row of node {node} answers '{question}' with {answer}. Ask otherwise."
        )
