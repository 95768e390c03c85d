"""What can be chosen by name, taken from the registries; reading them imports numba."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ObjectiveFacts:
    """What the window must know of an objective: its name, and the metrics that go with it."""

    name: str
    metrics: tuple[str, ...]


def known_objectives() -> tuple[ObjectiveFacts, ...]:
    """Return the facts of every objective; call it on a worker thread."""
    from workbench.objectives.base import OBJECTIVES

    return tuple(ObjectiveFacts(objective.name, tuple(objective.metrics)) for objective in OBJECTIVES)
