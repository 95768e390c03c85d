"""What no format can say, and no training makes: thresholds and leaves that are no finite numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.trees.joined_nodes import joined_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.trees.tree import Tree


def check_finite(ensemble: Ensemble) -> None:
    """Refuse to write such an ensemble, which a person may have made by hand."""
    if not np.isfinite(ensemble.base_margin).all():
        raise WorkbenchError("The model's base margin is no finite number, so it cannot be written.")
    if not ensemble.trees or _are_plain(ensemble.trees):
        return
    for number, tree in enumerate(ensemble.trees, start=1):
        _check(tree.nodes["leaf_value"], tree.is_leaf, f"Tree {number} has a leaf")
        asks_number = ~tree.is_leaf & (np.diff(tree.category_begin) == 0)
        _check(tree.nodes["threshold"], asks_number, f"Tree {number} has a threshold")


def _are_plain(trees: Sequence[Tree]) -> bool:
    """Whether nothing of them can be wrong: thresholds are NaN where none is, in leaves."""
    nodes = joined_nodes(trees)
    are_right = np.isfinite(nodes["threshold"]) | (nodes["feature"] < 0)
    return bool((are_right & np.isfinite(nodes["leaf_value"])).all())


def _check(numbers: NDArray[np.floating], of_nodes: NDArray[np.bool_], what: str) -> None:
    odd = np.flatnonzero(of_nodes & ~np.isfinite(numbers))
    if len(odd):
        words = f"{what} that is no finite number (node {odd[0]})"
        raise WorkbenchError(f"{words}, so the model cannot be written.")
