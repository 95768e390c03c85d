"""Best cuts of all columns of numbers at all splits of a tree, from one pass over its rows.

What the rows of a node add up to in a bin is what those of the leaves below it do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if
from workbench.explain.candidates import RunnerUp
from workbench.explain.column_groups import MISSING, OTHER, Grouping
from workbench.explain.node_limits import node_limits
from workbench.explain.reasons import CutRefusal
from workbench.explain.split_scan import Sums, judged_gains, terms_of
from workbench.explain.tree_rows import leaves_under

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.explain.replay import GrownTree, Replay

MOST_SUMS = 12_000_000  # of all leaves, columns and bins
BEFORE = -OTHER  # places of rare and missing values, before those of the bins


class BinScans:
    """The splits of one tree that was grown by bins.

    Attributes
    ----------
    columns : ndarray of int64, shape (c,)
        Those that are scanned here: numbers that are not monotone, of which there are few enough bins.
    """

    def __init__(
        self, replay: Replay, round: int, place: int, cancelled: Callable[[], bool] | None = None
    ) -> None:
        state, self._grown = replay.before(round, cancelled), replay.grown(round, place, cancelled)
        self._is_leaf, self._n_columns = self._grown.tree.is_leaf, len(replay.dataset.schema.features)
        self.columns = _columns(replay, self._grown)
        if not len(self.columns):
            return
        drawn = self._grown.sample.rows.drawn
        rows, grouping = state.train.rows[drawn], Grouping(replay, self._grown, state.params)
        leaf = (np.cumsum(self._is_leaf) - 1)[self._grown.leaves[rows]]
        values = self._grown.gradients[drawn], self._grown.hessians[drawn], None
        width = BEFORE + int(replay.cuts.n_bins[self.columns].max())
        n = int(self._is_leaf.sum()) * width
        self._sums = np.empty((len(values), int(self._is_leaf.sum()), len(self.columns), width))
        for at, column in enumerate(self.columns.tolist()):
            leave_if(cancelled)
            places = leaf * width + BEFORE + grouping.groups(column, rows).of_row
            for sums, of_rows in zip(self._sums, values, strict=True):
                sums[:, at] = np.bincount(places, of_rows, n).reshape(-1, width)

    def runner_up(self, node: int) -> RunnerUp | None:
        """Return which column has the best cut of those that a node did not make, of equals the first.

        None where none has a cut that gains anything.
        """
        tree, plan, growing = self._grown.tree, self._grown.plan, self._grown.growing
        limits = node_limits(tree, plan, node, self._n_columns)
        asked = limits.may_ask[self.columns] & (self.columns != tree.nodes["feature"][node])
        if not asked.any():
            return None
        below = leaves_under(tree, node)[self._is_leaf]
        by_bin = Sums(*self._sums[:, below][:, :, asked].sum(axis=1))
        missing = Sums(*(field[:, BEFORE + MISSING, None] for field in by_bin))
        total = Sums(*(field.sum(axis=1)[:, None] for field in by_bin))
        left = (np.cumsum(field[:, BEFORE:], axis=1) for field in by_bin)
        both = Sums(*(np.stack([own, own + more]) for own, more in zip(left, missing, strict=True)))
        terms = terms_of(growing, plan, limits.bounds, int(self.columns[0]), 0.0, 0.0)
        gain, refused = judged_gains(both, total, missing, terms)
        usable = (refused == CutRefusal.NONE) & ~np.isnan(gain)
        best = np.where(usable, gain, -np.inf).max(axis=(0, 2))
        first = int(best.argmax())
        if best[first] + tree.gamma <= growing.least_gain:
            return None
        return RunnerUp(int(self.columns[asked][first]), float(best[first]), float(best[first]))


def _columns(replay: Replay, grown: GrownTree) -> NDArray[np.int64]:
    if replay.params.tree_method != "hist" or replay.seeks_in_target:
        return np.empty(0, np.int64)
    rules, features = grown.plan.rules, replay.dataset.schema.features
    is_plain = np.array([not feature.is_categorical for feature in features], bool)
    is_plain &= replay.cuts.n_bins[: len(features)] > 0
    if rules is not None:
        is_plain &= rules.monotone == 0
    columns = np.flatnonzero(is_plain)
    most = BEFORE + int(replay.cuts.n_bins[columns].max(initial=0))
    is_much = len(columns) * most * int(grown.tree.is_leaf.sum()) > MOST_SUMS
    return np.empty(0, np.int64) if is_much else columns


def bin_scans(
    replay: Replay, round: int, place: int, cancelled: Callable[[], bool] | None = None
) -> BinScans:
    """Return those of a tree; made once for as long as no other tree is asked about.

    Raises
    ------
    Cancelled
    """
    known = replay.kept_beside.get("bin scans")
    if known is None or known[0] != (round, place):
        known = (round, place), BinScans(replay, round, place, cancelled)
        replay.kept_beside["bin scans"] = known
    found: BinScans = known[1]
    return found
