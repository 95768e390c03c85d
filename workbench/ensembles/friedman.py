"""Friedman's gradient boosting: least-squares trees on pseudo-residuals, leaves with a step of their own."""

from __future__ import annotations

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.run.boosting_run import BoostingRun


@TRAINERS.register
class FriedmanBoosting(BoostingRun):
    """A run whose objective is seen as `objectives/pseudo_residuals` says.

    A tree on g and h = 1 with λ = 0 is the least-squares fit to −g.
    """

    name = "friedman"
