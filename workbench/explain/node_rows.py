"""The rows of one node: those that grew it and those that are held out, with their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.column_groups import Grouping
from workbench.explain.holdout_gain import weights_and_scores
from workbench.explain.impurity.leaf_sentence import leaf_sentence
from workbench.explain.impurity.target_scans import target_scans
from workbench.explain.node_limits import node_limits, why_not_asked
from workbench.explain.reasons import Why
from workbench.explain.split_scan import scan_column, terms_of
from workbench.explain.tree_rows import leaves_under
from workbench.trees.class_impurity import impurity_decrease

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.explain.node_limits import NodeLimits
    from workbench.explain.replay import GrownTree, Replay
    from workbench.explain.split_scan import ColumnScan, Terms
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


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
    note = ""

    @property
    def tree(self) -> Tree:
        """Whose node it is."""
        return self.grown.tree

    @property
    def schema(self) -> DataSchema:
        """What the columns mean."""
        return self.replay.dataset.schema

    @property
    def least_gain(self) -> float:
        """What ½[…] of a split had to exceed."""
        return self.grown.growing.least_gain

    @cached_property
    def limits(self) -> NodeLimits:
        """What held the node back."""
        if self.replay.seeks_in_target:
            return target_scans(self.replay).limits(self)
        return node_limits(self.tree, self.grown.plan, self.node, len(self.schema.features))

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

    def why_not_asked(self, column: int) -> Why | None:
        """Return why the node might not ask about a column; None where it might."""
        return why_not_asked(self.limits, column, self.replay.allowed_columns)

    def why_uncut(self, column: int) -> Why:
        """Return why no cut of a column parts the rows."""
        values = self.replay.dataset.features[self.rows, column]
        has_weight = (self.hessians > 0) | (self.gradients != 0)
        if len(np.unique(values)) <= 1:
            return Why.CONSTANT
        if len(np.unique(values[has_weight])) <= 1:
            return Why.CONSTANT_BY_WEIGHT
        return Why.RARE if self.schema.features[column].is_categorical else Why.ONE_BIN

    def holdout_gain(
        self, column: int, threshold: np.float32, codes: NDArray[np.int64], *, default_left: bool
    ) -> float:
        """Return ½[…] − γ of a split of the node's hold-out rows; NaN where there are none."""
        if not len(self.held_out):
            return float("nan")
        values = self.replay.dataset.features[self.held_out, column]
        yes = np.isin(values, codes) if len(codes) else values < threshold
        yes = np.where(np.isnan(values), default_left, yes)
        if self.replay.criterion:
            return self._holdout_decrease(yes)
        g, h = self.valid_gradients, self.valid_hessians
        sums = np.array([(g[part].sum(), h[part].sum()) for part in (yes, ~yes, slice(None))])
        _, score = weights_and_scores(sums[:, 0], sums[:, 1], self.tree)
        return float(score[2] - score[0] - score[1] - self.tree.gamma)

    def _holdout_decrease(self, yes: NDArray[np.bool_]) -> float:
        """Return what parting the hold-out rows so lowers the impurity of their classes by."""
        labels = self.replay.dataset.target[self.held_out].astype(np.int64)
        n_classes = target_scans(self.replay).n_classes
        counts = (np.bincount(labels[side], self.valid_hessians[side], n_classes) for side in (yes, ~yes))
        left, right = (np.asarray(side, np.float64) for side in counts)
        return float(impurity_decrease(left, right, self.replay.criterion))

    def own_leaf_words(self, *, has_cut: bool) -> str:
        """Return why it is a leaf, where that does not follow from limits and gains; else ""."""
        if not self.replay.seeks_in_target:
            return ""
        return leaf_sentence(self, target_scans(self.replay), has_cut=has_cut)


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
