"""What is said where trees are asked for and there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sized

NO_TREES_YET = "No trees yet"
NO_TREES = f"{NO_TREES_YET}. Choose the target, then Train."
FIRST_TREE = "Preparing the first tree."
ROUND_0 = "Round 0 is before the first tree."
LINEAR = "A linear model has no trees. Its weights are under Training, and summed by feature under Ensemble."


class TrainedRun(Protocol):
    """What must be known of a run."""

    @property
    def is_linear(self) -> bool:
        """Whether it trains a linear model."""

    @property
    def is_live(self) -> bool:
        """Whether a trainer still works on it or waits."""

    @property
    def rounds(self) -> Sized:
        """The finished ones."""


def no_trees(run: TrainedRun | None) -> str:
    """Return why there is no tree of a run to show: of one with rounds, as it is linear or at round 0."""
    if run is None or not len(run.rounds):
        return FIRST_TREE if run is not None and run.is_live else NO_TREES
    return LINEAR if run.is_linear else ROUND_0


def no_rounds(run: TrainedRun | None) -> str:
    """Return why nothing of a run can be shown, of trees or of a linear model."""
    return ROUND_0 if run is not None and len(run.rounds) else no_trees(run)
