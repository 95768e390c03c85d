"""One tree as readable JSON, a node a line, in our own order of nodes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.float_text import shortest
from workbench.formats.bytes.structure import breadth_first
from workbench.formats.own.node_figures import FIGURES, restraints_of, restraints_record
from workbench.trees.tree import DOUBLE_NODE_DTYPE, NODE_DTYPE, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CATEGORIES = 1 << 20
RATES = ("learning_rate", "reg_lambda", "gamma")
UNTOLD = (1.0, 1.0, 0.0)  # what stands in for them where a file does not tell them


def plain_tree(tree: Tree, names: Sequence[str]) -> str:
    """Return the tree's text; `names` are those of the features, and what is unknown is null."""
    head: dict[str, Any] = {"class_index": tree.class_index}
    head |= {name: getattr(tree, name) if tree.knows_sums else None for name in RATES}
    head |= restraints_record(tree)
    thresholds, leaves = shortest(tree.nodes["threshold"]), shortest(tree.nodes["leaf_value"])
    counted = bool(tree.nodes["count"].any())
    lines = [_node(tree, i, names, thresholds[i], leaves[i], counted=counted) for i in range(tree.n_nodes)]
    return f'  {_text(head)[:-1]}, "nodes": [\n' + ",\n".join(f"   {line}" for line in lines) + "\n  ]}"


def tree_of(record: Any, n_features: int, place: str, *, doubles: bool = False) -> Tree:
    """Read what `plain_tree` wrote; `doubles` tells whether its leaves are double numbers."""
    with checks.within(place):
        record = checks.mapping(record, "a tree")
        records = checks.sequence(record["nodes"], "nodes")
        nodes = np.zeros(len(records), DOUBLE_NODE_DTYPE if doubles else NODE_DTYPE)
        sets = []
        for i, node in enumerate(records):
            with checks.within(f"nodes[{i}]"):
                node = checks.mapping(node, "a node")
                checks.integer(node.get("id", i), "id", i, i)
                sets.append(_fill(nodes[i : i + 1], node, n_features, len(records)))
        return _joined(record, nodes, sets)


def _joined(record: dict[str, Any], nodes: Any, sets: list[Any]) -> Tree:
    _complete(nodes)
    rates = [record[name] for name in RATES]
    known = UNTOLD if rates == [None] * len(RATES) else _finite(rates)
    begin = np.cumsum([0, *map(len, sets)]).astype(np.int32)
    codes = np.concatenate(sets).astype(np.int32)
    for array in (nodes, begin, codes):
        array.flags.writeable = False
    class_index = checks.integer(record["class_index"], "class_index", 0, 100_000)
    reg_alpha, max_delta_step = restraints_of(record)
    return Tree(nodes, begin, codes, class_index, *known, reg_alpha=reg_alpha, max_delta_step=max_delta_step)


def _finite(rates: list[Any]) -> tuple[float, float, float]:
    learning_rate, reg_lambda, gamma = checks.finite(checks.reals(rates, "η, λ, γ"), "η, λ, γ").tolist()
    return learning_rate, reg_lambda, gamma


def _node(
    tree: Tree, index: int, names: Sequence[str], threshold: float, leaf_value: float, *, counted: bool
) -> str:  # fmt: skip
    node = tree.nodes[index]
    record: dict[str, Any] = {"id": index, "depth": int(node["depth"])}
    if node["feature"] < 0:
        record["leaf_value"] = leaf_value
        record["missing"] = _side(node)
    else:
        record |= {"feature": int(node["feature"]), "name": names[node["feature"]]}
        codes = tree.categories(index).tolist()
        record |= {"in": codes} if codes else {"below": threshold}
        record |= {"missing": _side(node), "yes": int(node["left"]), "no": int(node["right"])}
        record |= {"forced": True} if node["forced"] else {}
    record["count"] = int(node["count"]) if counted else None
    record |= {name: float(node[name]) if node[name] == node[name] else None for name in FIGURES}
    if node["feature"] < 0 and not tree.knows_sums:
        record["weight"] = None
    return _text(record)


def _side(node: Any) -> str:
    return "yes" if node["default_left"] else "no"


def _text(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _fill(node: Any, record: dict[str, Any], n_features: int, n_nodes: int) -> Any:
    """Fill one node's fields; return the codes that its test lists."""
    node["count"] = 0 if record["count"] is None else checks.integer(record["count"], "count", 0, 2**62)
    for name in FIGURES:
        figure = checks.reals([record[name]], name)
        node[name] = figure[0] if record[name] is None else checks.finite(figure, name)[0]
    node["default_left"] = {"yes": True, "no": False}[record["missing"]]
    node["forced"] = {True: True, False: False}[record.get("forced", False)]
    node["category"], node["threshold"], codes = -1, np.nan, np.zeros(0, np.int64)
    if "leaf_value" in record:
        node["feature"], node["left"], node["right"] = -1, -1, -1
        node["leaf_value"] = checks.doubles(checks.reals([record["leaf_value"]], "leaf_value"), "leaf_value")
        if record["weight"] is None:
            node["weight"] = node["leaf_value"]
        return codes
    node["feature"] = checks.integer(record["feature"], "feature", 0, n_features - 1)
    node["left"] = checks.integer(record["yes"], "yes", 1, n_nodes - 1)
    node["right"] = checks.integer(record["no"], "no", 1, n_nodes - 1)
    if "in" not in record:
        node["threshold"] = checks.float32(checks.reals([record["below"]], "below"), "below")[0]
        return codes
    codes = np.unique(checks.integers(record["in"], "in", low=0, high=MOST_CATEGORIES))
    node["category"] = codes[0]
    return codes


def _complete(nodes: Any) -> None:
    """Check the tree's shape; fill parents and depths."""
    left, right = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
    walk, depth = breadth_first(left, right)
    inner = np.flatnonzero(left >= 0)
    if len(walk) != len(nodes) or (right[inner] != left[inner] + 1).any() or (left[inner] <= inner).any():
        raise WorkbenchError("Damaged model file: the nodes of a tree do not stand with siblings adjacent.")
    nodes["depth"][walk] = depth
    nodes["parent"] = -1
    nodes["parent"][left[inner]] = inner
    nodes["parent"][right[inner]] = inner
