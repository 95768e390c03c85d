"""SHAP values of one tree by their definition: all subsets of columns, each expectation walked anew."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np

from workbench.explain.row_path import row_path


def expectation(tree, row, known, node=0):
    """Mean leaf of a row of which only some columns are known; other questions weigh their children by H."""
    record = tree.nodes[node]
    if tree.is_leaf[node]:
        return float(record["leaf_value"])
    left = int(record["left"])
    if int(record["feature"]) in known:
        return expectation(tree, row, known, left + (0 if answer(tree, row, node) else 1))
    weights = tree.nodes["sum_hessian"][[left, left + 1]]
    parts = [expectation(tree, row, known, left + side) for side in (0, 1)]
    return float(np.dot(weights, parts) / weights.sum()) if weights.sum() > 0 else float(np.mean(parts))


def answer(tree, row, node):
    record = tree.nodes[node]
    value = row[record["feature"]]
    if np.isnan(value):
        return bool(record["default_left"])
    codes = tree.categories(node)
    return int(value) in codes if len(codes) else bool(value < record["threshold"])


def shapley(tree, row):
    """Return the Shapley value of each column of the row."""
    d = len(row)
    values = np.zeros(d)
    for column in range(d):
        others = [other for other in range(d) if other != column]
        for size in range(d):
            weight = factorial(size) * factorial(d - size - 1) / factorial(d)
            for subset in combinations(others, size):
                gain = expectation(tree, row, {*subset, column}) - expectation(tree, row, set(subset))
                values[column] += weight * gain
    assert np.isclose(values.sum() + expectation(tree, row, set()), leaf(tree, row))
    return values


def leaf(tree, row):
    return float(tree.nodes["leaf_value"][row_path(tree, row).leaf])
