"""A run that branches off at an edited round: what it starts from, and the trees that it is given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.ensembles.base import make_trainer
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.run.measured import MEASURING, best_of, otherwise
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.ensembles.base import Trainer
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.own_parts import OwnParts
    from workbench.explain.edits.base import Edit
    from workbench.explain.edits.site import Site
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class Branch:
    """An edited round, and what to go on from with it.

    Attributes
    ----------
    edit : Edit
    words : str
        What it did, in one line.
    tree : Tree
        As it is now.
    start : Ensemble
        The rounds before.
    given : tuple of tuple of Tree
        The trees of the edited round: what a trainer is `given`.
    before, ensemble : Ensemble
        The model up to the round, as it was and as it is now.
    params : TrainingParams
        In force in the round.
    best : tuple of int and float or None
        Best of the rounds before, and its watched metric.
    """

    edit: Edit
    words: str
    tree: Tree
    start: Ensemble
    given: tuple[tuple[Tree, ...], ...]
    before: Ensemble
    ensemble: Ensemble
    params: TrainingParams
    best: tuple[int, float] | None

    def trainer(
        self,
        dataset: Dataset,
        control: RunControl | None = None,
        own: OwnParts = NOTHING_OWN,
        params: TrainingParams | None = None,
    ) -> Trainer:
        """Return a run that tells of the edited round first, and grows on until there are `rounds`."""
        return make_trainer(
            dataset, params or self.params, control, self.start, own, self.best, self.given
        )


def branch_of(site: Site, edit: Edit, watched: str, higher_is_better: bool) -> Branch:
    """Return the branch that an edit makes.

    Parameters
    ----------
    watched : str
        The metric by which the best round is told.
    higher_is_better : bool
        Whether more of it is better.
    """
    replay, place = site.replay, site.run_round
    event, before = replay.rounds[place - 1], replay.rounds[: place - 1]
    words = edit.words(site.tree, site.schema, site.name)
    if len(event.trees) > 1 and replay.objective.weighs_whole_trees:
        raise WorkbenchError(
            "The trees of a round of AdaBoost for several classes are one tree; none is edited alone."
        )
    tree = edit.applied(site)
    trees = tuple(tree if k == site.place else other for k, other in enumerate(event.trees))
    start = replay.begun.with_rounds(before)
    return Branch(
        edit, words, tree, start, (trees,), start.with_rounds([event]),
        start.with_rounds([replace(event, trees=trees)]), event.params,
        _best(site, watched, higher_is_better),
    )


def _best(site: Site, watched: str, higher_is_better: bool) -> tuple[int, float] | None:
    replay, place = site.replay, site.run_round
    if place < 2:
        return None
    last = replay.rounds[place - 2]
    if any(getattr(last.params, name) != getattr(replay.params, name) for name in MEASURING):
        before = replay.rounds[: place - 1]
        known = otherwise(before, replay.params, replay.objective.name)
        return best_of(before[known:], watched, higher_is_better)
    number = last.best_round
    own = number - replay.begun.rounds
    if own < 1:
        return None
    event = replay.rounds[own - 1]
    value = (event.valid or event.train).get(watched)
    return None if value is None else (number, value)
