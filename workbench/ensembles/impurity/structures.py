"""Trees that have questions of their own: those of class shares ask the same for all classes of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.parameters.methods import IMPURITY, SHARES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


def of_round(trees: Sequence[Tree], params: TrainingParams) -> Sequence[Tree]:
    """Return those of one round."""
    return trees[:1] if params.method in IMPURITY else trees


def of_ensemble(ensemble: Ensemble) -> Sequence[Tree]:
    """Return those of all rounds."""
    if ensemble.objective == SHARES["multiclass"]:
        return ensemble.trees[:: ensemble.n_classes]
    return ensemble.trees


def rounds_of(ensemble: Ensemble) -> NDArray[np.int64]:
    """Return the round of each of these, from 0."""
    rounds = np.arange(ensemble.rounds)
    return rounds if ensemble.objective == SHARES["multiclass"] else ensemble.by_tree(rounds)
