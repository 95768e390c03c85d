"""Rounds whose figures were measured with other weights, or by another loss, than those that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.early_stopping import BestRound
from workbench.parameters.clashes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ensembles.events import RoundFinished
    from workbench.parameters.training import TrainingParams

WEIGHING = ("scale_pos_weight", "class_weights")
MEASURING = ("objective", "metric", "more_metrics", *WEIGHING, *SHAPES.values())


def weighing(objective: str) -> tuple[str, ...]:
    """Return the parameters on which the figures of an objective, by its own name, depend."""
    return (*WEIGHING, *(shape for name, shape in SHAPES.items() if name == objective))


def otherwise(rounds: Sequence[RoundFinished], params: TrainingParams, objective: str) -> int:
    """Return how many rounds there are up to the last one that these parameters would measure otherwise.

    Parameters
    ----------
    objective : str
        By its own name.
    """
    names = weighing(objective)
    wanted = [getattr(params, name) for name in names]
    known: TrainingParams | None = None
    for place in range(len(rounds) - 1, -1, -1):
        if rounds[place].params is known:
            continue
        known = rounds[place].params
        if [getattr(known, name) for name in names] != wanted:
            return place + 1
    return 0


def best_of(
    rounds: Sequence[RoundFinished], watched: str, higher_is_better: bool
) -> tuple[int, float] | None:
    """Return the best of rounds by a metric, and what it is there; None where none of them has it."""
    best, values = BestRound(higher_is_better), {}
    for event in rounds:
        value = (event.valid or event.train).get(watched)
        if value is not None:
            values[event.round] = value
            best.note(event.round, value, event.params.early_stopping_min_change)
    return (best.round, values[best.round]) if best.round else None
