"""What a run is set up with; what cannot be trained is refused before anything is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.class_weights import class_weights, row_weights
from workbench.ensembles.column_choices import ColumnChoices
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.run.checks import (
    check_base,
    check_continues,
    check_roles,
    check_target,
    check_trees_to_grow,
)
from workbench.ensembles.run.metrics import RunMetrics
from workbench.ensembles.run.objective import objective_of_run
from workbench.parameters.clashes import check_together
from workbench.parameters.methods import METHODS
from workbench.threads.parallel import thread_count
from workbench.threads.team import Team
from workbench.trees.tree_method import TREE_METHODS

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.own_parts import OwnParts
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams


class RunSetup:
    """What is fixed for a run. It does not hold the rows, which are let go of once they are in bins.

    Parameters
    ----------
    dataset : Dataset
    params : TrainingParams
    start : Ensemble, optional
        What is grown on.
    own : OwnParts
        An objective in place of the one that the parameters name; metrics that they may name.

    Attributes
    ----------
    params : TrainingParams
        As the run began; those in force are `LiveParams`.
    objective : Objective
        With the queries of the training rows, where it needs them.
    n_outputs : int
        Raw predictions a row.
    start : Ensemble or None
        In single precision.
    columns : ColumnChoices
    metrics : RunMetrics
    method : TreeMethod
    team : Team
        The threads that train together.
    """

    def __init__(
        self, dataset: Dataset, params: TrainingParams, start: Ensemble | None, own: OwnParts
    ) -> None:
        self.params, self.schema = params, dataset.schema
        self._own_metrics = tuple(metric.name for metric in own.metrics)
        objective = own.objective
        if objective is None:
            objective = objective_of_run(params.objective, dataset, params)
        self._objective_name = objective.name
        own.check_names(params)
        self.check(params)
        self.n_outputs = objective.n_outputs(len(dataset.schema.class_labels))
        if start is not None:
            n_features = len(dataset.schema.features)
            check_continues(start, objective.name, n_features, self.n_outputs, params)
        self.start = None if start is None else start.in_single()
        self.method = TREE_METHODS.get(params.tree_method)
        n_rows, cells = len(dataset.train_rows), len(dataset.train_rows) * dataset.features.shape[1]
        self.team = Team(thread_count(params.threads, cells, self.method.least_cells), n_rows)
        self._has_offset, has_groups = dataset.offset is not None, dataset.groups is not None
        check_target(objective, dataset)
        check_roles(objective, has_groups, self._has_offset)
        check_trees_to_grow(params.rounds, self.n_outputs, params.num_parallel_tree, dataset.schema.target)
        self._class_weights = class_weights(dataset.schema, params)
        self.columns = ColumnChoices(dataset.schema, params)
        if self.start is not None:
            check_base(self.start, objective, dataset.target, params.base_score)
        if dataset.groups is not None:
            objective = objective.with_groups(dataset.groups[dataset.train_rows])
        self.objective: Objective = objective
        self.metrics = RunMetrics(
            objective, params, n_rows, len(dataset.valid_rows), self.team, has_groups, own.metrics
        )

    def check(self, params: TrainingParams) -> None:
        """Refuse parameters that clash with each other or with the objective and metrics of the run."""
        check_together(params.change(objective=self._objective_name), self._own_metrics)

    @property
    def first_round(self) -> int:
        """Number of rounds of the model that is grown on; 0 without one."""
        return 0 if self.start is None else self.start.rounds

    @property
    def n_categories(self) -> tuple[int, ...]:
        """Categories of each column; 0 where it holds numbers."""
        return tuple(len(f.categories) if f.is_categorical else 0 for f in self.schema.features)

    def begun(self, base: NDArray[np.floating[Any]]) -> Ensemble:
        """Return the ensemble that the run begins with, on this base."""
        beside = self.params.num_parallel_tree
        return Ensemble(
            self.objective.name, len(self.schema.features), self.n_outputs, base,
            self.start.trees if self.start else (),
            n_parallel=beside,
            has_offset=self._has_offset,
            output_names=self.objective.output_names(self.schema.class_labels),
            dropouts=self.start.dropouts if self.start else (),
            averages=METHODS[self.params.method].averages,
            linear=self.start.linear if self.start else (),
            parallel_by_round=() if self.start is None else self.start.parallel_under(beside),
            drawn_by=() if self.start is None else self.start.drawn_by,
        )

    def target_of(self, data: Dataset, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the targets of rows, without a copy where these are all."""
        return data.target if len(rows) == len(data.target) else data.target[rows]

    def weight_of(self, data: Dataset, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Return the weights of rows, those of their classes included; None where all are 1."""
        return row_weights(data, self._class_weights, rows)
