"""The figures of all nodes as one attribute: columns of eight-byte numbers, one after another, in base64.

    count        int64    n, n, …        of each tree's nodes in our order, tree after tree
    sum_gradient float64  G, G, …
    …                                    as `COLUMNS` says, and the leaves where they are double numbers

As text they would be half as large again, and take most of the time of a save.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Nodes

FIGURES = ("sum_gradient", "sum_hessian", "weight", "structure_score", "gain")
COUNT = "count"
LEAVES = "leaf_value"  # of double leaves, which XGBoost keeps as single ones
COLUMNS = (COUNT, *FIGURES)
LARGEST_COUNT = 2**62
_REAL, _WHOLE = np.dtype("<f8"), np.dtype("<i8")


def names_of(nodes: Nodes) -> list[str]:
    """Return which columns these nodes have."""
    return [*COLUMNS, LEAVES] if nodes.dtype[LEAVES] == np.float64 else [*COLUMNS]


def packed_figures(nodes: Nodes) -> str:
    """Return the columns of the nodes of all trees, joined; an unknown figure is NaN.

    Raises
    ------
    ValueError
        A figure is infinite.
    """
    names = names_of(nodes)
    table = np.empty((len(names), len(nodes)), _REAL)
    for row, name in zip(table, names, strict=True):
        (row.view(_WHOLE) if name == COUNT else row)[:] = nodes[name]
    reals = table[1:]
    if np.isinf(reals).any():
        raise ValueError("an infinite figure of a node")
    reals[np.isnan(reals)] = np.nan  # one of the many that are none: the same model is the same bytes
    return base64.b64encode(table.data).decode("ascii")


def columns_by_tree(text: Any, names: Any, sizes: Sequence[int]) -> Iterator[dict[str, NDArray[Any]]]:
    """Yield the columns of each tree, of so many nodes, from what `packed_figures` wrote."""
    names = [checks.text(name, "columns") for name in checks.sequence(names, "columns")]
    if names not in ([*COLUMNS], [*COLUMNS, LEAVES]):
        raise WorkbenchError("Damaged model file: its nodes have other figures than are known.")
    packed = base64.b64decode(checks.text(text, "figures"), validate=True)
    if len(packed) != _REAL.itemsize * len(names) * sum(sizes):
        raise WorkbenchError("Damaged model file: its figures are not as many as its nodes.")
    table = np.frombuffer(packed, _REAL).reshape(len(names), -1).astype(np.float64, copy=False)
    count = np.frombuffer(packed, _WHOLE, sum(sizes)).astype(np.int64, copy=False)
    if len(count) and not 0 <= count.min() <= count.max() <= LARGEST_COUNT:
        raise WorkbenchError(f"Damaged model file: count has a number outside 0 to {LARGEST_COUNT}.")
    if np.isinf(table[1:]).any():
        raise WorkbenchError("Damaged model file: a figure of a node is infinite.")
    end = 0
    for size in sizes:
        begin, end = end, end + size
        reals = {name: row[begin:end] for name, row in zip(names[1:], table[1:], strict=True)}
        yield {COUNT: count[begin:end], **reals}
