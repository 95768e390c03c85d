"""The rounds of trees that are grown on the target itself: each grows one tree, or one a class."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from workbench.ensembles.impurity.averaged_rows import AveragedRows
from workbench.ensembles.impurity.drawn_weights import draw_counts
from workbench.ensembles.impurity.out_of_bag import OutOfBag
from workbench.ensembles.impurity.trees_ahead import TreesAhead
from workbench.ensembles.prediction import leaf_indices
from workbench.ensembles.run.reports import RoundReports
from workbench.parameters.methods import AVERAGED

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.ensembles.run.metrics import RunMetrics
    from workbench.ensembles.run.omega import Omega
    from workbench.ensembles.run.predicted_rows import RunPredictions
    from workbench.ensembles.run.training_loss import TrainingLoss
    from workbench.ensembles.run.watch import MetricWatch
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import GrownTrees
    from workbench.trees.tree import Tree
NO_PROMISE = float("nan")  # of a tree that moves a mean of others, whatever it would do alone


class RoundTrees(NamedTuple):
    """What a round grew.

    Attributes
    ----------
    trees : tuple of Tree
        One, or one a class.
    train_leaves, valid_leaves : ndarray of int32
        The leaf of each row.
    counts : ndarray of float64
        How often each training row was drawn.
    """

    trees: tuple[Tree, ...]
    train_leaves: NDArray[np.int32]
    valid_leaves: NDArray[np.int32]
    counts: NDArray[np.float64]


class TreeGrowth(Protocol):
    """Grows a tree for each class on weighted training rows, in any thread; None when it was stopped."""

    def __call__(
        self, number: int, params: TrainingParams, counts: NDArray[np.float64]
    ) -> GrownTrees | None:
        """Grow the tree of a round; `counts` tells how often each row was drawn."""


class ImpurityRounds:
    """Grows rounds on the parts of a run.

    Parameters
    ----------
    data : Dataset
    rows : RunPredictions
        Whose raw predictions are set after each round.
    grow : callable
        Grows one tree.
    loss, omega, watch, metrics
        Parts of the run.
    given : mapping of int to tuple of Tree
        Trees of rounds that are not grown.
    threads : int
    """

    def __init__(
        self,
        data: Dataset,
        rows: RunPredictions,
        grow: TreeGrowth,
        loss: TrainingLoss,
        omega: Omega,
        watch: MetricWatch,
        metrics: RunMetrics,
        given: Mapping[int, tuple[Tree, ...]],
        threads: int,
    ) -> None:
        self._data, self._grow, self._given = data, grow, given
        self._loss, self._omega, self._watch = loss, omega, watch
        self._reports = RoundReports(loss, omega, watch)
        train, valid = (
            None if data.offset is None else data.offset[own] for own in (data.train_rows, data.valid_rows)
        )
        self._train, self._valid = AveragedRows(rows.train, train), AveragedRows(rows.valid, valid)
        self._out_of_bag = OutOfBag(rows.train, metrics, train)
        self._valid_features = data.features[data.valid_rows]
        self._ahead = TreesAhead(self._grown, threads)
        self.has_split = False

    def go_on(self, start: Ensemble, params: TrainingParams) -> None:
        """Take in the rounds that the run goes on from; they drew as `params` says where they do not tell."""
        for number in range(1, start.rounds + 1):
            drawn_by = start.drawn_by[number - 1] if start.drawn_by else params
            self._take_in(self._taken(number, drawn_by, start.trees_of(number)))
        self._train.settle()
        self._valid.settle()

    def grow(self, number: int, params: TrainingParams) -> RoundFinished | None:
        """Grow one round; None when it was broken off."""
        began = perf_counter()
        grown = self._ahead.take(number, params)
        if grown is None:
            return None
        before = self._loss.total
        self._take_in(grown)
        self._train.settle()
        self._valid.settle()
        self._loss.update()
        self._omega.add(grown.trees)
        self._watch.note(number, params)
        figures = self._out_of_bag.figures() if params.method in AVERAGED else {}
        event = self._reports.finished(
            number, grown.trees, params, self._loss.total - before, began, extras=figures
        )
        return replace(event, promised=NO_PROMISE) if params.method in AVERAGED else event

    def gives_up(self, number: int, params: TrainingParams) -> bool:
        """Return False: trees that are averaged do not overfit by their number."""
        return False

    def close(self) -> None:
        """Let the threads go."""
        self._ahead.close()

    def _take_in(self, grown: RoundTrees) -> None:
        self._train.add(grown.trees, grown.train_leaves)
        self._valid.add(grown.trees, grown.valid_leaves)
        self._out_of_bag.add(grown.trees, grown.train_leaves, grown.counts)
        self.has_split |= grown.trees[0].n_nodes > 1

    def _grown(self, number: int, params: TrainingParams) -> RoundTrees | None:
        if number in self._given:
            return self._taken(number, params, self._given[number])
        counts = self._counts(number, params)
        grown = self._grow(number, params, counts)
        if grown is None:
            return None
        valid = leaf_indices(grown.trees[:1], self._valid_features)[:, 0]
        return RoundTrees(grown.trees, grown.leaves, valid, counts)

    def _taken(self, number: int, params: TrainingParams, trees: tuple[Tree, ...]) -> RoundTrees:
        leaves = leaf_indices(trees[:1], self._data.features)[:, 0]
        train, valid = (leaves[rows] for rows in (self._data.train_rows, self._data.valid_rows))
        return RoundTrees(trees, train, valid, self._counts(number, params))

    def _counts(self, number: int, params: TrainingParams) -> NDArray[np.float64]:
        return draw_counts(params, number, len(self._data.train_rows))
