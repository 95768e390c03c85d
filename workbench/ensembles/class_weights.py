"""How much rows count: each by its own weight, and by its class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.errors import WorkbenchError
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.parameters.training import TrainingParams


def class_weights(schema: DataSchema, params: TrainingParams) -> NDArray[np.float64] | None:
    """Return the weight of each class, shape (K,); None where all are 1."""
    if params.scale_pos_weight == 1.0 and not params.class_weights:
        return None
    if schema.task == "regression":
        given = "class_weights" if params.class_weights else "scale_pos_weight"
        raise WorkbenchError(
            f"{given} and objective clash: the one is for classes, but '{schema.target}' is predicted as a "
            "number."
        )
    weights = np.ones(len(schema.class_labels))
    labels = schema.class_labels
    places = {text(label): place for text in (str, label_text) for place, label in enumerate(labels)}
    for label, weight in params.class_weights:
        if label not in places:
            known = nearest(label, map(label_text, labels))
            raise WorkbenchError(f"class_weights names '{label}', which is no class. {known}.")
        weights[places[label]] = weight
    if params.scale_pos_weight != 1.0:
        if schema.task != "binary":
            raise WorkbenchError(
                "scale_pos_weight and objective clash: the one is for two classes, but "
                f"'{schema.target}' is predicted as one of several. Use class_weights."
            )
        weights[1] *= params.scale_pos_weight
    if not weights.any():
        raise WorkbenchError("class_weights is 0 for every class; leave a class that counts.")
    return weights


def row_weights(
    data: Dataset, of_class: NDArray[np.float64] | None, rows: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """Return the weights of rows, those of their classes included; None where all are 1."""
    every = len(rows) == len(data.target)
    own = data.weight if every or data.weight is None else data.weight[rows]
    if of_class is None:
        return own
    by_class = of_class[data.target[rows].astype(np.int64)]
    return by_class if own is None else own * by_class


def counting(weight: NDArray[np.float64] | None) -> NDArray[np.bool_] | None:
    """Return which rows count: those of weight 0 lie in the nodes of a tree, but their values are not cut at.

    None where all rows count, or none does.
    """
    return None if weight is None or weight.all() or not weight.any() else weight > 0
