"""What a run on a cluster is set up with; what cannot be trained there is refused before anything is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from workbench.cluster.refusals import check_can_train
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.run.checks import check_continues
from workbench.ensembles.run.metrics import RunMetrics
from workbench.ensembles.run.objective import objective_of_run
from workbench.errors import WorkbenchError
from workbench.parameters.clashes import check_together
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.cluster.connection import Connection
    from workbench.cluster.placed_table import RowsThere
    from workbench.data.schema import DataSchema
    from workbench.parameters.training import TrainingParams

NO_HOLD_OUT = (
    "early_stopping_rounds needs validation rows: hold out a share of the rows (valid fraction 0.2, say)."
)



class ClusterRows(Protocol):
    """Rows that a run can be given there."""

    @property
    def schema(self) -> DataSchema:
        """What they mean."""

    def place(
        self, connection: Connection, params: TrainingParams, objective: str, cancelled: Callable[[], bool],
        progress: Callable[[int, int], object] | None = None,
    ) -> RowsThere:  # fmt: skip
        """Bring them into the form that is trained on, on the workers; progress is told the parts done."""

    def told_alone(self, feature: int) -> float:
        """Return the share of the target's variance that a column tells alone; NaN where it is not known."""


class ClusterSetup:
    """What is fixed for a run.

    Attributes
    ----------
    rows : ClusterRows
    params : TrainingParams
        As the run began.
    objective : str
    metrics : RunMetrics
    begun : Ensemble
        What the run grows on; its base is known where it has trees.
    """

    def __init__(self, rows: ClusterRows, params: TrainingParams, start: Ensemble | None) -> None:
        self.rows, self.params = rows, params
        schema = rows.schema
        objective = objective_of_run(params.objective, rows, params)
        self.objective = objective.name
        self.check(params)
        self.metrics = RunMetrics(objective, params, 0, 0, ALONE)
        check_can_train(params, objective.name, schema, self.metrics.names)
        n_features, n_outputs = len(schema.features), objective.n_outputs(len(schema.class_labels))
        if start is not None:
            check_continues(start, objective.name, n_features, n_outputs, params)
            start = start.in_single()
        self.begun = Ensemble(
            objective.name, n_features, n_outputs,
            np.zeros(n_outputs, np.float32) if start is None else start.base_margin,
            () if start is None else start.trees, n_parallel=params.num_parallel_tree,
            parallel_by_round=() if start is None else start.parallel_under(params.num_parallel_tree),
            output_names=objective.output_names(schema.class_labels),
        )
        self.has_classes = objective.task != "regression"

    @property
    def schema(self) -> DataSchema:
        """What the rows mean."""
        return self.rows.schema

    def check(self, params: TrainingParams) -> None:
        """Refuse parameters that clash."""
        check_together(params.change(objective=self.objective))

    def check_rows(self, rows: RowsThere) -> None:
        """Refuse a run on no rows, or one that waits for the best of rows that are not held out."""
        if not rows.of_train.rows:
            raise WorkbenchError("Cannot train: no row has a target. Choose another target or table.")
        if self.params.early_stopping_rounds is not None and not rows.of_valid.rows:
            raise WorkbenchError(NO_HOLD_OUT)
