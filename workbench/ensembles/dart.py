"""DART: each round is grown without some of the earlier ones, which count less from then on.

Rashmi and Gilad-Bachrach 2015, with XGBoost's parameters. What is dropped are whole rounds: all trees of one
together, as in LightGBM. With one tree a round that is XGBoost's rule. Of k dropped rounds D and the new
trees F, already shrunk by η:

    normalize_type   the new trees count   the dropped ones count
    tree             1 / (k + η)           k / (k + η)
    forest           1 / (1 + η)           1 / (1 + η)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.dropout import Dropout, omega_of_weights, round_weights
from workbench.ensembles.shrinkage import shrinkage
from workbench.ensembles.weighed_trees import WeighedTrees
from workbench.kernels.random_numbers import stream_start, units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.run.predicted_rows import RunPredictions
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

DROPS = 6  # a stream of random numbers
NONE = np.empty(0, np.int32)


def is_dart(params: TrainingParams) -> bool:
    """Whether rounds may be left out."""
    return params.rate_drop > 0.0 or params.one_drop


def draw_dropped(counts: NDArray[np.float64], params: TrainingParams, number: int) -> NDArray[np.int32]:
    """Return the rounds that are left out while round `number` is grown, ascending, from 1.

    Parameters
    ----------
    counts : ndarray of float64, shape (number − 1,)
        How much each earlier round counts, its shrinkage included.
    """
    if not len(counts):
        return NONE
    skip, one, *each = units(int(stream_start(params.seed, number, DROPS)), len(counts) + 2)
    if skip < params.skip_drop:
        return NONE
    total = counts.sum()
    is_weighted = params.sample_type == "weighted" and total > 0.0
    shares = counts / total if is_weighted else np.full(len(counts), 1.0 / len(counts))
    dropped = np.flatnonzero(np.array(each) < params.rate_drop * len(counts) * shares)
    if params.one_drop and not len(dropped):
        dropped = np.minimum(np.searchsorted(np.cumsum(shares), [one]), len(counts) - 1)
    return (dropped + 1).astype(np.int32)


def normalised(k: int, learning_rate: float, normalize_type: str) -> tuple[float, float]:
    """Return what the new trees and what the k dropped rounds count; see the table above."""
    if normalize_type == "forest":
        return 1.0 / (1.0 + learning_rate), 1.0 / (1.0 + learning_rate)
    return 1.0 / (k + learning_rate), k / (k + learning_rate)


class Dart:
    """Leaves rounds of a run out and takes them in again, which count less then.

    Raw predictions are added up anew, tree by tree, so that they are those of the model, bit for bit.

    Parameters
    ----------
    begun : Ensemble
        What the run begins with.
    data : Dataset
    rows : RunPredictions
        Their raw predictions are kept up to date.
    threads : int
    """

    def __init__(self, begun: Ensemble, data: Dataset, rows: RunPredictions, threads: int) -> None:
        self._begun, self._data, self._threads = begun, data, threads
        self._rows = rows
        self._trees = WeighedTrees(begun.trees)
        self._beside = np.diff(begun.round_begins).tolist()  # trees of each round
        self._weights = round_weights(begun.dropouts, begun.rounds)
        self._left_out = Dropout(0, NONE, np.float32(1))

    @property
    def has_left_out(self) -> bool:
        """Whether the round that is being grown does without earlier ones."""
        return len(self._left_out.dropped) > 0

    def leave_out(self, params: TrainingParams, number: int) -> float:
        """Draw the rounds that round `number` does without; return η of its trees, as they will count.

        Where there are any, the raw predictions are without them afterwards.
        """
        learning_rate = shrinkage(params, number)
        dropped = draw_dropped(self._counts(), params, number) if is_dart(params) else NONE
        factor = 1.0
        if len(dropped):
            share, factor = normalised(len(dropped), learning_rate, params.normalize_type)
            learning_rate *= share
            without = self._known_weights()
            without[dropped - 1] = 0.0
            self._add_up(without)
        self._left_out = Dropout(number, dropped, np.float32(factor))
        return learning_rate

    def take_in(self, trees: tuple[Tree, ...]) -> Dropout | None:
        """Add the trees of a finished round, and those it did without; return what happened to them."""
        self._trees.append(trees)
        self._beside.append(len(trees))
        if not self.has_left_out:
            return None
        self._weights = self._known_weights()
        self._weights[self._left_out.dropped - 1] *= self._left_out.factor
        self._add_up(self._weights)
        return self._left_out

    def omega_of_weights(self) -> float:
        """Return ½λ Σ v² + α Σ |v| over all leaves so far."""
        return omega_of_weights(self._trees, self._of_trees(self._known_weights()))

    def _known_weights(self) -> NDArray[np.float32]:
        """Return a copy of what each round so far counts; 1 for those since the last that left some out."""
        since = len(self._beside) - len(self._weights)
        return np.concatenate([self._weights, np.ones(since, np.float32)])

    def _counts(self) -> NDArray[np.float64]:
        """Return how much each round counts, its shrinkage included."""
        rates = np.array([tree.learning_rate for tree in self._trees])
        rates = rates[np.cumsum([0, *self._beside[:-1]])[: len(self._beside)]]
        if len(set(self._beside)) > 1:  # the step is shared by trees side by side
            rates *= self._beside
        return rates * self._known_weights()

    def _of_trees(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.repeat(weights, self._beside)

    def _add_up(self, weights: NDArray[np.float32]) -> None:
        data = self._data
        raw = np.repeat(self._begun.base_margin[:, None], len(data.features), axis=1)
        if data.offset is not None:
            raw += data.offset
        self._trees.add_to(raw, data.features, self._of_trees(weights), self._threads)
        for places, rows in ((data.train_rows, self._rows.train), (data.valid_rows, self._rows.valid)):
            rows.raw[:] = raw[:, places]
