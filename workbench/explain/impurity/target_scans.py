"""The search of trees that are grown on the target itself, replayed at any node of a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from workbench.ensembles.impurity.shape import columns_a_split
from workbench.explain.impurity.draws import ColumnDrawing, ColumnDraws
from workbench.explain.impurity.groups import bin_groups, category_groups, value_groups
from workbench.explain.impurity.scan import TargetRows, target_scan
from workbench.explain.node_limits import FREE, NodeLimits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.column_groups import ColumnGroups
    from workbench.explain.replay import GrownTree, Replay
    from workbench.explain.split_scan import ColumnScan
    from workbench.parameters.training import TrainingParams


class ReplayedNode(Protocol):
    """What is asked of a node and its rows."""

    @property
    def grown(self) -> GrownTree:
        """Its tree, and what that was grown on."""

    @property
    def params(self) -> TrainingParams:
        """In force in the round."""

    @property
    def round(self) -> int:
        """Of the run, from 1."""

    @property
    def node(self) -> int:
        """Its place in the tree."""

    @property
    def rows(self) -> NDArray[np.int64]:
        """Rows of the dataset that grew it."""

    @property
    def gradients(self) -> NDArray[np.float64]:
        """Of these rows."""

    @property
    def hessians(self) -> NDArray[np.float64]:
        """Of these rows."""


class TargetScans:
    """What the nodes of a run's trees looked at, and what each cut lowers."""

    def __init__(self, replay: Replay) -> None:
        self._replay, self._data = replay, replay.dataset
        schema = replay.dataset.schema
        self.n_classes = 0 if schema.task == "regression" else max(len(schema.class_labels), 2)
        self._n_categories = [len(f.categories) if f.is_categorical else 0 for f in schema.features]
        self._spans: dict[int, tuple[float, float]] = {}
        self._last: tuple[int, ColumnDraws] | None = None

    def target_of(self, node: ReplayedNode) -> TargetRows:
        """Return what the rows of a node are that weigh."""
        weighs = node.hessians > 0.0
        rows, weight = node.rows[weighs], node.hessians[weighs]
        numbers, labels = self._numbers[rows], np.empty(0, np.int64)
        if self.n_classes:
            labels = self._data.target[rows].astype(np.int64)
            numbers = (labels == 1).astype(np.float64)
        return TargetRows(
            weight, labels, numbers, node.gradients[weighs], self.n_classes, node.params.criterion
        )

    def scan(self, node: ReplayedNode, column: int) -> ColumnScan:
        """Return every cut of a column at a node."""
        target = self.target_of(node)
        rows = node.rows[node.hessians > 0.0]
        groups = self._groups(column, rows)
        draws_cuts = node.params.method == "extra_trees"
        drawn = self._drawn_group(node, column, rows) if draws_cuts else None
        return target_scan(groups, target, node.params.min_leaf_rows, drawn)

    def limits(self, node: ReplayedNode) -> NodeLimits:
        """Return which columns a node looked at; that of its own split is always one of them."""
        n = len(self._n_categories)
        allowed, may_ask = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        allowed[list(self._replay.allowed_columns)] = True
        drawing = self._drawing(node)
        if drawing.n_drawn >= len(drawing.allowed):
            may_ask = allowed.copy()
        else:
            may_ask[self._draws(node, drawing).of(node.node)] = True
        asked = int(node.grown.tree.nodes["feature"][node.node])
        if asked >= 0:
            may_ask[asked] = True
        return NodeLimits(FREE, allowed, may_ask, np.ones(n, np.bool_))

    @cached_property
    def _numbers(self) -> NDArray[np.float64]:
        """The target about its mean, as it is grown on."""
        data = self._data
        numbers = data.target if data.offset is None else data.target - data.offset
        return np.asarray(numbers - float(numbers[data.train_rows].mean()))

    def _groups(self, column: int, rows: NDArray[np.int64]) -> ColumnGroups:
        values, n_categories = self._values(column, rows), self._n_categories[column]
        if n_categories:
            return category_groups(values, n_categories, is_parted=self.n_classes <= 2)
        lowest, highest = self._span(column)
        if self._is_exact:
            return value_groups(values, highest)
        return bin_groups(values, self._replay.cuts.of_column(column), lowest, highest)

    def _drawn_group(self, node: ReplayedNode, column: int, rows: NDArray[np.int64]) -> int | None:
        """Return the last group left of the cut that a node drew in a column; None where it draws none."""
        if self._n_categories[column]:
            return None
        values = self._values(column, rows)
        known, unit = values[~np.isnan(values)], self._drawing(node).cut_number(node.node, column)
        if not len(known):
            return None
        if self._is_exact:
            lower = upper = np.unique(known)
            low, high = 0, len(lower) - 1
        else:
            cuts, (lowest, highest) = self._replay.cuts.of_column(column), self._span(column)
            lower = np.append(np.float32(lowest), cuts[:-1]).astype(np.float32)
            upper = np.append(cuts[:-1], np.float32(highest)).astype(np.float32)
            bins = np.minimum(np.searchsorted(cuts, known, side="right"), max(len(cuts) - 1, 0))
            low, high = int(bins.min()), int(bins.max())
        first, last = float(lower[low]), float(upper[high])
        drawn = np.float32(first + unit * (last - first))
        cut = max(int(np.searchsorted(lower[:high], drawn)) - 1, low)
        if cut > low and upper[cut] - drawn > drawn - lower[cut]:
            cut -= 1  # of a bin the nearer edge
        return cut

    def _drawing(self, node: ReplayedNode) -> ColumnDrawing:
        params, allowed = node.params, np.array(sorted(self._replay.allowed_columns), np.int64)
        n_drawn = len(allowed)
        if params.method in ("forest", "extra_trees"):
            n_drawn = columns_a_split(params, len(allowed), self.n_classes == 0)
        number = self._replay.rounds[node.round - 1].round
        return ColumnDrawing(n_drawn, params.seed, number, params.min_leaf_rows, params.max_depth, allowed)

    def _draws(self, node: ReplayedNode, drawing: ColumnDrawing) -> ColumnDraws:
        known = self._last
        if known is not None and known[0] == node.round:
            return known[1]
        grown, train = node.grown, self._data.train_rows
        drawn = grown.sample.rows.drawn
        drawn = drawn[grown.hessians[drawn] > 0.0]
        rows = train[drawn]

        def varies(column: int, own: NDArray[np.int64]) -> bool:
            of_row = self._groups(column, rows[own]).of_row
            return bool((of_row != of_row[0]).any())

        def is_mixed(own: NDArray[np.int64]) -> bool:
            of = self._data.target if self.n_classes else self._numbers
            values = of[rows[own]]
            return bool((np.abs(values - values[0]) > 1e-12 * abs(values[0])).any())

        draws = ColumnDraws(grown.tree, grown.leaves[rows], drawing, varies, is_mixed)
        self._last = node.round, draws
        return draws

    @property
    def _is_exact(self) -> bool:
        return self._replay.params.tree_method == "exact"

    def _values(self, column: int, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        return self._data.features[rows, column] + np.float32(0.0)  # −0 becomes 0

    def _span(self, column: int) -> tuple[float, float]:
        """Return the lowest and the highest value of a column on all training rows."""
        if column not in self._spans:
            values = self._data.features[self._data.train_rows, column]
            known = values[~np.isnan(values)]
            self._spans[column] = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        return self._spans[column]


def target_scans(replay: Replay) -> TargetScans:
    """Return those of a run, the same for as long as its replay is there."""
    known = replay.kept_beside.get("target scans")
    if known is None:
        known = replay.kept_beside["target scans"] = TargetScans(replay)
    found: TargetScans = known
    return found
