"""The best cut of a column where two sums tell all: the weight, and the weighted sum of numbers.

Most searches are of this kind, and all of it stays in registers.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.sorting import ROW_MASK, VALUE_SHIFT
from workbench.trees.by_node.impurity import NO_SPLIT, pair_score
from workbench.trees.by_node.memory import AT, BEHIND, SCORE, TO_LEFT


@kernel
def write_found(memory, score, at, behind, to_left):
    """Write the best cut of a column."""
    found = memory.found[1]
    found[SCORE], found[AT], found[BEHIND], found[TO_LEFT] = score, at, behind, to_left


@kernel(apart=True)
def scan_pair_counts(memory, params, total, n, n_missing, low, span):
    """Seek the best cut between codes whose sums were counted."""
    histogram, criterion, least = memory.histogram, params.criterion, params.min_leaf_rows
    total_weight, total_number = total[0], total[1]
    missing_weight = memory.missing[0] if n_missing > 0 else 0.0
    missing_number = memory.missing[1] if n_missing > 0 else 0.0
    best, best_at, best_behind, to_left = NO_SPLIT, np.int64(0), np.int64(0), 0.0
    weight, number, n_left, last = 0.0, 0.0, np.int64(0), np.int64(0)
    for place in range(span):
        here = np.int64(histogram[3 * place + 2])
        if here == 0:
            continue
        if n_left >= least and n - n_left >= least:
            score = pair_score(criterion, weight, number, total_weight, total_number)
            if score > best:
                best, best_at, best_behind, to_left = score, last, np.int64(place), 0.0
        if n_missing > 0 and n_left > 0 and n_left + n_missing >= least and n - n_left - n_missing >= least:
            score = pair_score(
                criterion, weight + missing_weight, number + missing_number, total_weight, total_number
            )
            if score > best:
                best, best_at, best_behind, to_left = score, last, np.int64(place), 1.0
        weight += histogram[3 * place]
        number += histogram[3 * place + 1]
        n_left += here
        last = np.int64(place)
    write_found(memory, best, low + best_at, low + best_behind, to_left if n_missing > 0 else -1.0)


@kernel(apart=True)
def scan_pair_keys(memory, params, total, begin, n, n_missing, low, keys, n_keys):
    """Seek the best cut between the codes of a few rows, which are sorted."""
    criterion, least = params.criterion, params.min_leaf_rows
    total_weight, total_number = total[0], total[1]
    missing_weight = memory.missing[0] if n_missing > 0 else 0.0
    missing_number = memory.missing[1] if n_missing > 0 else 0.0
    best, best_at, best_behind, to_left = NO_SPLIT, np.int64(0), np.int64(0), 0.0
    weight, number, last = 0.0, 0.0, np.int64(keys[0] >> np.uint64(VALUE_SHIFT))
    for i in range(n_keys):
        code = np.int64(keys[i] >> np.uint64(VALUE_SHIFT))
        if code != last:
            if i >= least and n - i >= least:
                score = pair_score(criterion, weight, number, total_weight, total_number)
                if score > best:
                    best, best_at, best_behind, to_left = score, last, code, 0.0
            if n_missing > 0 and i + n_missing >= least and n - i - n_missing >= least:
                score = pair_score(
                    criterion, weight + missing_weight, number + missing_number, total_weight, total_number
                )
                if score > best:
                    best, best_at, best_behind, to_left = score, last, code, 1.0
            last = code
        place = begin + np.int64(keys[i] & np.uint64(ROW_MASK))
        weight += memory.weights[place]
        number += memory.products[place]
    write_found(memory, best, low + best_at, low + best_behind, to_left if n_missing > 0 else -1.0)
