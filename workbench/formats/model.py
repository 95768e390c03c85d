"""The model as it is taken away: the ensemble and all that a script must know to use it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True, eq=False)
class Model:
    """A trained model.

    Attributes
    ----------
    ensemble : Ensemble
    schema : DataSchema
    params : TrainingParams
        As the run was started.
    history : tuple of dict
        A record a round: round, metrics, loss, omega, structure score, gain, parameters that changed …
    provenance : dict
        Versions, times, notes; why the run ended, best round.
    """

    ensemble: Ensemble
    schema: DataSchema
    params: TrainingParams
    history: tuple[dict[str, Any], ...] = ()
    provenance: dict[str, Any] = field(default_factory=dict)
