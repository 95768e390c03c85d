"""The loss of one row before a round: its value, g and h there, and what it is a step away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.class_weights import class_weights, row_weights
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.explain.replay import Replay
    from workbench.objectives.base import Objective
    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class RowLoss:
    """A row and the raw prediction that a tree of a round adds to.

    Attributes
    ----------
    objective : Objective
    tree : Tree
    leaf : int
        Of the tree, in which the row ends.
    class_index : int
        Of the raw prediction that the tree adds to.
    target, weight : float
        y, and how much the row counts.
    raw : ndarray of float32, shape (K,)
        ŷ before the round.
    loss, gradient, hessian : float
        l, g and h at ŷ, times the weight; l is NaN where it cannot be told of one row.
    is_training : bool
        Whether the row trains.
    is_drawn : bool
        Whether the tree was grown on it.
    """

    objective: Objective
    tree: Tree
    leaf: int
    class_index: int
    target: float
    weight: float
    raw: NDArray[np.float32]
    loss: float
    gradient: float
    hessian: float
    is_training: bool
    is_drawn: bool

    @property
    def raw_before(self) -> float:
        """ŷ that the tree adds to."""
        return float(self.raw[self.class_index])

    def losses(self, steps: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the loss with each of these steps added to ŷ, a few on any thread."""
        raw = np.repeat(self.raw[:, None], len(steps), axis=1)
        raw[self.class_index] = (self.raw_before + steps).astype(np.float32)
        return _losses(self.objective, self.target, self.weight, raw)

    def predictions(self, step: float) -> NDArray[np.float64]:
        """Return what the row is predicted with a step added to ŷ, after the link, shape (1,) or (K,)."""
        raw = self.raw.copy()
        raw[self.class_index] += np.float32(step)
        told = self.objective.transform(raw[None] if len(raw) > 1 else raw)
        return np.asarray(told, np.float64).reshape(-1)


def row_loss(
    replay: Replay, round: int, place: int, row: int, cancelled: Callable[[], bool] | None = None
) -> RowLoss:
    """Return what a row of the dataset loses before a round of a run (from 1); from any thread.

    Raises
    ------
    Cancelled
    """
    state, grown = replay.before(round, cancelled), replay.grown(round, place, cancelled)
    data, k = replay.dataset, grown.plan.class_index
    is_training = _place(state.train.rows, row) >= 0
    side = state.train if is_training else state.valid
    at = _place(side.rows, row)
    objective, rows = replay.objective, np.array([row])
    weights = row_weights(data, class_weights(data.schema, replay.params), rows)
    weight = 1.0 if weights is None else float(weights[0])
    target, raw = float(data.target[row]), np.ascontiguousarray(side.raw[:, at], np.float32)
    loss = np.nan if objective.needs_groups else float(_losses(objective, target, weight, raw[:, None])[0])
    drawn = is_training and bool(np.isin(at, grown.sample.rows.drawn))
    return RowLoss(
        objective, grown.tree, int(grown.leaves[row]), k, target, weight, raw, loss,
        float(side.gradients[k, at]), float(side.hessians[k, at]), is_training, drawn,
    )


def _place(rows: NDArray[np.int64], row: int) -> int:
    """Return where a row stands among others, −1 where it does not."""
    at = int(np.searchsorted(rows, row))
    return at if at < len(rows) and rows[at] == row else -1


def _losses(
    objective: Objective, target: float, weight: float, raw: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return the weighted loss of one row at raw predictions of shape (K, n), shape (n,)."""
    n = raw.shape[1]
    g, h, losses = np.empty(raw.shape), np.empty(raw.shape), np.full(n, np.nan)
    objective.evaluate(
        np.full(n, target), np.ascontiguousarray(raw), np.full(n, weight), g, h, losses, ALONE
    )
    return losses
