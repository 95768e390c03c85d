"""What a run was told about single columns, from its parameters: names become places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.named_columns import first_unfit
from workbench.ensembles.forced_plan import forced_plan
from workbench.errors import WorkbenchError
from workbench.trees.interaction_constraints import MOST_SETS, column_sets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.parameters.training import TrainingParams


class ColumnChoices:
    """What a run was told about single columns.

    Attributes
    ----------
    weights : ndarray of float64, shape (d,)
        How likely each is drawn.
    monotone : ndarray of int8, shape (d,)
    sets : ndarray of int64, shape (d,)
        See `Rules.column_sets`.
    allowed : ndarray of int64
        Places of the columns that splits may ask about, ascending.
    forced : ForcedSplits
    """

    def __init__(self, schema: DataSchema, params: TrainingParams) -> None:
        unfit = first_unfit(schema.features, params)
        if unfit is not None:
            raise WorkbenchError(unfit.text)
        places = {feature.name: place for place, feature in enumerate(schema.features)}
        d = len(schema.features)
        self.weights = np.ones(d)
        for name, weight in params.feature_weights:
            self.weights[places[name]] = weight
        self.monotone = np.zeros(d, np.int8)
        for name, sign in params.monotone_constraints:
            self.monotone[places[name]] = sign
        sets = params.interaction_constraints
        if len(sets) > MOST_SETS:
            raise WorkbenchError(f"interaction_constraints has {len(sets)} sets; {MOST_SETS} at most.")
        self.sets = column_sets([[places[name] for name in names] for names in sets], d)
        self.forced = forced_plan(params.forced_splits, schema, places)
        forbidden = {places[name] for name in params.forbidden_columns}
        self.allowed: NDArray[np.int64] = np.array([f for f in range(d) if f not in forbidden], np.int64)

    def with_forced(self, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return drawn columns and those that splits are forced on, ascending."""
        return np.union1d(drawn, self.forced.columns) if len(self.forced.columns) else drawn
