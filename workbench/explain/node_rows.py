"""The rows of one node: those that grew it and those that are held out, with their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.explain.column_groups import Grouping
from workbench.explain.impurity.target_scans import target_scans
from workbench.explain.node_limits import node_limits
from workbench.explain.split_scan import scan_column, terms_of
from workbench.explain.tree_rows import leaves_under

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from workbench.explain.node_limits import NodeLimits
    from workbench.explain.replay import GrownTree, Replay
    from workbench.explain.split_scan import ColumnScan, Terms
    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True, eq=False)
class NodeRows:
    """A node of a tree of a run, and who passes it.

    Attributes
    ----------
    replay : Replay
    grown : GrownTree
    round, place, node : int
        Of the run, from 1; in the round, from 0; of the tree.
    params : TrainingParams
        In force in the round.
    rows, held_out, left_out : ndarray of int64
        Rows of the dataset, ascending: those that grew the node, hold-out rows, and training rows that were
        not drawn.
    gradients, hessians : ndarray of float64, shape (len(rows),)
        As often as each row counts.
    valid_gradients, valid_hessians : ndarray of float64, shape (len(held_out),)
    noise, mean_hessian : float
        Σg²/Σh and Σh a row, of all training rows.
    """

    replay: Replay
    grown: GrownTree
    round: int
    place: int
    node: int
    params: TrainingParams
    rows: NDArray[np.int64]
    held_out: NDArray[np.int64]
    left_out: NDArray[np.int64]
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]
    valid_gradients: NDArray[np.float64]
    valid_hessians: NDArray[np.float64]
    noise: float
    mean_hessian: float

    @cached_property
    def limits(self) -> NodeLimits:
        """What held the node back."""
        if self.replay.seeks_in_target:
            return target_scans(self.replay).limits(self)
        return node_limits(self.grown, self.node, self.replay.dataset.features.shape[1])

    @cached_property
    def _grouping(self) -> Grouping:
        return Grouping(self.replay, self.grown, self.params)

    def terms(self, column: int) -> Terms:
        """Return what gains of a column are taken with at this node."""
        return terms_of(
            self.grown.growing, self.grown.plan, self.limits.bounds, column, self.noise, self.mean_hessian
        )

    def scan(self, column: int) -> ColumnScan:
        """Return every cut of a column at this node."""
        if self.replay.seeks_in_target:
            return target_scans(self.replay).scan(self, column)
        groups = self._grouping.groups(column, self.rows)
        return scan_column(groups, self.gradients, self.hessians, self.terms(column))


def node_rows(
    replay: Replay, round: int, place: int, node: int, cancelled: Callable[[], bool] | None = None
) -> NodeRows:
    """Return the rows of a node.

    Parameters
    ----------
    round, place, node : int
        Round of the run, from 1; place of the tree in the round, from 0; node of the tree.

    Raises
    ------
    Cancelled
    """
    state = replay.before(round, cancelled)
    grown = replay.grown(round, place, cancelled)
    tree, drawn, left_out = grown.tree, grown.sample.rows.drawn, grown.sample.rows.left_out
    below = leaves_under(tree, node)
    train = below[grown.leaves[state.train.rows]]
    own = drawn[train[drawn]]
    valid = below[grown.leaves[state.valid.rows]]
    k = tree.class_index
    sum_hessian = float(grown.hessians.sum())
    return NodeRows(
        replay, grown, round, place, node, state.params,
        rows=state.train.rows[own],
        held_out=state.valid.rows[valid],
        left_out=state.train.rows[left_out[train[left_out]]],
        gradients=grown.gradients[own],
        hessians=grown.hessians[own],
        valid_gradients=state.valid.gradients[k][valid],
        valid_hessians=state.valid.hessians[k][valid],
        noise=float((grown.gradients**2).sum()) / sum_hessian if sum_hessian > 0 else 0.0,
        mean_hessian=sum_hessian / max(len(grown.hessians), 1),
    )
