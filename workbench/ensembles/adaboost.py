"""AdaBoost: each round grows a small tree on weighted rows, and weighs those up that it gets wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.impurity.class_grower import ClassGrower
from workbench.ensembles.round_grower import RoundGrower
from workbench.ensembles.run.boosting_run import BoostingRun
from workbench.objectives.adaboost_weights import NO_ERROR, beta, chance
from workbench.objectives.samme_weights import wrong_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.ensembles.newton_rounds import NewtonRounds
    from workbench.ensembles.run.begun import Begun
    from workbench.ensembles.run.boosting_run import ToldRounds
    from workbench.ensembles.run.training_loss import TrainingLoss
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


@TRAINERS.register
class AdaBoost(BoostingRun):
    """A run whose objective is seen as `objectives/adaboost_weights` says.

    It ends where theory says: after a tree that makes no error, or before one that is no better than chance.
    """

    name = "adaboost"

    def _grower(self, begun: Begun, loss: TrainingLoss, least_gain: float) -> RoundGrower:
        kind = ClassGrower if self._setup.n_outputs > 1 else RoundGrower
        flag = self._control.stop_flag
        return kind(self._setup, self._dataset, begun, loss, least_gain, flag, self._given)

    def _told(self, rounds: NewtonRounds, loss: TrainingLoss, begun: Ensemble) -> ToldRounds:
        return AdaBoostRounds(rounds, loss, begun.trees_of(begun.rounds) if begun.rounds else ())


class AdaBoostRounds:
    """Grows the rounds, and tells of each what only AdaBoost has.

    Parameters
    ----------
    rounds : NewtonRounds
    loss : TrainingLoss
        Its hessians are the row weights.
    last : tuple of Tree
        The last round's of the model that is grown on, where there is one.

    Attributes
    ----------
    end_note : str
        Why the rounds ended by themselves; "" where they did not.
    """

    def __init__(self, rounds: NewtonRounds, loss: TrainingLoss, last: tuple[Tree, ...] = ()) -> None:
        self._rounds, self._loss = rounds, loss
        self._error = weighted_error(last) if last else 0.5
        self.end_note = ""

    def grow(self, number: int, params: TrainingParams) -> RoundFinished | None:
        """Grow one round; None when it was broken off, or where theory ends."""
        if self._error < NO_ERROR:
            self.end_note = (
                f"The tree of round {number - 1:,} has no training row wrong, err = 0. AdaBoost ends "
                "with it: the row weights would stay as they are."
            )
            return None
        spread = weight_spread(self._loss.hessians[0])
        event = self._rounds.grow(number, params)
        if event is None:
            return None
        self._error = error = weighted_error(event.trees)
        n_classes = max(len(event.trees), 2)
        if error > chance(n_classes):
            self.end_note = (
                f"The tree of round {number:,} has a share err = {error:.3g} of the row weights wrong. "
                "That is no better than chance: AdaBoost ends without it."
            )
            return None
        own = {"err": error} if params.adaboost == "real" else {"err": error, "beta": beta(error, n_classes)}
        return replace(event, extras=own | spread)

    def gives_up(self, number: int, params: TrainingParams) -> bool:
        """Whether there has been no better round for too long."""
        return self._rounds.gives_up(number, params)


def weighted_error(trees: tuple[Tree, ...]) -> float:
    """Return the share of the row weights that leaves have wrong: of two classes Σ½(H − |G|)/ΣH."""
    if len(trees) > 1:
        return wrong_share(trees)
    tree = trees[0]
    leaves = tree.nodes[tree.is_leaf]
    whole = float(leaves["sum_hessian"].sum())
    right = float(np.abs(leaves["sum_gradient"]).sum())
    return max(0.5 * (1.0 - right / whole), 0.0) if whole > 0.0 else 0.5


def weight_spread(weights: NDArray[np.float64]) -> dict[str, float]:
    """Return how many equal row weights would say as much, (Σω)²/Σω², and the largest over the mean."""
    total, squares = float(weights.sum()), float((weights * weights).sum())
    if not squares > 0.0:
        return {}
    largest = float(weights.max()) * len(weights) / total
    return {"effective rows": total * total / squares, "largest weight": largest}
