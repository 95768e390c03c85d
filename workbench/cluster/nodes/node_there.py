"""A node of a tree whose rows lie on a cluster, from what they add up to there."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.cluster.nodes.details import FirstRowsOfNode, SpreadColumn
from workbench.cluster.nodes.rows_home import members_of
from workbench.cluster.nodes.tally import FIRST, MISSING
from workbench.explain.column_groups import OTHER, ColumnGroups
from workbench.explain.compared_node import ToldOfTree
from workbench.explain.holdout_gain import HoldOutGains, delivered_by, gains_of, weights_and_scores
from workbench.explain.node_limits import node_limits, why_not_asked
from workbench.explain.node_targets import NodeTargets, counted_target
from workbench.explain.reasons import Why
from workbench.explain.split_scan import Sums, scan_sums, terms_of
from workbench.explain.spread import (
    MISSING_CODE,
    ColumnSpread,
    RugLine,
    Spread,
    by_frequency,
    edges_between,
    shown_classes,
)
from workbench.kernels.thresholds import LOWEST_THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from workbench.cluster.nodes.piece import PlaceThere
    from workbench.cluster.nodes.tally import Binning, NodeTally, PartTally
    from workbench.data.schema import DataSchema
    from workbench.ensembles.tree_plan import TreePlan
    from workbench.explain.node_limits import NodeLimits
    from workbench.explain.node_members import NodeMembers
    from workbench.explain.split_scan import ColumnScan, Terms
    from workbench.parameters.training import TrainingParams
    from workbench.trees.growing_params import GrowingParams
    from workbench.trees.tree import Tree

MOST_TRAIN, MOST_VALID = 750, 250  # rows that are listed
DRAWN = "XGBoost's draw of rows is not known here: all training rows are counted."
COLUMNS_DRAWN = "XGBoost's draw of columns is not known here: all are compared."
NOTHING = np.empty(0)


class Searched(NamedTuple):
    """How the tree of a node was grown.

    Attributes
    ----------
    params : TrainingParams
        In force in the round.
    plan : TreePlan
    growing : GrowingParams
    allowed : ndarray of int64
        Columns that splits of the run may ask about.
    number : int
        Place of the tree in its round, from 0.
    weighs_by_search : bool
        Whether leaves are weighed by the objective's line search.
    """

    params: TrainingParams
    plan: TreePlan
    growing: GrowingParams
    allowed: NDArray[np.int64]
    number: int
    weighs_by_search: bool


class NodeThere:
    """What is known at home of a node; columns and rows are asked for one by one.

    Parameters
    ----------
    ask : callable (Ask, cancelled)
        Asks the workers.
    schema : DataSchema
    round : int
        Of the run, from 1.
    place : PlaceThere
    searched : Searched
    tally : NodeTally
    binnings : tuple of Binning
    codes : list of ndarray of int64
        By column the categories that training rows have.
    """

    def __init__(
        self, ask: Callable[..., Any], schema: DataSchema, round: int, place: PlaceThere, searched: Searched,
        tally: NodeTally, binnings: tuple[Binning, ...], codes: list[NDArray[np.int64]],
    ) -> None:  # fmt: skip
        self._ask, self.schema, self.round, self._place, self._searched = ask, schema, round, place, searched
        self._tally, self._binnings, self._codes = tally, binnings, codes
        self.tree: Tree = place.tree
        self.node = place.node
        self.params = searched.params
        self.least_gain = searched.growing.least_gain

    @cached_property
    def note(self) -> str:
        """What should be known of its figures."""
        params, drawn = self.params, []
        if params.subsample < 1.0:
            drawn.append(DRAWN)
        if min(params.colsample_bytree, params.colsample_bylevel, params.colsample_bynode) < 1.0:
            drawn.append(COLUMNS_DRAWN)
        return " ".join(drawn)

    @cached_property
    def of_tree(self) -> ToldOfTree:
        """What is known of all nodes of the tree; nothing of the targets of rows that XGBoost drew."""
        tree, train, valid = self.tree, self._tally.train, self._tally.valid
        targets = gains = None
        if train is not None and self.params.subsample == 1.0:
            label, _ = counted_target(tree, self.schema, NOTHING)
            targets = NodeTargets(tree, label, train.targets, train.of_nodes.rows)
        if train is not None and valid is not None and valid.of_nodes.rows[0]:
            scale = float(train.of_nodes.rows[0] / valid.of_nodes.rows[0])
            gains = HoldOutGains(
                tree, self.round, self._searched.number, valid.of_nodes, gains_of(tree, valid.of_nodes),
                delivered_by(tree, valid.of_nodes, searched=self._searched.weighs_by_search), scale,
            )  # fmt: skip
        return ToldOfTree(gains, targets)

    @cached_property
    def limits(self) -> NodeLimits:
        """What held the node back."""
        tree, train = self.tree, self._tally.train
        if train is not None and not tree.knows_sums:  # XGBoost does not tell them under bounds
            nodes = tree.nodes.copy()
            nodes["sum_gradient"], nodes["sum_hessian"], _ = train.of_nodes
            tree = replace(tree, nodes=nodes)
        return node_limits(tree, self._searched.plan, self.node, len(self.schema.features))

    def terms(self, column: int) -> Terms:
        """Return what gains of a column are taken with."""
        return terms_of(self._searched.growing, self._searched.plan, self.limits.bounds, column, 0.0, 0.0)

    def scan(self, column: int) -> ColumnScan:
        """Return every cut of a column."""
        histogram = self._histogram(self._tally.train, column)
        groups, places = self._groups(column)
        return scan_sums(
            groups, _summed(histogram[:, places]), _summed(histogram[:, MISSING]),
            _summed(histogram.sum(axis=1)), self.terms(column),
        )  # fmt: skip

    def why_not_asked(self, column: int) -> Why | None:
        """Return why the node might not ask about a column; None where it might."""
        return why_not_asked(self.limits, column, self._searched.allowed)

    def why_uncut(self, column: int) -> Why:
        """Return why no cut of a column parts the rows."""
        train = self._tally.train
        if train is None:
            return Why.CONSTANT
        is_one = not train.high[column] > train.low[column]
        missing = train.histograms[column][2, MISSING]
        if is_one and missing in (0, train.sums.rows):
            return Why.CONSTANT
        return Why.RARE if self.schema.features[column].is_categorical else Why.ONE_BIN

    def holdout_gain(
        self, column: int, threshold: np.float32, codes: NDArray[np.int64], *, default_left: bool
    ) -> float:
        """Return ½[…] − γ of a split of the node's hold-out rows; NaN where there are none."""
        valid = self._tally.valid
        if valid is None or not valid.sums.rows:
            return float("nan")
        g, h, _ = valid.histograms[column]
        yes = np.zeros(len(g), np.bool_)
        yes[MISSING] = default_left
        if len(codes):
            yes[FIRST + codes[codes < self._binnings[column].n_groups]] = True
        else:
            cuts = self._binnings[column].cuts
            yes[FIRST : FIRST + int(np.searchsorted(cuts, threshold, side="right"))] = True
        sums = np.array([(g[part].sum(), h[part].sum()) for part in (yes, ~yes, slice(None))])
        _, score = weights_and_scores(sums[:, 0], sums[:, 1], self.tree)
        return float(score[2] - score[0] - score[1] - self.tree.gamma)

    def own_leaf_words(self, *, has_cut: bool) -> str:
        """Return nothing: why it is a leaf follows from limits and gains."""
        return ""

    def spread(self, column: int, cancelled: Callable[[], bool] | None = None) -> ColumnSpread:
        """Return how a column's values, g and h are spread; the workers are asked."""
        train, n_codes = self._tally.train, len(self.schema.features[column].categories)
        low, high = (np.nan, np.nan) if train is None else (train.low[column], train.high[column])
        ends = [(float(low), float(high)), *([] if train is None else train.spans.tolist())]
        edges = [edges_between(*(span if np.isfinite(span).all() else (0.0, 1.0))) for span in ends]
        found = None
        if train is not None:
            of_values = NOTHING if self.schema.features[column].is_categorical else edges[0]
            asked = SpreadColumn(self._place, column, (of_values, edges[1], edges[2]), n_codes)
            found = self._ask(asked, cancelled)
        if train is None or found is None:
            nothing = Spread(NOTHING, NOTHING.astype(np.int64), *(np.zeros(0, np.int64),) * 2)
            return ColumnSpread(nothing, nothing, nothing, 0, (), np.nan, np.nan)
        none = np.empty(0, np.int64)
        values, g, h = (Spread(some, none, *sides) for some, sides in zip(edges, found.sides, strict=True))
        if self.schema.features[column].is_categorical:
            codes = np.append(np.arange(n_codes), MISSING_CODE)
            there = found.sides[0].sum(axis=0) > 0
            values = by_frequency(codes[there], *found.sides[0][:, there])
        shown = shown_classes(found.classes) if len(found.classes) else list(found.rugs)
        rug = tuple(RugLine(k, found.rugs.get(k, NOTHING.astype(np.float32))) for k in shown)
        missing = int(train.histograms[column][2, MISSING])
        return ColumnSpread(values, g, h, missing, rug, float(low), float(high))

    def members(self, cancelled: Callable[[], bool] | None = None) -> NodeMembers:
        """Return the first rows of the node, and what all of them add up to; the workers are asked."""
        rows = self._ask(FirstRowsOfNode(self._place, MOST_TRAIN, MOST_VALID), cancelled)
        return members_of(self.schema, self.round, self._place, self._tally, rows)

    def _histogram(self, part: PartTally | None, column: int) -> NDArray[np.float64]:
        if part is None:
            return np.zeros((3, FIRST + self._binnings[column].n_groups))
        return part.histograms[column]

    def _groups(self, column: int) -> tuple[ColumnGroups, NDArray[np.int64]]:
        """Return the groups of a column, and their places in a histogram."""
        feature, nobody = self.schema.features[column], np.empty(0, np.int64)
        if not feature.is_categorical:
            binning = self._binnings[column]
            groups = ColumnGroups(
                nobody, binning.n_groups, binning.cuts, np.empty(0, np.int64), -1, LOWEST_THRESHOLD
            )
            return groups, FIRST + np.arange(binning.n_groups)
        codes = self._codes[column]
        of_code = np.full(len(feature.categories), OTHER, np.int64)
        of_code[codes] = np.arange(len(codes))
        is_parted = len(codes) > self.params.max_cat_to_onehot
        groups = ColumnGroups(
            nobody, len(codes), np.empty(0, np.float32), of_code, -1, LOWEST_THRESHOLD, is_parted
        )
        return groups, FIRST + codes


def _summed(sums: NDArray[np.float64]) -> Sums:
    return Sums(sums[0], sums[1], np.asarray(sums[2], np.int64))
