"""A tree that XGBoost has just grown with known λ, γ, α and η, with all figures of its nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.xgboost.tree_reader import foreign_tree, parse_tree

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Nodes, Tree


def grown_tree(
    record: Any, n_features: int, class_index: int, params: TrainingParams, learning_rate: float,
    *, rows_are_hessian: bool = False,
) -> Tree:  # fmt: skip
    """Read one tree's JSON object and fill in what XGBoost leaves out.

    G follows from H and the weight before shrinkage, w* = −soft(G, α) / (H + λ), to single precision.

    Parameters
    ----------
    params : TrainingParams
        In force when it was grown.
    learning_rate : float
        What its leaves were multiplied by.
    rows_are_hessian : bool
        Whether every row has a hessian of 1, so that H counts rows; else counts are unknown, 0.
    """
    parsed = parse_tree(record, n_features)
    tree = foreign_tree(parsed, class_index)
    nodes = tree.nodes.copy()
    leaf = nodes["feature"] < 0
    if rows_are_hessian:
        nodes["count"] = np.rint(nodes["sum_hessian"]).astype(np.int64)
    nodes["gain"] = np.where(leaf, 0.0, nodes["gain"] - params.gamma)
    nodes["weight"][leaf] = nodes["leaf_value"][leaf] / learning_rate
    denominator = nodes["sum_hessian"] + params.reg_lambda
    soft = -nodes["weight"] * denominator
    nodes["sum_gradient"] = soft + np.sign(soft) * params.reg_alpha
    _fill_limited(nodes, params)
    shrunk = np.maximum(np.abs(nodes["sum_gradient"]) - params.reg_alpha, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        nodes["structure_score"] = np.where(denominator > 0.0, -0.5 * shrunk**2 / denominator, 0.0)
    nodes.flags.writeable = False
    return replace(
        tree, nodes=nodes, learning_rate=learning_rate, reg_lambda=params.reg_lambda, gamma=params.gamma,
        reg_alpha=params.reg_alpha, max_delta_step=params.max_delta_step,
    )


def _fill_limited(nodes: Nodes, params: TrainingParams) -> None:
    """Take G of a node whose weight α held at 0 from its parent and sibling.

    Where those were held too it stays the nearest that its weight allows. Monotone constraints, and the
    largest step where it was reached, hold weights without leaving a trace: then no G of the tree is known.
    """
    is_stepped = params.max_delta_step > 0.0
    reached = is_stepped and (np.abs(nodes["weight"]) >= params.max_delta_step * (1.0 - 1e-6)).any()
    if reached or any(sign for _, sign in params.monotone_constraints):
        nodes["sum_gradient"] = np.nan
        return
    if params.reg_alpha <= 0.0:
        return
    held = nodes["weight"] == 0.0
    for node in np.flatnonzero(held):
        parent = int(nodes["parent"][node])
        if parent < 0:
            continue
        sibling = int(nodes["left"][parent] + nodes["right"][parent] - node)
        if not held[parent] and not held[sibling]:
            nodes["sum_gradient"][node] = nodes["sum_gradient"][parent] - nodes["sum_gradient"][sibling]
