"""How values, gradients and hessians of a node's rows are spread, on either side of its split."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.tree_rows import leaves_under

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.node_rows import NodeRows

BINS = 24
MOST_MARKS = 300  # of a line of the rug
MOST_LINES = 4
MISSING_CODE = -1


class Spread(NamedTuple):
    """Rows by bin.

    Attributes
    ----------
    edges : ndarray of float64, shape (m + 1,)
        Between the bins; of categories there are none, and bin k holds `names[k]`.
    codes : ndarray of int64, shape (m,)
        Category codes, the most frequent first; MISSING_CODE for rows without a value. Empty for numbers.
    yes, no : ndarray of int64, shape (m,)
        Rows that go left, and right. Of a leaf all rows count as `no`.
    """

    edges: NDArray[np.float64]
    codes: NDArray[np.int64]
    yes: NDArray[np.int64]
    no: NDArray[np.int64]


class RugLine(NamedTuple):
    """Some of the values of the rows of a class, ascending; `class_index` is −1 where there are none."""

    class_index: int
    values: NDArray[np.float32]


class ColumnSpread(NamedTuple):
    """A column at a node.

    Attributes
    ----------
    values, gradients, hessians : Spread
    missing : int
        Rows without a value; they are in no bin of numbers.
    rug : tuple of RugLine
    low, high : float
        Least and largest value; NaN where there is none.
    """

    values: Spread
    gradients: Spread
    hessians: Spread
    missing: int
    rug: tuple[RugLine, ...]
    low: float
    high: float


def column_spread(node: NodeRows, column: int) -> ColumnSpread:
    """Return the spread of a column's values, and of g and h, of the rows that grew a node."""
    data = node.replay.dataset
    values = data.features[node.rows, column]
    yes = _goes_left(node)
    missing = np.isnan(values)
    present = values[~missing]
    if data.schema.features[column].is_categorical:
        of_values = _of_codes(values, yes)
    else:
        of_values = _of_numbers(present.astype(np.float64), yes[~missing])
    low, high = (float(present.min()), float(present.max())) if len(present) else (np.nan, np.nan)
    return ColumnSpread(
        of_values, _of_numbers(node.gradients, yes), _of_numbers(node.hessians, yes), int(missing.sum()),
        _rug(node, present, node.rows[~missing]), low, high,
    )


def _goes_left(node: NodeRows) -> NDArray[np.bool_]:
    tree = node.grown.tree
    if tree.is_leaf[node.node]:
        return np.zeros(len(node.rows), np.bool_)
    left = leaves_under(tree, int(tree.nodes["left"][node.node]))
    return left[node.grown.leaves[node.rows]]


def edges_between(low: float, high: float) -> NDArray[np.float64]:
    """Return the edges of the bins of numbers from the least to the largest, shape (BINS + 1,)."""
    return np.linspace(low, high if high > low else low + 1.0, BINS + 1)


def _of_numbers(values: NDArray[np.float64], yes: NDArray[np.bool_]) -> Spread:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    edges = edges_between(low, high)
    counts = [np.histogram(values[part], edges)[0] for part in (yes, ~yes)]
    return Spread(edges, np.empty(0, np.int64), *counts)


def _of_codes(values: NDArray[np.float32], yes: NDArray[np.bool_]) -> Spread:
    codes = np.where(np.isnan(values), MISSING_CODE, values).astype(np.int64)
    known, inverse = np.unique(codes, return_inverse=True)
    return by_frequency(known, *(np.bincount(inverse[part], minlength=len(known)) for part in (yes, ~yes)))


def by_frequency(codes: NDArray[np.int64], yes: NDArray[np.int64], no: NDArray[np.int64]) -> Spread:
    """Return categories with so many rows on either side, the most frequent first."""
    order = np.argsort(-(yes + no), kind="stable")
    return Spread(np.empty(0), codes[order], yes[order], no[order])


def _rug(
    node: NodeRows, present: NDArray[np.float32], rows: NDArray[np.int64]
) -> tuple[RugLine, ...]:
    """Return a line a class, of several classes the four most frequent here."""
    data = node.replay.dataset
    if data.schema.task == "regression":
        return (RugLine(-1, thinned(present)),)
    classes = data.target[rows].astype(np.int64)
    counts = np.bincount(classes, minlength=len(data.schema.class_labels))
    return tuple(RugLine(k, thinned(present[classes == k])) for k in shown_classes(counts))


def shown_classes(counts: NDArray[np.int64]) -> list[int]:
    """Return the classes of several that have lines, ascending: the most frequent, by their rows."""
    found: list[int] = np.sort(np.argsort(-counts, kind="stable")[:MOST_LINES]).tolist()
    return found


def thinned(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return at most `MOST_MARKS` of the values, evenly through their order, the ends among them."""
    ordered = np.sort(values)
    if len(ordered) <= MOST_MARKS:
        return ordered
    return ordered[np.linspace(0, len(ordered) - 1, MOST_MARKS).astype(np.int64)]
