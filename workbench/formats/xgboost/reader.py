"""A model from XGBoost's document: ours where the fingerprint holds, else somebody's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.own.document import model_of
from workbench.formats.own.node_figures import figures_by_tree, figures_of
from workbench.formats.own.payload import FIGURES_KEY, FORMAT_KEY, HASH_KEY, unpacked
from workbench.formats.xgboost.fingerprint import fingerprint
from workbench.formats.xgboost.foreign import foreign_model
from workbench.formats.xgboost.objectives import by_own_name
from workbench.formats.xgboost.tree_reader import own_tree, parse_tree

if TYPE_CHECKING:
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree


def read_document(document: dict[str, Any], file_bytes: int) -> Model:
    """Make a model of a parsed XGBoost file of this size."""
    with checks.damage_reported("model file"):
        learner = checks.mapping(document["learner"], "learner")
        attributes = checks.mapping(learner.get("attributes", {}), "attributes")
        if FORMAT_KEY not in attributes:
            return foreign_model(learner, version=document.get("version"))
        record = unpacked(attributes, file_bytes)
        if fingerprint(learner) != attributes[HASH_KEY]:
            return foreign_model(learner, record)
        return _own_model(learner, record, attributes.get(FIGURES_KEY))


def _own_model(learner: dict[str, Any], record: dict[str, Any], packed: Any) -> Model:
    """Join the two sections; `packed` are figures of nodes, from version 3 on."""
    head = checks.mapping(record["model"], "model")
    holder = checks.mapping(learner["gradient_booster"], "gradient_booster")
    booster = checks.mapping(holder.get("gbtree", holder)["model"], "model")
    if learner["objective"]["name"] != by_own_name(head["objective"]).learner:
        raise WorkbenchError("Damaged model file: its two sections name different objectives.")
    factor = np.float32(by_own_name(head["objective"]).factor)
    lead = checks.integer(record["leading_trees"], "leading_trees", 0, 100_000)
    figures = figures_by_tree(record["figures"], packed)
    trees = checks.sequence(booster["trees"], "trees", lead + len(figures))
    classes = checks.integers(booster["tree_info"], "tree_info", len(trees), low=0, high=100_000)
    n_features = checks.integer(learner["learner_model_param"]["num_feature"], "num_feature", 0, 10**7)
    own = tuple(
        _own_tree(tree, figure, n_features, int(k), factor)
        for tree, figure, k in zip(trees[lead:], figures, classes[lead:], strict=True)
    )
    model = model_of(head, own)
    if model.ensemble.n_features != n_features:
        raise WorkbenchError("Damaged model file: its two sections have different columns.")
    weights = np.concatenate([np.ones(lead, np.float32), model.ensemble.tree_weights])
    stored = holder.get("weight_drop", [1.0] * len(weights))
    if not np.array_equal(checks.float32(checks.reals(stored, "weight_drop"), "weight_drop"), weights):
        raise WorkbenchError("Damaged model file: its two sections weigh the trees differently.")
    return model


def _own_tree(
    record: Any, figures: Any, n_features: int, class_index: int, factor: np.float32
) -> Tree:
    parsed = parse_tree(record, n_features)
    return own_tree(parsed, figures_of(figures, len(parsed.left)), class_index, factor)
