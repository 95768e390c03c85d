"""Hyperparameters that go on from one table to the next, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

MOST_NAMED = 6


def carried(params: TrainingParams) -> str:
    """Name those that are not at their defaults: "λ 5.8, γ 0.19", "" where all are."""
    told = [
        f"{p.symbol or p.label} {p.told(getattr(params, p.name))}"
        for p in PARAMETERS
        if p.name != "objective" and getattr(params, p.name) != p.default_of(params.method)
    ]
    more = len(told) - MOST_NAMED
    return ", ".join(told) if more <= 0 else f"{', '.join(told[:MOST_NAMED])} and {more} more"
