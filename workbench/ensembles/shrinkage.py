"""Shrinkage: how much of a tree's leaf weights is added to the model, η, round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams


def shrinkage(params: TrainingParams, number: int) -> float:
    """Return η of round `number`, from 1."""
    return params.learning_rate * params.learning_rate_decay ** (number - 1)
