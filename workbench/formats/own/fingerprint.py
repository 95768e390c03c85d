"""The hash by which a reader knows that nobody changed the trees since we wrote them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.float_text import parse_scalars

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_OUTPUTS = 100_000
_SINGLE, _WHOLE = np.dtype("<f4"), np.dtype("<i8")
_FLOATS = ("base_weights", "loss_changes", "split_conditions", "sum_hessian")
_INTEGERS = (
    "categories", "categories_nodes", "categories_segments", "categories_sizes", "default_left",
    "left_children", "parents", "right_children", "split_indices", "split_type",
)  # fmt: skip


def fingerprint(learner: dict[str, Any]) -> str:
    """Return the SHA-256 of the canonical learner section without its attributes.

    Canonical is: what decides a prediction and what is shown of it, keys sorted, every number of the
    trees as a float32 or an integer. So XGBoost's own way of writing numbers does not change it.
    """
    parameters = learner["learner_model_param"]
    booster = learner["gradient_booster"]
    model = booster.get("gbtree", booster)["model"]
    weights = {"weight_drop": [_hexadecimal(booster["weight_drop"])]} if "weight_drop" in booster else {}
    n_classes = max(int(parameters["num_class"]), int(parameters.get("num_target", "1")), 1)
    base = parse_scalars(parameters["base_score"])
    if n_classes > MOST_OUTPUTS or len(base) not in (1, n_classes):
        raise WorkbenchError("Damaged model file: base_score has another number of classes than the model.")
    head = {
        "base_score": [_hexadecimal(base if len(base) == n_classes else base * n_classes)],
        "booster": booster["name"],
        "feature_names": learner["feature_names"],
        "feature_types": learner["feature_types"],
        "num_class": n_classes,
        "num_feature": int(parameters["num_feature"]),
        "objective": learner["objective"]["name"],
        "tree_info": model["tree_info"],
        **weights,
    }
    digest = hashlib.sha256(json.dumps(head, sort_keys=True, ensure_ascii=False).encode())
    with np.errstate(over="ignore"):
        for tree in model["trees"]:
            digest.update(b"".join([*map(_floats, map(tree.__getitem__, _FLOATS)), *_whole(tree)]))
    return digest.hexdigest()


def _floats(values: Any) -> bytes:
    """Return numbers as single ones."""
    is_single = isinstance(values, np.ndarray) and values.dtype == _SINGLE
    return (values if is_single else np.array(values, np.float64).astype(_SINGLE)).tobytes()


def _whole(tree: dict[str, Any]) -> Iterator[bytes]:
    """Yield the whole numbers of a tree, after how many they are."""
    for name in _INTEGERS:
        n = len(values := tree[name])
        yield n.to_bytes(8, "little")
        if n:
            yield np.asarray(values, _WHOLE).tobytes()


def _hexadecimal(values: list[float]) -> str:
    with np.errstate(over="ignore"):
        return np.array(values).astype("<f4").tobytes().hex()
