"""The figures of a tree's nodes that XGBoost does not keep, by column and in full precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.bytes import checks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

FIGURES = ("sum_gradient", "sum_hessian", "weight", "structure_score", "gain")


@dataclass(frozen=True)
class KeptFigures:
    """η, λ, γ, α and δ of one tree; of its nodes, in our order: which are forced, row counts, the FIGURES.

    `leaf_value` is known of double leaves, which XGBoost keeps as single ones.
    """

    learning_rate: float
    reg_lambda: float
    gamma: float
    reg_alpha: float
    max_delta_step: float
    forced: NDArray[np.bool_]
    count: NDArray[np.int64]
    columns: dict[str, NDArray[np.float64]]
    leaf_value: NDArray[np.float64] | None = None


def figures_record(tree: Tree) -> dict[str, Any]:
    """Return the figures as JSON values and arrays; an unknown one is NaN there, and null in JSON."""
    record: dict[str, Any] = {
        "learning_rate": tree.learning_rate,
        "reg_lambda": tree.reg_lambda,
        "gamma": tree.gamma,
        **restraints_record(tree),
        **forced_record(tree),
        "count": tree.nodes["count"],
    }
    record |= {name: tree.nodes[name] for name in FIGURES}
    if tree.nodes["leaf_value"].dtype == np.float64:
        record["leaf_value"] = tree.nodes["leaf_value"]
    return record


def restraints_record(tree: Tree) -> dict[str, float]:
    """Return α and δ where they were in force."""
    known = {"reg_alpha": tree.reg_alpha, "max_delta_step": tree.max_delta_step}
    return {name: value for name, value in known.items() if value}


def forced_record(tree: Tree) -> dict[str, list[int]]:
    """Return which splits were forced, if any."""
    forced = np.flatnonzero(tree.nodes["forced"]).tolist()
    return {"forced": forced} if forced else {}


def restraints_of(record: dict[str, Any]) -> tuple[float, float]:
    """Read what `restraints_record` wrote."""
    values = checks.reals([record.get("reg_alpha", 0.0), record.get("max_delta_step", 0.0)], "α, δ", 2)
    reg_alpha, max_delta_step = checks.finite(values, "α, δ").tolist()
    return reg_alpha, max_delta_step


def figures_of(record: Any, n_nodes: int) -> KeptFigures:
    """Read what `figures_record` wrote."""
    record = checks.mapping(record, "a tree's figures")
    reg_alpha, max_delta_step = restraints_of(record)
    rates = checks.reals([record["learning_rate"], record["reg_lambda"], record["gamma"]], "η, λ, γ", 3)
    learning_rate, reg_lambda, gamma = checks.finite(rates, "η, λ, γ").tolist()
    forced = np.zeros(n_nodes, np.bool_)
    forced[checks.integers(record.get("forced", []), "forced", low=0, high=n_nodes - 1)] = True
    return KeptFigures(
        learning_rate,
        reg_lambda,
        gamma,
        reg_alpha,
        max_delta_step,
        forced,
        count=checks.integers(record["count"], "count", n_nodes, low=0, high=2**62),
        columns={name: checks.reals(record[name], name, n_nodes) for name in FIGURES},
        leaf_value=_leaves(record["leaf_value"], n_nodes) if "leaf_value" in record else None,
    )


def _leaves(record: Any, n_nodes: int) -> NDArray[np.float64]:
    return checks.doubles(checks.reals(record, "leaf_value", n_nodes), "leaf_value")
