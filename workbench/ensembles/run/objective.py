"""The objective of a run, by its name and the task of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from workbench.errors import WorkbenchError
from workbench.objectives.base import OBJECTIVES
from workbench.objectives.custom import Custom
from workbench.objectives.of_methods import seen_by_method
from workbench.parameters.methods import DEFAULT_METHOD, METHODS

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.objectives.base import Objective
    from workbench.parameters.methods import Method
    from workbench.parameters.training import TrainingParams


class HasSchema(Protocol):
    """Rows, wherever they lie, of which it is known what they mean."""

    @property
    def schema(self) -> DataSchema:
        """Columns, target and classes."""


def resolve_objective(name: str, dataset: HasSchema, method: str = DEFAULT_METHOD) -> Objective:
    """Return the objective by name or alias; "auto" follows from task and method. It must fit the task."""
    task = dataset.schema.task
    if name == "auto":
        name = _of_task(METHODS[method], task)
    objective = OBJECTIVES.get(name)
    if objective.task != task:
        raise WorkbenchError(
            f"The objective '{objective.name}' is for {objective.task} targets, but "
            f"'{dataset.schema.target}' is {task}. Choose auto or another objective."
        )
    return objective


def objective_of_run(name: str, dataset: HasSchema, params: TrainingParams) -> Objective:
    """Return the objective by name as a run with these parameters, and by their method, has it."""
    objective = resolve_objective(name, dataset, params.method)
    return seen_by_method(objective.with_params(params), params)


def objective_in(params: TrainingParams, begun: Ensemble) -> str:
    """Return the objective, by its own name, of rounds with these parameters.

    A branch may go on with another one than that of the rounds it shares; `begun` names that of the newest.
    """
    if params.objective == "auto" or begun.objective == Custom.name:
        return begun.objective
    return OBJECTIVES.get(params.objective).name


def _of_task(method: Method, task: str) -> str:
    """Return the objective of a method for a task; refuse a task that it cannot train."""
    if task not in method.objectives:
        raise WorkbenchError(
            f"The method {method.name} is for {' and '.join(method.objectives)} targets, and this one is "
            f"{task}. Choose another method."
        )
    return method.objectives[task]
