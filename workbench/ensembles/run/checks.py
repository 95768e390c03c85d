"""What a run refuses: targets and columns that do not fit its objective, models that it cannot go on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.objectives.wrong_target import WrongTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

MANY_OUTPUTS, MOST_TREES = 100, 1_000_000


def check_roles(objective: Objective, has_groups: bool, has_offset: bool) -> None:
    """Refuse an objective that lacks a column, or cannot have one."""
    if objective.needs_groups and not has_groups:
        raise WorkbenchError(
            f"The objective '{objective.name}' ranks the rows of each query. Give a column with the "
            "queries the role of a group (--group COLUMN, or group= in Python)."
        )
    if has_offset and (objective.needs_groups or objective.task == "multiclass"):
        raise WorkbenchError(
            f"The objective '{objective.name}' and an offset clash: it has no single raw prediction a row to "
            "begin with."
        )
    if has_offset and objective.name == "exponential":
        raise WorkbenchError(
            "The objective 'exponential' and an offset clash: the model file could not say it to XGBoost, "
            "whose margins are twice these. Choose logistic."
        )


def check_target(objective: Objective, data: Dataset) -> None:
    """Refuse targets that the objective cannot have; the first is named by its row of the table."""
    try:
        objective.check(data.target)
    except WrongTarget as wrong:
        raise wrong.in_row(data.schema.target, int(data.table_rows[wrong.place]) + 1) from None


def check_trees_to_grow(rounds: int, outputs: int, n_parallel: int, target: str) -> None:
    """Refuse a target of so many classes that its trees would fill the memory."""
    trees = rounds * outputs * n_parallel
    if outputs > MANY_OUTPUTS and trees >= MOST_TREES:
        raise WorkbenchError(
            f"'{target}' has {outputs:,} classes, so {rounds:,} rounds grow {trees:,} trees. Choose fewer "
            "rounds, or a target with fewer classes; many different labels are rather names than classes."
        )


def check_continues(
    start: Ensemble, objective: str, n_features: int, n_classes: int, params: TrainingParams
) -> None:
    """Refuse to go on from a model of another kind."""
    if start.objective != objective:
        raise WorkbenchError(
            f"The model to go on from was trained for '{start.objective}', not for '{objective}'."
        )
    if (start.n_features, start.n_classes) != (n_features, n_classes):
        raise WorkbenchError(
            f"The model to go on from has {start.n_features} columns and {start.n_classes} outputs a row; "
            f"the table has {n_features} and {n_classes}."
        )
    if start.rounds and start.is_linear != (params.method == "linear"):
        kind = "a linear model" if start.is_linear else "trees"
        raise WorkbenchError(
            f"The model to go on from is {kind}, and the method {params.method} cannot go on from it."
        )


def check_given(
    given: Sequence[Sequence[Tree]], n_features: int, n_classes: int
) -> None:
    """Refuse trees that are given for rounds which have others: of other columns or classes."""
    for trees in given:
        classes = [k for k in range(n_classes) for _ in range(max(len(trees) // n_classes, 1))]
        if [tree.class_index for tree in trees] != classes:
            raise WorkbenchError("A round of this run has as many trees for each class, in their order.")
        if any(tree.nodes["feature"].max() >= n_features for tree in trees):
            raise WorkbenchError(f"A given tree asks about a column beyond the {n_features} of the table.")


def check_base(
    start: Ensemble, objective: Objective, target: NDArray[np.float64], base_score: float | None
) -> None:
    """Refuse another base than that of the model to go on from, which stays under its trees."""
    if base_score is None:
        return
    wanted = objective.base_margin(target, None, start.n_classes, base_score)
    if not np.allclose(start.base_margin, wanted, rtol=1e-5, atol=1e-6):
        raise WorkbenchError(
            f"base_score and the model to go on from clash: its base is {start.base_margin[0]:g} before the "
            f"link, not {wanted[0]:g}; leave base_score out."
        )
