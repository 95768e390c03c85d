"""Gradient boosting by Newton steps: each round fits trees to gradients and hessians of the loss."""

from __future__ import annotations

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.run.boosting_run import BoostingRun


@TRAINERS.register
class NewtonBoosting(BoostingRun):
    """A run whose objective is seen as it is."""

    name = "newton"
