"""The person's own hyperparameters, set aside while those of a model from a file are shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run


@dataclass(frozen=True)
class SetAside:
    """What a fresh run takes once the model is closed, and what it could take of the model.

    Attributes
    ----------
    own : TrainingParams
    told : mapping of str to object
        Those of the model that its file tells, by name.
    """

    own: TrainingParams
    told: Mapping[str, Any]

    def changed(self, before: TrainingParams, after: TrainingParams) -> SetAside:
        """Change in the person's own what was changed while the model's were shown."""
        shown = before.to_dict()
        changes = {name: value for name, value in after.to_dict().items() if value != shown[name]}
        return replace(self, own=self.own.change(**changes))

    @property
    def others(self) -> dict[str, Any]:
        """The model's that are not as the person's own."""
        own = self.own.to_dict()
        return {name: value for name, value in self.told.items() if value != own[name]}


def set_aside(own: TrainingParams, run: Run) -> SetAside:
    """Set the person's own aside for those of a model, but for its objective, which goes with its target."""
    told = run.params.to_dict() if run.read is None else {
        name: getattr(run.params, name) for name in run.read.known_params
    }  # fmt: skip
    return SetAside(own, {name: value for name, value in told.items() if name != "objective"})
