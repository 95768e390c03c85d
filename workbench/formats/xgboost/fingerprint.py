"""The hash by which a reader knows that nobody changed the trees since we wrote them."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.float_text import parse_scalars
from workbench.formats.xgboost.tree_table import BY_CATEGORY, TreeTable

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_OUTPUTS = 100_000
_SINGLE, _WHOLE = np.dtype("<f4"), np.dtype("<i8")
_SINGLES = ("base_weights", "loss_changes", "split_conditions", "sum_hessian")
_BY_NODE = ("default_left", "left_children", "parents", "right_children", "split_indices", "split_type")
_INTEGERS = (*BY_CATEGORY, *_BY_NODE)
_NO_CODES = bytes(8 * len(BY_CATEGORY))


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
    trees = model["trees"]
    with np.errstate(over="ignore"):
        for part in _of_table(trees) if isinstance(trees, TreeTable) else map(_of_object, trees):
            digest.update(part)
    return digest.hexdigest()


def _of_object(tree: dict[str, Any]) -> bytes:
    """Return the lists of a tree, of real numbers and then of whole ones, each after how many they are."""
    wholes: list[bytes] = []
    for name in _INTEGERS:
        wholes += _count(len(values := tree[name])), np.asarray(values, _WHOLE).tobytes()
    return b"".join([*(_singles(tree[name]) for name in _SINGLES), *wholes])


def _of_table(trees: TreeTable) -> Iterator[bytes]:
    """Yield the same of each tree of a table."""
    singles = [_singles(trees.columns[name]) for name in _SINGLES]
    wholes = [trees.columns[name].astype(_WHOLE, copy=False).tobytes() for name in _BY_NODE]
    for tree, (begin, end) in enumerate(pairwise(trees.begins)):
        codes = _codes(trees.categories[tree]) if tree in trees.categories else _NO_CODES
        count = _count(end - begin)
        by_node = [data[8 * begin : 8 * end] for data in wholes]
        yield b"".join([*[data[4 * begin : 4 * end] for data in singles], codes, count, count.join(by_node)])


def _codes(lists: dict[str, list[int]]) -> bytes:
    parts = ((len(codes), np.asarray(codes, _WHOLE)) for codes in map(lists.__getitem__, BY_CATEGORY))
    return b"".join(_count(n) + codes.tobytes() for n, codes in parts)


def _singles(values: Any) -> bytes:
    is_single = isinstance(values, np.ndarray) and values.dtype == _SINGLE
    return (values if is_single else np.array(values, np.float64).astype(_SINGLE)).tobytes()


def _count(count: int) -> bytes:
    return count.to_bytes(8, "little")


def _hexadecimal(values: list[float]) -> str:
    with np.errstate(over="ignore"):
        return np.array(values).astype("<f4").tobytes().hex()
