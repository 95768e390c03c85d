"""The objective of a run, by its name and the task of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.objectives.base import DEFAULT_OF_TASK, OBJECTIVES

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.objectives.base import Objective


def resolve_objective(name: str, dataset: Dataset) -> Objective:
    """Return the objective by name or alias; "auto" follows from the task. It must fit the task."""
    task = dataset.schema.task
    objective = OBJECTIVES.get(DEFAULT_OF_TASK[task] if name == "auto" else name)
    if objective.task != task:
        raise WorkbenchError(
            f"The objective '{objective.name}' is for {objective.task} targets, but "
            f"'{dataset.schema.target}' is {task}. Choose auto or another objective."
        )
    return objective
