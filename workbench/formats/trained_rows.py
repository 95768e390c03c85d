"""The rows that a model was trained on, as its trainer had them, from the table that a script gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.dataset import Dataset
from workbench.data.encoding import encode
from workbench.errors import WorkbenchError
from workbench.formats.answered_rows import answered_rows
from workbench.formats.held_rows import held_rows

if TYPE_CHECKING:
    from workbench.formats.model_like import ModelLike

MISSING = "Give the table that the model was trained on, as X, with y where it does not hold the answers."
OTHERS = "These are not the rows that the model was trained on: {} train, and its trees were grown on {}."


def trained_rows(model: ModelLike, X: Any, y: Any = None, weight: Any = None) -> Dataset:
    """Return the dataset of a model, parted as it was for training.

    Raises
    ------
    WorkbenchError
        There are no rows, or others than the model was trained on.
    """
    if X is None:
        raise WorkbenchError(MISSING)
    schema, split = model.schema, model.schema.split
    found = answered_rows(schema, X, y, weight, None, None)
    features = np.asfortranarray(encode(schema, found.features))
    rows = np.flatnonzero(~np.isnan(found.target))
    if split is not None and split.holds_out and split.by != "file":
        rows = held_rows(schema, X, y).train
    offset = model.offset_of(found.features, None, len(features)) if schema.offset is not None else None
    n_train = model.provenance.get("n_train", len(rows))
    if n_train != len(rows):
        raise WorkbenchError(OTHERS.format(f"{len(rows):,}", f"{n_train:,}"))
    return Dataset(
        schema, features, np.nan_to_num(found.target), found.weight, rows, np.empty(0, np.int64),
        np.arange(len(features)), offset=offset,
    )
