"""Every row that passes a node, with the figures it had there: who it is, g, h, and what its leaf adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.table import Table
    from workbench.explain.node_rows import NodeRows
    from workbench.trees.tree import Tree

DRAWN, LEFT_OUT, HELD_OUT = range(3)  # grew the tree; trains, but was not drawn for it; validates


class PartSums(NamedTuple):
    """How many rows are of a part, their G and H, and Σ|g|, which tells how exact G can be."""

    rows: int
    sum_gradient: float
    sum_hessian: float
    size: float


class Listed(NamedTuple):
    """Rows that were brought from where they lie: encoded, and as they are shown."""

    dataset: Dataset
    table: Table


@dataclass(frozen=True, eq=False)
class NodeMembers:
    """Rows of the dataset, ascending; every array has shape (n,).

    Attributes
    ----------
    tree : Tree
    round, node : int
    rows : ndarray of int64
    parts : ndarray of uint8
        DRAWN, LEFT_OUT or HELD_OUT.
    raw : ndarray of float32
        Raw prediction of the tree's class at which g and h were taken: before the round.
    gradients, hessians : ndarray of float64
        Times the row's weight; of DRAWN rows as often as each counted.
    added : ndarray of float32
        What the row's leaf adds, η·w*.
    weights : ndarray of float64 or None
        Of the row and its class; None where all are 1.
    sums : tuple of PartSums
        Of DRAWN, LEFT_OUT and HELD_OUT rows.
    listed : Listed or None
        Where these are but the first rows of a node that lies elsewhere: then `rows` count in these.
    """

    tree: Tree
    round: int
    node: int
    rows: NDArray[np.int64]
    parts: NDArray[np.uint8]
    raw: NDArray[np.float32]
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]
    added: NDArray[np.float32]
    weights: NDArray[np.float64] | None
    sums: tuple[PartSums, ...]
    listed: Listed | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def n_rows(self) -> int:
        """How many rows the node has, those that are not listed too."""
        return sum(part.rows for part in self.sums)


def node_members(found: NodeRows) -> NodeMembers:
    """Return all rows of a node side by side. Brings numba: call it on a worker thread."""
    from workbench.ensembles.class_weights import class_weights, row_weights

    replay, grown, tree = found.replay, found.grown, found.grown.tree
    state, k = replay.before(found.round), tree.class_index
    groups = (found.rows, found.left_out, found.held_out)  # as DRAWN, LEFT_OUT, HELD_OUT
    idle = np.searchsorted(state.train.rows, found.left_out)
    rows = np.concatenate(groups)
    order = np.argsort(rows, kind="stable")
    rows = rows[order]
    raw = np.empty(len(replay.dataset.target), np.float32)
    for part in (state.train, state.valid):
        raw[part.rows] = part.raw[k]
    gradients = (found.gradients, grown.gradients[idle], found.valid_gradients)
    hessians = (found.hessians, grown.hessians[idle], found.valid_hessians)
    return NodeMembers(
        tree, found.round, found.node, rows,
        parts=np.repeat(np.arange(3, dtype=np.uint8), [len(group) for group in groups])[order],
        raw=raw[rows],
        gradients=np.concatenate(gradients)[order],
        hessians=np.concatenate(hessians)[order],
        added=tree.nodes["leaf_value"][grown.leaves[rows]],
        weights=row_weights(replay.dataset, class_weights(replay.dataset.schema, found.params), rows),
        sums=tuple(map(_added_up, gradients, hessians)),
    )


def _added_up(g: NDArray[np.float64], h: NDArray[np.float64]) -> PartSums:
    return PartSums(len(g), float(g.sum()), float(h.sum()), float(np.abs(g).sum()))
