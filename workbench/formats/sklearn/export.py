"""Writes a fitted tree, forest or boosted model of scikit-learn as JSON that the Boosting Workbench opens.

Needs Python 3.8, numpy and the library that made the model (0.22 or later), and nothing of the Workbench, so
the file may be copied to where the model is, and used there:

    from sklearn_export import save
    save(model, "model.json", names=list(frame.columns))
"""

from __future__ import annotations

import json
import os
import re
import secrets
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = "scikit-learn-trees"
VERSION = 1
STANDS_FOR_INFINITY = 1e300  # stands for infinity, which JSON cannot say
MAKERS = (
    "DecisionTree", "ExtraTree", "RandomForest", "ExtraTrees", "GradientBoosting", "HistGradientBoosting",
)  # fmt: skip
WHOLES = (  # attributes of models made of another, which of it to give, and what to heed
    ("steps", "model[-1]", ". Tables must then pass the steps before it first"),
    ("best_estimator_", "model.best_estimator_", ""),
)  # fmt: skip


def save(estimator: Any, path: str | Path, names: list[str] | None = None) -> None:
    """Write the model, completely or not at all; `names` are those of columns that it does not know."""
    text = json.dumps(document(estimator, names), ensure_ascii=True)
    target = Path(path).resolve()
    beside = target.with_name(f".{target.name[:55]}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def document(estimator: Any, names: list[str] | None = None) -> dict[str, Any]:
    """Return the model as a JSON object; ValueError for one that has no such trees."""
    kind = type(estimator).__name__
    maker = re.sub("(Classifier|Regressor)$", "", kind)
    for whole, part, more in WHOLES:
        if hasattr(estimator, whole):
            raise ValueError(f"{kind} cannot be written, but what it holds: give {part}{more}.")
    if maker not in MAKERS:
        known = ", ".join(MAKERS)
        raise ValueError(f"{kind} cannot be written. Known: {known}, each as Classifier or Regressor.")
    is_classifier = kind.endswith("Classifier")  # old trees of numbers have classes_ too: None
    if is_classifier and getattr(estimator, "n_outputs_", 1) != 1:
        raise ValueError("The model has several targets, each of classes. Fit one model for each target.")
    classes = [_plain(label) for label in estimator.classes_] if is_classifier else []
    if len(classes) == 1:
        raise ValueError("The model knows one class only; it cannot be written.")
    boosted = {"GradientBoosting": _gradient_boosting, "HistGradientBoosting": _hist_boosting}
    parts = boosted.get(maker, _forest)
    own_names = [str(name) for name in getattr(estimator, "feature_names_in_", [])]
    count = _n_features(estimator)
    columns = own_names or list(names or [f"f{place}" for place in range(count)])
    if len(columns) != count:
        raise ValueError(f"There are {len(columns)} names, and the model has {count} columns.")
    return {"format": FORMAT, "version": VERSION, "estimator": kind, "classes": classes, "names": columns,
            "categories": [None] * count, **_loss(estimator), **parts(estimator, classes)}


def _loss(estimator: Any) -> dict[str, Any]:
    """What a boosted model was trained for, by its name there; trees and forests have none."""
    loss = getattr(estimator, "loss", None)
    if loss != "quantile":
        return {"loss": loss} if isinstance(loss, str) else {}
    alpha = estimator.quantile if hasattr(estimator, "quantile") else estimator.alpha
    return {"loss": loss, "quantile": float(alpha)}


def _n_features(estimator: Any) -> int:
    """Return the number of columns, whose name in scikit-learn was another before 0.24."""
    names = ("n_features_in_", "n_features_", "_n_features")
    return int(next(getattr(estimator, name) for name in names if hasattr(estimator, name)))


def _forest(estimator: Any, classes: list[Any]) -> dict[str, Any]:
    """A tree, or trees whose mean is the prediction: of each target, or of each class its probability."""
    several = list(getattr(estimator, "estimators_", [estimator]))
    outputs = [1] if len(classes) == 2 else list(range(len(classes) or getattr(estimator, "n_outputs_", 1)))
    trees = []
    for output, column in enumerate(outputs):
        for one in several:
            values = one.tree_.value[:, 0, :] if classes else one.tree_.value[:, :, 0]
            if classes:
                values = values / values.sum(axis=1, keepdims=True)
            trees.append(_tree(one.tree_, values[:, column] / len(several), output))
    return {"link": "identity", "base": [0.0] * len(outputs), "side_by_side": len(several), "trees": trees}


def _gradient_boosting(estimator: Any, classes: list[Any]) -> dict[str, Any]:
    if estimator.init not in (None, "zero"):
        raise ValueError("The model begins with another model (init). Fit it with init=None or init='zero'.")
    base = np.ravel(estimator._raw_predict_init(np.zeros((1, _n_features(estimator)))))
    trees = [
        _tree(one.tree_, estimator.learning_rate * one.tree_.value[:, 0, 0], output)
        for of_round in estimator.estimators_ for output, one in enumerate(of_round)
    ]  # fmt: skip
    loss = "exponential" if estimator.loss == "exponential" else "logistic"
    link = "softmax" if len(classes) > 2 else loss if classes else "identity"
    return {"link": link, "base": base.tolist(), "side_by_side": 1, "trees": trees}


def _hist_boosting(estimator: Any, classes: list[Any]) -> dict[str, Any]:
    order, categories, codes = _hist_columns(estimator)
    base = np.ravel(estimator._baseline_prediction).astype(float)
    trees = [
        _hist_tree(one, order, codes, output)
        for of_round in estimator._predictors for output, one in enumerate(of_round)
    ]  # fmt: skip
    log_link = not classes and estimator.loss in ("poisson", "gamma")
    link = "softmax" if len(classes) > 2 else "logistic" if classes else "exp" if log_link else "identity"
    return {"link": link, "base": base.tolist(), "side_by_side": 1, "trees": trees, "categories": categories}


def _hist_columns(estimator: Any) -> tuple[list[int], list[list[Any] | None], list[dict[int, int]]]:
    """Return the column behind each place of the trees, and of each column the labels and the codes in trees.

    From 1.4 on categories are numbered anew, and their columns come first. Before, they were such numbers.
    """
    count = _n_features(estimator)
    labels: list[list[Any] | None] = [None] * count
    codes: list[dict[int, int]] = [{}] * count
    order = list(range(count))
    mask = getattr(estimator, "is_categorical_", None)
    if mask is None or not np.any(mask):
        return order, labels, codes
    asked = np.flatnonzero(mask).tolist()
    if hasattr(estimator, "_preprocessor"):
        order = [*asked, *(column for column in order if column not in asked)]
        every = estimator._preprocessor.named_transformers_["encoder"].categories_
        numbers = [range(len(known)) for known in every]
    else:
        every = [estimator._bin_mapper.bin_thresholds_[column] for column in asked]
        numbers = [known.astype(int).tolist() for known in every]
    for place, column in enumerate(asked):
        known = [_plain(label) for label in every[place] if label == label]
        labels[column] = known
        codes[column] = {number: code for code, number in enumerate(numbers[place][: len(known)])}
    return order, labels, codes


def _hist_tree(predictor: Any, order: list[int], codes: list[dict[int, int]], output: int) -> dict[str, Any]:
    """A category that was never seen goes where missing values go, so that side is the one of "no"."""
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    feature = np.where(leaf, -1, np.array(order)[nodes["feature_idx"] * ~leaf])
    left, right = nodes["left"].astype(int), nodes["right"].astype(int)
    missing_left = nodes["missing_go_to_left"].astype(bool)
    knows_categories = "is_categorical" in nodes.dtype.names
    is_set = nodes["is_categorical"].astype(bool) & ~leaf if knows_categories else np.zeros(len(leaf), bool)
    yes, no, sets = left.copy(), right.copy(), {}
    for node in np.flatnonzero(is_set).tolist():
        words = predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]].astype("<u4")
        goes_left = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
        known = codes[feature[node]]
        listed = {known[number] for number in goes_left.tolist() if number in known}
        if missing_left[node]:
            yes[node], no[node], listed = right[node], left[node], {*known.values()} - listed
        sets[str(node)] = sorted(listed)
    # Thresholds may be values of the column, which the Workbench rounds to single precision.
    threshold = nodes["num_threshold" if knows_categories else "threshold"]
    single = np.clip(np.where(leaf, 0.0, threshold), -3e38, 3e38).astype(np.float32)
    return {
        "output": output, "left": np.where(leaf, -1, yes).tolist(), "right": np.where(leaf, -1, no).tolist(),
        "feature": feature.tolist(), "threshold": single.tolist(),
        "default_left": (missing_left & ~is_set).tolist(), "value": nodes["value"].tolist(),
        "sets": sets, "gain": np.where(leaf, 0.0, nodes["gain"]).tolist(), "count": nodes["count"].tolist(),
    }  # fmt: skip


def _tree(tree: Any, values: Any, output: int) -> dict[str, Any]:
    state = tree.__getstate__()["nodes"]
    has_missing = "missing_go_to_left" in (state.dtype.names or ())
    left = state["missing_go_to_left"].astype(bool) if has_missing else np.zeros(tree.node_count, bool)
    return {
        "output": output, "left": tree.children_left.tolist(), "right": tree.children_right.tolist(),
        "feature": tree.feature.tolist(),
        "threshold": np.clip(tree.threshold, -STANDS_FOR_INFINITY, STANDS_FOR_INFINITY).tolist(),
        "default_left": left.tolist(), "value": np.asarray(values, float).tolist(), "sets": {},
        "gain": None, "count": tree.n_node_samples.tolist(),
    }  # fmt: skip


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return value if isinstance(value, (str, int, float, bool)) else str(value)
