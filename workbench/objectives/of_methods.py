"""Objectives as training methods see them that do not take Newton's steps."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.objectives.adaboost_weights import adaboost_weights
from workbench.objectives.pseudo_residuals import PseudoResiduals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams

OF_METHODS: Mapping[str, Callable[[Objective, TrainingParams], Objective]] = MappingProxyType(
    {"friedman": PseudoResiduals, "adaboost": adaboost_weights}
)


def seen_by_method(objective: Objective, params: TrainingParams) -> Objective:
    """Return an objective with the gradients, hessians and leaf weights of the method that is wanted."""
    seen = OF_METHODS.get(params.method)
    return objective if seen is None else seen(objective, params)
