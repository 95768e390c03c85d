"""Trees as bytes, and back; what is read is checked before it is used."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.structure import breadth_first
from workbench.trees.tree import DOUBLE_NODE_DTYPE, NODE_DTYPE, Tree, TreeFigures

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATES = ("learning_rate", "reg_lambda", "gamma", "reg_alpha", "max_delta_step")
MOST_NODES = 2**31 - 1
_NODE, _DOUBLE_NODE = NODE_DTYPE.newbyteorder("<"), DOUBLE_NODE_DTYPE.newbyteorder("<")
_CODE = np.dtype("<i4")
FLOATS = tuple(name for name in NODE_DTYPE.names or () if NODE_DTYPE[name].kind == "f")


def tree_record(tree: Tree) -> tuple[dict[str, Any], bytes]:
    """Return what is known of a tree as JSON values, and its nodes as bytes."""
    is_double = tree.nodes["leaf_value"].dtype == np.float64
    record = {
        "nodes": tree.n_nodes, "codes": len(tree.category_codes), "double": bool(is_double),
        "class": tree.class_index, "rates": [getattr(tree, name) for name in RATES],
        "figures": None if tree.grown_figures is None else list(tree.grown_figures),
    }  # fmt: skip
    nodes = tree.nodes.astype(_DOUBLE_NODE if is_double else _NODE, copy=False)
    codes = (tree.category_begin.astype(_CODE, copy=False), tree.category_codes.astype(_CODE, copy=False))
    return record, b"".join((nodes.tobytes(), codes[0].tobytes(), codes[1].tobytes()))


def tree_of(record: Any, data: memoryview, n_features: int) -> tuple[Tree, int]:
    """Read what `tree_record` wrote; return the tree, and how many of the bytes are its."""
    record = checks.mapping(record, "a tree")
    n_nodes = checks.integer(record["nodes"], "nodes", 1, MOST_NODES)
    n_codes = checks.integer(record["codes"], "codes", 0, MOST_NODES)
    dtype = _DOUBLE_NODE if record["double"] is True else _NODE
    sizes = (n_nodes * dtype.itemsize, (n_nodes + 1) * 4, n_codes * 4)
    if sum(sizes) > len(data):
        raise WorkbenchError("Damaged project: the nodes of a tree are cut off.")
    ends = np.cumsum(sizes).tolist()
    nodes = np.frombuffer(data[: ends[0]], dtype).astype(dtype.newbyteorder("="))
    begin = np.frombuffer(data[ends[0] : ends[1]], _CODE).astype(np.int32)
    codes = np.frombuffer(data[ends[1] : ends[2]], _CODE).astype(np.int32)
    _check(nodes, begin, codes, n_features)
    _check_numbers(nodes)
    figures = _figures(record["figures"])
    if figures is not None and figures[:2] != (int((nodes["left"] < 0).sum()), int(nodes["depth"].max())):
        raise WorkbenchError("Damaged project: a tree has other leaves than its nodes say.")
    rates = record["rates"]
    if not isinstance(rates, list) or len(rates) != len(RATES) or not all(_is_number(rate) for rate in rates):
        raise WorkbenchError("Damaged project: η, λ or γ of a tree is no number.")
    for array in (nodes, begin, codes):
        array.flags.writeable = False
    tree = Tree(
        nodes, begin, codes, checks.integer(record["class"], "class", 0, 100_000),
        grown_figures=figures, **dict(zip(RATES, map(float, rates), strict=True)),
    )
    return tree, ends[2]


def _check_numbers(nodes: NDArray[Any]) -> None:
    """Refuse infinite numbers, and leaves that add none; what is unknown becomes the one NaN of all."""
    for name in FLOATS:
        values = nodes[name]
        unknown = np.isnan(values)
        if np.isinf(values).any() or (name == "leaf_value" and unknown.any()):
            raise WorkbenchError(f"Damaged project: '{name}' of a node of a tree is no finite number.")
        values[unknown] = np.nan


def _figures(record: Any) -> TreeFigures | None:
    if record is None:
        return None
    n_figures = len(TreeFigures._fields)
    if not isinstance(record, list) or len(record) != n_figures or not all(map(_is_number, record)):
        raise WorkbenchError("Damaged project: the figures of a tree are none.")
    leaves, depth, *others = record
    return TreeFigures(int(leaves), int(depth), *map(float, others))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= math.inf


def _check(nodes: NDArray[Any], begin: NDArray[np.int32], codes: NDArray[np.int32], n_features: int) -> None:
    """Refuse nodes that do not make a tree, or that ask for what is not there."""
    left, right = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
    walk, depth = breadth_first(left, right)
    inner = np.flatnonzero(left >= 0)
    parent = np.full(len(nodes), -1)
    parent[left[inner]] = parent[right[inner]] = inner
    is_sound = (
        len(walk) == len(nodes) and (right[inner] == left[inner] + 1).all() and (left[inner] > inner).all()
        and (nodes["parent"] == parent).all() and (nodes["depth"][walk] == depth).all()
        and ((nodes["feature"] >= 0) == (left >= 0)).all() and (nodes["feature"] < n_features).all()
        and (nodes["feature"] >= -1).all()
        and begin[0] == 0 and begin[-1] == len(codes) and (np.diff(begin) >= 0).all()
        and (codes >= 0).all() and (np.diff(begin)[left < 0] == 0).all() and (nodes["count"] >= 0).all()
    )
    asks = np.isfinite(nodes["threshold"]) | (np.diff(begin) > 0) | (nodes["category"] >= 0)
    if not is_sound or not asks[inner].all():
        raise WorkbenchError("Damaged project: the nodes of a tree do not fit each other.")
