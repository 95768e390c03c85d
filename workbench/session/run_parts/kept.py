"""What a run holds at one moment, as a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import rounds_of_model

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.ensembles.events import RoundFinished, TrainingEnded, TrainingStarted
    from workbench.formats.model import Model


@dataclass(frozen=True)
class Kept:
    """What a run holds at one moment, to be made into a model elsewhere."""

    schema: DataSchema
    started: TrainingStarted
    rounds: tuple[RoundFinished, ...]
    ended: TrainingEnded | None
    read: Model | None = None  # the model itself, where it was read from a file and nothing was added
    edits: tuple[dict[str, Any], ...] = ()

    @property
    def n_rounds(self) -> int:
        """How many rounds the model has."""
        own = rounds_of_model(self.started, self.rounds, self.ended)
        return self.read.rounds if self.read else self.started.ensemble.rounds + own

    @cached_property
    def model(self) -> Model:
        """The model; made when it is first wanted, which is for a worker thread."""
        from workbench.formats.snapshot import snapshot

        return self.read or snapshot(
            self.schema, self.started, self.rounds, self.ended, edits=self.edits
        )
