"""Trees whose leaves hold a number for each output, taken apart into one plain tree for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.xgboost.tree_reader import MOST_NODES

MOST_OUTPUTS = 1 << 20


def by_output(record: dict[str, Any], n_outputs: int) -> list[dict[str, Any]]:
    """Return one tree's JSON object for each output; a tree of one number a leaf as it stands.

    What the file says of gain and H is of all outputs together: of each it is unknown. XGBoost writes leaves
    apart from 3.1 on, and their places as the right child; before, they stand among the weights of all nodes.
    """
    given = record["tree_param"].get("size_leaf_vector", "1")
    size = checks.integer(given, "size_leaf_vector", 0, MOST_OUTPUTS)
    if size <= 1:
        return [record]
    if size != n_outputs:
        raise WorkbenchError("Damaged model file: its leaves have another number of values than the model.")
    left = checks.integers(record["left_children"], "left_children", low=-1, high=MOST_NODES)
    n, is_leaf = len(left), left < 0
    right = checks.integers(record["right_children"], "right_children", n, low=-1, high=MOST_NODES)
    weights = checks.reals(record["base_weights"], "base_weights", n * size).reshape(n, size)
    values = weights
    if "leaf_weights" in record:
        leaves = checks.reals(record["leaf_weights"], "leaf_weights", is_leaf.sum() * size).reshape(-1, size)
        places = checks.integers(right[is_leaf].tolist(), "right_children", low=0, high=len(leaves) - 1)
        values = weights.copy()
        values[is_leaf] = leaves[places]
    conditions = checks.reals(record["split_conditions"], "split_conditions", n)
    unknown = [None] * n
    return [
        record
        | {
            "tree_param": {"size_leaf_vector": "1"}, "right_children": np.where(is_leaf, -1, right).tolist(),
            "split_conditions": np.where(is_leaf, values[:, k], conditions).tolist(),
            "base_weights": weights[:, k].tolist(), "loss_changes": unknown, "sum_hessian": unknown,
        }
        for k in range(size)
    ]  # fmt: skip
