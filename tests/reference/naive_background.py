"""SHAP values against given rows by their definition: every subset of columns, the prediction walked anew."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np

from tests.reference.naive_shapley import leaf


def shapley_against(tree, row, background):
    """Return the mean, over the background, of the Shapley value of each column of the row."""
    d = len(row)
    values = np.zeros(d)

    def expected(known):
        mixed = background.copy()
        mixed[:, list(known)] = row[list(known)]
        return np.mean([leaf(tree, one) for one in mixed])

    for column in range(d):
        others = [other for other in range(d) if other != column]
        for size in range(d):
            weight = factorial(size) * factorial(d - size - 1) / factorial(d)
            for subset in combinations(others, size):
                values[column] += weight * (expected((*subset, column)) - expected(subset))
    return values


def interaction(tree, row, one, other, expectation):
    """Return half the mean gain of two columns together beyond what each gains alone."""
    d = len(row)
    others = [column for column in range(d) if column not in (one, other)]
    total = 0.0
    for size in range(len(others) + 1):
        weight = factorial(size) * factorial(d - size - 2) / (2 * factorial(d - 1))
        for subset in map(set, combinations(others, size)):
            total += weight * (
                expectation(tree, row, subset | {one, other}) - expectation(tree, row, subset | {one})
                - expectation(tree, row, subset | {other}) + expectation(tree, row, subset)
            )  # fmt: skip
    return total
