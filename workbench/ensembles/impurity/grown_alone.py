"""The training rows of a run as trees of means and class shares are grown on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.class_weights import class_weights, counting, row_weights
from workbench.ensembles.column_choices import ColumnChoices
from workbench.threads.row_blocks import weights_or_ones
from workbench.trees.by_node.coded_columns import code_columns
from workbench.trees.by_node.target import class_target, number_target
from workbench.trees.tree_method import RunRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.coded_columns import CodedColumns
    from workbench.trees.by_node.target import NodeTarget


class GrowingRows(NamedTuple):
    """The training rows of a run.

    Attributes
    ----------
    columns : CodedColumns
    target : NodeTarget
    weight : ndarray of float64, shape (n,)
        Those of the classes included.
    allowed : ndarray of int64
        Columns that may be asked about.
    """

    columns: CodedColumns
    target: NodeTarget
    weight: NDArray[np.float64]
    allowed: NDArray[np.int64]


def growing_rows(
    data: Dataset,
    params: TrainingParams,
    threads: int = 1,
    cancelled: Callable[[], bool] | None = None,
) -> GrowingRows:
    """Bring the training rows into the form that is searched; `cancelled` is asked between columns."""
    rows, schema = data.train_rows, data.schema
    own = row_weights(data, class_weights(schema, params), rows)
    n_categories = tuple(len(f.categories) if f.is_categorical else 0 for f in schema.features)
    run_rows = RunRows(data.features, rows, data.valid_rows, n_categories, counts=counting(own))
    numbers = data.target[rows] if data.offset is None else data.target[rows] - data.offset[rows]
    is_regression = schema.task == "regression"
    return GrowingRows(
        code_columns(run_rows, params, threads, cancelled),
        number_target(numbers) if is_regression else class_target(numbers, len(schema.class_labels)),
        np.array(weights_or_ones(own, len(rows))),
        ColumnChoices(schema, params).allowed,
    )
