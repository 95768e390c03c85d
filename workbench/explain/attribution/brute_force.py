"""SHAP values by their definition, to hold others against: every set of columns, one tree after the other.

It shares nothing with the fast way but the trees: of a tree that asks m columns it works out the expectation
for each of the 2^m sets of known ones, as a number a set, from the leaves up.
"""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.attribution.walks import Weighing
    from workbench.trees.tree import Tree

MOST_COLUMNS = 14  # of a tree: 16,384 sets
MOST_SETS = 3_000_000  # in all


class BruteForce(NamedTuple):
    """What was worked out.

    Attributes
    ----------
    values : ndarray of float64, shape (d,)
    base : float
        What the checked trees expect of no column.
    checked : tuple of int
        The trees that were, by their places.
    sets : int
        How many expectations that took.
    """

    values: NDArray[np.float64]
    base: float
    checked: tuple[int, ...]
    sets: int


def brute_force(
    ensemble: Ensemble, row: NDArray[np.float32], by: Weighing, cancelled: Callable[[], bool] | None = None
) -> BruteForce:
    """Work out the SHAP values of one row, shape (d,), for an ensemble of one raw prediction a row.

    Trees with too many columns are left out, and the last ones where all take too long.
    """
    values, base = np.zeros(ensemble.n_features), 0.0
    checked, sets = [], 0
    for place, tree in enumerate(ensemble.trees):
        leave_if(cancelled)
        columns = np.unique(tree.nodes["feature"][~tree.is_leaf]).tolist()
        if len(columns) > MOST_COLUMNS or sets + 2 ** len(columns) > MOST_SETS:
            continue
        weight = float(ensemble.tree_weights[place])
        expected = _expectations(tree, row, columns, by)
        values[columns] += weight * _mean_gains(expected, len(columns))
        base += weight * float(expected[0])
        checked.append(place)
        sets += len(expected)
    return BruteForce(values, base, tuple(checked), sets)


def _expectations(
    tree: Tree, row: NDArray[np.float32], columns: list[int], by: Weighing
) -> NDArray[np.float64]:
    """Return the mean leaf for each set of known columns; column j of the tree is in sets with bit j."""
    every = np.arange(2 ** len(columns))
    cover = tree.nodes["sum_hessian" if by == "hessian" else "count"].astype(np.float64)
    expected: dict[int, NDArray[np.float64]] = {}
    for node in range(tree.n_nodes - 1, -1, -1):  # children stand after their parent
        if tree.is_leaf[node]:
            expected[node] = np.full(len(every), float(tree.nodes["leaf_value"][node]))
            continue
        left = int(tree.nodes["left"][node])
        yes, no = expected.pop(left), expected.pop(left + 1)
        both = cover[left] + cover[left + 1]
        share = cover[left] / both if both > 0 else 0.5
        is_known = every >> columns.index(int(tree.nodes["feature"][node])) & 1 == 1
        answered = yes if _goes_left(tree, node, row) else no
        expected[node] = np.where(is_known, answered, share * yes + (1.0 - share) * no)
    return expected[0]


def _goes_left(tree: Tree, node: int, row: NDArray[np.float32]) -> bool:
    value = row[int(tree.nodes["feature"][node])]
    if np.isnan(value):
        return bool(tree.nodes["default_left"][node])
    codes = tree.categories(node)
    return bool(int(value) in codes) if len(codes) else bool(value < tree.nodes["threshold"][node])


def _mean_gains(expected: NDArray[np.float64], m: int) -> NDArray[np.float64]:
    """Return what each of m columns gains on average over all orders."""
    every = np.arange(2**m)
    sizes = np.array([bin(one).count("1") for one in every.tolist()])
    chances = np.array([factorial(s) * factorial(m - s - 1) / factorial(m) for s in range(m)] + [0.0])
    gains = np.empty(m)
    for place in range(m):
        without = every[every >> place & 1 == 0]
        gains[place] = chances[sizes[without]] @ (expected[without | 1 << place] - expected[without])
    return gains
