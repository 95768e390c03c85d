"""What XGBoost does not keep of a tree: the rates it was grown with, and figures of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.own.packed_figures import (
    COUNT,
    FIGURES,
    LARGEST_COUNT,
    LEAVES,
    columns_by_tree,
    names_of,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Nodes, Tree

MOST_NODES = 2**31 - 1
RATES, RESTRAINTS = ("learning_rate", "reg_lambda", "gamma"), ("reg_alpha", "max_delta_step")


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


def figures_record(trees: Sequence[Tree], nodes: Nodes) -> dict[str, Any]:
    """Return as JSON values, a list of each for all trees, what `packed_figures` does not hold.

    α and δ stand there where they were in force, `forced` where splits were: which nodes, by tree. `nodes`
    are those of the trees, joined.
    """
    lists: dict[str, Any] = {name: [getattr(tree, name) for tree in trees] for name in (*RATES, *RESTRAINTS)}
    told = {name: values for name, values in lists.items() if name in RATES or any(values)}
    forced: dict[str, list[int]] = {}
    if nodes["forced"].any():
        forced = {str(place): its for place, tree in enumerate(trees) if (its := _forced_nodes(tree))}
    return {
        **told,
        **({"forced": forced} if forced else {}),
        "columns": names_of(nodes),
        "n_nodes": [tree.n_nodes for tree in trees],
    }


def figures_by_tree(record: Any, packed: Any) -> list[Any]:
    """Return what `figures_of` reads of each tree; until version 2 that is the record itself."""
    if isinstance(record, list):
        return record
    record = checks.mapping(record, "figures")
    sizes = checks.integers(record["n_nodes"], "n_nodes", low=1, high=MOST_NODES).tolist()
    names = [name for name in (*RATES, *RESTRAINTS) if name in record]
    lists = {name: checks.sequence(record[name], name, len(sizes)) for name in names}
    forced = checks.mapping(record.get("forced", {}), "forced")
    return [
        {name: values[place] for name, values in lists.items()} | {"forced": forced.get(str(place), [])} | its
        for place, its in enumerate(columns_by_tree(packed, record["columns"], sizes))
    ]


def restraints_record(tree: Tree) -> dict[str, float]:
    """Return α and δ where they were in force."""
    return {name: value for name in RESTRAINTS if (value := getattr(tree, name))}


def restraints_of(record: dict[str, Any]) -> tuple[float, float]:
    """Read what `restraints_record` wrote."""
    values = checks.reals([record.get(name, 0.0) for name in RESTRAINTS], "α, δ", len(RESTRAINTS))
    reg_alpha, max_delta_step = checks.finite(values, "α, δ").tolist()
    return reg_alpha, max_delta_step


def figures_of(record: Any, n_nodes: int) -> KeptFigures:
    """Read one of `figures_by_tree`, whose columns are packed ones or lists."""
    record = checks.mapping(record, "a tree's figures")
    reg_alpha, max_delta_step = restraints_of(record)
    rates = checks.reals([record[name] for name in RATES], "η, λ, γ", len(RATES))
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
        count=_column(record, COUNT, n_nodes),
        columns={name: _column(record, name, n_nodes) for name in FIGURES},
        leaf_value=checks.doubles(_column(record, LEAVES, n_nodes), LEAVES) if LEAVES in record else None,
    )


def _column(record: dict[str, Any], name: str, n_nodes: int) -> NDArray[Any]:
    values = record[name]
    if not isinstance(values, np.ndarray):
        if name == COUNT:
            return checks.integers(values, name, n_nodes, low=0, high=LARGEST_COUNT)
        return checks.reals(values, name, n_nodes)
    if len(values) != n_nodes:
        raise WorkbenchError(f"Damaged model file: a tree of {n_nodes} nodes has {len(values)} figures.")
    return values


def _forced_nodes(tree: Tree) -> list[int]:
    return np.flatnonzero(tree.nodes["forced"]).tolist()
