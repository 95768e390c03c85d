"""What a trainer is: something that yields round events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.dataset import Dataset
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


class Trainer(Protocol):
    """One run. `rounds` is consumed once, in the thread that trains."""

    def rounds(self) -> Iterator[Event]:
        """Yield `TrainingStarted`, then rounds and pauses, and `TrainingEnded` last."""


class TrainerKind(Protocol):
    """A training method: called with what a run needs, it makes a `Trainer`."""

    name: str

    def __call__(
        self,
        dataset: Dataset,
        params: TrainingParams,
        control: RunControl | None = None,
        start: Ensemble | None = None,
        own: OwnParts = NOTHING_OWN,
        best: tuple[int, float] | None = None,
        given: tuple[tuple[Tree, ...], ...] = (),
    ) -> Trainer:
        """Set up a run: on `start` with its best round, with a person's `own` parts, where they are given.

        Its first rounds grow nothing but take the trees that are `given`, round by round.
        """


TRAINERS: Registry[TrainerKind] = Registry("training method", "workbench.ensembles")


def make_trainer(
    dataset: Dataset,
    params: TrainingParams,
    control: RunControl | None = None,
    start: Ensemble | None = None,
    own: OwnParts = NOTHING_OWN,
    best: tuple[int, float] | None = None,
    given: tuple[tuple[Tree, ...], ...] = (),
) -> Trainer:
    """Set up a run by the method that its parameters name; see `TrainerKind`. All runs begin here."""
    return TRAINERS.get(params.method)(dataset, params, control, start, own, best, given)
